package import Link

/// `asleep-gets-nothing`: a suspended app gets nothing until it resumes.
package struct AsleepGetsNothingChecker: Checker {
  package static let invariant = "asleep-gets-nothing"
  package static let about =
    "Between its suspension and its resumption a built-in app receives no message, handles no transfer, has no message fail by its deadline, and publishes nothing."

  private let nodes: BuiltInNodes
  /// The time and the line since which a node is suspended; nil while it is awake.
  private var since: [(time: VirtualTime, line: Int)?] = [nil, nil]

  package init(header: TraceHeader) { nodes = BuiltInNodes(header) }

  package mutating func nodeStarted(_ node: NodeStarted, at event: Occurrence, into report: inout Report) {
    if let side = node.target.place.deviceIndex { since[side] = nil }
  }

  package mutating func nodeResumed(_ node: NodeResumed, at event: Occurrence, into report: inout Report) {
    if let side = node.target.place.deviceIndex { since[side] = nil }
  }

  package mutating func nodeSuspended(_ node: NodeSuspended, at event: Occurrence, into report: inout Report) {
    if let side = node.target.place.deviceIndex { since[side] = (event.time, event.line) }
  }

  package mutating func messageReceived(_: MessageReceived, at event: Occurrence, into report: inout Report) {
    object(event, &report)
  }

  package mutating func messageDuplicate(_: MessageDuplicate, at event: Occurrence, into report: inout Report) {
    object(event, &report)
  }

  package mutating func transferDelivered(_: TransferDelivered, at event: Occurrence, into report: inout Report) {
    object(event, &report)
  }

  package mutating func snapshot(_: SnapshotPublished, at event: Occurrence, into report: inout Report) {
    object(event, &report)
  }

  package mutating func transferQueued(_: TransferQueued, at event: Occurrence, into report: inout Report) {
    object(event, &report)
  }

  package mutating func contextSet(_: ContextSet, at event: Occurrence, into report: inout Report) {
    object(event, &report)
  }

  package mutating func scriptDispatch(_: ScriptDispatched, at event: Occurrence, into report: inout Report) {
    object(event, &report)
  }

  package mutating func audioStart(_: AudioStarted, at event: Occurrence, into report: inout Report) {
    object(event, &report)
  }

  package mutating func livenessDisconnected(_: LivenessLost, at event: Occurrence, into report: inout Report) {
    object(event, &report)
  }

  package mutating func livenessReconnected(_: LivenessRegained, at event: Occurrence, into report: inout Report) {
    object(event, &report)
  }

  package mutating func messageFailed(_ message: MessageFailed, at event: Occurrence, into report: inout Report) {
    if message.error == "messageReplyTimedOut" { object(event, &report) }
  }

  private func object(_ event: Occurrence, _ report: inout Report) {
    // At the instant of the suspension the app may have been first.
    guard let side = event.place.deviceIndex, let asleep = since[side], event.time > asleep.time,
      nodes.contains(event.place)
    else { return }
    report.add(
      "the \(event.place.text)'s app is suspended, and writes \(event.name.text)", at: event.time,
      lines: [asleep.line, event.line])
  }
}
