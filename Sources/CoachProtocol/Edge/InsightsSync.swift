public import Link

/// Daily totals of the meals: all that leaves the phone of them.
public struct NutritionSnapshot: EdgeShape {
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

  private static let totalMax: Int64 = 1_000_000_000

  public static let schema = ObjectSchema<Self>(
    "NutritionSnapshot", "Totals of a day's meals.", Self(),
    [
      Field("calories", \.calories, .integer(0...totalMax), "kilocalories", .required),
      Field("protein", \.protein, .integer(0...totalMax), "grams", .required),
      Field("carbs", \.carbs, .integer(0...totalMax), "grams of carbohydrates", .required),
      Field("fat", \.fat, .integer(0...totalMax), "grams", .required),
      Field("entry_count", \.entryCount, .integer(0...totalMax), "how many meals", .required),
    ])
}

/// Metrics of one day from HealthKit; nil for one without samples.
public struct HealthSnapshot: EdgeShape {
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

  private static let countMax: Int64 = 1_000_000_000

  /// Whether there is no metric at all.
  public var isEmpty: Bool { self == HealthSnapshot() }

  public static let schema = ObjectSchema<Self>(
    "HealthSnapshot", "Metrics of a day.", Self(),
    [
      Field("steps", \.steps, .integer(0...countMax), "of the day"),
      Field("calories", \.calories, .integer(0...countMax), "active energy in kilocalories"),
      Field("sleep_hours", \.sleepHours, .number(0...24), "hours asleep"),
      Field("hrv", \.hrv, .integer(0...1_000), "heart rate variability in milliseconds"),
      Field("weight", \.weight, .number(0...1_000), "kilograms"),
    ])
}

/// A day's aggregates, as the phone posts them.
public struct DailySyncData: EdgeShape {
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

  /// Limit of the days in a request.
  public static let countMax = 400

  public static let schema = ObjectSchema<Self>(
    "DailySyncData", "A day's aggregates.", Self(date: "", revision: 1),
    [
      Field(
        "date", \.date, .string.satisfying("a day such as \"2026-03-29\"", isDate), "the user's local day", .required),
      Field("revision", \.revision, .integer(1...Int64(Int32.max)), "counts the day's changes", .required),
      Field("nutrition", \.nutrition, .shape, "absent without meals"),
      Field("health", \.health, .shape, "absent without metrics"),
    ])

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
public struct InsightsSyncRequest: EdgeShape {
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

  public static let schema = ObjectSchema<Self>(
    "InsightsSyncRequest", "Daily aggregates.", Self(store: nil, days: []),
    [
      Field("store", \.store, .identifier, "the server's store that the phone knows"),
      Field("days", \.days, .array(of: .shape, count: 0...DailySyncData.countMax), "the changed days", .required),
      Field("chat", \.chat, .array(of: .shape, count: 0...ChatMessage.countMax), "a page of the chat"),
    ]
  ) { request, reader in
    guard let chat = request.chat, let gap = zip(chat, chat.dropFirst()).first(where: { $0.number + 1 != $1.number })
    else { return true }
    reader.value("chat")?.error("found message \(gap.1.number) after \(gap.0.number), expected \(gap.0.number + 1)")
    return false
  }
}

/// The body of a `/insights/sync` response.
public struct InsightsSyncResponse: EdgeShape {
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

  public static let schema = ObjectSchema<Self>(
    "InsightsSyncResponse", "What a server has.", Self(store: namelessStore, dayCount: 0),
    [
      Field("store", \.store, .identifier, "identifies the server's store", .required),
      Field("days", \.dayCount, .integer(0...1_000_000), "how many days it holds", .required),
      Field("chat", \.readMessage, .integer(0...Int64(Int32.max)), "the last message that it has read"),
    ])

  public init?(_ reader: JSONObjectReader) {
    guard let response = reader.has("dates_synced") ? Self(flat: reader) : Self.schema.read(reader) else { return nil }
    self = response
  }

  public var json: JSONValue {
    guard let syncedDates else { return .object(Self.schema.members(of: self)) }
    return .object(of: ["status": Self.synced, "dates_synced": syncedDates.json, "count": syncedDates.count])
  }
}

/// The form of `/insights/sync` that servers of this kind speak outside: a day is one flat object, weight is in pounds, and
/// the answer names the days that were stored.
extension DailySyncData {
  /// The keys of such a day, in order; such a server ignores `revision`.
  public static let flatKeys = [
    "date", "calories", "protein", "carbs", "fat", "nutrition_entries", "steps", "active_calories", "weight_lbs",
    "sleep_hours", "hrv_ms", "revision",
  ]
  private static let poundsInKilogram = 2.204_622_621_8

  /// The day in that form: 0 for a day without meals, steps or energy, and no key for what was not measured else.
  public var flat: JSONValue {
    .object(of: [
      "date": date, "calories": nutrition?.calories ?? 0, "protein": nutrition?.protein ?? 0,
      "carbs": nutrition?.carbs ?? 0, "fat": nutrition?.fat ?? 0, "nutrition_entries": nutrition?.entryCount ?? 0,
      "steps": health?.steps ?? 0, "active_calories": health?.calories ?? 0,
      "weight_lbs": health?.weight.map { ($0 * Self.poundsInKilogram * 10).rounded() / 10 },
      "sleep_hours": health?.sleepHours, "hrv_ms": health?.hrv, "revision": revision,
    ])
  }
}

extension InsightsSyncRequest {
  /// The body in the flat form.
  public var flatBytes: [UInt8] {
    let days = JSONValue.array(days.map { JSONNode($0.flat) })
    return JSONWriter.compact(JSONNode(.object(of: ["store": store?.text, "days": days, "chat": chat])))
  }
}

extension InsightsSyncResponse {
  /// The store of a server that does not identify it: such a server that lost its days is not noticed.
  public static let namelessStore = Identifier(high: 0, low: 1)
  static let synced = "synced"

  /// Reads the answer of a server of the flat form; it may have more keys.
  init?(flat reader: JSONObjectReader) {
    reader.allow(reader.members.map(\.key))
    let dates = reader.value("dates_synced", required: true).flatMap {
      ValueSchema.strings(countMax: DailySyncData.countMax).read($0)
    }
    let status = reader.string("status", required: true)
    guard let dates, let status else { return nil }
    guard status == Self.synced else {
      reader.value("status")?.refuse(expected: "\"\(Self.synced)\"")
      return nil
    }
    self.init(store: Self.namelessStore, dayCount: dates.count)
    syncedDates = dates
  }
}

/// What a server of the flat form says that it has: `GET /insights/context`.
public struct InsightsContext: Sendable, Equatable {
  public static let path = "/insights/context"
  /// The longest range that it can be asked for, and how many days that is, up to today.
  public static let range = (name: "quarter", days: Int64(90))

  /// Days that it has in the range.
  public var days: Int64
  /// Days with meals.
  public var nutritionDays: Int64
  /// Averages of the days with meals, in whole units.
  public var calories: Int64
  public var protein: Int64
  public var carbs: Int64
  public var fat: Int64
  /// Average of the days with steps.
  public var steps: Int64

  /// Reads an answer; nil if it has another form.
  public init?(_ node: JSONNode) {
    func number(_ key: String) -> Int64? { node[key]?.double.flatMap { Int64(exactly: $0.rounded()) } }
    guard let days = number("period_days"), let nutritionDays = number("nutrition_days"),
      let calories = number("avg_calories"), let protein = number("avg_protein"), let carbs = number("avg_carbs"),
      let fat = number("avg_fat")
    else { return nil }
    (self.days, self.nutritionDays) = (days, nutritionDays)
    (self.calories, self.protein, self.carbs, self.fat) = (calories, protein, carbs, fat)
    steps = number("avg_steps") ?? 0
  }
}
