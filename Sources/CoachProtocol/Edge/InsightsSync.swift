public import Link

/// Daily totals of the meals: all that leaves the phone of them.
public struct NutritionSnapshot: Sendable, Equatable, JSONConvertible {
  /// Kilocalories.
  public var calories: Int
  /// Grams.
  public var protein: Int
  /// Carbohydrates in grams.
  public var carbs: Int
  /// Grams.
  public var fat: Int
  /// How many meals the totals sum up.
  public var entryCount: Int

  public init(calories: Int = 0, protein: Int = 0, carbs: Int = 0, fat: Int = 0, entryCount: Int = 0) {
    self.calories = calories
    self.protein = protein
    self.carbs = carbs
    self.fat = fat
    self.entryCount = entryCount
  }

  /// The keys in a body and in a file, in order.
  public static let keys = ["calories", "protein", "carbs", "fat", "entry_count"]
  private static let totalMax: Int64 = 1_000_000_000

  init?(_ reader: JSONObjectReader) {
    let calories = reader.integer("calories", in: 0...Self.totalMax, required: true)
    let protein = reader.integer("protein", in: 0...Self.totalMax, required: true)
    let carbs = reader.integer("carbs", in: 0...Self.totalMax, required: true)
    let fat = reader.integer("fat", in: 0...Self.totalMax, required: true)
    let count = reader.integer("entry_count", in: 0...Self.totalMax, required: true)
    guard let calories, let protein, let carbs, let fat, let count else { return nil }
    self.init(
      calories: Int(calories), protein: Int(protein), carbs: Int(carbs), fat: Int(fat), entryCount: Int(count))
  }

  package var json: JSONValue {
    .object(of: ["calories": calories, "protein": protein, "carbs": carbs, "fat": fat, "entry_count": entryCount])
  }
}

/// Metrics of one day from HealthKit; nil for one without samples.
public struct HealthSnapshot: Sendable, Equatable, JSONConvertible {
  public var steps: Int?
  /// Active energy in kilocalories.
  public var calories: Int?
  /// Hours asleep, two decimals.
  public var sleepHours: Double?
  /// Heart rate variability in milliseconds.
  public var hrv: Int?
  /// Kilograms, one decimal.
  public var weight: Double?

  public init() {}

  /// The keys in a body and in a file, in order.
  public static let keys = ["steps", "calories", "sleep_hours", "hrv", "weight"]
  private static let countMax: Int64 = 1_000_000_000

  /// Whether there is no metric at all.
  public var isEmpty: Bool { self == HealthSnapshot() }

  init(_ reader: JSONObjectReader) {
    steps = reader.integer("steps", in: 0...Self.countMax).map { Int($0) }
    calories = reader.integer("calories", in: 0...Self.countMax).map { Int($0) }
    sleepHours = reader.number("sleep_hours", in: 0...24)
    hrv = reader.integer("hrv", in: 0...1_000).map { Int($0) }
    weight = reader.number("weight", in: 0...1_000)
  }

  package var json: JSONValue {
    .object(of: ["steps": steps, "calories": calories, "sleep_hours": sleepHours, "hrv": hrv, "weight": weight])
  }
}

/// A day's aggregates, as the phone posts them.
public struct DailySyncData: Sendable, Equatable, JSONConvertible {
  /// The user's local day, `YYYY-MM-DD`.
  public var date: String
  /// Counts the changes of this day on the phone from 1: a later one wins, in whatever order requests arrive.
  public var revision: Int
  /// Nil without meals.
  public var nutrition: NutritionSnapshot?
  /// Nil without metrics.
  public var health: HealthSnapshot?

  public init(date: String, revision: Int, nutrition: NutritionSnapshot? = nil, health: HealthSnapshot? = nil) {
    self.date = date
    self.revision = revision
    self.nutrition = nutrition
    self.health = health
  }

  public static let keys = ["date", "revision", "nutrition", "health"]
  /// Limit of the days in a request.
  public static let countMax = 400

  public init?(_ reader: JSONObjectReader) {
    let value = reader.value("date", required: true)
    let date = value?.string()
    let revision = reader.integer("revision", in: 1...Int64(Int32.max), required: true)
    let nutrition = reader.object("nutrition") { NutritionSnapshot($0) }
    let health = reader.object("health") { HealthSnapshot($0) }
    guard let date, let revision else { return nil }
    guard Self.isDate(date) else {
      value?.refuse(expected: "a day such as \"2026-03-29\"")
      return nil
    }
    guard reader.has("nutrition") == (nutrition != nil) else { return nil }
    self.init(date: date, revision: Int(revision), nutrition: nutrition, health: health)
  }

  public var json: JSONValue {
    .object(of: ["date": date, "revision": revision, "nutrition": nutrition, "health": health])
  }

  /// Whether a text has the form `YYYY-MM-DD`.
  public static func isDate(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return bytes.count == 10
      && bytes.enumerated().allSatisfy { index, byte in
        index == 4 || index == 7 ? byte == UInt8(ascii: "-") : (48...57).contains(byte)
      }
  }
}

/// The body of a `/insights/sync` request.
public struct InsightsSyncRequest: Sendable, Equatable {
  /// The server's store that the phone knows; nil before the first answer.
  public var store: Identifier?
  /// The changed days, or all of them for a store that the phone does not know.
  public var days: [DailySyncData]
  /// A page of the chat, from the first message that the server has not read; nil if the app has no chat.
  public var chat: [ChatMessage]?

  public init(store: Identifier?, days: [DailySyncData], chat: [ChatMessage]? = nil) {
    self.store = store
    self.days = days
    self.chat = chat
  }
}

extension InsightsSyncRequest: EdgeShape {
  public init?(_ value: JSONValueReader) {
    guard let reader = value.object() else { return nil }
    let store = reader.has("store") ? reader.identifier("store") : nil
    let days = reader.list("days", countMax: DailySyncData.countMax, required: true) { DailySyncData($0) }
    let chat = reader.list("chat", countMax: ChatMessage.countMax) { ChatMessage($0) }
    reader.finish()
    guard let days else { return nil }
    if let chat, let gap = zip(chat, chat.dropFirst()).first(where: { $0.number + 1 != $1.number }) {
      reader.value("chat")?.error("found message \(gap.1.number) after \(gap.0.number), expected \(gap.0.number + 1)")
      return nil
    }
    self.init(store: store, days: days, chat: chat)
  }

  public var json: JSONValue {
    .object(of: ["store": store?.text, "days": days, "chat": chat])
  }
}

/// The body of a `/insights/sync` response.
public struct InsightsSyncResponse: Sendable, Equatable {
  /// Identifies the server's store: a new one lacks what the phone posted before.
  public var store: Identifier
  /// How many days it holds.
  public var dayCount: Int
  /// The last message that the server has read, 0 for none; nil if the request had no chat.
  ///
  /// A server that lost its profile has read fewer than before.
  public var readMessage: Int?
  /// The days that a server of the flat form names as synced; nil from a server that identifies its store.
  public var syncedDates: [String]?

  public init(store: Identifier, dayCount: Int, readMessage: Int? = nil) {
    self.store = store
    self.dayCount = dayCount
    self.readMessage = readMessage
  }
}

extension InsightsSyncResponse: EdgeShape {
  public init?(_ value: JSONValueReader) {
    guard let reader = value.object() else { return nil }
    guard !reader.has("dates_synced") else {
      self.init(flat: reader)
      return
    }
    let store = reader.identifier("store")
    let count = reader.integer("days", in: 0...1_000_000, required: true)
    let message = reader.integer("chat", in: 0...Int64(Int32.max))
    reader.finish()
    guard let store, let count else { return nil }
    self.init(store: store, dayCount: Int(count), readMessage: message.map { Int($0) })
  }

  public var json: JSONValue {
    if let syncedDates {
      return .object(of: ["status": Self.synced, "dates_synced": syncedDates.json, "count": syncedDates.count])
    }
    return .object(of: ["store": store.text, "days": dayCount, "chat": readMessage])
  }
}
