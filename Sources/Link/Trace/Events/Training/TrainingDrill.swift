/// The event `training.drill`.
public struct TrainingDrill: TraceEventKind {
  public static let name: TraceEvent.Name = "training.drill"
  public static let about = "The user logged an exercise: a `DrillSession` with its sets."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var drillId: Identifier = .none
  public var discipline: String = ""
  public var drillType: String = ""
  public var sets: Int64 = 0
  public var phone: Int64?

  public init() {}
  public var body: EventBody { .trainingDrill(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("drillId", &drillId, "the exercise's row")
    fields.field("discipline", &discipline, "what is exercised")
    fields.field("drillType", &drillType, "the exercise")
    fields.field("sets", &sets, "how many sets it has")
    fields.field("phone", &phone, "2 for the second phone")
  }
}
