/// The event `truth.workoutBegan`.
public struct TrueWorkoutBegan: TraceEventKind {
  public static let name: TraceEvent.Name = "truth.workoutBegan"
  public static let about = "The athlete begins a workout: the first movement, after the watch has prepared."
  public static let places: TraceEvent.Writers = .runner
  public static let isReserved = true

  public var workout: Int64 = 0
  public var discipline: String?
  public var startedAt: Int64 = 0

  public init() {}
  public var body: EventBody { .trueWorkoutBegan(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("workout", &workout, "its number among the athlete's workouts, from 1")
    fields.field("discipline", &discipline, "its discipline; nil for a recorded workout of another sport")
    fields.field("startedAt", &startedAt, "nanoseconds since 1970 by a clock that is right")
  }
}
