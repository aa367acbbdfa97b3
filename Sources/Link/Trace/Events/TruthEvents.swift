/// The event `truth.workoutBegan`.
public struct TrueWorkoutBegan: TraceEventKind {
  public static let name: TraceEvent.Name = "truth.workoutBegan"
  public static let about = "The athlete begins a workout: the first movement, after the watch has prepared."
  public static let places: TraceEvent.Writers = .runner
  public static let isReserved = true

  public var workout: Int64 = 0
  public var discipline: String?
  public var startedAt: Int64 = 0

  public init() {}
  public var body: EventBody { .trueWorkoutBegan(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.trueWorkoutBegan(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("workout", &workout, "its number among the athlete's workouts, from 1")
    fields.field("discipline", &discipline, "its discipline; nil for a recorded workout of another sport")
    fields.field("startedAt", &startedAt, "nanoseconds since 1970 by a clock that is right")
  }
}

/// The event `truth.workoutEnded`.
public struct TrueWorkoutEnded: TraceEventKind {
  public static let name: TraceEvent.Name = "truth.workoutEnded"
  public static let about = "The athlete ends a workout, with what it really was."
  public static let places: TraceEvent.Writers = .runner
  public static let isReserved = true

  public var workout: Int64 = 0
  public var discipline: String?
  public var by: String = ""
  public var startedAt: Int64 = 0
  public var endedAt: Int64 = 0
  public var active: Int64 = 0
  public var stops: Int64 = 0
  public var distance: Int64 = 0
  public var parts: Int64 = 0
  public var score: Int64?

  public init() {}
  public var body: EventBody { .trueWorkoutEnded(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.trueWorkoutEnded(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("workout", &workout, "its number")
    fields.field("discipline", &discipline, "its discipline; nil for a recorded workout of another sport")
    fields.field(
      "by", &by,
      "`hand`, `body` at the planned end, `phone` for an end that was asked there, `duration` at the scenario's end")
    fields.field("startedAt", &startedAt, "nanoseconds since 1970 by a clock that is right")
    fields.field("endedAt", &endedAt, "likewise")
    fields.field("active", &active, "milliseconds without pauses and stops")
    fields.field("stops", &stops, "how often the athlete stood still without a pause")
    fields.field("distance", &distance, "millimetres")
    fields.field("parts", &parts, "whole kilometres of a run, lengths of a swim, gaits of a ride, shots")
    fields.field("score", &score, "of shooting: the rings of all shots")
  }
}

/// The event `truth.workoutPaused`.
public struct TrueWorkoutPaused: TraceEventKind {
  public static let name: TraceEvent.Name = "truth.workoutPaused"
  public static let about = "The athlete pauses the workout by hand; stops of a run are no pauses."
  public static let places: TraceEvent.Writers = .runner
  public static let isReserved = true

  public var workout: Int64 = 0

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("workout", &workout, "its number")
  }
}

/// The event `truth.workoutResumed`.
public struct TrueWorkoutResumed: TraceEventKind {
  public static let name: TraceEvent.Name = "truth.workoutResumed"
  public static let about = "The athlete continues the workout by hand; stops of a run are no pauses."
  public static let places: TraceEvent.Writers = .runner
  public static let isReserved = true

  public var workout: Int64 = 0

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("workout", &workout, "its number")
  }
}
