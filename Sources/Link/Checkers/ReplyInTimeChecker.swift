package import Link

/// `reply-in-time`: no sender waits for a reply forever.
package struct ReplyInTimeChecker: Checker {
  package static let invariant = "reply-in-time"
  package static let about =
    "A message that waits for a reply gets one, or fails, within the reply deadline, unless its sender's app dies or sleeps."

  /// The deadline if the header names none.
  private static let deadlineDefault = VirtualTime.Span.seconds(10)
  /// The deadline of an app that uses the WatchConnectivity module.
  private static let deadlineOfApps = VirtualTime.Span.seconds(300)
  /// The number of remembered pending messages and replies in flight; older ones are not judged.
  private static let remembered = 4096

  private struct Waiting {
    let place: TraceEvent.Place
    let epoch: Int64
    let seq: Int64
    var deadline: VirtualTime
    let line: Int
  }

  /// A reply in flight.
  private struct Reply {
    let frame: Int64
    let to: TraceEvent.Place
    let seq: Int64
  }

  private let deadline: VirtualTime.Span
  /// The nodes with the deadline of apps.
  private let apps: [TraceEvent.Place]
  private var waiting: [Waiting] = []
  private var replies: [Reply] = []
  private var nodes = NodeStates()

  package init(header: TraceHeader) {
    if let deadline = header.extra("replyTimeout")?.integer, deadline >= 0 {
      self.deadline = VirtualTime.Span(nanoseconds: deadline)
      apps = []
      return
    }
    deadline = Self.deadlineDefault
    let freeRunning = header.extra("freeRunning")?.elements.compactMap(\.text) ?? []
    let programs = header.extra("programs")
    apps = [.watch, .phone].filter { place in
      freeRunning.contains(place.text) || programs?[place.text]?["virtualTime"] != nil
    }
  }

  package mutating func frameSent(_: FrameSent, at event: Occurrence, into report: inout Report) {
    pass(to: event.time, &report)
    if let frame = event.frame { observeSent(frame) }
  }

  package mutating func frameDelivered(_ frame: FrameDelivered, at event: Occurrence, into report: inout Report) {
    pass(to: event.time, &report)
    guard !replies.isEmpty, let reply = replies.first(where: { $0.frame == frame.id }) else { return }
    // Further copies may follow, which no message awaits.
    waiting.removeAll { $0.place == reply.to && $0.seq == reply.seq }
  }

  package mutating func messageFailed(_ message: MessageFailed, at event: Occurrence, into report: inout Report) {
    pass(to: event.time, &report)
    waiting.removeAll { $0.place == event.place && $0.epoch == message.epoch && $0.seq == message.seq }
  }

  package mutating func nodeChanged(_ change: NodeChange, at event: Occurrence, into report: inout Report) {
    pass(to: event.time, &report)
    nodes.observe(change)
    let place = change.target.place
    if change.hasEnded { waiting.removeAll { $0.place == place } }
    guard change.step == .resumed else { return }
    // Its deadlines could not fire while it slept.
    for index in waiting.indices where waiting[index].place == place {
      waiting[index].deadline = max(waiting[index].deadline, event.time)
    }
  }

  package mutating func frameDropped(_: FrameDropped, at event: Occurrence, into report: inout Report) {
    pass(to: event.time, &report)
  }

  package mutating func end(_: TraceEnd, at event: Occurrence, into report: inout Report) {
    pass(to: event.time, &report)
  }

  private mutating func observeSent(_ frame: SentFrame) {
    if frame.kind == .reply {
      // An answer of the edge is not the reply to a message.
      guard frame.sender != .edge else { return }
      if replies.count == Self.remembered { replies.removeFirst() }
      replies.append(Reply(frame: frame.id, to: frame.peer, seq: frame.seq))
    } else if frame.wantsReply {
      if waiting.count == Self.remembered { waiting.removeFirst() }
      let wait = apps.contains(frame.sender) ? Self.deadlineOfApps : deadline
      waiting.append(
        Waiting(
          place: frame.sender, epoch: frame.epoch, seq: frame.seq, deadline: frame.time + wait, line: frame.line))
    }
  }

  private mutating func pass(to time: VirtualTime, _ report: inout Report) {
    if let first = waiting.first, time > first.deadline { reportOverdue(at: time, &report) }
  }

  private mutating func reportOverdue(at time: VirtualTime, _ report: inout Report) {
    var index = 0
    while index < waiting.count {
      let message = waiting[index]
      guard message.deadline < time, nodes.isUp(message.place) else {
        index += 1
        continue
      }
      waiting.remove(at: index)
      report.add(
        "the \(message.place.text)'s message \(message.seq) got no reply in time, and did not fail",
        at: message.deadline, lines: [message.line])
    }
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout Report) {
    reportOverdue(at: ending.time, &report)
  }
}
