/// The event `daily.removed`.
public struct MealRemoved: TraceEventKind {
  public static let name: TraceEvent.Name = "daily.removed"
  public static let about = "The user deleted a meal."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var id: Identifier = .none
  public var day: String = ""

  public init() {}
  public var body: EventBody { .mealRemoved(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("id", &id, "the entry")
    fields.field("day", &day, "its day")
  }
}
