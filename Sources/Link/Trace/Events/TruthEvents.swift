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
  public var energy: Int64 = 0
  public var steps: Int64 = 0
  public var parts: Int64 = 0
  public var score: Int64?
  public var skill: Int64?

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
    fields.field("energy", &energy, "tenths of active kilocalories")
    fields.field("steps", &steps, "on foot")
    fields.field("parts", &parts, "whole kilometres of a run, or miles, lengths of a swim, gaits of a ride, shots")
    fields.field("score", &score, "of shooting: the rings of all shots")
    fields.field(
      "skill", &skill,
      "thousandths of 0 to 100: the fastest split of the slowest, the shorter rein of the longer, the rings of the possible;"
        + " nil with too few parts to tell")
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

/// The event `truth.night`.
public struct TrueNight: TraceEventKind {
  public static let name: TraceEvent.Name = "truth.night"
  public static let about = "The athlete gets up after a night."
  public static let places: TraceEvent.Writers = .runner
  public static let isReserved = true

  public var day: String = ""
  public var from: Int64 = 0
  public var to: Int64 = 0
  public var asleep: Int64 = 0

  public init() {}
  public var body: EventBody { .trueNight(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.trueNight(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("day", &day, "the local day on which it begins, up to noon of the next")
    fields.field("from", &from, "going to bed, in true nanoseconds since 1970")
    fields.field("to", &to, "getting up, likewise")
    fields.field("asleep", &asleep, "seconds asleep")
  }
}

/// The event `truth.meal`.
public struct TrueMeal: TraceEventKind {
  public static let name: TraceEvent.Name = "truth.meal"
  public static let about = "The athlete enters a meal, corrects it, or eats one that is drawn."
  public static let places: TraceEvent.Writers = .runner
  public static let isReserved = true

  public var meal: Int64 = 0
  public var day: String = ""
  public var eatenAt: Int64 = 0
  public var calories: Int64 = 0
  public var protein: Int64 = 0

  public init() {}
  public var body: EventBody { .trueMeal(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.trueMeal(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("meal", &meal, "its number, from 1")
    fields.field("day", &day, "the local day on which it was eaten")
    fields.field("eatenAt", &eatenAt, "true nanoseconds since 1970")
    fields.field("calories", &calories, "kilocalories")
    fields.field("protein", &protein, "grams")
  }
}

/// The event `truth.mealRemoved`.
public struct TrueMealRemoved: TraceEventKind {
  public static let name: TraceEvent.Name = "truth.mealRemoved"
  public static let about = "The athlete takes the newest meal back: it was not eaten."
  public static let places: TraceEvent.Writers = .runner
  public static let isReserved = true

  public var meal: Int64 = 0

  public init() {}
  public var body: EventBody { .trueMealRemoved(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.trueMealRemoved(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("meal", &meal, "its number")
  }
}

/// The event `truth.appointment`.
public struct TrueAppointment: TraceEventKind {
  public static let name: TraceEvent.Name = "truth.appointment"
  public static let about = "An appointment of the athlete is over."
  public static let places: TraceEvent.Writers = .runner
  public static let isReserved = true

  public var day: String = ""
  public var from: Int64 = 0
  public var to: Int64 = 0
  public var allDay: Bool = false
  public var calendar: String = ""

  public init() {}
  public var body: EventBody { .trueAppointment(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.trueAppointment(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("day", &day, "the local day on which it begins")
    fields.field("from", &from, "true nanoseconds since 1970")
    fields.field("to", &to, "likewise")
    fields.field("allDay", &allDay, "whether it is an entry for the whole day, and no meeting")
    fields.field("calendar", &calendar, "the title of its calendar")
  }
}

/// The event `truth.reminder`.
public struct TrueReminder: TraceEventKind {
  public static let name: TraceEvent.Name = "truth.reminder"
  public static let about = "A task of the athlete is done, or stays open."
  public static let places: TraceEvent.Writers = .runner
  public static let isReserved = true

  public var day: String = ""
  public var due: Int64 = 0
  public var done: Bool = false
  public var important: Bool = false

  public init() {}
  public var body: EventBody { .trueReminder(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.trueReminder(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("day", &day, "the local day on which it is due")
    fields.field("due", &due, "true nanoseconds since 1970")
    fields.field("done", &done, "whether it is done")
    fields.field("important", &important, "whether its priority is high")
  }
}

/// The event `truth.day`.
public struct TrueDay: TraceEventKind {
  public static let name: TraceEvent.Name = "truth.day"
  public static let about = "A local day of the athlete is over, with what the body did beside the workouts."
  public static let places: TraceEvent.Writers = .runner
  public static let isReserved = true

  public var day: String = ""
  public var from: Int64 = 0
  public var to: Int64 = 0
  public var walks: JSONText = .none
  public var sessions: Int64 = 0
  public var mindful: Int64 = 0
  public var hrv: Int64?
  public var grams: Int64?

  public init() {}
  public var body: EventBody { .trueDay(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.trueDay(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("day", &day, "the local day")
    fields.field("from", &from, "its first instant, in true nanoseconds since 1970")
    fields.field("to", &to, "the instant after its last, likewise")
    fields.field(
      "walks", &walks,
      "of each walk start and end in seconds since 1970, steps, kilocalories, minutes of exercise")
    fields.field("sessions", &sessions, "how often the athlete meditated")
    fields.field("mindful", &mindful, "seconds of it")
    fields.field("hrv", &hrv, "heart rate variability of its morning in milliseconds; none without a night before it")
    fields.field("grams", &grams, "what the athlete weighed in its morning; none without a weighing")
  }
}

/// The event `truth.scored`.
public struct TrueScored: TraceEventKind {
  public static let name: TraceEvent.Name = "truth.scored"
  public static let about = "The athlete enters a score of the newest ride, or corrects a shot, on the phone."
  public static let places: TraceEvent.Writers = .runner
  public static let isReserved = true

  public var discipline: String = ""
  public var score: Int64 = 0

  public init() {}
  public var body: EventBody { .trueScored(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.trueScored(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("discipline", &discipline, "`riding` or `shooting`")
    fields.field("score", &score, "thousandths of a ride's points, or the rings of the shot")
  }
}
