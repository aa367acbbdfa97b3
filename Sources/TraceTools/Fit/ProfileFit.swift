import Console
import Foundation
package import Link

/// A link profile and faults that explain a capture, and their goodness of fit.
package struct ProfileFit {
  package var profile: LinkProfile
  /// Cuts of the link in nanoseconds of the capture; nil for to its end.
  package var outages: [(from: Int64, length: Int64?)]
  /// When the first frame was sent, in nanoseconds of the capture; 0 without frames.
  package var begin: Int64
  package var delay: DelayFit?
  /// Nil if nothing was sent while the link was up.
  package var bursts: BurstFit?
  /// Frames that were sent while the link was up, and how many of them were lost.
  package var sent: Int
  package var lost: Int
  /// Frames that arrived after one that was sent later the same way.
  package var reordered = 0
  package var throughput: ThroughputFit?
  package var warnings: [String] = []

  /// Fewer frames than this give no reliable fit.
  private static let countMin = 200
  private static let slot: Int64 = 30_000_000

  package init(_ capture: Capture) {
    profile = LinkProfile(latency: .milliseconds(5))
    var all = capture.samples
    var notices = capture.notices
    ClockCorrection(all)?.apply(to: &all, &notices, warnings: &warnings)
    begin = all.first?.sent ?? 0
    var (supervisions, reconnects) = (capture.supervisions, capture.reconnects)
    let samples: [Capture.Sample]
    if capture.outages.isEmpty {
      let found = CaptureCuts(all, notices: notices, assumed: profile)
      outages = found.cuts.map { cut in (cut.begin, cut.end.map { $0 -| cut.begin }) }
      samples = found.uncovered(all)
      supervisions += found.supervisions
      reconnects += found.reconnects
      if found.falseNotices > 0 {
        warnings.append(
          "\(PlainText.count(found.falseNotices, "time")) out of reach while frames kept arriving: not a cut of the link"
        )
      }
    } else {
      outages = capture.outages.map { outage in (outage.from, outage.to.map { $0 -| outage.from }) }
      samples = all.filter { $0.result != .outage }
    }
    sent = samples.count
    lost = samples.count { $0.result == .lost }
    reordered = Self.countReordered(samples)
    throughput = ThroughputFit(samples)
    fitDelay(samples)
    fitLoss(samples)
    if let supervision = Self.median(supervisions) { profile.supervision = .init(nanoseconds: supervision) }
    if let reconnect = Self.median(reconnects) {
      profile.reconnect = LinkProfile.Reconnect(.init(nanoseconds: reconnect))
    }
    if sent < Self.countMin {
      warnings.append(
        "only \(sent) frames were sent while the link was up: a reliable fit needs at least \(Self.countMin)")
    }
    if capture.otherFates > 0 {
      warnings.append("\(capture.otherFates) frames were not lost by the link itself (a dead app, a full queue)")
    }
    if capture.copies > 0 { warnings.append("\(capture.copies) further copies arrived: a duplicate fault") }
    if reordered > 0 {
      warnings.append("\(reordered) frames were overtaken: a reorder fault, which a profile cannot have")
    }
  }

  private mutating func fitDelay(_ samples: [Capture.Sample]) {
    var delays: [Double] = []
    for sample in samples {
      guard sample.isTimed, let received = sample.received, received >= sample.sent else { continue }
      delays.append(Double(received -| sample.sent))
    }
    if let throughput {
      profile.bandwidth.bytesPerSecond = throughput.bytesPerSecond
      // Behind a bottleneck only isolated frames show the air's own delay.
      delays = throughput.isolated(samples).map {
        $0.delay - Double($0.bytes) * 1e9 / Double(throughput.bytesPerSecond)
      }
    }
    guard !delays.isEmpty else { return warnings.append("no frame arrived: the delay is unknown") }
    let delay = DelayFit(delays)
    self.delay = delay
    profile.latency = max(0, delay.latency)
    profile.jitter = max(0, delay.jitter)
    profile.distribution = delay.distribution
    if delay.distance > 2 * delay.distanceByChance {
      warnings.append("the delays match no distribution of a profile: the nearest one is used")
    }
  }

  private mutating func fitLoss(_ samples: [Capture.Sample]) {
    guard !samples.isEmpty else { return }
    var trials: [BurstFit.Trial] = []
    var previous: Int64?
    for sample in samples.prefix(BurstFit.countMax) {
      let slot = (sample.sent >= 0 ? sample.sent : sample.sent -| (Self.slot - 1)) / Self.slot
      trials.append(BurstFit.Trial(slots: Double(slot - (previous ?? slot)), isLost: sample.result == .lost))
      previous = slot
    }
    let fit = BurstFit(trials[...])
    bursts = fit
    if samples.count > BurstFit.countMax {
      warnings.append("losses were fitted to the first \(BurstFit.countMax) frames")
    }
    guard lost > 0 else { return }
    if fit.isBursty {
      profile.losses = [
        .bursts(
          GilbertElliott(
            goodToBad: Self.probability(fit.goodToBad), badToGood: Self.probability(fit.badToGood),
            lossGood: Self.probability(fit.lossGood), lossBad: Self.probability(fit.lossBad)), isRetried: false)
      ]
    } else {
      profile.losses = [.independent(Self.probability(Double(lost) / Double(sent)))]
      if lost < 10 { warnings.append("\(lost) losses are too few to tell bursts from chance") }
    }
  }

  private static func probability(_ value: Double) -> Probability {
    Probability((value * 1e5).rounded() / 1e5) ?? .never
  }

  private static func median(_ values: [Int64]) -> Int64? {
    values.isEmpty ? nil : values.sorted()[values.count / 2]
  }

  private static func countReordered(_ samples: [Capture.Sample]) -> Int {
    var latest: [Bool: Int64] = [:]
    var count = 0
    for sample in samples {
      guard sample.isTimed, let received = sample.received else { continue }
      if let last = latest[sample.isToPhone], received < last { count += 1 }
      latest[sample.isToPhone] = max(received, latest[sample.isToPhone] ?? received)
    }
    return count
  }
}

/// The throughput in bytes a second: the slope of delay over size for isolated frames.
package struct ThroughputFit {
  package var bytesPerSecond: Int64
  /// The slope in multiples of its standard error.
  package var significance: Double
  package var count: Int

  private static let countMin = 30
  private static let significanceMin = 5.0

  /// Nil if there are too few frames, too similar ones, or no influence of size.
  init?(_ samples: [Capture.Sample]) {
    let alone = Self.isolated(samples)
    count = alone.count
    guard alone.count >= Self.countMin else { return nil }
    let number = Double(alone.count)
    let meanBytes = alone.reduce(0) { $0 + Double($1.bytes) } / number
    let meanDelay = alone.reduce(0) { $0 + $1.delay } / number
    let spread = alone.reduce(0) { $0 + (Double($1.bytes) - meanBytes) * (Double($1.bytes) - meanBytes) }
    guard spread > 0 else { return nil }
    let slope = alone.reduce(0) { $0 + (Double($1.bytes) - meanBytes) * ($1.delay - meanDelay) } / spread
    let rest = alone.reduce(0.0) { sum, one in
      let error = one.delay - meanDelay - slope * (Double(one.bytes) - meanBytes)
      return sum + error * error
    }
    let uncertainty = (rest / max(1, number - 2) / spread).squareRoot()
    guard slope > 0, slope > Self.significanceMin * uncertainty, slope < 1e9 else { return nil }
    significance = uncertainty > 0 ? slope / uncertainty : .infinity
    bytesPerSecond = Int64(saturating: 1e9 / slope)
    guard bytesPerSecond >= 1 else { return nil }
  }

  /// Frames before which nothing was in flight the same way.
  func isolated(_ samples: [Capture.Sample]) -> [(bytes: Int, delay: Double)] { Self.isolated(samples) }

  private static func isolated(_ samples: [Capture.Sample]) -> [(bytes: Int, delay: Double)] {
    var busy: [Bool: Int64] = [:]
    var alone: [(bytes: Int, delay: Double)] = []
    for sample in samples {
      // Lost frames passed the bottleneck too: they count as in flight for a second.
      let until = sample.received ?? sample.sent +| 1_000_000_000
      if sample.isTimed, let received = sample.received, received >= sample.sent,
        sample.sent >= busy[sample.isToPhone] ?? .min
      {
        alone.append((sample.bytes, Double(received -| sample.sent)))
      }
      busy[sample.isToPhone] = max(until, busy[sample.isToPhone] ?? .min)
    }
    return alone
  }
}
