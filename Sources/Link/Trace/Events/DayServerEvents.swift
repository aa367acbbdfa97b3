/// The event `edge.upserted`.
public struct DayUpserted: TraceEventKind {
  public static let name: TraceEvent.Name = "edge.upserted"
  public static let about = "The server replaced a day's `DailySnapshot`."
  public static let places: TraceEvent.Writers = [.init(.edge)]

  public var day: String = ""
  public var revision: Int64 = 0
  public var snapshot: JSONText = .none

  public init() {}
  public var body: EventBody { .dayUpserted(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.dayUpserted(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("day", &day, "the day")
    fields.field("revision", &revision, "the revision that the phone posted")
    fields.field("snapshot", &snapshot, "the snapshot as in `context_store.json`")
  }
}

/// The event `edge.fetchFailed`.
public struct FetchFailed: TraceEventKind {
  public static let name: TraceEvent.Name = "edge.fetchFailed"
  public static let about = "A request to the external service failed."
  public static let places: TraceEvent.Writers = [.init(.edge)]

  public var why: String = ""
  public var retryAt: Int64 = 0

  public init() {}
  public var body: EventBody { .fetchFailed(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("why", &why, "what was found")
    fields.field("retryAt", &retryAt, "when the next request is sent, in nanoseconds since the run's start")
  }
}

/// The event `edge.damaged`.
public struct FileDamaged: TraceEventKind {
  public static let name: TraceEvent.Name = "edge.damaged"
  public static let about = "A file cannot be read, and the server starts without it."
  public static let places: TraceEvent.Writers = [.init(.edge)]

  public var file: String = ""
  public var bytes: Int64 = 0
  public var why: String = ""

  public init() {}
  public var body: EventBody { .fileDamaged(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.fileDamaged(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("file", &file, "its name")
    fields.field("bytes", &bytes, "its length")
    fields.field("why", &why, "what was found, and what was expected")
  }
}

/// The event `edge.stored`.
public struct FileStored: TraceEventKind {
  public static let name: TraceEvent.Name = "edge.stored"
  public static let about = "The server replaced a file with a new version."
  public static let places: TraceEvent.Writers = [.init(.edge)]

  public var file: String = ""
  public var store: Identifier = .none
  public var bytes: Int64 = 0
  public var days: Int64 = 0
  public var digest: String = ""

  public init() {}
  public var body: EventBody { .fileStored(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.fileStored(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("file", &file, "its name")
    fields.field("store", &store, "the server's store")
    fields.field("bytes", &bytes, "its length")
    fields.field("days", &days, "how many days the store holds")
    fields.field("digest", &digest, "the first 16 hex digits of its SHA-256")
  }
}

/// The event `edge.profiled`.
public struct ProfileExtracted: TraceEventKind {
  public static let name: TraceEvent.Name = "edge.profiled"
  public static let about = "A message of the chat changed the user's profile on the server."
  public static let places: TraceEvent.Writers = [.init(.edge)]

  public var message: Int64 = 0
  public var profile: JSONText = .none

  public init() {}
  public var body: EventBody { .profileExtracted(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.profileExtracted(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("message", &message, "the number of the chat message")
    fields.field("profile", &profile, "the profile as in `profile.json`")
  }
}

/// The event `edge.context`.
public struct ServerContext: TraceEventKind {
  public static let name: TraceEvent.Name = "edge.context"
  public static let about = "A real server (`--proxy`) says what it has of its last 90 days, after a post."
  public static let places: TraceEvent.Writers = [.init(.edge)]

  public var days: Int64 = 0
  public var nutritionDays: Int64 = 0
  public var calories: Int64 = 0
  public var protein: Int64 = 0
  public var carbs: Int64 = 0
  public var fat: Int64 = 0
  public var steps: Int64 = 0

  public init() {}
  public var body: EventBody { .serverContext(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.serverContext(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("days", &days, "the days that it has")
    fields.field("nutritionDays", &nutritionDays, "the days with meals")
    fields.field("calories", &calories, "average of days with meals")
    fields.field("protein", &protein, "likewise")
    fields.field("carbs", &carbs, "likewise")
    fields.field("fat", &fat, "likewise")
    fields.field("steps", &steps, "average of days with steps")
  }
}

/// The event `edge.restarted`.
public struct ServerRestarted: TraceEventKind {
  public static let name: TraceEvent.Name = "edge.restarted"
  public static let about = "The server starts again and reads its files."
  public static let places: TraceEvent.Writers = [.init(.edge)]

  public var cause: String = ""
  public var store: Identifier = .none
  public var days: Int64 = 0

  public init() {}
  public var body: EventBody { .serverRestarted(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.serverRestarted(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("cause", &cause, "`restart`, `wipe` (all files are lost) or `powerLoss` (one file is half written)")
    fields.field("store", &store, "its store: a new one if `context_store.json` was lost")
    fields.field("days", &days, "how many days the store holds")
  }
}

/// The event `edge.fetched`.
public struct WorkoutsFetched: TraceEventKind {
  public static let name: TraceEvent.Name = "edge.fetched"
  public static let about = "The external service answered, and the server stored what is new."
  public static let places: TraceEvent.Writers = [.init(.edge)]

  public var since: String?
  public var workouts: Int64 = 0
  public var changed: Int64 = 0

  public init() {}
  public var body: EventBody { .workoutsFetched(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.workoutsFetched(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("since", &since, "the first day that was asked for; missing for all")
    fields.field("workouts", &workouts, "how many workouts the answer lists")
    fields.field("changed", &changed, "how many days are new or changed")
  }
}

/// The event `edge.workouts`.
public struct WorkoutsStored: TraceEventKind {
  public static let name: TraceEvent.Name = "edge.workouts"
  public static let about = "The workouts of a day are new on the server, or changed."
  public static let places: TraceEvent.Writers = [.init(.edge)]

  public var day: String = ""
  public var workouts: JSONText = .none

  public init() {}
  public var body: EventBody { .workoutsStored(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.workoutsStored(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("day", &day, "the day in UTC")
    fields.field("workouts", &workouts, "an array: the day's `WorkoutSnapshot`s as in `context_store.json`")
  }
}
