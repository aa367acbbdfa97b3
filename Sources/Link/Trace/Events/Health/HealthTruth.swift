/// The event `health.truth`.
public struct HealthTruth: TraceEventKind {
  public static let name: TraceEvent.Name = "health.truth"
  public static let about = "The health store's figures of a run are stored."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var workout: Identifier = .none
  public var aarcRunId: Identifier = .none
  public var distance: Double = 0
  public var duration: Double = 0
  public var avgPace: Double?
  public var route: Int64 = 0
  public var heartRates: Int64 = 0
  public var splits: Int64 = 0

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("workout", &workout, "the workout")
    fields.field("aarcRunId", &aarcRunId, "the run")
    fields.number("distance", &distance, places: 2, "in metres")
    fields.number("duration", &duration, places: 3, "in seconds")
    fields.number("avgPace", &avgPace, places: 2, "in seconds per kilometre")
    fields.field("route", &route, "the number of points of its route")
    fields.field("heartRates", &heartRates, "the number of its heart rates")
    fields.field("splits", &splits, "the number of its splits")
  }
}
