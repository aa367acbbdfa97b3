import TraceTools
import Console
import Link

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
