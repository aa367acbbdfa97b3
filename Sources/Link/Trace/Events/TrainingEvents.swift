/// The event `training.competition`.
public struct CompetitionUpdated: TraceEventKind {
  public static let name: TraceEvent.Name = "training.competition"
  public static let about = "A competition refers to a session, or its cached result of one changed."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var competition: Identifier = .none
  public var discipline: String = ""
  public var sessionId: Identifier = .none
  public var result: Int64?
  public var phone: Int64?

  public init() {}
  public var body: EventBody { .competitionUpdated(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.competitionUpdated(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("competition", &competition, "the competition")
    fields.field("discipline", &discipline, "of the session")
    fields.field("sessionId", &sessionId, "the session that gives the result")
    fields.field("result", &result, "the cached result, as in `training.stored`")
    fields.field("phone", &phone, "2 for the second phone")
  }
}

/// The event `training.drill`.
public struct TrainingDrill: TraceEventKind {
  public static let name: TraceEvent.Name = "training.drill"
  public static let about = "The user logged an exercise: a `DrillSession` with its sets."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var drillId: Identifier = .none
  public var discipline: String = ""
  public var drillType: String = ""
  public var sets: Int64 = 0
  public var phone: Int64?
  public var scores: JSONText?

  public init() {}
  public var body: EventBody { .trainingDrill(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.trainingDrill(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("drillId", &drillId, "the exercise's row")
    fields.field("discipline", &discipline, "what is exercised")
    fields.field("drillType", &drillType, "the exercise")
    fields.field("sets", &sets, "how many sets it has")
    fields.field("phone", &phone, "2 for the second phone")
    fields.field("scores", &scores, "its scores by domain")
  }
}

/// The event `training.edited`.
public struct TrainingEdited: TraceEventKind {
  public static let name: TraceEvent.Name = "training.edited"
  public static let about = "The user changed a session, on this phone or on the other one."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var sessionId: Identifier = .none
  public var discipline: String = ""
  public var what: String = ""
  public var result: Int64?
  public var phone: Int64?

  public init() {}
  public var body: EventBody { .trainingEdited(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.trainingEdited(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("sessionId", &sessionId, "the session's row")
    fields.field("discipline", &discipline, "its discipline")
    fields.field(
      "what", &what, "`shot` for a corrected shot, `score` for a judge's score, `merge` for rows of the other phone")
    fields.field("result", &result, "what it counts now, as in `training.stored`")
    fields.field("phone", &phone, "2 for the second phone")
  }
}

/// The event `training.merged`.
public struct TrainingMerged: TraceEventKind {
  public static let name: TraceEvent.Name = "training.merged"
  public static let about = "Copies of rows of the other phone arrive, and are merged in one transaction."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var phone: Int64 = 1
  public var rows: Int64 = 0
  public var again: Int64 = 0
  public var changed: Int64 = 0
  public var waiting: Int64 = 0

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("phone", &phone, "1, or 2 for the second phone")
    fields.field("rows", &rows, "how many copies")
    fields.field("again", &again, "how many of them said nothing new")
    fields.field("changed", &changed, "how many rows they changed")
    fields.field("waiting", &waiting, "how many rows now wait for a row that they are a part of or refer to")
  }
}

/// The event `training.pushed`.
public struct TrainingPushed: TraceEventKind {
  public static let name: TraceEvent.Name = "training.pushed"
  public static let about =
    "A phone pushes rows to the cloud: what its user changed, or after a start what may not have arrived."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var phone: Int64 = 1
  public var rows: Int64 = 0

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("phone", &phone, "1, or 2 for the second phone")
    fields.field("rows", &rows, "how many")
  }
}

/// The event `training.refused`.
public struct TrainingRefused: TraceEventKind {
  public static let name: TraceEvent.Name = "training.refused"
  public static let about = "A part of a session's report does not follow the parts before it, and is dropped."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var workoutId: Identifier = .none
  public var why: String = ""

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("workoutId", &workoutId, "the workout on the watch")
    fields.field("why", &why, "what was found")
  }
}

/// The event `training.removed`.
public struct TrainingRemoved: TraceEventKind {
  public static let name: TraceEvent.Name = "training.removed"
  public static let about = "A session and all its parts are removed, in one transaction."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var sessionId: Identifier = .none
  public var discipline: String = ""
  public var rows: Int64 = 0
  public var phone: Int64?

  public init() {}
  public var body: EventBody { .trainingRemoved(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.trainingRemoved(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("sessionId", &sessionId, "the session's row")
    fields.field("discipline", &discipline, "its discipline")
    fields.field("rows", &rows, "how many rows were removed, the session's included")
    fields.field("phone", &phone, "2 for the second phone")
  }
}

/// The event `training.row`.
public struct TrainingRowChanged: TraceEventKind {
  public static let name: TraceEvent.Name = "training.row"
  public static let about =
    "The user added or changed a row that gives no result: a photo, a scan, a task, a plan, the weather."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var table: String = ""
  public var rowId: Identifier = .none
  public var what: String = ""
  public var rows: Int64 = 0
  public var phone: Int64?

  public init() {}
  public var body: EventBody { .trainingRowChanged(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.trainingRowChanged(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("table", &table, "its table")
    fields.field("rowId", &rowId, "the row")
    fields.field("what", &what, "`added`, `completed` for a task, `weather` or `summary` (the edge's) for a session")
    fields.field("rows", &rows, "how many rows were stored, its parts included")
    fields.field("phone", &phone, "2 for the second phone")
  }
}

/// The event `training.settled`.
public struct TrainingSettled: TraceEventKind {
  public static let name: TraceEvent.Name = "training.settled"
  public static let about = "Nothing is on its way to a phone, and nothing waits; each phone writes the event."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var phone: Int64 = 1
  public var rows: Int64 = 0
  public var digest: String = ""

  public init() {}
  public var body: EventBody { .trainingSettled(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.trainingSettled(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("phone", &phone, "1, or 2 for the second phone")
    fields.field("rows", &rows, "how many rows it shows")
    fields.field("digest", &digest, "SHA-256 of all rows it shows, derived ones included")
  }
}

/// The event `training.shown`.
public struct TrainingShown: TraceEventKind {
  public static let name: TraceEvent.Name = "training.shown"
  public static let about =
    "A phone shows a row of the other one: a session, a score, a photo, a task, a plan, an exercise."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var phone: Int64 = 1
  public var table: String = ""
  public var rowId: Identifier = .none
  public var source: Identifier = .none

  public init() {}
  public var body: EventBody { .trainingShown(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.trainingShown(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("phone", &phone, "1, or 2 for the second phone")
    fields.field("table", &table, "its table")
    fields.field("rowId", &rowId, "the row, as this phone shows it")
    fields.field("source", &source, "the row in the cloud")
  }
}

/// The event `training.stored`.
public struct TrainingStored: TraceEventKind {
  public static let name: TraceEvent.Name = "training.stored"
  public static let about = "A session and all its parts are stored, in one transaction."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var sessionId: Identifier = .none
  public var workoutId: Identifier = .none
  public var discipline: String = ""
  public var distance: Int64 = 0
  public var duration: Int64 = 0
  public var points: Int64 = 0
  public var rows: Int64 = 0
  public var result: Int64?
  public var startedAt: Int64?
  public var endedAt: Int64?
  public var parts: Int64?
  public var plan: Identifier?
  public var completed: Int64?
  public var skill: Int64?

  public init() {}
  public var body: EventBody { .trainingStored(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.trainingStored(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("sessionId", &sessionId, "the session's row")
    fields.field("workoutId", &workoutId, "the workout on the watch")
    fields.field("discipline", &discipline, "`running`, `riding`, `swimming` or `shooting`")
    fields.field("distance", &distance, "millimetres")
    fields.field("duration", &duration, "milliseconds without pauses")
    fields.field("points", &points, "how many points its route has")
    fields.field("rows", &rows, "how many rows were stored, the session's included")
    fields.field(
      "result", &result,
      "what it counts in a competition, in thousandths: seconds of a run or swim, points of a ride or of shots")
    fields.field("startedAt", &startedAt, "nanoseconds since 1970 by the watch's clock")
    fields.field("endedAt", &endedAt, "likewise")
    fields.field("parts", &parts, "how many splits of a run or a swim, gaits of a ride, or shots were stored")
    fields.field("plan", &plan, "the planned workout that it carried out, if it did")
    fields.field("completed", &completed, "how many intervals of the plan are done")
    fields.field("skill", &skill, "the score of its skill in thousandths of 0 to 100; none with too few parts to tell")
  }
}
