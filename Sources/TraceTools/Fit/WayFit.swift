import Foundation
import Link

/// The frames of one direction, and what fits them alone.
package struct WayFit {
  package let isToPhone: Bool
  /// Frames that were sent while the link was up, and how many of them were lost.
  package let sent: Int
  package let lost: Int
  /// Nil if nothing arrived.
  package private(set) var delay: DelayFit?
  /// Half of the latency's interval if the clocks' difference were known, in nanoseconds.
  private(set) var latencyReach = 0.0
  package let throughput: ThroughputFit?
  package let loss: LossFit?
  let slope: ThroughputFit.Slope
  /// The frames whose delay counts: those that had the link to themselves, if there are enough.
  let counted: [Capture.Sample]

  /// A direction with fewer frames is not fitted by itself.
  private static let countMin = 50

  /// Whether its values can be compared with the other direction's.
  var isComparable: Bool { counted.count >= Self.countMin }

  init(_ samples: [Capture.Sample], isToPhone: Bool) {
    self.isToPhone = isToPhone
    let own = samples.filter { $0.isToPhone == isToPhone }
    sent = own.count
    lost = own.count { $0.result == .lost }
    let alone = ThroughputFit.isolated(samples, isToPhone: isToPhone)
    let arrived = own.filter { sample in sample.isTimed && sample.received.map { $0 >= sample.sent } ?? false }
    counted = alone.count >= min(Self.countMin, arrived.count) ? alone : arrived
    slope = ThroughputFit.slope(alone.compactMap { sample in sample.delay.map { (sample.bytes, $0) } })
    throughput = ThroughputFit([slope])
    loss = own.isEmpty ? nil : LossFit(own)
  }

  /// Fits the delays without the time that the frames' bytes take.
  ///
  /// - Parameters:
  ///   - throughput: The limit of this direction, if any.
  ///   - clocks: What is known of the clocks' difference; nil if one clock took all times.
  mutating func fitDelay(_ throughput: ThroughputFit?, _ clocks: ClockCorrection?) {
    let clockError = clocks?.isBothWays == false ? clocks?.delayError ?? 0 : 0
    let delays = delays(throughput)
    guard !delays.isEmpty else { return }
    let ofBytes = Self.error(of: throughput, counted)
    var fit = DelayFit(delays, error: (ofBytes * ofBytes + clockError * clockError).squareRoot())
    latencyReach = (fit.latencyInterval.high - fit.latencyInterval.low) / 2
    if let slack = clocks?.slack(isToPhone: isToPhone) { fit.widen(below: slack.below, above: slack.above) }
    delay = fit
  }

  /// The delays of the counted frames without the time for their bytes, in nanoseconds.
  func delays(_ throughput: ThroughputFit?) -> [Double] {
    counted.compactMap { sample in sample.delay.map { $0 - (throughput?.slope ?? 0) * Double(sample.bytes) } }
  }

  /// The standard error of the mean time for the frames' bytes.
  static func error(of throughput: ThroughputFit?, _ frames: [Capture.Sample]) -> Double {
    guard let throughput, !frames.isEmpty else { return 0 }
    return throughput.error * frames.reduce(0) { $0 + Double($1.bytes) } / Double(frames.count)
  }
}

/// The values between which a fitted one lies, 19 times of 20.
package struct FitInterval: Equatable, Sendable {
  package var low: Double
  package var high: Double

  package init(_ low: Double, _ high: Double) {
    self.low = min(low, high)
    self.high = max(low, high)
  }

  /// Around a value whose error is normally distributed.
  init(_ value: Double, error: Double) {
    let reach = Self.reach * (error.isFinite ? error : 0)
    self.init(value - reach, value + reach)
  }

  /// Standard errors to each side: more than the 1.96 of a normal distribution, because the errors are
  /// estimated, too.
  static let reach = 2.3

  package func contains(_ value: Double) -> Bool { low <= value && value <= high }

  /// The least interval that has both.
  func hull(_ other: Self) -> Self { Self(min(low, other.low), max(high, other.high)) }

  func overlaps(_ other: Self) -> Bool { low <= other.high && other.low <= high }

  /// The share of `count` trials that `hits` are, by Wilson's score; wider if the trials cluster.
  ///
  /// - Parameter clustering: The variance of the number of hits in multiples of that of independent trials.
  static func share(_ hits: Int, of count: Int, clustering: Double = 1) -> Self {
    guard count > 0 else { return Self(0, 1) }
    let number = Double(count) / max(1, clustering)
    let share = Double(hits) / Double(count)
    let square = reach * reach
    let centre = (share + square / (2 * number)) / (1 + square / number)
    let half =
      reach * (share * (1 - share) / number + square / (4 * number * number)).squareRoot() / (1 + square / number)
    return Self(hits == 0 ? 0 : max(0, centre - half), hits == count ? 1 : min(1, centre + half))
  }
}
