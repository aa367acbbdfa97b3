/// The event `script.branch`.
public struct ScriptBranched: TraceEventKind {
  public static let name: TraceEvent.Name = "script.branch"
  public static let about = "A branch of the script becomes active."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var message: String = ""
  public var branch: String = ""
  public var before: String?

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("message", &message, "the message whose dispatch activated it")
    fields.field("branch", &branch, "the branch that is now active")
    fields.nullable("before", &before, "the one before, or null")
  }
}

/// The event `script.dispatch`.
public struct ScriptDispatched: TraceEventKind {
  public static let name: TraceEvent.Name = "script.dispatch"
  public static let about =
    "A message is due and is spoken. A line of the script has all four fields of the fresh snapshot at which it was judged; an answer in a run that the phone tracks itself has only `elapsed`, by the phone's timers; one in a run without a snapshot so far has none."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var rank = ScriptRank()
  public var figures = SnapshotFigures()

  public init() {}
  public var body: EventBody { .scriptDispatch(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.scriptDispatch(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    rank.visit(&fields)
    figures.visit(&fields)
  }
}

/// The event `script.expired`.
public struct ScriptExpired: TraceEventKind {
  public static let name: TraceEvent.Name = "script.expired"
  public static let about = "A message is too far past its point to be spoken."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var rank = ScriptRank()
  public var figures = SnapshotFigures()

  public init() {}
  public var body: EventBody { .scriptExpired(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.scriptExpired(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    rank.visit(&fields)
    figures.visit(&fields)
  }
}

/// The event `script.loaded`.
public struct ScriptLoaded: TraceEventKind {
  public static let name: TraceEvent.Name = "script.loaded"
  public static let about = "A script is in force."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var source: String = ""
  public var script: JSONText = .none

  public init() {}
  public var body: EventBody { .scriptLoaded(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.scriptLoaded(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("source", &source, "scenario, edge, fallback")
    fields.field("script", &script, "the script, complete")
  }
}

/// The message that a line is about, and its rank.
public struct ScriptRank: Sendable, Equatable {
  public var message: String = ""
  public var trigger: String = ""
  public var priority: Int64 = 0
  public var multiple: Int64?

  public init() {}

  /// Visits the fields in the order of the trace.
  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("message", &message, "its id; of an answer to the runner the id of the question")
    fields.field("trigger", &trigger, "the trigger's type; `ai_reply` for an answer to the runner")
    fields.field("priority", &priority, "its priority")
    fields.field("multiple", &multiple, "of `everyMeters`")
  }
}

/// The event `script.skipped`.
public struct ScriptSkipped: TraceEventKind {
  public static let name: TraceEvent.Name = "script.skipped"
  public static let about = "Multiples of a message are skipped."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var message: String = ""
  public var trigger: String = ""
  public var first: Int64 = 0
  public var last: Int64 = 0
  public var figures = SnapshotFigures()
  /// Nil in traces of phones that do not record it.
  public var cause: SkipCause?

  public init() {}
  public var body: EventBody { .scriptSkipped(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.scriptSkipped(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("message", &message, "its id")
    fields.field("trigger", &trigger, "the trigger's type")
    fields.field("first", &first, "the first skipped multiple")
    fields.field("last", &last, "the last one")
    figures.visit(&fields)
    fields.field(
      "cause", &cause,
      "why: `gap` (no snapshot came in between), `notRunning` (the phone believed that the run was not on), `heldBack` (due, but the window, another line or a full disk held it back), `script` (the script came later), `branch` (its branch opened later, or the script of the branch came later)"
    )
  }
}

/// Why multiples of a message were passed over.
public enum SkipCause: String, EventWord, Sendable {
  /// The phone received no snapshot between these points and the next.
  case gap
  /// The phone received snapshots there, but did not believe that the run was on.
  case notRunning
  /// A multiple was due, but the window, another line or a full disk held it back until the next point.
  case heldBack
  /// The points were already passed when the script came; the message belongs to no branch.
  case script
  /// The points were already passed when the message's branch opened, or its script came.
  case branch
}

/// The fresh snapshot at which a message was judged.
public struct SnapshotFigures: Sendable, Equatable {
  public var epoch: Int64?
  public var seq: Int64?
  public var elapsed: Double?
  public var distance: Double?

  public init() {}

  /// Visits the fields in the order of the trace.
  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("epoch", &epoch, "the snapshot's epoch")
    fields.field("seq", &seq, "its number")
    fields.number("elapsed", &elapsed, places: 3, "in seconds")
    fields.number("distance", &distance, places: 2, "in metres")
  }
}
