/// The event `end.asked`.
public struct EndAsked: NarratedEvent {
  public static let name: TraceEvent.Name = "end.asked"
  public static let about =
    "The phone wants the watch to end a run; `endWorkout` follows if the watch is reachable."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  /// Who wants the run to end.
  public enum Asker: String, EventWord {
    case runner
    /// The phone had cancelled the start, but the watch began the run.
    case cancelledStart
  }

  public var runId: Identifier = .none
  public var by: Asker = .runner

  public init() {}
  public var body: EventBody { .endAsked(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.endAsked(self, at: place, into: &report)
  }

  public var sentence: EventSentence {
    .init("wants the watch to end the run" + (by == .runner ? "" : ", whose start it has taken back"))
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("runId", &runId, "the run")
    fields.field("by", &by, "who wants it: runner, cancelledStart (a run of a start that the phone has taken back)")
  }
}

/// The event `start.acked`.
public struct StartAcked: TraceEventKind {
  public static let name: TraceEvent.Name = "start.acked"
  public static let about = "The watch has answered."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var runId: Identifier = .none
  public var word: String = ""

  public init() {}
  public var body: EventBody { .startAcked(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.startAcked(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("runId", &runId, "the run")
    fields.field("word", &word, "the kind of message that answered, `startAck` or a message of the run")
  }
}

/// The event `start.asked`.
public struct StartAsked: TraceEventKind {
  public static let name: TraceEvent.Name = "start.asked"
  public static let about =
    "The phone asks the watch to start. Without an attempt: test traffic that asks the other side to start a run."
  public static let places: TraceEvent.Writers = [.init(.watch), .init(.phone)]

  public var runId: Identifier = .none
  public var channel: Channel = .message
  public var attempt: Int64?
  public var sentAt: Int64?
  public var error: String?

  public init() {}
  public var body: EventBody { .startAsked(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.startAsked(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("runId", &runId, "the run")
    fields.field("channel", &channel, "message or applicationContext")
    fields.field("attempt", &attempt, "1 or 2")
    fields.field("sentAt", &sentAt, "when, by the phone's clock")
    fields.field("error", &error, "if it could not be sent")
  }
}

/// The event `start.cancelled`.
public struct StartCancelled: TraceEventKind {
  public static let name: TraceEvent.Name = "start.cancelled"
  public static let about = "The phone sends `cancelStart` and gives up the start."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var runId: Identifier = .none

  public init() {}
  public var body: EventBody { .startCancelled(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.startCancelled(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("runId", &runId, "the run")
  }
}

/// The event `start.failed`.
public struct StartFailed: TraceEventKind {
  public static let name: TraceEvent.Name = "start.failed"
  public static let about = "The start failed."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var runId: Identifier = .none
  public var why: String = ""

  public init() {}
  public var body: EventBody { .startFailed(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.startFailed(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("runId", &runId, "the run")
    fields.field("why", &why, "no answer, the phone was away")
  }
}

/// The event `start.late`.
public struct StartLate: TraceEventKind {
  public static let name: TraceEvent.Name = "start.late"
  public static let about = "A message about a run whose start was given up; the phone cancels it again."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var runId: Identifier = .none
  public var word: String = ""

  public init() {}
  public var body: EventBody { .startLate(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.startLate(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("runId", &runId, "the run")
    fields.field("word", &word, "the kind of the message")
  }
}

/// The event `start.declined`.
public struct StartRejected: TraceEventKind {
  public static let name: TraceEvent.Name = "start.declined"
  public static let about = "Written when the watch declines, and when the phone learns of it."
  public static let places: TraceEvent.Writers = [.init(.watch), .init(.phone)]

  /// Why a watch declines a start.
  public enum Reason: String, EventWord {
    case alreadyRunning
    /// The command is too old, was cancelled, or its run is over.
    case void
    /// The user does not allow recording workouts.
    case notAuthorised
  }

  public var runId: Identifier = .none
  public var reason: Reason = .alreadyRunning

  public init() {}
  public var body: EventBody { .startDeclined(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.startDeclined(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("runId", &runId, "the run")
    fields.field("reason", &reason, "why")
  }
}

/// The event `tracker.ended`.
public struct TrackerEnded: TraceEventKind {
  public static let name: TraceEvent.Name = "tracker.ended"
  public static let about = "The phone no longer tracks the run."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var workoutId: Identifier = .none
  public var by: String = ""
  public var elapsed: Double = 0
  public var distance: Double?

  public init() {}
  public var body: EventBody { .trackerEnded(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.trackerEnded(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("workoutId", &workoutId, "the run")
    fields.field("by", &by, "phone")
    fields.number("elapsed", &elapsed, places: 3, "in seconds")
    fields.number("distance", &distance, places: 2, "in metres, by the plan's pace")
  }
}

/// The event `tracker.started`.
public struct TrackerStarted: TraceEventKind {
  public static let name: TraceEvent.Name = "tracker.started"
  public static let about = "The phone tracks the run itself."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var workoutId: Identifier = .none
  public var by: String = ""

  public init() {}
  public var body: EventBody { .trackerStarted(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.trackerStarted(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("workoutId", &workoutId, "the run")
    fields.field("by", &by, "phone")
  }
}
