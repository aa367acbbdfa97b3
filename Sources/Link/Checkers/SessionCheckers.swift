package import Link

/// `session-reactivated`: a phone's app does not stay without a session after a switch of watches.
package struct SessionReactivatedChecker: Checker {
  package static let invariant = "session-reactivated"
  package static let about =
    "A phone's app whose session was deactivated by a switch of watches activates it again within 10 s."

  /// The session that waits to be activated.
  private var pending: (place: TraceEvent.Place, time: VirtualTime, line: Int)?

  package init(header: TraceHeader) {}

  package mutating func sessionDeactivated(_: SessionDeactivated, at event: Occurrence, into report: inout Report) {
    pending = (event.place, event.time, event.line)
  }

  package mutating func sessionActivated(_: SessionReactivated, at event: Occurrence, into report: inout Report) {
    if event.place == pending?.place { settle(at: event.time, &report) }
  }

  package mutating func nodeChanged(_ change: NodeChange, at event: Occurrence, into report: inout Report) {
    // The next start of the app activates its session again.
    if change.hasEnded, change.target.place == pending?.place { settle(at: event.time, &report) }
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout Report) {
    settle(at: ending.time, &report)
  }

  /// Judges the wait that ends at `time`.
  private mutating func settle(at time: VirtualTime, _ report: inout Report) {
    guard let pending else { return }
    self.pending = nil
    let deadline = pending.time + Session.reactivateWithin
    guard time > deadline else { return }
    report.add(
      "the \(pending.place.text)'s app did not activate its session within 10 s of sessionDidDeactivate",
      at: deadline,
      lines: [pending.line])
  }
}

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

/// The nodes whose sessions are the built-in ones, so that the rules of their timing hold.
///
/// Free-running nodes and programs answer a little later than at the same instant, and the recording of an app shows one
/// side only.
struct BuiltInNodes: Sendable {
  private var others: Set<TraceEvent.Place> = []

  /// Reads which nodes a trace's header names as others.
  init(_ header: TraceHeader) {
    for member in header.extras {
      switch (member.key, member.node.value) {
      case ("freeRunning", .array(let names)):
        for place in [TraceEvent.Place.watch, .phone] where names.contains(where: { $0.value == .string(place.text) }) {
          others.insert(place)
        }
      case ("programs", .object(let programs)):
        for place in [TraceEvent.Place.watch, .phone] where programs.contains(where: { $0.key == place.text }) {
          others.insert(place)
        }
      case ("capture", _): others = [.watch, .phone]
      default: break
      }
    }
  }

  /// Whether a place is a built-in watch or phone.
  func contains(_ place: TraceEvent.Place) -> Bool { (place == .watch || place == .phone) && !others.contains(place) }
}

/// Which faults of some kinds are active, and on which node.
struct ActiveFaults: Sendable {
  private struct Active: Sendable {
    let id: String
    let kind: String
    /// Nil for both nodes.
    let node: String?
    let since: VirtualTime
  }

  private let kinds: Set<String>
  private var active: [Active] = []
  /// When the last fault of these kinds ended.
  private(set) var lastEnd: VirtualTime?

  /// Creates a view of faults of these kinds.
  init(_ kinds: Set<String>) { self.kinds = kinds }

  /// Records that a fault begins, if it is of these kinds.
  mutating func observe(_ fault: FaultBegan, at time: VirtualTime) {
    guard kinds.contains(fault.kind) else { return }
    active.append(Active(id: fault.fault, kind: fault.kind, node: fault.node, since: time))
  }

  /// Records that a fault ends, if it is of these kinds.
  mutating func observe(_ fault: FaultEnded, at time: VirtualTime) {
    guard kinds.contains(fault.kind) else { return }
    active.removeAll { $0.id == fault.fault }
    lastEnd = time
  }

  /// Whether one is active on a node, except those that began at or after an instant.
  func isActive(on place: TraceEvent.Place, before instant: VirtualTime = .distantFuture) -> Bool {
    active.contains { ($0.node == nil || $0.node == place.text) && $0.since < instant }
  }
}

/// Which nodes are up, from the runner's lines about them.
struct NodeStates: Sendable {
  private var down: Set<TraceEvent.Place> = []

  /// Updates the state of a node.
  mutating func observe(_ change: NodeChange) {
    if change.isUp { down.remove(change.target.place) } else { down.insert(change.target.place) }
  }

  /// Whether a node runs, according to the trace.
  func isUp(_ place: TraceEvent.Place) -> Bool { !down.contains(place) }
}
