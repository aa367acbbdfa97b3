import Link

/// Corrects the offset between two devices' clocks.
///
/// Clocks that differ show in frames that arrive before they are sent. With both directions known, their minimum delays
/// are assumed to be equal; with one direction, its minimum delay is assumed to be 0.
struct ClockCorrection {
  /// How far the phone's clock is ahead of the watch's, in nanoseconds.
  private let ahead: Int64
  private let isBothWays: Bool

  /// Nil if no frame arrived before it was sent.
  init?(_ samples: [Capture.Sample]) {
    func leastDelay(_ isToPhone: Bool) -> Int64? {
      samples.compactMap { sample in
        sample.isToPhone == isToPhone && sample.isTimed ? sample.received.map { $0 - sample.sent } : nil
      }.min()
    }
    let (there, back) = (leastDelay(true), leastDelay(false))
    guard min(there ?? 0, back ?? 0) < 0 else { return nil }
    isBothWays = there != nil && back != nil
    // Halved separately, so that the difference cannot overflow.
    ahead = if let there, let back { there / 2 - back / 2 } else { (there ?? 0) - (back ?? 0) }
  }

  /// Converts all times to the watch's clock, and sorts the samples again.
  func apply(to samples: inout [Capture.Sample], _ notices: inout [Capture.Notice], warnings: inout [String]) {
    warnings.append(
      isBothWays
        ? "the clocks differ by \(Double(ahead / 1_000) / 1e6) s: corrected, because both directions are known"
        : "frames arrived before they were sent and only one direction is known: the minimum delay is assumed to be 0")
    for index in samples.indices {
      if samples[index].isToPhone {
        samples[index].received = samples[index].received.map(byWatch)
      } else {
        samples[index].sent = byWatch(samples[index].sent)
      }
    }
    samples = samples.enumerated().sorted { ($0.element.sent, $0.offset) < ($1.element.sent, $1.offset) }.map(\.element)
    // The lines do not name their clock: the one under which fewer frames arrive while out of reach is assumed.
    let converted = notices.map { Capture.Notice(time: byWatch($0.time), isReachable: $0.isReachable) }
    if Self.contradictions(samples, converted) < Self.contradictions(samples, notices) { notices = converted }
  }

  private func byWatch(_ time: Int64) -> Int64 {
    min(max(time.subtractingReportingOverflow(ahead).partialValue, -Capture.timeMax), Capture.timeMax)
  }

  /// How many frames arrived while the devices were out of reach.
  private static func contradictions(_ samples: [Capture.Sample], _ notices: [Capture.Notice]) -> Int {
    let pairs = CaptureCuts.pairs(notices).filter { $0.up != nil }
    var count = 0
    var next = 0
    for received in samples.compactMap(\.received).sorted() {
      while next < pairs.count, let up = pairs[next].up, up <= received { next += 1 }
      if next < pairs.count, pairs[next].down < received { count += 1 }
    }
    return count
  }
}
