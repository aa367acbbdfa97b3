/// The fields of a snapshot: plain values without references, since checkers copy them every second.
public struct SnapshotMetrics: Sendable, Equatable {
  public var epoch: Int64 = 0
  public var seq: Int64 = 0
  public var workoutId: Identifier = .none
  public var sentAt: Int64 = 0
  public var elapsed: Double = 0
  public var distance: Double = 0
  public var currentPaceSecPerKm: Double?
  public var avgPaceSecPerKm: Double?
  public var currentHR: Int64?
  public var energyKcal: Double = 0
  public var cadence: Int64?
  public var lastSplit: Split?
  public var state: WorkoutState = .preparing

  public init() {}

  /// Visits the fields in the order of the trace.
  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("epoch", &epoch, "the watch's epoch")
    fields.field("seq", &seq, "its number")
    fields.field("workoutId", &workoutId, "the workout")
    fields.field("sentAt", &sentAt, "when it was published")
    fields.number("elapsed", &elapsed, places: 3, "seconds of the workout, without pauses")
    fields.number("distance", &distance, places: 2, "in metres")
    fields.number("currentPaceSecPerKm", &currentPaceSecPerKm, places: 2, "the pace now")
    fields.number("avgPaceSecPerKm", &avgPaceSecPerKm, places: 2, "the pace so far")
    fields.field("currentHR", &currentHR, "the heart rate")
    fields.number("energyKcal", &energyKcal, places: 1, "the energy")
    fields.field("cadence", &cadence, "steps per minute")
    fields.field("lastSplit", &lastSplit, "`{\"kmIndex\",\"durationSeconds\",\"paceSecPerKm\",\"avgHeartRate\"?}`")
    fields.field("state", &state, "the workout's state")
  }
}
