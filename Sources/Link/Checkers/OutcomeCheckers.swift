package import Link

/// `one-outcome`: every transfer and every message ends in one way, once.
package struct OneOutcomeChecker: Checker {
  package static let invariant = "one-outcome"
  package static let about =
    "A transfer finishes, fails or is cancelled once, and nothing else follows for its sender; a message that failed does not fail again."

  /// The number of remembered transfers and messages.
  private static let rememberedMax = 4_096

  private let nodes: BuiltInNodes
  private var ended: [Identifier: Int] = [:]
  /// The same in order, to forget the oldest.
  private var order: [Identifier] = []
  /// The last failed messages by side, of its current epoch.
  private var failed: [Set<Int64>] = [[], []]
  private var epochs: [Int64] = [0, 0]

  package init(header: TraceHeader) { nodes = BuiltInNodes(header) }

  package mutating func transferFinished(_ it: TransferFinished, at event: Occurrence, into report: inout Report) {
    end(it.identity.transfer, event, &report)
  }

  package mutating func transferFailed(_ it: TransferFailed, at event: Occurrence, into report: inout Report) {
    end(it.identity.transfer, event, &report)
  }

  package mutating func transferCancelled(_ it: TransferCancelled, at event: Occurrence, into report: inout Report) {
    end(it.identity.transfer, event, &report)
  }

  package mutating func messageFailed(_ message: MessageFailed, at event: Occurrence, into report: inout Report) {
    guard let side = event.place.deviceIndex, nodes.contains(event.place) else { return }
    if epochs[side] != message.epoch {
      epochs[side] = message.epoch
      failed[side] = []
    }
    if failed[side].count == Self.rememberedMax { failed[side] = [] }
    guard !failed[side].insert(message.seq).inserted else { return }
    report.add("the \(event.place.text)'s message \(message.seq) failed twice", at: event.time, lines: [event.line])
  }

  private mutating func end(
    _ transfer: Identifier, _ event: Occurrence, _ report: inout Report
  ) {
    guard nodes.contains(event.place) else { return }
    if let before = ended[transfer] {
      report.add(
        "transfer \(transfer.text) has ended before", at: event.time, lines: [before, event.line])
      return
    }
    if order.count == Self.rememberedMax { ended[order.removeFirst()] = nil }
    order.append(transfer)
    ended[transfer] = event.line
  }
}

/// `no-silent-refusal`: a message is sent, or its sender gets an error.
package struct SilentRefusalChecker: Checker {
  package static let invariant = "no-silent-refusal"
  package static let about =
    "Every message that an app sends leaves as a frame or is refused with an error: of the numbers of an epoch none is passed over."

  /// The last message number of a sender's epoch that was sent or refused.
  private struct Last {
    var epoch: Int64
    var seq: Int64
    var line: Int
  }

  private var watch: Last?
  private var phone: Last?

  package init(header: TraceHeader) {}

  package mutating func frameSent(_: FrameSent, at event: Occurrence, into report: inout Report) {
    guard let frame = event.frame, frame.kind == .data, frame.channel == .message else { return }
    account(for: Last(epoch: frame.epoch, seq: frame.seq, line: event.line), event, &report)
  }

  package mutating func messageRefused(_ message: MessageRefused, at event: Occurrence, into report: inout Report) {
    account(for: Last(epoch: message.epoch, seq: message.seq, line: event.line), event, &report)
  }

  private mutating func account(for now: Last, _ event: Occurrence, _ report: inout Report) {
    switch event.place {
    case .watch: Self.account(for: now, after: &watch, of: event, &report)
    case .phone: Self.account(for: now, after: &phone, of: event, &report)
    case .edge, .link, .uplink, .runner: break
    }
  }

  private static func account(
    for now: Last, after last: inout Last?, of event: Occurrence, _ report: inout Report
  ) {
    defer { last = now }
    guard let last, last.epoch == now.epoch, now.seq > last.seq +| 1 else { return }
    // Cannot overflow: one number is below the other, and they are not adjacent.
    let (first, final) = (last.seq + 1, now.seq - 1)
    let missing = first == final ? "\(first)" : "\(first) to \(final)"
    report.add(
      "the \(event.place.text) neither sent nor refused its message \(missing) of epoch \(now.epoch)", at: event.time,
      lines: [last.line, now.line])
  }
}

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

/// `undecodable-is-reported`: an app reports a message that it cannot read.
package struct UndecodableReportedChecker: Checker {
  package static let invariant = "undecodable-is-reported"
  package static let aliases = ["undecodable-is-told"]
  package static let about =
    "An app that receives a message of another build reports it as undecodable at the same instant."

  /// The number of remembered payloads of other builds; older ones are not judged.
  private static let foreignMax = 1024

  private var foreign: [EventDigest] = []
  /// A received payload that is not reported yet.
  private var pending: (digest: EventDigest, place: TraceEvent.Place, time: VirtualTime, line: Int)?

  package init(header: TraceHeader) {}

  package mutating func messageReceived(_ message: MessageReceived, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    if let pending { reportUnreported(pending, &report) }
    guard !foreign.isEmpty, foreign.contains(message.digest) else { return }
    pending = (message.digest, event.place, event.time, event.line)
  }

  package mutating func payloadUndecodable(
    _ payload: PayloadUndecodable, at event: Occurrence, into report: inout Report
  ) {
    pass(to: event, &report)
    if let pending, pending.place == event.place, pending.digest == payload.digest { self.pending = nil }
  }

  package mutating func nodeKilled(_: NodeKilled, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    pending = nil
  }

  package mutating func nodeFailed(_: NodeFailed, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    pending = nil
  }

  package mutating func payloadForeign(_ payload: PayloadForeign, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    if foreign.count == Self.foreignMax { foreign.removeFirst() }
    foreign.append(payload.digest)
  }

  package mutating func end(_: TraceEnd, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
  }

  /// A node writes nothing between a message and its reaction to it.
  private mutating func pass(to event: Occurrence, _ report: inout Report) {
    if let pending, event.time > pending.time { reportUnreported(pending, &report) }
  }

  private mutating func reportUnreported(
    _ received: (digest: EventDigest, place: TraceEvent.Place, time: VirtualTime, line: Int),
    _ report: inout Report
  ) {
    pending = nil
    report.add(
      "the \(received.place.text) received a message of another build and did not report it as undecodable",
      at: received.time, lines: [received.line])
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout Report) {
    if let pending, ending.isComplete { reportUnreported(pending, &report) }
  }
}
