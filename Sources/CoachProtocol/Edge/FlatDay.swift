public import Link

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
