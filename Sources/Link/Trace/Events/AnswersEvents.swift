/// The event `ai.cached`.
public struct AIAnsweredFromCache: AnswerEvent {
  public static let name: TraceEvent.Name = "ai.cached"
  public static let about =
    "The same request was made before, and nothing was sent. `id` is that of the attempt before, or a new one if nothing was sent before."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var answer = AnswerFields()

  public init() {}
  public var body: EventBody { .aiCached(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.aiCached(self, at: place, into: &report)
    checker.answered(answer, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    answer.visit(&fields)
  }
}

/// The event `ai.late`.
public struct AIAnsweredLate: AttemptEvent {
  public static let name: TraceEvent.Name = "ai.late"
  public static let about = "The answer was late; a reply is not spoken."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var id: Identifier = .none
  public var kind: String = ""
  public var reply: Identifier?
  public var note: Identifier?
  public var text: String?

  public init() {}
  public var body: EventBody { .aiLate(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.aiLate(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("id", &id, "the attempt")
    fields.field("kind", &kind, "the call")
    fields.field("reply", &reply, "of a reply to the runner: the id under which it is stored")
    fields.field("note", &note, "of a reply to the runner: the note")
    fields.field("text", &text, "of a reply to the runner: the words")
  }
}

/// The event `ai.dropped`.
public struct AIDropped: AttemptEvent {
  public static let name: TraceEvent.Name = "ai.dropped"
  public static let about = "A request is not retried."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var id: Identifier = .none
  public var kind: String = ""
  public var why: String = ""

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("id", &id, "the attempt")
    fields.field("kind", &kind, "the call")
    fields.field("why", &why, "its run is over, or the queue is full")
  }
}

/// The event `ai.failed`.
public struct AIFailed: AttemptEvent {
  public static let name: TraceEvent.Name = "ai.failed"
  public static let about = "An attempt failed."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var id: Identifier = .none
  public var kind: String = ""
  public var why: String = ""
  public var retryAt: Int64?

  public init() {}
  public var body: EventBody { .aiFailed(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.aiFailed(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("id", &id, "the attempt")
    fields.field("kind", &kind, "the call")
    fields.field("why", &why, "why")
    fields.field("retryAt", &retryAt, "in nanoseconds since the run's start, if a script or summary will be retried")
  }
}

/// The event `ai.fallback`.
public struct AIFellBack: AnswerEvent {
  public static let name: TraceEvent.Name = "ai.fallback"
  public static let about = "No answer arrived within 8 s, so a stock line replaces it."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var answer = AnswerFields()

  public init() {}
  public var body: EventBody { .aiFallback(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.aiFallback(self, at: place, into: &report)
    checker.answered(answer, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    answer.visit(&fields)
  }
}

/// The event `ai.reply`.
public struct AIReplied: AnswerEvent {
  public static let name: TraceEvent.Name = "ai.reply"
  public static let about = "The answer was in time."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var answer = AnswerFields()

  public init() {}
  public var body: EventBody { .aiReply(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.aiReply(self, at: place, into: &report)
    checker.answered(answer, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    answer.visit(&fields)
  }
}

/// The event `ai.requested`.
public struct AIRequested: AttemptEvent {
  public static let name: TraceEvent.Name = "ai.requested"
  public static let about = "The phone asks the edge."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var id: Identifier = .none
  public var kind: String = ""
  public var digest: EventDigest = .none
  public var runId: Identifier = .none
  public var note: Identifier?
  public var attempt: Int64?

  public init() {}
  public var body: EventBody { .aiRequested(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.aiRequested(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("id", &id, "the attempt")
    fields.field("kind", &kind, "the call")
    fields.field("digest", &digest, "of the request's body")
    fields.field("runId", &runId, "the run")
    fields.field("note", &note, "the note to be answered")
    fields.field("attempt", &attempt, "from the second on, each with an id of its own")
  }
}

/// A kind of event that is an answer of the edge, or stands in for one.
public protocol AnswerEvent: AttemptEvent {
  /// The fields.
  var answer: AnswerFields { get set }
}

extension AnswerEvent {
  public var id: Identifier {
    get { answer.id }
    set { answer.id = newValue }
  }
  public var kind: String {
    get { answer.kind }
    set { answer.kind = newValue }
  }
}

/// An answer of the edge.
public struct AnswerFields: Sendable, Equatable {
  public var id: Identifier = .none
  public var kind: String = ""
  public var note: Identifier?
  public var text: String?
  public var speaks: Bool?
  public var costUsd: Double?

  public init() {}

  /// Visits the fields in the order of the trace.
  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("id", &id, "the attempt")
    fields.field("kind", &kind, "the call")
    fields.field("note", &note, "of a reply to the runner: the note")
    fields.field("text", &text, "of a reply to the runner or a summary: the words")
    fields.field(
      "speaks", &speaks, "of a reply to the runner: whether it waits to be spoken, because its run is active")
    fields.number("costUsd", &costUsd, places: 7, "of a reply to the runner: dollars, if the proxy says what it cost")
  }
}

/// A kind of event about an attempt to ask the edge.
public protocol AttemptEvent: TraceEventKind {
  /// The attempt.
  var id: Identifier { get set }
  /// The call.
  var kind: String { get set }
}

/// The event `memory.refused`.
public struct MemoryRefused: TraceEventKind {
  public static let name: TraceEvent.Name = "memory.refused"
  public static let about = "A fact about the runner is not stored."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var kind: String = ""
  public var key: String = ""
  public var why: String = ""

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("kind", &kind, "the kind of fact")
    fields.field("key", &key, "its key")
    fields.field("why", &why, "user: the runner set another value; full")
  }
}

/// The event `memory.updated`.
public struct MemoryUpdated: TraceEventKind {
  public static let name: TraceEvent.Name = "memory.updated"
  public static let about = "The app learns something about the runner."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var kind: String = ""
  public var key: String = ""
  public var value: TraceValue = .null
  public var confidence: Double = 0
  public var source: String = ""

  public init() {}
  public var body: EventBody { .memoryUpdated(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.memoryUpdated(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("kind", &kind, "the kind of fact")
    fields.field("key", &key, "its key")
    fields.field("value", &value, "its value")
    fields.number("confidence", &confidence, places: 3, "how sure it is, 0 to 1")
    fields.field("source", &source, "user, ai_inferred, system_default")
  }
}
