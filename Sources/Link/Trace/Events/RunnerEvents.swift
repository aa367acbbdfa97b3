/// The event `control`.
public struct ControlGiven: TraceEventKind {
  public static let name: TraceEvent.Name = "control"
  public static let about =
    "A user controlled the run. The effects follow as faults; the header does not list them, since it has the plan at the start."
  public static let places: TraceEvent.Writers = .runner
  public static let isReserved = true

  public var by: String = ""
  public var command: String = ""
  public var effect: String = ""
  public var fault: String?
  public var refused: Bool?

  public init() {}
  public var body: EventBody { .control(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("by", &by, "where the order came from: key, ctl")
    fields.field("command", &command, "the order")
    fields.field("effect", &effect, "what it does")
    fields.field("fault", &fault, "the fault that it began")
    fields.field("refused", &refused, "only true: it was refused")
  }
}

/// That a node starts, ends, sleeps or wakes.
public struct NodeChange: Sendable {
  /// What happens to it.
  public enum Step: Sendable { case started, killed, failed, suspended, resumed }

  public let target: NodeRole
  public let step: Step

  public init(_ target: NodeRole, _ step: Step) {
    self.target = target
    self.step = step
  }

  /// Whether the node runs from now on.
  public var isUp: Bool { step == .started || step == .resumed }
  /// Whether its app has ended, as it has not when it sleeps.
  public var hasEnded: Bool { step == .killed || step == .failed }

  /// Whether a node runs from now on; nil if another one changes.
  public func isUp(_ role: NodeRole) -> Bool? { target == role ? isUp : nil }
}

extension EventBody {
  /// The node that starts, ends, sleeps or wakes with this event, and whether it runs after it; nil for other events.
  public var nodeChange: (target: NodeRole, isUp: Bool)? {
    switch self {
    case .nodeStarted(let event): (event.target, true)
    case .nodeResumed(let event): (event.target, true)
    case .nodeKilled(let event): (event.target, false)
    case .nodeFailed(let event): (event.target, false)
    case .nodeSuspended(let event): (event.target, false)
    default: nil
    }
  }
}

/// The event `expectation`.
public struct ExpectationJudged: TraceEventKind {
  public static let name: TraceEvent.Name = "expectation"
  public static let about = "An expectation is judged."
  public static let places: TraceEvent.Writers = .runner
  public static let isReserved = true

  public var index: Int64 = 0
  public var expectation: JSONText = .none
  public var passed: Bool = false
  public var lines: JSONText = .none
  public var why: String?

  public init() {}
  public var body: EventBody { .expectation(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("index", &index, "counts the expectations from 0")
    fields.field("expectation", &expectation, "as the scenario has it")
    fields.field("passed", &passed, "whether it is met")
    fields.field("lines", &lines, "the lines that show it")
    fields.field("why", &why, "if it failed")
  }
}

/// The event `fault.begin`.
public struct FaultBegan: TraceEventKind {
  public static let name: TraceEvent.Name = "fault.begin"
  public static let about = "A fault begins."
  public static let places: TraceEvent.Writers = [.init(.link), .init(.uplink), .init(.runner)]
  public static let isReserved = true

  public var fault: String = ""
  public var kind: String = ""
  public var params: JSONText = .none

  public init() {}
  public var body: EventBody { .faultBegin(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.faultBegin(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("fault", &fault, "its id")
    fields.field("kind", &kind, "its kind")
    fields.field("params", &params, "its parameters, as numbers")
  }
}

/// The event `fault.end`.
public struct FaultEnded: TraceEventKind {
  public static let name: TraceEvent.Name = "fault.end"
  public static let about = "A fault ends."
  public static let places: TraceEvent.Writers = [.init(.link), .init(.uplink), .init(.runner)]
  public static let isReserved = true

  public var fault: String = ""
  public var kind: String = ""

  public init() {}
  public var body: EventBody { .faultEnd(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.faultEnd(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("fault", &fault, "its id")
    fields.field("kind", &kind, "its kind")
  }
}

/// The event `healed`.
public struct FaultsHealed: TraceEventKind {
  public static let name: TraceEvent.Name = "healed"
  public static let about =
    "Every fault has ended and no node is started any more. The queues drain for at most 10 minutes; only if a fault has delayed frames by more than 5 minutes, until 5 minutes after the last of those frames."
  public static let places: TraceEvent.Writers = .runner
  public static let isReserved = true

  public init() {}
  public var body: EventBody { .healed(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.healed(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {}
}

/// The event `node.failed`.
public struct NodeFailed: DeviceEvent {
  public static let name: TraceEvent.Name = "node.failed"
  public static let about = "The node died, hung or broke the protocol by itself, and the run broke off."
  public static let places: TraceEvent.Writers = .runner
  public static let isReserved = true

  public var target: NodeRole = .watch
  public var cause: String = ""
  public var detail: String?

  public init() {}
  public var body: EventBody { .nodeFailed(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.nodeFailed(self, at: place, into: &report)
    checker.nodeChanged(NodeChange(target, .failed), at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("target", &target, "the device")
    fields.field("cause", &cause, "what happened")
    fields.field("detail", &detail, "of an app in virtual time: threads, owners, calls")
  }
}

/// The event `node.killed`.
public struct NodeKilled: DeviceEvent {
  public static let name: TraceEvent.Name = "node.killed"
  public static let about = "A device's app is killed. The node did exactly what the lines before this one say."
  public static let places: TraceEvent.Writers = .runner
  public static let isReserved = true

  public var target: NodeRole = .watch
  public var cause: String = ""
  public var point: String?

  public init() {}
  public var body: EventBody { .nodeKilled(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.nodeKilled(self, at: place, into: &report)
    checker.nodeChanged(NodeChange(target, .killed), at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("target", &target, "the device")
    fields.field("cause", &cause, "kill, reboot, power; signal if `torture` killed it at a random moment")
    fields.field("point", &point, "the crash point that the kill used")
  }
}

/// The event `node.restarted`.
public struct NodeRestarted: DeviceEvent {
  public static let name: TraceEvent.Name = "node.restarted"
  public static let about =
    "A message of the watch launches the phone's app, HealthKit launches an app, or a user opens one that is down, on the watch also by a tap on its complication; its"
    + " `node.started` follows."
  public static let places: TraceEvent.Writers = .runner
  public static let isReserved = true

  /// The values of `cause`.
  public enum Cause: String, EventWord { case message, act, health, complication }

  public var target: NodeRole = .watch
  public var cause: Cause = .message

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("target", &target, "the device")
    fields.field("cause", &cause, "what launches it")
  }
}

/// The event `node.resumed`.
public struct NodeResumed: DeviceEvent {
  public static let name: TraceEvent.Name = "node.resumed"
  public static let about = "The system resumes a device's app."
  public static let places: TraceEvent.Writers = .runner
  public static let isReserved = true

  public var target: NodeRole = .watch
  public var cause: String = ""

  public init() {}
  public var body: EventBody { .nodeResumed(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.nodeResumed(self, at: place, into: &report)
    checker.nodeChanged(NodeChange(target, .resumed), at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("target", &target, "the device")
    fields.field("cause", &cause, "message, command, ended, healthKit, content, task")
  }
}

/// The event `node.started`.
public struct NodeStarted: DeviceEvent {
  public static let name: TraceEvent.Name = "node.started"
  public static let about = "A device's app starts."
  public static let places: TraceEvent.Writers = .runner
  public static let isReserved = true

  /// The values of `cause`.
  public enum Cause: String, EventWord { case launch, restart }

  public var target: NodeRole = .watch
  public var epoch: Int64 = 0
  public var cause: Cause = .launch

  public init() {}
  public var body: EventBody { .nodeStarted(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.nodeStarted(self, at: place, into: &report)
    checker.nodeChanged(NodeChange(target, .started), at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("target", &target, "the device")
    fields.field("epoch", &epoch, "counts the starts of the app, from 1")
    fields.field("cause", &cause, "why")
  }
}

/// The event `node.suspended`.
public struct NodeSuspended: DeviceEvent {
  public static let name: TraceEvent.Name = "node.suspended"
  public static let about = "The system suspends a device's app."
  public static let places: TraceEvent.Writers = .runner
  public static let isReserved = true

  public var target: NodeRole = .watch
  public var cause: String = ""

  public init() {}
  public var body: EventBody { .nodeSuspended(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.nodeSuspended(self, at: place, into: &report)
    checker.nodeChanged(NodeChange(target, .suspended), at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("target", &target, "the device")
    fields.field("cause", &cause, "suspend; idle after 10 s awake without input")
  }
}

/// The event `power.lost`.
public struct PowerLost: DeviceEvent {
  public static let name: TraceEvent.Name = "power.lost"
  public static let about =
    "A device loses its power, after `node.killed` if its app ran. What its store had not synced may be lost."
  public static let places: TraceEvent.Writers = .runner
  public static let isReserved = true

  public var target: NodeRole = .watch
  public var unsynced: Int64 = 0
  public var lost: Int64 = 0

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("target", &target, "the device")
    fields.field("unsynced", &unsynced, "commits since the store was last synced; 0 for durability `full`")
    fields.field("lost", &lost, "how many of them are lost, always the latest")
  }
}

/// The event `stopped`.
public struct RunStopped: TraceEventKind {
  public static let name: TraceEvent.Name = "stopped"
  public static let about = "The user stopped the run."
  public static let places: TraceEvent.Writers = .runner
  public static let isReserved = true

  public init() {}
  public var body: EventBody { .stopped(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {}
}

/// The event `end`.
public struct TraceEnd: TraceEventKind {
  public static let name: TraceEvent.Name = "end"
  public static let about = "The last line of a trace."
  public static let places: TraceEvent.Writers = .runner
  public static let isReserved = true

  public var verdict: String?
  public var frames: Int64?
  public var outstanding: JSONText?
  public var violations: JSONText?

  public init() {}
  public var body: EventBody { .end(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.end(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("verdict", &verdict, "pass, fail; unknown: the user stopped the run, so it is not judged")
    fields.field("frames", &frames, "the number of `frame.sent` lines")
    fields.field(
      "outstanding", &outstanding,
      "the UUIDs of transfers still owed: unfinished, or unhandled in the inbox of a dead app, or finished without a report because of the quirk `finishLost`"
    )
    fields.field("violations", &violations, "the names of the broken invariants")
  }
}

/// The event `violation`.
public struct ViolationFound: TraceEventKind {
  public static let name: TraceEvent.Name = "violation"
  public static let about = "An invariant is broken."
  public static let places: TraceEvent.Writers = .runner
  public static let isReserved = true

  public var invariant: String = ""
  public var t0: Int64 = 0
  public var detail: String = ""
  public var lines: JSONText = .none

  public init() {}
  public var body: EventBody { .violation(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("invariant", &invariant, "its name")
    fields.field("t0", &t0, "when the event that shows it happened")
    fields.field("detail", &detail, "what is wrong")
    fields.field("lines", &lines, "the lines that show it")
  }
}
