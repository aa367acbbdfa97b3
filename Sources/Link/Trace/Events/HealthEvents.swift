/// The event `health.absent`.
public struct HealthAbsent: TraceEventKind {
  public static let name: TraceEvent.Name = "health.absent"
  public static let about = "It has not arrived yet: the run's row is a stub."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var query = HealthQueryFields()
  public var attempt: Int64 = 0
  public var retryAt: Int64 = 0

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    query.visit(&fields)
    fields.field("attempt", &attempt, "counts the queries")
    fields.field("retryAt", &retryAt, "in nanoseconds since the run's start")
  }
}

/// The event `health.kept`.
public struct HealthKept: TraceEventKind {
  public static let name: TraceEvent.Name = "health.kept"
  public static let about = "An answer changed the store."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var changes: JSONText = .none
  public var bytes: Int64 = 0
  public var most: Int64 = 0

  public init() {}
  public var body: EventBody { .healthKept(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.healthKept(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("changes", &changes, "the kinds of store changes that it caused")
    fields.field("bytes", &bytes, "their bytes")
    fields.field("most", &most, "the bytes of the largest one")
  }
}

/// The event `health.linked`.
public struct HealthLinked: TraceEventKind {
  public static let name: TraceEvent.Name = "health.linked"
  public static let about = "A run and its workout in the health store are linked."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var runId: Identifier = .none
  public var workout: Identifier = .none
  public var by: String = ""

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("runId", &runId, "the run")
    fields.field("workout", &workout, "the workout")
    fields.field("by", &by, "which of the two led to the other: run, workout")
  }
}

/// A query of the health store.
public struct HealthQueryFields: Sendable, Equatable {
  /// The values of `of`.
  public enum Subject: String, EventWord { case all, workout, run }

  public var of: Subject = .all
  public var workout: Identifier?
  public var runId: Identifier?

  public init() {}

  /// Visits the fields in the order of the trace.
  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("of", &of, "what is queried")
    fields.field("workout", &workout, "the key of the query")
    fields.field("runId", &runId, "the key of the query")
  }
}

/// The event `health.observed`.
public struct HealthObserved: TraceEventKind {
  public static let name: TraceEvent.Name = "health.observed"
  public static let about =
    "The app learns that the phone's health store has a workout of the watch: once a start of the app."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var workout: Identifier = .none
  public var startedAt: Int64 = 0
  public var duration: Double = 0
  public var distance: Double = 0
  public var energy: Double = 0
  public var steps: Int64 = 0

  public init() {}

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.healthObserved(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("workout", &workout, "the workout")
    fields.field("startedAt", &startedAt, "by the watch's clock, in nanoseconds since 1970")
    fields.number("duration", &duration, places: 3, "in seconds, without pauses")
    fields.number("distance", &distance, places: 2, "in metres")
    fields.number("energy", &energy, places: 1, "active energy in kilocalories")
    fields.field("steps", &steps, "steps on foot")
  }
}

/// The event `health.requested`.
public struct HealthRequested: TraceEventKind {
  public static let name: TraceEvent.Name = "health.requested"
  public static let about = "The app queries the health store."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var query = HealthQueryFields()
  public var attempt: Int64 = 0

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    query.visit(&fields)
    fields.field("attempt", &attempt, "counts the queries")
  }
}

/// The event `health.slept`.
public struct HealthSlept: TraceEventKind {
  public static let name: TraceEvent.Name = "health.slept"
  public static let about =
    "The athlete gets up: the phone's health store has the whole night. Again when the night is corrected there."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var day: String = ""
  public var hours: Double = 0
  public var from: Int64 = 0
  public var to: Int64 = 0

  public init() {}
  public var body: EventBody { .healthSlept(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.healthSlept(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("day", &day, "the local day on which the night begins, `YYYY-MM-DD`")
    fields.number("hours", &hours, places: 4, "the hours asleep")
    fields.field("from", &from, "to bed, in nanoseconds since the run's start")
    fields.field("to", &to, "up, in nanoseconds since the run's start")
  }
}

/// The event `health.truth`.
public struct HealthTruth: TraceEventKind {
  public static let name: TraceEvent.Name = "health.truth"
  public static let about = "The health store's figures of a run are stored."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var workout: Identifier = .none
  public var aarcRunId: Identifier = .none
  public var distance: Double = 0
  public var duration: Double = 0
  public var avgPace: Double?
  public var route: Int64 = 0
  public var heartRates: Int64 = 0
  public var splits: Int64 = 0

  public init() {}

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.healthTruth(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("workout", &workout, "the workout")
    fields.field("aarcRunId", &aarcRunId, "the run")
    fields.number("distance", &distance, places: 2, "in metres")
    fields.number("duration", &duration, places: 3, "in seconds")
    fields.number("avgPace", &avgPace, places: 2, "in seconds per kilometre")
    fields.field("route", &route, "the number of points of its route")
    fields.field("heartRates", &heartRates, "the number of its heart rates")
    fields.field("splits", &splits, "the number of its splits")
  }
}

/// The event `history.shown`.
public struct HistoryShown: TraceEventKind {
  public static let name: TraceEvent.Name = "history.shown"
  public static let about = "The app shows its list of runs."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var runs: Int64 = 0
  public var stubs: Int64 = 0
  public var rows: JSONText = .none

  public init() {}

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.historyShown(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("runs", &runs, "how many runs")
    fields.field("stubs", &stubs, "how many of them are stubs")
    fields.field(
      "rows", &rows, "from columns of the store only: `id`, `label`?, `distance`?, `duration`?, `avgPace`?, `stub`?")
  }
}

/// The event `store.wiped`.
public struct StoreWiped: TraceEventKind {
  public static let name: TraceEvent.Name = "store.wiped"
  public static let about = "Everything that the app stored about runs and runner is deleted."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {}
}
