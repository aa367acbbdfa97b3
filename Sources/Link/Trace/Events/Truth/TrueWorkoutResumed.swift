/// The event `truth.workoutResumed`.
public struct TrueWorkoutResumed: TraceEventKind {
  public static let name: TraceEvent.Name = "truth.workoutResumed"
  public static let about = "The athlete continues the workout by hand; stops of a run are no pauses."
  public static let places: TraceEvent.Writers = .runner
  public static let isReserved = true

  public var workout: Int64 = 0

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("workout", &workout, "its number")
  }
}
