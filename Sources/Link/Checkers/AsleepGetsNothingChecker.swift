package import Link

/// `asleep-gets-nothing`: a suspended app gets nothing until it resumes.
package struct AsleepGetsNothingChecker: Checker {
  package static let invariant = "asleep-gets-nothing"
  package static let about =
    "Between its suspension and its resumption a built-in app receives no message, handles no transfer, has no message fail by its deadline, and publishes nothing."
  package static let interests: [TraceEvent.Name] = [
    "node.started", "node.suspended", "node.resumed", "message.received", "message.duplicate", "transfer.delivered",
    "message.failed", "snapshot", "transfer.queued", "context.set", "script.dispatch", "audio.start",
    "liveness.disconnected", "liveness.reconnected",
  ]

  private let nodes: BuiltInNodes
  /// The time and the line since which a node is suspended; nil while it is awake.
  private var since: [(time: VirtualTime, line: Int)?] = [nil, nil]

  package init(header: TraceHeader) { nodes = BuiltInNodes(header) }

  package mutating func observe(_ event: TypedEvent, line: Int, into report: inout [Violation]) {
    switch event.body {
    case .nodeStarted(let node): if let side = node.target.place.deviceIndex { since[side] = nil }
    case .nodeResumed(let node): if let side = node.target.place.deviceIndex { since[side] = nil }
    case .nodeSuspended(let node): if let side = node.target.place.deviceIndex { since[side] = (event.time, line) }
    default:
      // At the instant of the suspension the app may have been first.
      guard let side = event.place.deviceIndex, let asleep = since[side], event.time > asleep.time,
        nodes.contains(event.place)
      else { return }
      if case .messageFailed(let message) = event.body, message.error != "messageReplyTimedOut" { return }
      report.append(
        Self.violation(
          "the \(event.place.text)'s app is suspended, and writes \(event.name.text)", at: event.time,
          lines: [asleep.line, line]))
    }
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout [Violation]) {}
}
