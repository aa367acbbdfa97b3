import EdgeSim
import Link
import PhoneSim

/// Keys of meals, daily aggregates and the server's files.
extension ScenarioKeys {
  static let daily = Section("phone.daily", DailySetup.schema.description)

  static let dailyEvents = Section(
    path: "phone.events[]: meals", about: "What the user does in the app for meals.",
    keys: [
      Key("at", duration, nil, "since the run's start"),
      Key(
        "do", .words(DailyCommand.words), nil,
        "removeMeal deletes the newest meal; syncDaily posts what is pending now"),
      Key("name", .string(), "needed", "of logMeal: what was eaten, 1 to 100 characters"),
      Key("calories", .integer(0...DailyCommand.caloriesMax), "needed", "of logMeal: kilocalories"),
      Key("protein", .integer(0...DailyCommand.proteinMax), "0", "of logMeal: grams"),
      Key("ago", .duration(.zero...DailyCommand.agoMax), "0s", "of logMeal: how long before `at` it was eaten"),
    ])

  static let edgeEvents = Section("edge.events[]", EdgeEvent.schema.description)
  static let edgeWorkouts = Section("edge.workouts", WorkoutSetup.schema.description)
  static let edgeWorkoutFailures = Section("edge.workouts.failures[]", ServiceFailure.schema.description)
}
