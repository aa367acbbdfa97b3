/// The event `daily.meal`.
public struct MealLogged: TraceEventKind {
  public static let name: TraceEvent.Name = "daily.meal"
  public static let about = "The user's meal is stored as a `NutritionEntry`, on the phone only."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var id: Identifier = .none
  public var day: String = ""
  public var date: String = ""
  public var eatenAt: Int64 = 0
  public var name: String = ""
  public var calories: Int64 = 0
  public var protein: Int64 = 0

  public init() {}
  public var body: EventBody { .mealLogged(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("id", &id, "the entry")
    fields.field("day", &day, "the user's local day, `YYYY-MM-DD`")
    fields.field("date", &date, "when it was eaten by the phone's clock, in UTC")
    fields.field("eatenAt", &eatenAt, "when it was eaten, in nanoseconds since the run's start")
    fields.field("name", &name, "what was eaten")
    fields.field("calories", &calories, "kilocalories")
    fields.field("protein", &protein, "grams")
  }
}
