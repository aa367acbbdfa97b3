import CoachProtocol
package import Link

/// A user's act about meals, chat and their synchronisation: a `do` of `phone.events`.
package enum DailyCommand: ScenarioCommand, Equatable {
  /// Stores a meal that was eaten `ago` before now.
  case logMeal(name: String, calories: Int, protein: Int, ago: VirtualTime.Span)
  /// Deletes the newest meal.
  case removeMeal
  case syncDaily
  /// Writes a message in the chat.
  case writeChat(String)

  package static let caloriesMax: Int64 = 20_000
  package static let proteinMax: Int64 = 2_000
  private static let nameMax = 100

  private struct Meal: Sendable {
    var name = ""
    var calories = 0
    var protein = 0
    var ago = VirtualTime.Span.zero
  }

  package static let forms: [CommandForm<Self>] = [
    CommandForm(
      "logMeal", "stores a meal", Meal(),
      [
        Field("name", \.name, .string, "what was eaten, 1 to \(nameMax) characters", .required),
        Field("calories", \.calories, .integer(0...caloriesMax), "kilocalories", .required),
        Field("protein", \.protein, .integer(0...proteinMax), "grams"),
        Field("ago", \.ago, .duration(max: .hours(31 * 24)), "how long before `at` it was eaten"),
      ]
    ) { meal, reader in
      guard (1...nameMax).contains(meal.name.unicodeScalars.count),
        meal.name.unicodeScalars.allSatisfy({ $0.value >= 0x20 })
      else {
        reader.value("name")?.refuse(expected: "a name of 1 to \(nameMax) characters without control characters")
        return nil
      }
      return logMeal(name: meal.name, calories: meal.calories, protein: meal.protein, ago: meal.ago)
    },
    CommandForm("removeMeal", "deletes the newest meal", removeMeal),
    CommandForm("syncDaily", "posts what is pending now", syncDaily),
    CommandForm(
      "writeChat", "writes a message in the app's chat", "",
      [Field("text", \.self, .string, "the message, 1 to \(ChatMessage.bytesMax) bytes", .required)]
    ) { text, reader in
      guard ChatMessage.isText(text) else {
        reader.value("text")?.refuse(expected: ChatMessage.expected)
        return nil
      }
      return writeChat(text)
    },
  ]
}
