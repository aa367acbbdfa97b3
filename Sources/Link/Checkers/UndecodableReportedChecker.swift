package import Link

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
