package import Link

/// A link profile and faults that explain a capture, and their goodness of fit.
///
/// Each direction is fitted alone. Where the intervals of both have no value in common, the profile gets a value for
/// each; otherwise both are fitted together.
package struct ProfileFit {
  package var profile: LinkProfile
  /// Cuts of the link, in nanoseconds of the capture.
  package var outages: [Outage]
  /// When the first frame was sent, in nanoseconds of the capture; 0 without frames.
  package var begin: Int64
  /// Of both directions, or of the watch-to-phone direction where they differ.
  package var delay: DelayFit?
  /// The mean of both directions' latencies in nanoseconds, where they differ and two clocks took the times: of each of
  /// them less is known.
  package var meanLatency: (value: Double, interval: FitInterval)?
  /// Nil if nothing was sent while the link was up.
  package var loss: LossFit?
  package var throughput: ThroughputFit?
  /// The directions that have frames.
  package var ways: [WayFit]
  /// In which values the directions differ.
  package var differences: Set<Difference> = []
  /// Nil if one clock took all times, or nothing says how the clocks differ.
  package var clocks: ClockCorrection?
  /// Frames that were sent while the link was up, and how many of them were lost.
  package var sent: Int
  package var lost: Int
  /// Frames that arrived after one that was sent later the same way.
  package var reordered = 0
  /// Nil if the capture shows none.
  package var supervisionInterval: FitInterval?
  package var reconnectInterval: FitInterval?
  package var warnings: [String] = []

  /// A cut.
  package struct Outage: Equatable {
    package var from: Int64
    /// Nil for to the capture's end.
    package var length: Int64?
    /// Between which instants it began, and ended.
    package var beginBounds: ClosedRange<Int64>
    package var endBounds: ClosedRange<Int64>?
  }

  /// A value in which directions differ.
  package enum Difference: String, CaseIterable {
    case delay, throughput, loss
  }

  /// The chain or the independent losses.
  package var bursts: BurstFit? { loss?.bursts }

  /// Fewer frames than this give no reliable fit.
  private static let countMin = 200

  /// - Parameters:
  ///   - capture: The frames.
  ///   - isOneClock: Whether one clock took all times, so that nothing is corrected.
  package init(_ capture: Capture, isOneClock: Bool = false) {
    profile = LinkProfile(latency: .milliseconds(5))
    (outages, ways, sent, lost) = ([], [], 0, 0)
    var all = capture.samples
    var notices = capture.notices
    begin = 0
    clocks = isOneClock || capture.isOneClock ? nil : ClockCorrection(all)
    clocks?.apply(to: &all, &notices)
    begin = all.first?.sent ?? 0
    var supervisions = capture.supervisions.map { CaptureCuts.Span($0) }
    var reconnects = capture.reconnects.map { CaptureCuts.Span($0) }
    let samples: [Capture.Sample]
    if capture.outages.isEmpty {
      let found = CaptureCuts(all, notices: notices, assumed: profile)
      outages = found.cuts.map { cut in
        Outage(
          from: cut.begin, length: cut.end.map { $0 -| cut.begin }, beginBounds: cut.beginBounds,
          endBounds: cut.endBounds)
      }
      samples = found.uncovered(all)
      supervisions += found.supervisions
      reconnects += found.reconnects
      if found.falseNotices > 0 {
        warnings.append(
          "\(count(found.falseNotices, "time")) out of reach while frames kept arriving: not a cut of the link")
      }
    } else {
      outages = capture.outages.map { outage in
        Outage(
          from: outage.from, length: outage.to.map { $0 -| outage.from }, beginBounds: outage.from...outage.from,
          endBounds: outage.to.map { $0...$0 })
      }
      samples = all.filter { $0.result != .outage }
    }
    sent = samples.count
    lost = samples.count { $0.result == .lost }
    reordered = Self.countReordered(samples)
    ways = [true, false].map { WayFit(samples, isToPhone: $0) }.filter { $0.sent > 0 }
    fitThroughputAndDelay()
    fitLoss(samples)
    fitNotices(supervisions, reconnects)
    addWarnings(capture)
  }

  private mutating func fitNotices(_ supervisions: [CaptureCuts.Span], _ reconnects: [CaptureCuts.Span]) {
    if let supervision = Self.median(supervisions) {
      profile.supervision = .init(nanoseconds: supervision.length)
      supervisionInterval = FitInterval(Double(supervision.bounds.lowerBound), Double(supervision.bounds.upperBound))
    }
    if let reconnect = Self.median(reconnects) {
      profile.reconnect = LinkProfile.Reconnect(.init(nanoseconds: reconnect.length))
      reconnectInterval = FitInterval(Double(reconnect.bounds.lowerBound), Double(reconnect.bounds.upperBound))
    }
  }

  /// The medians of the lengths, and of both ends of their bounds.
  private static func median(_ spans: [CaptureCuts.Span]) -> CaptureCuts.Span? {
    func middle(_ values: [Int64]) -> Int64? { values.isEmpty ? nil : values.sorted()[values.count / 2] }
    guard let length = middle(spans.map(\.length)), let low = middle(spans.map(\.bounds.lowerBound)),
      let high = middle(spans.map(\.bounds.upperBound))
    else { return nil }
    return CaptureCuts.Span(length, low...high)
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

// MARK: - Delay and throughput

extension ProfileFit {
  private mutating func fitThroughputAndDelay() {
    let shared = ThroughputFit(ways.map(\.slope))
    if let (there, back) = comparable, there.slope.error.isFinite, back.slope.error.isFinite,
      !interval(there.slope).overlaps(interval(back.slope)), there.throughput != nil || back.throughput != nil
    {
      differences.insert(.throughput)
      throughput = there.throughput
      profile.setOwn(there.throughput?.bytesPerSecond, back.throughput?.bytesPerSecond)
    } else {
      throughput = shared
      profile.bandwidth.bytesPerSecond = shared?.bytesPerSecond
    }
    for index in ways.indices {
      let limit = differences.contains(.throughput) ? ways[index].throughput : shared
      ways[index].fitDelay(limit, clocks)
    }
    let isDifferent = comparable.map { differ($0.0, $0.1) } ?? false
    let both: DelayFit?
    if isDifferent {
      differences.insert(.delay)
      both = ways[0].delay
      findMeanLatency()
    } else {
      both = fitSharedDelay(shared)
    }
    delay = both
    guard let both else { return warnings.append("no frame arrived: the delay is unknown") }
    profile.latency = max(0, both.latency)
    profile.jitter = max(0, both.jitter)
    profile.distribution = both.distribution
    if isDifferent, let back = ways.last?.delay {
      profile.toWatch = profile.toWatch ?? LinkWay()
      profile.toWatch?.latency = max(0, back.latency)
      profile.toWatch?.jitter = max(0, back.jitter)
      profile.toWatch?.distribution = back.distribution
    }
    if both.distance > 2 * both.distanceByChance {
      warnings.append("the delays match no distribution of a profile: the nearest one is used")
    }
  }

  /// Fits the delays of both directions together.
  private func fitSharedDelay(_ shared: ThroughputFit?) -> DelayFit? {
    let delays = ways.flatMap { $0.delays(differences.contains(.throughput) ? $0.throughput : shared) }
    guard !delays.isEmpty else { return nil }
    // A difference between the clocks lengthens one direction and shortens the other: their mean is free of it, as far
    // as both have as many frames.
    let ofBytes = ways.map { WayFit.error(of: throughput, $0.counted) }.max() ?? 0
    var ofClocks = ways.count == 1 ? clocks?.delayError ?? 0 : 0
    if let (there, back) = comparable, let clocks {
      let more = abs(there.counted.count - back.counted.count)
      ofClocks = clocks.likelyReach / FitInterval.reach * Double(more) / Double(delays.count)
    }
    var fit = DelayFit(delays, error: (ofBytes * ofBytes + ofClocks * ofClocks).squareRoot())
    guard let (there, back) = comparable else { return fit }
    // Directions that differ less than shows have values on both sides of the common one.
    for own in [there.delay, back.delay].compactMap(\.self) where own.distribution == fit.distribution {
      fit.jitterInterval = fit.jitterInterval.hull(own.jitterInterval)
      if clocks == nil { fit.latencyInterval = fit.latencyInterval.hull(own.latencyInterval) }
    }
    return fit
  }

  private mutating func findMeanLatency() {
    guard clocks?.isBothWays == true, let (there, back) = comparable, let one = there.delay, let other = back.delay
    else { return }
    let value = (Double(one.latency) + Double(other.latency)) / 2
    let reach = (there.latencyReach * there.latencyReach + back.latencyReach * back.latencyReach).squareRoot() / 2
    meanLatency = (value, FitInterval(value - reach, value + reach))
  }

  /// Both directions, if each has enough frames to be fitted alone.
  private var comparable: (WayFit, WayFit)? {
    ways.count == 2 && ways.allSatisfy(\.isComparable) ? (ways[0], ways[1]) : nil
  }

  private func interval(_ slope: ThroughputFit.Slope) -> FitInterval { FitInterval(slope.value, error: slope.error) }

  /// Whether the delays of two directions have no value in common.
  private func differ(_ there: WayFit, _ back: WayFit) -> Bool {
    guard let one = there.delay, let other = back.delay else { return false }
    if !one.latencyInterval.overlaps(other.latencyInterval) { return true }
    if one.distribution == other.distribution { return !one.jitterInterval.overlaps(other.jitterInterval) }
    let delays = [there, back].map { way in
      way.delays(differences.contains(.throughput) ? way.throughput : throughput).sorted()
    }
    return !DelayFit.areAlike(delays[0], delays[1], limit: 1.95)
  }

  private mutating func fitLoss(_ samples: [Capture.Sample]) {
    guard !samples.isEmpty else { return }
    var both = LossFit(samples)
    if ways.count == 2, ways.allSatisfy({ $0.sent >= Self.countMin / 2 }) {
      for way in ways { both.share = way.loss.map { both.share.hull($0.share) } ?? both.share }
    }
    loss = both
    profile.losses = both.losses
    if ways.count == 2, let there = ways[0].loss, let back = ways[1].loss, !there.share.overlaps(back.share) {
      differences.insert(.loss)
      loss = there
      profile.losses = there.losses
      profile.toWatch = profile.toWatch ?? LinkWay()
      profile.toWatch?.losses = back.losses
    }
    if samples.count > BurstFit.countMax {
      warnings.append("losses were fitted to the first \(BurstFit.countMax) frames")
    }
    if lost > 0, lost < 10, !both.bursts.isBursty {
      warnings.append("\(lost) losses are too few to tell bursts from chance")
    }
  }

  private func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

  private mutating func addWarnings(_ capture: Capture) {
    warnings += clocks?.notes ?? []
    if !differences.isEmpty {
      let names = Difference.allCases.filter(differences.contains).map(\.rawValue).joined(separator: ", ")
      warnings.append("the directions differ (\(names)): each has its own values")
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
}

extension LinkProfile {
  /// Gives each direction its own limit, if any.
  fileprivate mutating func setOwn(_ toPhoneLimit: Int64?, _ toWatchLimit: Int64?) {
    // A direction cannot take a limit of the link back, so only those with one have it.
    if let toPhoneLimit { toPhone = LinkWay(bytesPerSecond: toPhoneLimit) }
    if let toWatchLimit { toWatch = LinkWay(bytesPerSecond: toWatchLimit) }
  }
}
