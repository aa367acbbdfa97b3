/// The event `training.pushed`.
public struct TrainingPushed: TraceEventKind {
  public static let name: TraceEvent.Name = "training.pushed"
  public static let about =
    "A phone pushes rows to the cloud: what its user changed, or after a start what may not have arrived."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var phone: Int64 = 1
  public var rows: Int64 = 0

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("phone", &phone, "1, or 2 for the second phone")
    fields.field("rows", &rows, "how many")
  }
}
