import CoachProtocol
import EdgeSim
import Link
import PhoneSim

/// Keys of meals, daily aggregates and the server's files.
extension ScenarioKeys {
  static let daily = Section("phone.daily", DailySetup.schema.description)

  static let dailyChat = Section("phone.daily.chat", ChatSetup.schema.description)

  static let dailyEvents = Section(
    path: "phone.events[]: meals", about: "What the user does in the app for meals.",
    keys: [
      Key("at", duration, nil, "since the run's start"),
      Key(
        "do", .words(DailyCommand.mealWords), nil,
        "removeMeal deletes the newest meal; syncDaily posts what is pending now"),
      Key("name", .string(), "needed", "of logMeal: what was eaten, 1 to 100 characters"),
      Key("calories", .integer(0...DailyCommand.caloriesMax), "needed", "of logMeal: kilocalories"),
      Key("protein", .integer(0...DailyCommand.proteinMax), "0", "of logMeal: grams"),
      Key("ago", .duration(.zero...DailyCommand.agoMax), "0s", "of logMeal: how long before `at` it was eaten"),
    ])

  static let chatEvents = Section(
    path: "phone.events[]: chat", about: "What the user writes in the app's chat.",
    keys: [
      Key("at", duration, nil, "since the run's start"),
      Key("do", .words([DailyCommand.chatWord]), nil, "writes a message"),
      Key("text", .string(), nil, "the message, 1 to \(ChatMessage.bytesMax) bytes"),
    ])

  static let edgeEvents = Section("edge.events[]", EdgeEvent.schema.description)
  static let edgeWorkouts = Section("edge.workouts", WorkoutSetup.schema.description)
  static let edgeWorkoutFailures = Section("edge.workouts.failures[]", ServiceFailure.schema.description)
}
