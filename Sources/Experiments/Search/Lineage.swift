import Console
import Link
import Simulator
import TraceTools

/// How the good outcomes of a run came about: for each the frames that support it, from the causes of its line.
///
/// An outcome is a line by which a device commits something, believes something or does something for the user. Its
/// support is found by following causes back (``CauseFinder``): the frame that brought it, the one that this one
/// answers, and so on.
final class Lineage {
  /// A copy of a frame that arrived, or is under way.
  struct Frame: Equatable {
    var sentAt: VirtualTime
    var arrivedAt: VirtualTime?
    var direction: Direction
    var channel: Channel
    /// The event that led to it, by its code: frames of one origin follow each other, such as snapshots; 0 for none.
    var origin: UInt64

    var isOnUplink: Bool { Direction.ofUplink.contains(direction) }
  }

  /// A good outcome.
  struct Outcome: Equatable {
    /// Its event with the words that say what came about: `run.state to=ended`.
    var kind: String
    /// The event alone.
    var event: String
    var at: VirtualTime
    var node: NodeRole
    /// The indices of the supporting frames, the nearest first; empty for what a device did by itself.
    var support: [Int]
  }

  /// The events that are outcomes.
  static let events = [
    "ai.fallback", "ai.reply", "context.received", "daily.synced", "edge.stored", "haptic", "health.linked",
    "health.saved", "ingestion.parsed", "liveness.disconnected", "liveness.reconnected", "memory.updated",
    "run.finished", "run.opened", "run.state", "script.dispatch", "start.accepted", "start.acked", "start.cancelled",
    "start.failed", "start.late", "tracker.ended", "tracker.started", "training.stored", "transfer.delivered",
    "transfer.finished", "transfer.progress", "transfer.queued", "voice.received", "voice.transcribed", "workout.state",
  ]
  /// Those that are only steps on the way to another outcome: their commits are cut, and not their frames.
  static let steps = ["transfer.progress", "transfer.queued"]
  private static let outcomeNames = Set(events.map { TraceEvent.Name($0) })
  /// A run of more lines is followed up to here only.
  private static let linesMax = 200_000
  private static let outcomesMax = 20_000
  /// The limits of a support: lines that are followed, frames, and how far back.
  private static let followedMax = 48
  private static let supportMax = 6
  private static let reach = VirtualTime.Span.seconds(20)

  private(set) var frames: [Frame] = []
  private(set) var outcomes: [Outcome] = []

  private var finder = CauseFinder(header: nil)
  private var lineCount = 0
  /// The lines' events by their codes, their times, their causes one after the other, and where those of each line begin.
  private var names: [UInt64] = []
  private var times: [VirtualTime] = []
  private var causes: [Int32] = []
  private var firstCause: [Int32] = []
  /// The frame of a line; -1 for none.
  private var frameOfLine: [Int32] = []
  /// The frames by their number in the trace; lookup only.
  private var byNumber: [Int64: Int] = [:]

  /// Observes the next event.
  ///
  /// - Parameter line: Its line in the trace; the header is line 1.
  func observe(_ event: TraceEvent, line: Int) {
    guard lineCount < Self.linesMax else { return }
    // Lines that never arrive here, such as the header, have no causes.
    while lineCount < line { append(0, event.time, [], nil) }
    let causes = finder.observe(event, line: line)
    append(event.name.code, event.time, causes, frame(of: event, origin: causes.first))
    guard Self.outcomeNames.contains(event.name), outcomes.count < Self.outcomesMax, let node = Self.node(event.place)
    else { return }
    outcomes.append(
      Outcome(
        kind: Self.kind(of: event), event: event.name.text, at: event.time, node: node, support: support(of: line)))
  }

  private func append(_ name: UInt64, _ time: VirtualTime, _ lines: [Int], _ frame: Int?) {
    names.append(name)
    times.append(time)
    firstCause.append(Int32(causes.count))
    causes.append(contentsOf: lines.map { Int32($0) })
    frameOfLine.append(Int32(frame ?? -1))
    lineCount += 1
  }

  private func frame(of event: TraceEvent, origin: Int?) -> Int? {
    switch event.body {
    case .frameSent(let sent):
      guard let node = Self.node(event.place) else { return nil }
      let isOnUplink = sent.to == .edge || node == .edge
      guard isOnUplink || Channel.ofLink.contains(sent.channel) else { return nil }
      let direction = isOnUplink ? Direction(overUplinkFrom: node) : Direction(from: node)
      byNumber[sent.id] = frames.count
      frames.append(
        Frame(sentAt: event.time, direction: direction, channel: sent.channel, origin: origin.map { names[$0] } ?? 0))
      return frames.count - 1
    case .frameDelivered(let delivered):
      guard let index = byNumber[delivered.id] else { return nil }
      if frames[index].arrivedAt == nil { frames[index].arrivedAt = event.time }
      return index
    default: return nil
    }
  }

  /// The frames that led to a line, breadth first.
  private func support(of line: Int) -> [Int] {
    let since = VirtualTime(nanoseconds: max(0, times[line].nanoseconds - Self.reach.nanoseconds))
    var queue = [line]
    var seen: Set<Int> = [line]
    var found: [Int] = []
    var next = 0
    while next < queue.count, next < Self.followedMax, found.count < Self.supportMax {
      let line = queue[next]
      next += 1
      let frame = Int(frameOfLine[line])
      if frame >= 0, !found.contains(frame) { found.append(frame) }
      let end = line + 1 < firstCause.count ? Int(firstCause[line + 1]) : causes.count
      for cause in causes[Int(firstCause[line])..<end].map({ Int($0) })
      where times[cause] >= since && seen.insert(cause).inserted {
        queue.append(cause)
      }
    }
    return found
  }

  /// The frame of the same direction, channel and origin that arrived before the one before this one, if any.
  ///
  /// If it is held back until just before this one, it is older than what the receiver already has.
  func overtaken(before index: Int) -> Frame? {
    guard let arrivedAt = frames[index].arrivedAt else { return nil }
    var count = 0
    for other in frames[..<index].reversed()
    where other.direction == frames[index].direction && other.channel == frames[index].channel
      && other.origin == frames[index].origin
    {
      guard let at = other.arrivedAt, at < arrivedAt else { continue }
      count += 1
      if count == 2 { return other }
    }
    return nil
  }

  private static func kind(of event: TraceEvent) -> String {
    var kind = event.name.text
    for key in ["to", "kind", "channel", "reason"] {
      if let word = event.text(key) { kind += " \(key)=\(word)" }
    }
    return kind
  }

  private static func node(_ place: TraceEvent.Place) -> NodeRole? {
    switch place {
    case .watch: .watch
    case .phone: .phone
    case .edge: .edge
    case .link, .uplink, .runner: nil
    }
  }
}

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
