import CoachProtocol
package import Link

/// What a user tells of a meal.
package struct ToldMeal: Sendable, Equatable {
  package var name = ""
  /// Kilocalories.
  package var calories = 0
  /// Grams.
  package var protein = 0
  /// Carbohydrates in grams.
  package var carbs = 0
  /// Grams.
  package var fat = 0
  /// How long before now it was eaten.
  package var ago = VirtualTime.Span.zero
}

/// What a user changes of a meal; nil for what stays.
package struct MealEdit: Sendable, Equatable {
  package var name: String?
  package var calories: Int?
  package var protein: Int?
  package var carbs: Int?
  package var fat: Int?
}

/// A user's act about meals, chat and their synchronisation: a `do` of `phone.events`.
package enum DailyCommand: ScenarioCommand, Equatable {
  /// Stores a meal.
  case logMeal(ToldMeal)
  /// Changes the newest meal.
  case editMeal(MealEdit)
  /// Deletes the newest meal.
  case removeMeal
  case syncDaily
  /// Makes a backup of the phone.
  case backUp
  /// The phone is lost: a new one is restored from the last backup.
  case replacePhone
  /// Writes a message in the chat.
  case writeChat(String)

  package static let caloriesMax: Int64 = 20_000
  /// Limit of protein, carbohydrates and fat.
  package static let gramsMax: Int64 = 2_000
  private static let nameMax = 100

  package static let forms: [CommandForm<Self>] = [
    CommandForm(
      "logMeal", "stores a meal", ToldMeal(),
      [
        Field("name", \.name, .string, "what was eaten, 1 to \(nameMax) characters", .required),
        Field("calories", \.calories, .integer(0...caloriesMax), "kilocalories", .required),
        Field("protein", \.protein, .integer(0...gramsMax), "grams"),
        Field("carbs", \.carbs, .integer(0...gramsMax), "carbohydrates in grams"),
        Field("fat", \.fat, .integer(0...gramsMax), "grams"),
        Field("ago", \.ago, .duration(max: .hours(31 * 24)), "how long before `at` it was eaten"),
      ]
    ) { meal, reader in
      isName(meal.name, reader) ? logMeal(meal) : nil
    },
    CommandForm(
      "editMeal", "changes the meal eaten last; what is not given stays", MealEdit(),
      [
        Field("name", \.name, .string, "its new name"),
        Field("calories", \.calories, .integer(0...caloriesMax), "kilocalories"),
        Field("protein", \.protein, .integer(0...gramsMax), "grams"),
        Field("carbs", \.carbs, .integer(0...gramsMax), "carbohydrates in grams"),
        Field("fat", \.fat, .integer(0...gramsMax), "grams"),
      ]
    ) { edit, reader in
      guard edit != MealEdit() else {
        reader.value("do")?.error("found nothing to change, expected name, calories, protein, carbs or fat")
        return nil
      }
      return edit.name.map { isName($0, reader) } == false ? nil : editMeal(edit)
    },
    CommandForm("removeMeal", "deletes the newest meal", removeMeal),
    CommandForm("backUp", "makes a backup of the phone's meals, which nothing else has", backUp),
    CommandForm(
      "replacePhone",
      "the phone is lost, and a new one has what the last backup has: meals logged, changed or deleted since then are as"
        + " they were; health data comes back from Apple, totals and chat as the app had them, and all days are posted again",
      replacePhone),
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

  /// Whether a text can name a meal; reports an error otherwise.
  private static func isName(_ text: String, _ reader: JSONObjectReader) -> Bool {
    guard (1...nameMax).contains(text.unicodeScalars.count), text.unicodeScalars.allSatisfy({ $0.value >= 0x20 }) else {
      reader.value("name")?.refuse(expected: "a name of 1 to \(nameMax) characters without control characters")
      return false
    }
    return true
  }
}

/// Meals, daily aggregates and their synchronisation.
extension PhoneNode {
  /// Lets the part act, stores the changes, records the events, and sends its request.
  mutating func updateDaily(
    in turn: inout Turn,
    _ body: (inout DailySync, DailySync.Moment, inout DailySync.Orders) -> Void
  ) {
    guard var part = daily, let healthStore else { return }
    // One owner, so that no table is copied.
    daily = nil
    var orders = DailySync.Orders()
    part.isPaused = setup.mode == .race && consumer.hasRun
    body(&part, moment(at: turn.now, secondStore ?? healthStore), &orders)
    daily = part
    commit(orders.changes.map { .daily($0) }, orders.events, in: &turn)
    for id in orders.forgotten { coach.uplink?.forget(id) }
    guard let request = orders.request else { return }
    coach.uplink?.send(request.id, path: EdgeCall.insightsSync.path, body: request.body, in: &turn)
  }

  /// Carries out an act of the user.
  mutating func carryOutDaily(_ command: NodeCommand, in turn: inout Turn) {
    guard let act = DailyCommand(command), daily != nil else {
      return refuse(command.name, why: "the app stores no meals", in: &turn)
    }
    var reason: String?
    updateDaily(in: &turn) { reason = $0.carryOut(act, $1, into: &$2) }
    if let reason { refuse(command.name, why: reason, in: &turn) }
  }
}
