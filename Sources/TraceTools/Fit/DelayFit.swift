import Foundation
package import Link

/// The delays of frames, as a distribution that a link profile can have.
package struct DelayFit {
  package var distribution: DelayDistribution
  /// In nanoseconds, as in a profile.
  var latency: Int64
  var jitter: Int64
  /// The largest difference between the cumulative shares of frames and distribution (Kolmogorov and Smirnov).
  package var distance: Double
  /// The value that this difference exceeds by chance once in twenty.
  package var distanceByChance: Double
  /// Number of frames.
  package var count: Int

  /// Number of compared quantiles.
  private static let quantiles = 4_096
  /// Upper bound of a delay, 115 days: a capture can contain anything, and sums must fit into 64 bits.
  private static let delayMax = 1e16
  /// Jitter below a tenth of a millisecond counts as none.
  private static let jitterMin = 100_000.0

  /// - Parameter delays: In nanoseconds; at least one.
  init(_ delays: [Double]) {
    let sorted = delays.map { min(max($0, -Self.delayMax), Self.delayMax) }.sorted()
    count = sorted.count
    distanceByChance = 1.36 / Double(max(count, 1)).squareRoot()
    let mean = sorted.reduce(0, +) / Double(max(count, 1))
    let variance = sorted.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(max(count - 1, 1))
    let deviation = variance.squareRoot()
    distribution = .constant
    latency = Int64(saturating: mean)
    jitter = 0
    distance = 1
    guard deviation >= Self.jitterMin else {
      distance = 0
      return
    }
    for candidate in Self.candidates(sorted, mean, deviation) {
      let found = Self.distance(sorted, candidate)
      if found < distance {
        (distribution, latency, jitter) = (candidate.0, Int64(saturating: candidate.1), Int64(saturating: candidate.2))
        distance = found
      }
    }
  }

  /// Each distribution with latency and jitter from moments, and from quantiles, which a long tail does not distort.
  private static func candidates(
    _ sorted: [Double], _ mean: Double, _ deviation: Double
  ) -> [(DelayDistribution, Double, Double)] {
    func quantile(_ share: Double) -> Double { sorted[min(sorted.count - 1, Int(share * Double(sorted.count)))] }
    let (low, middle, high) = (quantile(0.1), quantile(0.5), quantile(0.9))
    // Between the quantiles at 10 and 90 %: 2.563 deviations of a normal, ln 9 means of an exponential, 0.8 widths of a
    // uniform one.
    let exponential = (high - low) / 2.1972
    let first = low + exponential * Foundation.log(0.9)
    return [
      (.normal, mean, deviation), (.normal, middle, (high - low) / 2.5631),
      (.exponential, mean, deviation), (.exponential, first + exponential, exponential),
      (.uniform, mean, deviation * 3.0.squareRoot()), (.uniform, (low + high) / 2, (high - low) / 1.6),
      (.pareto, mean, deviation / 0.87),
    ]
  }

  private static func distance(_ sorted: [Double], _ candidate: (DelayDistribution, Double, Double)) -> Double {
    let (distribution, latency, jitter) = candidate
    let model = (0..<quantiles).map { index in
      Double(
        distribution.quantile(
          mean: Int64(saturating: latency), jitter: Int64(saturating: jitter),
          share: (Double(index) + 0.5) / Double(quantiles)))
    }.sorted()
    var most = 0.0
    var (left, right) = (0, 0)
    while left < sorted.count, right < model.count {
      let value = min(sorted[left], model[right])
      while left < sorted.count, sorted[left] <= value { left += 1 }
      while right < model.count, model[right] <= value { right += 1 }
      most = max(most, abs(Double(left) / Double(sorted.count) - Double(right) / Double(model.count)))
    }
    return most
  }
}
