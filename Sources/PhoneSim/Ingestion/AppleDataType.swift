package import Link

/// A type of data that the app ingests from Apple's stores.
package enum AppleDataType: String, Sendable, CaseIterable {
  case sleep, calories, exercise, mindfulness, calendar, reminders

  /// The store: the column `sourceSDK`.
  package var source: String {
    switch self {
    case .sleep, .calories, .exercise, .mindfulness: "HealthKit"
    case .calendar, .reminders: "EventKit"
    }
  }

  /// The types for which one request of the app asks the user: `requestAuthorization` for all of HealthKit,
  /// `requestFullAccessToEvents` and `requestFullAccessToReminders`.
  var askedTogether: [AppleDataType] { source == "HealthKit" ? Self.allCases.filter { $0.source == source } : [self] }

  /// How long a row is kept after it was fetched, unless the user says otherwise.
  package var retention: VirtualTime.Span {
    switch self {
    case .sleep, .calories: .hours(7 * 24)
    case .exercise, .mindfulness: .hours(14 * 24)
    case .calendar, .reminders: .hours(30 * 24)
    }
  }

  /// Where the period of a day begins after midnight; a night is not cut at midnight.
  package var periodStart: VirtualTime.Span { self == .sleep ? .hours(12) : .zero }

  /// The measures that its rows parse into, in the order of the catalogue.
  package var measures: [AppleMeasure] { AppleMeasure.allCases.filter { $0.type == self } }

  /// Its position in ``allCases``.
  var index: Int {
    switch self {
    case .sleep: 0
    case .calories: 1
    case .exercise: 2
    case .mindfulness: 3
    case .calendar: 4
    case .reminders: 5
    }
  }
}

/// A measure of the catalogue.
package enum AppleMeasure: String, Sendable, CaseIterable {
  case sleepHours = "sleep_hours"
  case inBedHours = "inbed_hours"
  case sleepEfficiency = "sleep_efficiency"
  case caloriesBurned = "calories_burned"
  /// Without samples of resting energy, which the app does not ask for, it has no value.
  case totalCalories = "total_calories"
  case mindfulnessMinutes = "mindfulness_minutes"
  case mindfulnessSessions = "mindfulness_sessions"
  case exerciseMinutes = "exercise_minutes"
  case meetingHours = "meeting_hours"
  case meetingCount = "meeting_count"
  case tasksCompleted = "tasks_completed"
  case highPriorityCompleted = "high_priority_completed"

  /// The column `id` of its row in the catalogue: a UUID, the same in every store.
  package var id: Identifier { Identifier(of: .blank, "measures.\(rawValue)", 0) }

  /// By the text of its identifier.
  static let byId = Dictionary(uniqueKeysWithValues: allCases.map { ($0.id.text, $0) })

  /// The type whose rows give it.
  package var type: AppleDataType {
    switch self {
    case .sleepHours, .inBedHours, .sleepEfficiency: .sleep
    case .caloriesBurned, .totalCalories: .calories
    case .mindfulnessMinutes, .mindfulnessSessions: .mindfulness
    case .exerciseMinutes: .exercise
    case .meetingHours, .meetingCount: .calendar
    case .tasksCompleted, .highPriorityCompleted: .reminders
    }
  }

  /// The columns `unit`, `measureType`, `title` and `detailedDescription` of its row in the catalogue.
  package var row: (unit: String, type: String, title: String, about: String) {
    switch self {
    case .sleepHours: ("hours", "time", "Sleep Hours", "Total hours asleep")
    case .inBedHours: ("hours", "time", "Time in Bed", "Total hours in bed")
    case .sleepEfficiency: ("percent", "ratio", "Sleep Efficiency", "Sleep hours / time in bed")
    case .caloriesBurned: ("kcal", "energy", "Active Calories", "Active energy burned")
    case .totalCalories: ("kcal", "energy", "Total Calories", "Total energy burned")
    case .mindfulnessMinutes: ("minutes", "time", "Mindfulness Minutes", "Time spent in mindfulness")
    case .mindfulnessSessions: ("occasions", "count", "Mindfulness Sessions", "Number of mindfulness sessions")
    case .exerciseMinutes: ("minutes", "time", "Exercise Minutes", "Total exercise time")
    case .meetingHours: ("hours", "time", "Meeting Hours", "Time spent in meetings")
    case .meetingCount: ("occasions", "count", "Meetings", "Number of meetings")
    case .tasksCompleted: ("occasions", "count", "Tasks Completed", "Completed reminders")
    case .highPriorityCompleted:
      ("occasions", "count", "High-Priority Tasks Completed", "Completed reminders of high priority")
    }
  }
}
