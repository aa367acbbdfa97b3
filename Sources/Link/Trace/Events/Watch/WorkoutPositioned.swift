/// The event `workout.position`.
public struct WorkoutPositioned: TraceEventKind {
  public static let name: TraceEvent.Name = "workout.position"
  public static let about =
    "The runner's position on the recorded route, at whole seconds of the workout, at most once a second, before the `snapshot` of that second. Only in runs of a recorded workout with a route."
  public static let places: TraceEvent.Writers = [.init(.watch)]

  public var workoutId: Identifier = .none
  public var latitude: Double = 0
  public var longitude: Double = 0

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("workoutId", &workoutId, "the workout")
    fields.number("latitude", &latitude, places: 7, "in degrees (WGS 84), seven decimals")
    fields.number("longitude", &longitude, places: 7, "in degrees (WGS 84), seven decimals")
  }
}
