/// The event `liveness.disconnected`.
public struct LivenessLost: TraceEventKind {
  public static let name: TraceEvent.Name = "liveness.disconnected"
  public static let about = "The phone considers the watch disconnected."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var reason: String = ""
  public var lastFresh: JSONText?

  public init() {}
  public var body: EventBody { .livenessDisconnected(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.livenessDisconnected(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("reason", &reason, "silence")
    fields.nullable("lastFresh", &lastFresh, "`{\"epoch\",\"seq\",\"t\"}` of the last fresh snapshot, or null")
  }
}

/// The event `liveness.reconnected`.
public struct LivenessRegained: TraceEventKind {
  public static let name: TraceEvent.Name = "liveness.reconnected"
  public static let about = "The phone hears the watch again."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var reason: String = ""
  public var lastFresh: JSONText?

  public init() {}
  public var body: EventBody { .livenessReconnected(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.livenessReconnected(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("reason", &reason, "fresh, ended")
    fields.nullable("lastFresh", &lastFresh, "`{\"epoch\",\"seq\",\"t\"}` of the last fresh snapshot, or null")
  }
}

/// The event `run.finished`.
public struct RunFinished: TraceEventKind {
  public static let name: TraceEvent.Name = "run.finished"
  public static let about = "The watch has saved the run."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var workoutId: Identifier = .none
  public var healthKitWorkoutUUID: Identifier = .none
  public var sentAt: Int64 = 0

  public init() {}
  public var body: EventBody { .runFinished(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.runFinished(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("workoutId", &workoutId, "the run")
    fields.field("healthKitWorkoutUUID", &healthKitWorkoutUUID, "the workout in the health store")
    fields.field("sentAt", &sentAt, "of the message")
  }
}

/// The event `run.history`.
public struct RunHistory: TraceEventKind {
  public static let name: TraceEvent.Name = "run.history"
  public static let about = "A message about the run changes nothing."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var workoutId: Identifier = .none
  public var kind: String = ""
  public var sentAt: Int64 = 0
  public var why: String = ""

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("workoutId", &workoutId, "the run")
    fields.field("kind", &kind, "the kind of the message")
    fields.field("sentAt", &sentAt, "of the message")
    fields.field("why", &why, "late, doubled, ended")
  }
}

/// The event `run.named`.
public struct RunNamed: TraceEventKind {
  public static let name: TraceEvent.Name = "run.named"
  public static let about = "The watch names the run."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var workoutId: Identifier = .none
  public var sentAt: Int64 = 0

  public init() {}
  public var body: EventBody { .runNamed(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.runNamed(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("workoutId", &workoutId, "the run")
    fields.field("sentAt", &sentAt, "of its `workoutStarted`")
  }
}

/// The event `run.opened`.
public struct RunOpened: TraceEventKind {
  public static let name: TraceEvent.Name = "run.opened"
  public static let about = "The phone believes in a new run."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var workoutId: Identifier = .none
  public var sentAt: Int64 = 0

  public init() {}
  public var body: EventBody { .runOpened(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.runOpened(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("workoutId", &workoutId, "the run")
    fields.field("sentAt", &sentAt, "of the message that opened it")
  }
}

/// The event `run.recorded`.
public struct RunRecorded: NarratedEvent {
  public static let name: TraceEvent.Name = "run.recorded"
  public static let about =
    "The phone stores the row of a workout that is not its run, or completes it: a start or end that was refused, or the end of a run that a newer one had replaced."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var workoutId: Identifier = .none
  public var kind: String = ""
  public var sentAt: Int64 = 0

  public init() {}
  public var body: EventBody { .runRecorded(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.runRecorded(self, at: place, into: &report)
  }

  public var sentence: EventSentence {
    .init("keeps a row of another run: " + (kind == "workoutEnded" ? "it has ended" : "it has started"))
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("workoutId", &workoutId, "the workout")
    fields.field("kind", &kind, "workoutStarted, workoutEnded")
    fields.field("sentAt", &sentAt, "of the message")
  }
}

/// The event `run.discarded`.
public struct RunDiscarded: NarratedEvent {
  public static let name: TraceEvent.Name = "run.discarded"
  public static let about =
    "The watch discarded a workout that never ran: the phone removes its row from the list of runs."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var workoutId: Identifier = .none
  public var sentAt: Int64 = 0

  public init() {}
  public var body: EventBody { .runDiscarded(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.runDiscarded(self, at: place, into: &report)
  }

  public var sentence: EventSentence { .init("removes a workout that the watch discarded") }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("workoutId", &workoutId, "the workout")
    fields.field("sentAt", &sentAt, "of its `workoutEnded`")
  }
}

/// The event `run.refused`.
public struct RunRefused: TraceEventKind {
  public static let name: TraceEvent.Name = "run.refused"
  public static let about = "A message about a run is refused."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var workoutId: Identifier = .none
  public var why: String = ""
  public var sentAt: Int64 = 0

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("workoutId", &workoutId, "the run")
    fields.field("why", &why, "why")
    fields.field("sentAt", &sentAt, "of the message")
  }
}

/// The event `run.state`.
public struct RunStateChanged: TraceEventKind {
  public static let name: TraceEvent.Name = "run.state"
  public static let about = "The phone's belief about the run changes."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var workoutId: Identifier = .none
  public var from: String?
  public var to: String = ""
  public var cause: String = ""
  public var sentAt: Int64?

  public init() {}
  public var body: EventBody { .runState(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.runState(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("workoutId", &workoutId, "the run")
    fields.nullable("from", &from, "the state before; null at the run's beginning")
    fields.field("to", &to, "the state: preparing, running, paused, ended")
    fields.field("cause", &cause, "snapshot, event, command")
    fields.nullable("sentAt", &sentAt, "of the message; null for a command")
  }
}

/// The event `snapshot.fresh`.
public struct SnapshotFresh: TraceEventKind {
  public static let name: TraceEvent.Name = "snapshot.fresh"
  public static let about = "A snapshot, as received, is newer than the last fresh one."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var metrics = SnapshotMetrics()

  public init() {}
  public var body: EventBody { .snapshotFresh(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.snapshotFresh(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    metrics.visit(&fields)
  }
}

/// The event `snapshot.stale`.
public struct SnapshotStale: TraceEventKind {
  public static let name: TraceEvent.Name = "snapshot.stale"
  public static let about = "A snapshot is not newer than the last fresh one, so it is no sign of life."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  /// The values of `why`.
  public enum Why: String, EventWord { case duplicate, late }

  public var epoch: Int64 = 0
  public var seq: Int64 = 0
  public var why: Why = .duplicate

  public init() {}
  public var body: EventBody { .snapshotStale(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.snapshotStale(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("epoch", &epoch, "the watch's epoch")
    fields.field("seq", &seq, "its number")
    fields.field("why", &why, "why")
  }
}
