import Simulator
import Link

/// Faults that take away one support of an outcome, or bring it in another order: a minimal set for this outcome.
struct LineageCut {
  /// How a support is cut, in the order of their turns: first those after which the two sides differ longest in what
  /// they know of the outcome.
  enum Form: Int, CaseIterable {
    /// The device dies directly after it committed the outcome.
    case kill
    /// Nothing arrives in the other direction: no acknowledgement of the frame, and no answer.
    case deaf
    /// The link is cut before the first supporting frame is sent, and stays cut: whoever acts knows it, and does
    /// something else.
    case apart
    /// The frame overtakes what its sender sent on other channels shortly before and after it.
    case overtake
    /// Nothing more arrives in the direction of the frame that brought the outcome: no repetition replaces it.
    case mute
    /// An older frame of the same channel arrives just before it.
    case stale
    /// The frame arrives late, behind later ones.
    case late
    /// The frame is lost once.
    case drop
    /// The frame arrives three times.
    case twice
    /// The device's app is suspended after the outcome.
    case sleep

    /// The kind of fault, by its name in a nemesis for the watch-phone link.
    var kind: String {
      switch self {
      case .kill: KillFault.kind
      case .apart: DisconnectFault.kind
      case .mute, .drop, .deaf: LossFault.kind
      case .overtake, .stale, .late: ReorderFault.kind
      case .twice: DuplicateFault.kind
      case .sleep: SuspendFault.kind
      }
    }

    /// Whether its effects last so long that the rest of the run becomes another one.
    var isLong: Bool { self == .apart || self == .mute || self == .deaf }
  }

  /// Twice as long as an order of the phone is valid (30 s), and longer than every wait for an answer.
  static let longSpan = VirtualTime.Span.seconds(60)
  /// From a cut to when both sides have noticed it, at the supervision times of 6 s that profiles have.
  static let noticeSpan = VirtualTime.Span.seconds(8)
  /// How late frames arrive: longer than the silence after which the phone misses the watch.
  static let lateSpan = VirtualTime.Span.seconds(12)
  /// From the death of an app to its next start.
  static let restartSpan = VirtualTime.Span.seconds(3)
  /// Frames that are sent together also pass a slow link together, a little later.
  static let frameSpan = VirtualTime.Span.milliseconds(50)
  /// Between two cuts that share a run, for the first one's effects to be over.
  static let restSpan = VirtualTime.Span.seconds(10)

  var fault: PlannedFault
  /// The outcome's kind.
  var outcome: String
  /// Its effects are over, as far as this can be foreseen.
  var overAt: VirtualTime

  /// The cut of an outcome; nil if it has no such support, or if there is no time for it.
  ///
  /// - Parameters:
  ///   - round: Which crash point is taken where an event has several.
  ///   - bounds: When faults may begin, and when they have ended.
  init?(
    _ form: Form, of outcome: Lineage.Outcome, in lineage: Lineage, round: Int, nemesis: Nemesis, end: VirtualTime,
    apps: [NodeRole]
  ) {
    self.outcome = outcome.kind
    let nearest = outcome.support.first
    let isOnUplink = nearest.map { lineage.frames[$0].isOnUplink } ?? false
    guard form == .kill || !Lineage.steps.contains(outcome.event) else { return nil }
    guard outcome.node != .edge || form != .kill && form != .sleep else { return nil }
    let isOfLink = form == .kill || form == .sleep || !isOnUplink
    guard nemesis.kinds.contains(isOfLink ? form.kind : "uplink.\(form.kind)") else { return nil }
    guard
      let fault = Self.fault(form, outcome, lineage, round: round, earliest: nemesis.from, latest: end, apps: apps)
    else { return nil }
    self.fault = fault
    overAt = (fault.end ?? fault.begin) + Self.restSpan
    switch form {
    case .kill: overAt = overAt + Self.restartSpan
    case .overtake, .late: overAt = overAt + Self.lateSpan
    case .stale: overAt = outcome.at + Self.restSpan
    case .apart, .mute, .drop, .twice, .deaf, .sleep: break
    }
  }

  private static func fault(
    _ form: Form, _ outcome: Lineage.Outcome, _ lineage: Lineage, round: Int, earliest: VirtualTime,
    latest: VirtualTime, apps: [NodeRole]
  ) -> PlannedFault? {
    switch form {
    case .kill: return kill(outcome, round: round, earliest: earliest, latest: latest, apps: apps)
    case .sleep:
      let begin = outcome.at + .milliseconds(1)
      guard begin >= earliest, begin + longSpan <= latest else { return nil }
      return PlannedFault(begin: begin, end: begin + longSpan, SuspendFault(outcome.node))
    case .apart, .mute, .overtake, .stale, .late, .drop, .twice, .deaf: break
    }
    guard let nearest = outcome.support.first else { return nil }
    let frame = lineage.frames[nearest]
    let sentAt = frame.sentAt
    let one = (begin: sentAt, end: sentAt + frameSpan)
    switch form {
    case .apart:
      let first = outcome.support.map { lineage.frames[$0].sentAt }.min() ?? sentAt
      let span = (begin: back(first, noticeSpan), end: first + longSpan)
      return planned(span, frame, within: earliest...latest, nil, .world(DisconnectFault()))
    case .mute:
      let fault = LossFault(.independent(.always))
      return planned((sentAt, sentAt + longSpan), frame, within: earliest...latest, nil, .frame(fault))
    case .deaf:
      var opposite = frame
      opposite.direction = Self.opposite(frame.direction)
      let fault = LossFault(.independent(.always))
      return planned((sentAt, sentAt + longSpan), opposite, within: earliest...latest, nil, .frame(fault))
    case .overtake:
      guard !frame.isOnUplink else { return nil }
      let others = Channel.ofLink.filter { $0 != frame.channel }
      let span = (begin: back(sentAt, .seconds(3)), end: sentAt + .seconds(1))
      let fault = ReorderFault(probability: .always, by: lateSpan)
      return planned(span, frame, within: earliest...latest, others, .frame(fault))
    case .stale:
      guard let old = lineage.overtaken(before: nearest), let arrivedAt = frame.arrivedAt, let oldAt = old.arrivedAt
      else { return nil }
      let by = (arrivedAt - oldAt).nanoseconds / 1_000_000 - 200
      guard by > 0, by < 600_000 else { return nil }
      let fault = ReorderFault(probability: .always, by: .milliseconds(by))
      let span = (begin: old.sentAt, end: old.sentAt + frameSpan)
      return planned(span, frame, within: earliest...latest, [frame.channel], .frame(fault))
    case .late:
      let fault = ReorderFault(probability: .always, by: lateSpan)
      return planned(one, frame, within: earliest...latest, [frame.channel], .frame(fault))
    case .drop:
      let fault = LossFault(.independent(.always))
      return planned(one, frame, within: earliest...latest, [frame.channel], .frame(fault))
    case .twice:
      let fault = DuplicateFault(probability: .always, copies: 2)
      return planned(one, frame, within: earliest...latest, [frame.channel], .frame(fault))
    case .kill, .sleep: return nil
    }
  }

  /// A fault on a frame's link; nil if none of it is within the bounds.
  private static func planned(
    _ span: (begin: VirtualTime, end: VirtualTime), _ frame: Lineage.Frame, within bounds: ClosedRange<VirtualTime>,
    _ channels: [Channel]?, _ body: PlannedFault.Body
  ) -> PlannedFault? {
    let begin = max(span.begin, bounds.lowerBound)
    let end = min(span.end, bounds.upperBound)
    guard begin + .milliseconds(1) <= end else { return nil }
    var direction: Direction? = frame.direction
    if case .world = body { direction = nil }
    return PlannedFault(
      begin: begin, end: end, direction: direction, channels: frame.isOnUplink ? nil : channels,
      onUplink: frame.isOnUplink, body)
  }

  private static func kill(
    _ outcome: Lineage.Outcome, round: Int, earliest: VirtualTime, latest: VirtualTime, apps: [NodeRole]
  ) -> PlannedFault? {
    let points = apps.contains(outcome.node) ? [] : Self.points(of: outcome.event)
    guard outcome.at >= earliest, outcome.at + restartSpan + .milliseconds(2) <= latest else { return nil }
    guard !points.isEmpty else {
      return PlannedFault(
        begin: outcome.at + .milliseconds(1), KillFault(outcome.node, restartAfter: restartSpan))
    }
    return PlannedFault(
      begin: outcome.at, end: outcome.at + .milliseconds(1),
      KillFault(outcome.node, restartAfter: restartSpan, point: points[round % points.count]))
  }

  /// The crash points that a device passes at the instant of an event.
  private static func points(of event: String) -> [CrashPoint] {
    let names: [String] =
      switch event {
      case "workout.state": ["workout.committed"]
      case "transfer.queued": ["outbox.committed"]
      case "transfer.progress": ["file.chunk"]
      case "transfer.delivered": ["handler.committed", "inbox.committed", "inbox.acked", "file.renamed"]
      case "context.received": ["context.committed"]
      case "script.dispatch": ["dispatch.committed"]
      case "voice.received": ["voice.committed"]
      case "ai.reply": ["reply.committed"]
      case "memory.updated": ["memory.committed"]
      default: []
      }
    return names.compactMap { name in CrashPoint.all.first { $0.name == name } }
  }

  private static func back(_ time: VirtualTime, _ span: VirtualTime.Span) -> VirtualTime {
    VirtualTime(nanoseconds: max(0, time.nanoseconds - span.nanoseconds))
  }

  private static func opposite(_ direction: Direction) -> Direction {
    switch direction {
    case .watchToPhone: .phoneToWatch
    case .phoneToWatch: .watchToPhone
    case .phoneToEdge: .edgeToPhone
    case .edgeToPhone: .phoneToEdge
    }
  }
}
