/// The event `health.saved`.
public struct HealthSaved: TraceEventKind {
  public static let name: TraceEvent.Name = "health.saved"
  public static let about = "The watch saves the workout in its health store."
  public static let places: TraceEvent.Writers = [.init(.watch)]

  public var workout: Identifier = .none
  public var aarcRunId: Identifier = .none
  public var distance: Double = 0
  public var duration: Double = 0
  public var samples: Int64 = 0
  public var splits: Int64 = 0

  public init() {}
  public var body: EventBody { .healthSaved(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("workout", &workout, "its UUID in the health store")
    fields.field("aarcRunId", &aarcRunId, "the workout's id")
    fields.number("distance", &distance, places: 2, "in metres")
    fields.number("duration", &duration, places: 3, "in seconds, without pauses")
    fields.field("samples", &samples, "how many samples")
    fields.field("splits", &splits, "how many splits")
  }
}
