/// `undecodable-is-reported`: an app reports a message that it cannot read.
public struct UndecodableReportedChecker: Checker {
  public static let invariant = "undecodable-is-reported"
  public static let aliases = ["undecodable-is-told"]
  public static let about =
    "An app that receives a message of another build reports it as undecodable at the same instant."
  public static let interests: [TraceEvent.Name] = [
    "payload.foreign", "message.received", "payload.undecodable", "node.killed", "node.failed", "end",
  ]

  public static let restsFrom: [TraceEvent.Name] = ["message.received"]
  /// While all that was sent is of this build.
  public var isAtRest: Bool { foreign.isEmpty && pending == nil }

  /// Payloads of other builds that are remembered; of older ones nothing is said.
  private static let foreignMax = 1024

  private var foreign: [TraceValue] = []
  /// A received one of which nothing was said yet.
  private var pending: (digest: TraceValue, place: TraceEvent.Place, time: VirtualTime, line: Int)?

  public init(header: TraceHeader) {}

  public mutating func observe(_ event: TraceEvent, line: Int, into report: inout [Violation]) {
    // Nothing else happens on a node between a message and what it makes of it.
    if let pending, event.time > pending.time || event.name.code == TraceEvent.Name.Code.messageReceived {
      tell(pending, &report)
    }
    switch event.name.code {
    case TraceEvent.Name.Code.messageReceived:
      guard !foreign.isEmpty, let digest = event["digest"], foreign.contains(digest) else { return }
      pending = (digest, event.place, event.time, line)
    case TraceEvent.Name.Code.payloadUndecodable:
      if let pending, pending.place == event.place, pending.digest == event["digest"] { self.pending = nil }
    case TraceEvent.Name.Code.nodeKilled, TraceEvent.Name.Code.nodeFailed: pending = nil
    case TraceEvent.Name.Code.end: break
    default:
      guard let digest = event["digest"] else { return }
      if foreign.count == Self.foreignMax { foreign.removeFirst() }
      foreign.append(digest)
    }
  }

  private mutating func tell(
    _ received: (digest: TraceValue, place: TraceEvent.Place, time: VirtualTime, line: Int),
    _ report: inout [Violation]
  ) {
    pending = nil
    report.append(
      Self.violation(
        "the \(received.place.text) received a message of another build and did not report it as undecodable",
        at: received.time, lines: [received.line]))
  }

  public mutating func finish(_ ending: TraceEnding, into report: inout [Violation]) {
    if let pending, ending.isComplete { tell(pending, &report) }
  }
}
