public import Link

/// Identifies the watch's clock, so that its readings cannot be compared with another clock's.
public enum WatchClock {}

/// A reading of the watch's clock: the `sentAt` of its messages.
public typealias WatchTime = NodeTime<WatchClock>

/// The watch's snapshot of the workout, published once a second, with rounded values.
public struct LiveMetrics: Sendable, Equatable {
  public var workoutId: Identifier
  /// By the watch's clock.
  public var sentAt: WatchTime
  /// Seconds since the start without pauses, three decimals.
  public var elapsed: Double
  /// Metres, two decimals.
  public var distance: Double
  /// Seconds per kilometre over the last seconds, two decimals, above 0; nil while standing.
  public var currentPaceSecPerKm: Double?
  /// Seconds per kilometre over the whole workout, two decimals, above 0; nil before the first metre.
  public var avgPaceSecPerKm: Double?
  /// Beats per minute; nil without a reading.
  public var currentHR: Int?
  /// Active energy in kilocalories, one decimal.
  public var energyKcal: Double
  /// Steps per minute; nil without a reading.
  public var cadence: Int?
  /// The split completed since the previous snapshot; nil in all others.
  public var lastSplit: Split?
  public var state: WorkoutState

  /// Creates a snapshot from rounded values.
  public init(
    workoutId: Identifier, sentAt: WatchTime, elapsed: Double, distance: Double, currentPaceSecPerKm: Double? = nil,
    avgPaceSecPerKm: Double? = nil, currentHR: Int? = nil, energyKcal: Double = 0, cadence: Int? = nil,
    lastSplit: Split? = nil, state: WorkoutState
  ) {
    self.workoutId = workoutId
    self.sentAt = sentAt
    self.elapsed = elapsed
    self.distance = distance
    self.currentPaceSecPerKm = currentPaceSecPerKm
    self.avgPaceSecPerKm = avgPaceSecPerKm
    self.currentHR = currentHR
    self.energyKcal = energyKcal
    self.cadence = cadence
    self.lastSplit = lastSplit
    self.state = state
  }

  /// The fields of a trace event with this snapshot.
  public func eventFields(epoch: Epoch, seq: SequenceNumber) -> SnapshotMetrics {
    var fields = SnapshotMetrics()
    fields.epoch = Int64(epoch.rawValue)
    fields.seq = Int64(clamping: seq.rawValue)
    fields.workoutId = workoutId
    fields.sentAt = sentAt.nanoseconds
    fields.elapsed = elapsed
    fields.distance = distance
    fields.currentPaceSecPerKm = currentPaceSecPerKm
    fields.avgPaceSecPerKm = avgPaceSecPerKm
    fields.currentHR = currentHR.map(Int64.init)
    fields.energyKcal = energyKcal
    fields.cadence = cadence.map(Int64.init)
    fields.lastSplit = lastSplit
    fields.state = state
    return fields
  }
}
