import Foundation
package import Link

/// The delays of frames, as a distribution that a link profile can have.
package struct DelayFit {
  package var distribution: DelayDistribution
  /// In nanoseconds, as in a profile.
  package var latency: Int64
  package var jitter: Int64
  /// Where latency and jitter lie, in nanoseconds.
  package var latencyInterval: FitInterval
  package var jitterInterval: FitInterval
  /// The largest difference between the cumulative shares of frames and distribution (Kolmogorov and Smirnov).
  package var distance: Double
  /// The value that this difference exceeds by chance once in twenty.
  package var distanceByChance: Double
  /// Number of frames.
  package var count: Int

  /// A distribution with latency and jitter, and the variances of both, in squared jitters times the number of frames.
  private struct Candidate {
    var distribution: DelayDistribution
    var latency: Double
    var jitter: Double
    var latencyVariance: Double
    var jitterVariance: Double
  }

  /// Number of compared quantiles.
  private static let quantiles = 4_096
  /// Upper bound of a delay, 115 days: a capture can contain anything, and sums must fit into 64 bits.
  private static let delayMax = 1e16
  /// A candidate whose distance is less than the nearest one's times this explains the delays as well.
  private static let plausible = 1.3
  /// Jitter below a tenth of a millisecond counts as none.
  private static let jitterMin = 100_000.0
  /// A capture's times have microseconds at best.
  private static let resolution = 1_000.0

  /// - Parameters:
  ///   - delays: In nanoseconds; at least one.
  ///   - error: The standard error of what was subtracted from all of them alike, in nanoseconds.
  init(_ delays: [Double], error: Double = 0) {
    let sorted = delays.map { min(max($0, -Self.delayMax), Self.delayMax) }.sorted()
    count = sorted.count
    let number = Double(max(count, 1))
    distanceByChance = 1.36 / number.squareRoot()
    let mean = sorted.reduce(0, +) / number
    let variance = sorted.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / max(number - 1, 1)
    let deviation = variance.squareRoot()
    distribution = .constant
    latency = Int64(saturating: mean)
    jitter = 0
    distance = 1
    latencyInterval = FitInterval(mean, error: (variance / number + error * error).squareRoot())
    latencyInterval.low -= Self.resolution
    latencyInterval.high += Self.resolution
    jitterInterval = FitInterval(0, deviation)
    guard deviation >= Self.jitterMin else {
      distance = 0
      return
    }
    let found = Self.candidates(sorted, mean, deviation).map { (candidate: $0, distance: Self.distance(sorted, $0)) }
    guard let best = found.min(by: { $0.distance < $1.distance }), best.distance < distance else { return }
    func intervals(_ candidate: Candidate) -> (latency: FitInterval, jitter: FitInterval) {
      let unit = candidate.jitter * candidate.jitter / number
      return (
        FitInterval(candidate.latency, error: (unit * candidate.latencyVariance + error * error).squareRoot()),
        FitInterval(candidate.jitter, error: (unit * candidate.jitterVariance).squareRoot())
      )
    }
    distribution = best.candidate.distribution
    latency = Int64(saturating: best.candidate.latency)
    jitter = Int64(saturating: best.candidate.jitter)
    (latencyInterval, jitterInterval) = intervals(best.candidate)
    distance = best.distance
    // Another distribution, or another way to its values, that explains the delays as well has its say.
    for other in found where other.distance < min(distanceByChance, Self.plausible * distance) {
      let own = intervals(other.candidate)
      latencyInterval = latencyInterval.hull(own.latency)
      jitterInterval = jitterInterval.hull(own.jitter)
    }
  }

  /// Widens the interval of the latency by what all delays alike may be shorter or longer.
  mutating func widen(below: Double, above: Double) {
    latencyInterval.low = max(min(0, latencyInterval.low), latencyInterval.low - below)
    latencyInterval.high += above
  }

  /// Whether two sets of delays vary in the same way around their means (Kolmogorov and Smirnov).
  ///
  /// - Parameters:
  ///   - first, second: Sorted.
  ///   - limit: What the difference of the shares exceeds by chance once in twenty for 1.36, once in a thousand for
  ///     1.95.
  static func areAlike(_ first: [Double], _ second: [Double], limit: Double = 1.36) -> Bool {
    guard !first.isEmpty, !second.isEmpty else { return true }
    let means = [first, second].map { $0.reduce(0, +) / Double($0.count) }
    var most = 0.0
    var (left, right) = (0, 0)
    while left < first.count, right < second.count {
      let value = min(first[left] - means[0], second[right] - means[1])
      while left < first.count, first[left] - means[0] <= value { left += 1 }
      while right < second.count, second[right] - means[1] <= value { right += 1 }
      most = max(most, abs(Double(left) / Double(first.count) - Double(right) / Double(second.count)))
    }
    return most < limit * (1 / Double(first.count) + 1 / Double(second.count)).squareRoot()
  }

  /// Each distribution with latency and jitter from moments, and from quantiles, which a long tail does not distort.
  ///
  /// The variances follow from those of a mean, a standard deviation and of quantiles of the distribution.
  private static func candidates(_ sorted: [Double], _ mean: Double, _ deviation: Double) -> [Candidate] {
    func quantile(_ share: Double) -> Double { sorted[min(sorted.count - 1, Int(share * Double(sorted.count)))] }
    let (low, middle, high) = (quantile(0.1), quantile(0.5), quantile(0.9))
    // Between the quantiles at 10 and 90 %: 2.563 deviations of a normal, ln 9 means of an exponential, 0.8 widths of a
    // uniform one.
    let exponential = (high - low) / 2.1972
    let first = low + exponential * Foundation.log(0.9)
    func fromMoments(_ distribution: DelayDistribution, _ shape: Shape, _ ofLatency: Double, _ ofJitter: Double)
      -> Candidate
    {
      let jitter = deviation / shape.deviation
      return Candidate(
        distribution: distribution, latency: mean - shape.mean * jitter, jitter: jitter, latencyVariance: ofLatency,
        jitterVariance: ofJitter)
    }
    func fromQuantiles(
      _ distribution: DelayDistribution, _ latency: Double, _ jitter: Double, _ ofLatency: Double, _ ofJitter: Double
    ) -> Candidate {
      Candidate(
        distribution: distribution, latency: latency, jitter: jitter, latencyVariance: ofLatency,
        jitterVariance: ofJitter)
    }
    let pareto = (high - low) / 1.2919
    return [
      fromMoments(.normal, Shape(mean: 0, deviation: 0.9981), 1, 0.5),
      fromQuantiles(.normal, middle, (high - low) / 2.5631, 1.571, 0.791),
      fromMoments(.exponential, Shape(mean: -0.0009, deviation: 0.993), 1, 1.68),
      fromQuantiles(.exponential, first + exponential, exponential, 1.584, 1.841),
      fromMoments(.uniform, Shape(mean: 0, deviation: 0.57735), 0.3334, 0.2),
      fromQuantiles(.uniform, (low + high) / 2, (high - low) / 1.6, 0.2, 0.25),
      fromMoments(.pareto, Shape(mean: -0.0051, deviation: 0.8684), 0.757, 8.77),
      fromQuantiles(.pareto, low + 0.536 * pareto, pareto, 1.089, 3.673),
    ]
  }

  /// Mean and standard deviation of a profile's distribution around a latency of 0, with a jitter of 1.
  private struct Shape {
    var mean: Double
    var deviation: Double
  }

  private static func distance(_ sorted: [Double], _ candidate: Candidate) -> Double {
    let model = (0..<quantiles).map { index in
      Double(
        candidate.distribution.quantile(
          mean: Int64(saturating: candidate.latency), jitter: Int64(saturating: candidate.jitter),
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
