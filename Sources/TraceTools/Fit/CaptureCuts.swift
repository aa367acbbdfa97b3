import Link

/// The cuts of a link in a capture, and how late the devices noticed them.
///
/// A line `reachable` is the time of a notice, not of the radio's cut or return: frames lost before the notice were
/// lost to the cut, not to the link. The radio's own instant is only bounded: after the last frame that arrived, and
/// before the first one that was lost. Within these bounds the supervision time of an unfitted profile is assumed, and
/// likewise its reconnect time for the return.
struct CaptureCuts {
  /// One cut, in nanoseconds of the capture's time.
  struct Cut: Equatable {
    /// When the radio was cut.
    var begin: Int64
    /// When the radio was back; nil if the capture ends before.
    var end: Int64?
    /// When frames passed again, at or after `end`; nil if the capture ends before.
    var resumed: Int64?
    /// Between which instants it began and ended.
    var beginBounds: ClosedRange<Int64>
    var endBounds: ClosedRange<Int64>?
    /// Whether only lost frames show it, and no silence after them.
    var isByLosses = false

    /// Whether this cut decided a frame's fate.
    func covers(_ sample: Capture.Sample) -> Bool {
      guard let received = sample.received else { return sample.sent >= begin && sample.sent < resumed ?? .max }
      // A transfer queued during the cut arrives after it.
      return sample.sent < end ?? .max && received > begin
    }
  }

  /// Ascending, without overlap.
  private(set) var cuts: [Cut] = []
  /// Delays of notices of cuts and returns, one for each that the capture shows.
  private(set) var supervisions: [Span] = []
  private(set) var reconnects: [Span] = []

  /// A length of time in nanoseconds, and between which lengths it is.
  struct Span: Equatable {
    var length: Int64
    var bounds: ClosedRange<Int64>

    init(_ length: Int64, _ bounds: ClosedRange<Int64>) {
      self.length = length
      self.bounds = bounds
    }

    /// A length that is known exactly.
    init(_ length: Int64) { self.init(length, length...length) }
  }
  /// How often a device was out of reach while frames still arrived, as happens with an app in the background.
  private(set) var falseNotices = 0

  /// Without any notices, this many consecutive losses over this long may be a cut: supervision ends longer ones.
  private static let rowLostMin = 5
  /// Without any notices, this many frames that waited as long for their arrival are a cut.
  private static let waitedMin = 3
  private static let rowNanosecondsMin: Int64 = 6_000_000_000
  /// A frame that arrives this long after a notice may have been in the air when the cut began.
  private static let inFlightMax: Int64 = 1_000_000_000
  /// A scenario cannot separate a cut from its notice below this.
  private static let noticeMin: Int64 = 1_000_000

  private let supervision: Int64
  private let reconnect: Int64
  private let hasNotices: Bool
  /// The least delay, in nanoseconds.
  private let delayLeast: Int64
  /// A sender that is silent this long after losses knows that the link is down, in nanoseconds.
  private let silenceMin: Int64
  private var gap = Gap()

  /// The content of the capture between two frames that arrived.
  private struct Gap {
    /// When the previous frame was sent and received; nil at the beginning of the capture.
    var before: (sent: Int64, received: Int64)?
    /// When the first and the last lost frame was sent, and their number.
    var firstLost: Int64?
    var lastLost: Int64?
    var lostCount = 0
    /// When the first and the last frame was sent that arrived far later than others do, their number, and when the
    /// first of them arrived.
    var firstWaited: Int64?
    var lastWaited: Int64?
    var waitedCount = 0
    var waitedUntil: Int64?
    /// When a frame was first refused, and when first after the last loss.
    var refused: Int64?
    var refusedAfterLoss: Int64?
    /// When a device noticed that its peer was out of reach, and when that it was back.
    var down: Int64?
    var up: Int64?
  }

  private enum Event {
    case arrival(sent: Int64)
    case lost
    case waited(received: Int64)
    case refused
    case notice(up: Int64?)
  }

  /// - Parameters:
  ///   - samples: All times by one clock.
  ///   - notices: When a device noticed that its peer was out of reach or back, by the same clock, in any order.
  ///   - assumed: Its supervision and reconnect times hold as far as the capture does not contradict them.
  init(_ samples: [Capture.Sample], notices: [Capture.Notice], assumed: LinkProfile) {
    supervision = assumed.supervision.nanoseconds
    reconnect = assumed.reconnect.median.nanoseconds
    hasNotices = notices.contains { !$0.isReachable } || samples.contains { $0.result == .outage }
    let delays = samples.filter(\.isTimed).compactMap { sample in sample.received.map { $0 -| sample.sent } }.sorted()
    delayLeast = max(0, delays.first ?? 0)
    let steps = zip(samples, samples.dropFirst()).map { $1.sent -| $0.sent }.sorted()
    silenceMin = max(assumed.supervision.nanoseconds, 10 *| (steps.isEmpty ? 0 : steps[steps.count / 2]))
    let waits = hasNotices ? .max : Self.waitMin(delays)
    var events: [(time: Int64, event: Event)] = []
    events.reserveCapacity(samples.count + notices.count)
    for sample in samples {
      switch sample.result {
      case .delivered:
        let received = sample.received ?? sample.sent
        events.append((received, .arrival(sent: sample.sent)))
        if received -| sample.sent > waits { events.append((sample.sent, .waited(received: received))) }
      case .lost: events.append((sample.sent, .lost))
      case .outage: events.append((sample.sent, .refused))
      }
    }
    for pair in Self.pairs(notices) { events.append((pair.down, .notice(up: pair.up))) }
    let order = events.indices.sorted { (events[$0].time, $0) < (events[$1].time, $1) }
    for index in order { observe(events[index].event, at: events[index].time) }
    conclude(arrival: nil)
    dropChance(samples)
  }

  /// The delay of a frame that must have waited.
  private static func waitMin(_ sorted: [Int64]) -> Int64 {
    guard sorted.count >= 20 else { return .max }
    let middle = sorted[sorted.count / 2]
    return middle +| max(inFlightMax, 10 *| (sorted[sorted.count * 3 / 4] -| middle))
  }

  /// Drops rows of losses that the losses of the link itself explain.
  private mutating func dropChance(_ samples: [Capture.Sample]) {
    let rows = cuts.indices.filter { cuts[$0].isByLosses }
    guard !rows.isEmpty else { return }
    let ends = LostRows.unexplained(
      rows.map { cuts[$0].begin..<(cuts[$0].resumed ?? .max) }, among: samples)
    for (row, ends) in zip(rows, ends).reversed() {
      guard let ends else {
        cuts.remove(at: row)
        continue
      }
      cuts[row].beginBounds = min(cuts[row].beginBounds.lowerBound, ends.begin.lowerBound)...ends.begin.upperBound
      if let bounds = cuts[row].endBounds {
        cuts[row].endBounds = min(bounds.lowerBound, ends.end.lowerBound)...bounds.upperBound
      }
    }
  }

  /// The samples whose fate no cut decided, in their order.
  ///
  /// - Parameter samples: Ascending by `sent`.
  func uncovered(_ samples: [Capture.Sample]) -> [Capture.Sample] {
    var next = 0
    return samples.filter { sample in
      guard sample.result != .outage else { return false }
      while next < cuts.count, let resumed = cuts[next].resumed, resumed <= sample.sent { next += 1 }
      return next == cuts.count || !cuts[next].covers(sample)
    }
  }

  /// When the peer was out of reach; `up` is nil if no line reports its return.
  static func pairs(_ notices: [Capture.Notice]) -> [(down: Int64, up: Int64?)] {
    var pairs: [(down: Int64, up: Int64?)] = []
    for notice in notices.sorted(by: { $0.time < $1.time }) {
      let isOpen = pairs.last.map { $0.up == nil } ?? false
      if notice.isReachable, isOpen {
        pairs[pairs.count - 1].up = notice.time
      } else if !notice.isReachable {
        // Two devices notice the same cut; one that does not report returns may notice several.
        pairs.append((notice.time, nil))
      }
    }
    return pairs
  }
}

// MARK: - One gap after the other

extension CaptureCuts {
  private mutating func observe(_ event: Event, at now: Int64) {
    switch event {
    case .arrival(let sent):
      if let down = gap.down, sent < down, now - down < Self.inFlightMax, gap.up.map({ now < $0 }) ?? true {
        gap.before = (sent, now)
        return
      }
      conclude(arrival: (sent, now))
      gap = Gap()
      gap.before = (sent, now)
    case .lost:
      if let before = gap.before, now <= before.sent { return }
      gap.firstLost = gap.firstLost ?? now
      gap.lastLost = now
      gap.lostCount += 1
      gap.refusedAfterLoss = nil
    case .waited(let received):
      gap.firstWaited = gap.firstWaited ?? now
      gap.lastWaited = now
      gap.waitedCount += 1
      gap.waitedUntil = min(received, gap.waitedUntil ?? .max)
    case .refused:
      gap.refused = gap.refused ?? now
      gap.refusedAfterLoss = gap.refusedAfterLoss ?? now
    case .notice(let up):
      if let last = gap.up, last <= now {
        conclude(arrival: nil)
        gap = Gap()
        gap.before = (last, last)
      }
      gap.down = gap.down ?? now
      gap.up = gap.up ?? up
    }
  }

  /// Adds the gap as a cut if it is one.
  ///
  /// - Parameter arrival: When the frame that ends the gap was sent and received; nil if none does.
  private mutating func conclude(arrival: (sent: Int64, received: Int64)?) {
    if let noticed = [gap.down, gap.refused].compactMap({ $0 }).min() {
      concludeNoticed(at: noticed, arrival: arrival?.received)
    } else if !hasNotices, gap.waitedCount >= Self.waitedMin, let arrival {
      concludeWaited(arrival)
    } else if !hasNotices, let first = gap.firstLost, let last = gap.lastLost, gap.lostCount >= Self.rowLostMin,
      (arrival?.received ?? last) - first >= Self.rowNanosecondsMin
    {
      let received = arrival?.received
      let end = received.map { max(last, $0 - reconnect) }
      cuts.append(
        Cut(
          begin: first, end: end, resumed: received, beginBounds: beginBounds(before: first),
          endBounds: received.map { last...max(last, $0) },
          isByLosses: arrival.map { $0.sent - last < silenceMin } ?? true))
    }
  }

  /// A gap in which frames waited: a device keeps its transfers while the link is cut.
  private mutating func concludeWaited(_ arrival: (sent: Int64, received: Int64)) {
    guard let first = [gap.firstWaited, gap.firstLost].compactMap({ $0 }).min(),
      let last = [gap.lastWaited, gap.lastLost].compactMap({ $0 }).max(),
      arrival.received - first >= Self.rowNanosecondsMin
    else { return }
    // A frame that did not wait shows that the link was up when it was sent.
    let isDirect = arrival.sent >= last
    let latest = max(last, isDirect ? arrival.sent : arrival.received - delayLeast)
    let end = isDirect ? latest : max(last, latest - reconnect)
    if isDirect, let until = gap.waitedUntil, until - delayLeast > end {
      reconnects.append(Span(until - delayLeast - end, until - delayLeast - end...until - delayLeast - last))
    }
    cuts.append(
      Cut(
        begin: first, end: end, resumed: max(end, arrival.received), beginBounds: beginBounds(before: first),
        endBounds: last...latest))
  }

  /// From the last frame that arrived to the first that did not.
  private func beginBounds(before first: Int64) -> ClosedRange<Int64> {
    min(gap.before?.received ?? first, first)...first
  }

  private mutating func concludeNoticed(at noticed: Int64, arrival: Int64?) {
    if gap.lostCount == 0, let arrival {
      if let before = gap.before {
        if arrival < gap.up ?? .max, arrival - before.received < supervision {
          if gap.down != nil { falseNotices += 1 }
          return
        }
      } else if min(arrival, gap.up ?? arrival) - noticed < supervision {
        // The sides were exchanging hellos.
        return
      }
    }
    var down = noticed
    let begin: Int64
    var bounds: ClosedRange<Int64>
    var isSupervisionKnown = gap.before != nil
    if let first = gap.firstLost, first >= noticed, let last = gap.lastLost, last - noticed >= Self.inFlightMax {
      // Frames were still sent: the line is the radio's own instant, and the sender noticed at its first refusal.
      begin = noticed
      bounds = noticed...noticed
      down = gap.refusedAfterLoss ?? last
      isSupervisionKnown = isSupervisionKnown && gap.refusedAfterLoss != nil
    } else {
      let earliest = gap.before?.received ?? noticed
      let latest = min(gap.firstLost ?? noticed, noticed)
      begin = min(max(noticed - supervision, earliest), latest)
      bounds = min(earliest, latest)...latest
    }
    if isSupervisionKnown {
      supervisions.append(Span(down - begin, down - bounds.upperBound...down - bounds.lowerBound))
    }
    guard let seen = gap.up ?? arrival else {
      cuts.append(Cut(begin: begin, end: nil, resumed: nil, beginBounds: bounds, endBounds: nil))
      return
    }
    let resumed = min(seen, arrival ?? seen)
    let earliest = min(max(down + Self.noticeMin, gap.lastLost ?? begin), resumed)
    let end = min(max(seen - reconnect, earliest), resumed)
    if let up = gap.up { reconnects.append(Span(up - end, up - resumed...up - earliest)) }
    cuts.append(
      Cut(
        begin: begin, end: max(begin, end), resumed: max(begin, resumed), beginBounds: bounds,
        endBounds: max(begin, earliest)...max(begin, resumed)))
  }
}
