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
