package import CoachProtocol
package import Link

/// Meals, daily metrics and their synchronisation: a scenario's `phone.daily`.
package struct DailySetup: Sendable, Equatable {
  /// From one synchronisation to the next.
  package var every = VirtualTime.Span.seconds(900)
  /// How many days before the first one have meals and metrics already.
  package var historyDays = 3
  /// Drawn meals a day.
  package var mealsPerDay = 3
  /// Nil for an app without a chat.
  package var chat: ChatSetup?

  /// Upper bound of `history`.
  package static let historyMax = 365
  package static let mealsMax = 24

  /// How a scenario's `phone.daily` is read and described.
  package static let schema = ObjectSchema<Self>(
    "phone.daily",
    "The app stores meals, and posts [totals](built-in-apps.md#daily-totals) of meals and metrics to the edge.",
    Self(),
    [
      Field("every", \.every, .duration(.seconds(60)...(.hours(24))), "from one sync to the next"),
      Field(
        "history", \.historyDays, .integer(0...Int64(historyMax)), "days before the start that have meals and metrics"),
      Field("meals", \.mealsPerDay, .integer(0...Int64(mealsMax)), "meals a day that are drawn from the seed"),
      Field("chat", \.chat, .object(ChatSetup.schema), "the user's chat; without it there is no profile"),
    ])
}

/// The chat with the server's assistant: a scenario's `phone.daily.chat`.
package struct ChatSetup: Sendable, Equatable {
  /// How many messages a day are drawn from the seed, on the days of `phone.daily.history` too.
  package var messagesPerDay = 3

  package static let messagesMax = 24

  /// How a scenario's `phone.daily.chat` is read and described.
  package static let schema = ObjectSchema<Self>(
    "phone.daily.chat",
    "The user writes in the app's chat, from which the server extracts a profile.",
    Self(),
    [
      Field(
        "messages", \.messagesPerDay, .integer(0...Int64(messagesMax)), "messages a day that are drawn from the seed")
    ])
}

/// Draws what the user writes in the chat: a function of the seed and of the local day.
struct DrawnChat: Sendable {
  /// A message at a true time.
  struct Message: Sendable, Equatable {
    /// In seconds since 1970.
    var at: Int64
    var text: String
  }

  private static let names = ["Mia", "Jonas", "Aylin", "Ravi", "Chloe", "Mateo"]
  private static let goals = [
    "run 5 km without a break", "run 10 km in 50 minutes", "finish a half marathon", "sleep more",
  ]
  private static let parts = ["left knee", "right ankle", "lower back", "shoulder"]
  private static let preferences = [
    "training in the morning", "short answers", "hills", "rest on Sundays", "running alone",
  ]
  /// Sentences without a fact.
  private static let others = [
    "How did I sleep this week?", "Thank you, that helps.", "What is the plan for tomorrow?", "That was a hard day.",
    "Did I walk more than last week?",
  ]

  private let random: RandomStream
  private let count: Int
  private let name: String
  private let age: Int

  init(seed: UInt64, count: Int) {
    random = RandomStream(seed: seed, name: "phone.daily.chat")
    self.count = count
    let user = random.appending(".user")
    name = Self.names[Int(user.number(below: UInt64(Self.names.count), for: 0))]
    age = 18 + Int(user.number(below: 60, for: 0, draw: 1))
  }

  /// The messages of a local day in their order, between eight and eleven at night.
  ///
  /// - Parameter offset: What local time adds to UTC, in seconds, at a local time in seconds.
  func messages(of day: LocalDay, offset: (Int64) -> Int64) -> [Message] {
    guard count > 0 else { return [] }
    let step = Int64(15 * 3_600 / count)
    return (0..<count).map { index in
      let key = RandomStream.key(UInt64(bitPattern: day.number), UInt64(index))
      let minutes = Int64(random.number(below: UInt64(max(1, step / 60)), for: key))
      let local = day.number * 86_400 + 8 * 3_600 + Int64(index) * step + minutes * 60
      return Message(at: local - offset(local), text: text(for: key))
    }
  }

  private func text(for key: UInt64) -> String {
    func draw(_ list: [String]) -> String { list[Int(random.number(below: UInt64(list.count), for: key, draw: 2))] }
    return switch random.number(below: 10, for: key, draw: 1) {
    case 0: "My name is \(name). I am \(age) years old."
    case 1, 2: "My goal is to \(draw(Self.goals))."
    case 3: "My \(draw(Self.parts)) hurts."
    case 4: "My \(draw(Self.parts)) is fine again!"
    case 5: "I prefer \(draw(Self.preferences))."
    case 6: "I no longer prefer \(draw(Self.preferences))."
    default: draw(Self.others)
    }
  }
}

/// Draws the user's meals: a function of the seed and of the local day.
package struct DrawnMeals: Sendable {
  /// A meal at a true time.
  package struct Meal: Sendable, Equatable {
    var id: Identifier
    /// In seconds since 1970.
    package var at: Int64
    var name: String
    package var calories: Int
    package var protein: Int
    /// Carbohydrates.
    package var carbs: Int
    package var fat: Int
  }

  private static let names = [
    "Porridge with berries", "Two boiled eggs", "Lentil soup", "Chicken and rice", "Grilled salmon", "Tofu curry",
    "Spaghetti al pomodoro", "Greek salad", "Protein shake", "Cheese sandwich", "Bean chili", "Yoghurt and nuts",
  ]

  private let random: RandomStream
  private let count: Int

  package init(seed: UInt64, count: Int) {
    random = RandomStream(seed: seed, name: "phone.daily.meals")
    self.count = count
  }

  /// The meals of a local day in their order, between seven and ten at night.
  ///
  /// - Parameter offset: What local time adds to UTC, in seconds, at a local time in seconds.
  package func meals(of day: LocalDay, offset: (Int64) -> Int64) -> [Meal] {
    guard count > 0 else { return [] }
    let step = Int64(15 * 3_600 / count)
    return (0..<count).map { index in
      let key = RandomStream.key(UInt64(bitPattern: day.number), UInt64(index))
      func draw(_ number: UInt64, below bound: UInt64) -> Int {
        Int(random.number(below: bound, for: key, draw: number))
      }
      let local =
        day.number * 86_400 + 7 * 3_600 + Int64(index) * step + Int64(draw(0, below: UInt64(max(1, step / 60)))) * 60
      let calories = 180 + draw(1, below: 700)
      let protein = calories / (12 + draw(3, below: 30))
      // A gram of fat has 9 kcal, one of protein or carbohydrates 4.
      let other = calories - 4 * protein
      let fat = other * (20 + draw(4, below: 30)) / 900
      return Meal(
        id: Identifier(random, for: key), at: local - offset(local), name: Self.names[draw(2, below: 12)],
        calories: calories, protein: protein, carbs: (other - 9 * fat) / 4, fat: fat)
    }
  }
}
