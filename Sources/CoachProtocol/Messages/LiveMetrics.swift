public import Link

/// Identifies the watch's clock, so that its readings cannot be compared with another clock's.
public enum WatchClock {}

/// A reading of the watch's clock: the `sentAt` of its messages.
public typealias WatchTime = NodeTime<WatchClock>

/// The watch's snapshot of the workout, published once a second, with rounded values.
public struct LiveMetrics: AppMessageBody {
  public var workoutId = Identifier.none
  /// By the watch's clock.
  public var sentAt = WatchTime.none
  /// Seconds since the start without pauses, three decimals.
  public var elapsed = 0.0
  /// Metres, two decimals.
  public var distance = 0.0
  /// Seconds per kilometre over the last seconds, two decimals, above 0; nil while standing.
  public var currentPaceSecPerKm: Double?
  /// Seconds per kilometre over the whole workout, two decimals, above 0; nil before the first metre.
  public var avgPaceSecPerKm: Double?
  /// Beats per minute; nil without a reading.
  public var currentHR: Int?
  /// Active energy in kilocalories, one decimal.
  public var energyKcal = 0.0
  /// Steps per minute; nil without a reading.
  public var cadence: Int?
  /// The split completed since the previous snapshot; nil in all others.
  public var lastSplit: Split?
  public var state = WorkoutState.preparing

  public init() {}

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

  // The split comes last: it is absent in all but one of hundreds of snapshots.

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("workoutId", &workoutId, "the workout")
    fields.time("sentAt", &sentAt, "when it was published")
    fields.number("elapsed", &elapsed, in: 0...Self.numberMax, places: 3, "seconds, without pauses")
    fields.number("distance", &distance, in: 0...Self.numberMax, places: 2, "metres")
    fields.number("currentPaceSecPerKm", &currentPaceSecPerKm, in: Self.paces, places: 2, "absent while standing")
    fields.number("avgPaceSecPerKm", &avgPaceSecPerKm, in: Self.paces, places: 2, "absent before the first metre")
    fields.field("currentHR", &currentHR, in: Self.rates, "beats a minute")
    fields.number("energyKcal", &energyKcal, in: 0...Self.numberMax, places: 1, "active energy")
    fields.field("cadence", &cadence, in: Self.rates, "steps a minute")
    fields.field("state", &state, "of the workout")
    fields.nested("lastSplit", &lastSplit, "the kilometre completed since the snapshot before")
  }

  /// Far above any elapsed time, distance, pace or energy.
  static let numberMax = 1e9
  /// From the smallest pace above 0 with two decimals on.
  static let paces = 0.01...numberMax
  /// Beats and steps per minute.
  static let rates = 1...1_000

  static let kind = AppMessage.Kind.liveMetrics
  static let channel = Channel.message
  static let example = LiveMetrics(
    workoutId: .example, sentAt: WatchTime(nanoseconds: 1_775_975_733_000_000_000), elapsed: 330.25,
    distance: 1_001.37, currentPaceSecPerKm: 328.44, avgPaceSecPerKm: 329.8, currentHR: 151, energyKcal: 70.1,
    cadence: 170,
    lastSplit: Split(kmIndex: 1, durationSeconds: 329.812, paceSecPerKm: 329.81, avgHeartRate: 146), state: .running)
  var message: AppMessage { .liveMetrics(self) }

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

  /// The snapshot's payload.
  public var encoded: [UInt8] {
    var workout = IdentifierText(workoutId)
    return encoded(workout: &workout)
  }

  /// The snapshot's payload, for a writer of many.
  ///
  /// - Parameter workout: The cached text of a previous snapshot's workout; updated to this one's.
  public func encoded(workout: inout IdentifierText) -> [UInt8] {
    LiveMetricsTemplate.payload(of: self, workout: &workout) ?? plainlyEncoded
  }

  /// Decodes a snapshot's payload into this one.
  ///
  /// In place, because one comes every second, and copying it would take as long as decoding it.
  ///
  /// - Parameter workout: The cached text of a previous snapshot's workout; updated to this one's.
  /// - Returns: False if the payload is not a valid snapshot; the content of this one is then meaningless.
  public mutating func read(encoded bytes: [UInt8], workout: inout IdentifierText) -> Bool {
    if LiveMetricsTemplate.read(bytes, into: &self, workout: &workout) { return true }
    guard case .liveMetrics(let metrics)? = try? AppMessage(decoding: bytes) else { return false }
    self = metrics
    return true
  }
}
