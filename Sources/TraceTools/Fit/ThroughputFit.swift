import Foundation
import Link

/// The throughput in bytes a second: the slope of delay over size for isolated frames of one direction.
///
/// Directions are never compared with each other: their frames may differ in size and their delays in the clocks.
package struct ThroughputFit {
  package var bytesPerSecond: Int64
  /// The slope in multiples of its standard error.
  package var significance: Double
  package var count: Int
  /// In bytes a second.
  package var interval: FitInterval
  /// Nanoseconds a byte, and its standard error.
  let slope: Double
  let error: Double

  /// The slope of a direction, whether or not it is different from 0.
  struct Slope {
    var value: Double
    /// Infinite if the sizes do not differ.
    var error: Double
    var count: Int
  }

  private static let countMin = 30
  private static let significanceMin = 5.0
  /// Slopes below this are above any limit that a link can have.
  private static let slopeMin = 1e-3

  /// Nil if there are too few frames, too similar ones, or no influence of size.
  init?(_ slopes: [Slope]) {
    let known = slopes.filter { $0.error.isFinite && $0.count >= Self.countMin }
    // Weighted by their exactness; without any scatter, equally.
    let weights = known.map { $0.error > 0 ? 1 / ($0.error * $0.error) : 1e18 }
    let sum = weights.reduce(0, +)
    guard sum > 0 else { return nil }
    slope = zip(known, weights).reduce(0) { $0 + $1.0.value * $1.1 } / sum
    error = known.allSatisfy { $0.error == 0 } ? 0 : 1 / sum.squareRoot()
    count = known.reduce(0) { $0 + $1.count }
    guard slope > Self.slopeMin, slope > Self.significanceMin * error, slope < 1e9 else { return nil }
    significance = error > 0 ? slope / error : .infinity
    bytesPerSecond = Int64(saturating: 1e9 / slope)
    let nanoseconds = FitInterval(slope, error: error)
    interval = FitInterval(1e9 / nanoseconds.high, 1e9 / max(nanoseconds.low, Self.slopeMin))
    guard bytesPerSecond >= 1 else { return nil }
  }

  /// The slope of delay over size, by least squares.
  static func slope(_ frames: [(bytes: Int, delay: Double)]) -> Slope {
    let number = Double(frames.count)
    guard frames.count > 2 else { return Slope(value: 0, error: .infinity, count: frames.count) }
    let meanBytes = frames.reduce(0) { $0 + Double($1.bytes) } / number
    let meanDelay = frames.reduce(0) { $0 + $1.delay } / number
    let spread = frames.reduce(0) { $0 + (Double($1.bytes) - meanBytes) * (Double($1.bytes) - meanBytes) }
    guard spread > 0 else { return Slope(value: 0, error: .infinity, count: frames.count) }
    let slope = frames.reduce(0) { $0 + (Double($1.bytes) - meanBytes) * ($1.delay - meanDelay) } / spread
    let rest = frames.reduce(0.0) { sum, one in
      let error = one.delay - meanDelay - slope * (Double(one.bytes) - meanBytes)
      return sum + error * error
    }
    return Slope(value: slope, error: (rest / (number - 2) / spread).squareRoot(), count: frames.count)
  }

  /// Timed frames that arrived and before which nothing was in flight the same way, by direction.
  static func isolated(_ samples: [Capture.Sample], isToPhone: Bool) -> [Capture.Sample] {
    var busy = Int64.min
    var alone: [Capture.Sample] = []
    for sample in samples where sample.isToPhone == isToPhone {
      // Lost frames passed the bottleneck too: they count as in flight for a second.
      let until = sample.received ?? sample.sent +| 1_000_000_000
      if sample.isTimed, let received = sample.received, received >= sample.sent, sample.sent >= busy {
        alone.append(sample)
      }
      busy = max(until, busy)
    }
    return alone
  }
}

extension Capture.Sample {
  /// From sending to arrival in nanoseconds; nil if the frame did not arrive.
  var delay: Double? { received.map { Double($0 -| sent) } }
}
