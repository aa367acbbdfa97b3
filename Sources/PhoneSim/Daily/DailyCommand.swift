import CoachProtocol
package import Link

/// A user's act about meals, chat and their synchronisation: a `do` of `phone.events`.
package enum DailyCommand: Sendable, Equatable {
  /// Stores a meal that was eaten `ago` before now.
  case logMeal(name: String, calories: Int, protein: Int, ago: VirtualTime.Span)
  /// Deletes the newest meal.
  case removeMeal
  case syncDaily
  /// Writes a message in the chat.
  case writeChat(String)

  /// The values of `do`.
  package static let words = mealWords + [chatWord]
  package static let mealWords = ["logMeal", "removeMeal", "syncDaily"]
  package static let chatWord = "writeChat"

  package static let agoMax = VirtualTime.Span.hours(31 * 24)
  package static let caloriesMax: Int64 = 20_000
  package static let proteinMax: Int64 = 2_000
  private static let nameMax = 100

  /// Reads the members of a scenario's event besides `at` and `do`; nil after reporting errors.
  package init?(_ word: String, _ reader: JSONObjectReader) {
    switch word {
    case "removeMeal": self = .removeMeal
    case "syncDaily": self = .syncDaily
    case Self.chatWord:
      guard let value = reader.value("text", required: true), let text = value.string() else { return nil }
      guard ChatMessage.isText(text) else {
        value.refuse(expected: ChatMessage.expected)
        return nil
      }
      self = .writeChat(text)
    case "logMeal":
      let name = reader.value("name", required: true)
      let calories = reader.integer("calories", in: 0...Self.caloriesMax, required: true)
      let protein = reader.integer("protein", in: 0...Self.proteinMax) ?? 0
      let ago = reader.duration("ago", in: .zero...Self.agoMax) ?? .zero
      guard let name, let text = name.string(), let calories else { return nil }
      guard (1...Self.nameMax).contains(text.unicodeScalars.count), text.unicodeScalars.allSatisfy({ $0.value >= 0x20 })
      else {
        name.refuse(expected: "a name of 1 to \(Self.nameMax) characters without control characters")
        return nil
      }
      self = .logMeal(name: text, calories: Int(calories), protein: Int(protein), ago: ago)
    default: return nil
    }
  }

  /// Reads a driver's command; nil for another or an invalid one.
  init?(_ command: NodeCommand) {
    guard Self.words.contains(command.name),
      let node = try? JSONParser.parse(command.arguments, dialect: .json),
      let reader = JSONObjectReader(node, into: DiagnosticsCollector(file: "command"))
    else { return nil }
    self.init(command.name, reader)
  }
}
