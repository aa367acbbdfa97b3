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

    /// Whether this cut decided a frame's fate.
    func covers(_ sample: Capture.Sample) -> Bool {
      guard let received = sample.received else { return sample.sent >= begin && sample.sent < resumed ?? .max }
      // A transfer queued during the cut arrives after it.
      return sample.sent < end ?? .max && received > begin
    }
  }

  /// Ascending, without overlap.
  private(set) var cuts: [Cut] = []
  /// Delays of notices of cuts and returns, in nanoseconds, one for each that the capture shows.
  private(set) var supervisions: [Int64] = []
  private(set) var reconnects: [Int64] = []
  /// How often a device was out of reach while frames still arrived, as happens with an app in the background.
  private(set) var falseNotices = 0

  /// Without any notices, this many consecutive losses over this long are a cut: supervision ends longer ones.
  private static let rowLostMin = 5
  private static let rowNanosecondsMin: Int64 = 6_000_000_000
  /// A frame that arrives this long after a notice may have been in the air when the cut began.
  private static let inFlightMax: Int64 = 1_000_000_000
  /// A scenario cannot separate a cut from its notice below this.
  private static let noticeMin: Int64 = 1_000_000

  private let supervision: Int64
  private let reconnect: Int64
  private let hasNotices: Bool
  private var gap = Gap()

  /// The content of the capture between two frames that arrived.
  private struct Gap {
    /// When the previous frame was sent and received; nil at the beginning of the capture.
    var before: (sent: Int64, received: Int64)?
    /// When the first and the last lost frame was sent, and their number.
    var firstLost: Int64?
    var lastLost: Int64?
    var lostCount = 0
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
    var events: [(time: Int64, event: Event)] = []
    events.reserveCapacity(samples.count + notices.count)
    for sample in samples {
      switch sample.result {
      case .delivered: events.append((sample.received ?? sample.sent, .arrival(sent: sample.sent)))
      case .lost: events.append((sample.sent, .lost))
      case .outage: events.append((sample.sent, .refused))
      }
    }
    for pair in Self.pairs(notices) { events.append((pair.down, .notice(up: pair.up))) }
    let order = events.indices.sorted { (events[$0].time, $0) < (events[$1].time, $1) }
    for index in order { observe(events[index].event, at: events[index].time) }
    conclude(arrival: nil)
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
      conclude(arrival: now)
      gap = Gap()
      gap.before = (sent, now)
    case .lost:
      if let before = gap.before, now <= before.sent { return }
      gap.firstLost = gap.firstLost ?? now
      gap.lastLost = now
      gap.lostCount += 1
      gap.refusedAfterLoss = nil
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
  /// - Parameter arrival: When the frame that ends the gap was received; nil if none does.
  private mutating func conclude(arrival: Int64?) {
    if let noticed = [gap.down, gap.refused].compactMap({ $0 }).min() {
      concludeNoticed(at: noticed, arrival: arrival)
    } else if !hasNotices, let first = gap.firstLost, let last = gap.lastLost, gap.lostCount >= Self.rowLostMin,
      (arrival ?? last) - first >= Self.rowNanosecondsMin
    {
      cuts.append(Cut(begin: first, end: arrival.map { max(last, $0 - reconnect) }, resumed: arrival))
    }
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
    var isSupervisionKnown = gap.before != nil
    if let first = gap.firstLost, first >= noticed, let last = gap.lastLost, last - noticed >= Self.inFlightMax {
      // Frames were still sent: the line is the radio's own instant, and the sender noticed at its first refusal.
      begin = noticed
      down = gap.refusedAfterLoss ?? last
      isSupervisionKnown = isSupervisionKnown && gap.refusedAfterLoss != nil
    } else {
      let earliest = gap.before?.received ?? noticed
      begin = min(max(noticed - supervision, earliest), gap.firstLost ?? noticed, noticed)
    }
    if isSupervisionKnown { supervisions.append(down - begin) }
    guard let seen = gap.up ?? arrival else {
      cuts.append(Cut(begin: begin, end: nil, resumed: nil))
      return
    }
    let resumed = min(seen, arrival ?? seen)
    let end = min(max(seen - reconnect, down + Self.noticeMin, gap.lastLost ?? begin), resumed)
    if let up = gap.up { reconnects.append(up - end) }
    cuts.append(Cut(begin: begin, end: max(begin, end), resumed: max(begin, resumed)))
  }
}
