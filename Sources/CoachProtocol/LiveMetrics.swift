public import Link

/// Names the watch's clock, so that its readings cannot be compared with anyone else's.
public enum WatchClock {}

/// A reading of the watch's clock: the `sentAt` of its words.
public typealias WatchTime = NodeTime<WatchClock>

/// What a workout is doing.
public enum WorkoutState: UInt8, Sendable, CaseIterable {
  case preparing, running, paused, ended

  /// The name on the wire and in the trace.
  public var text: String {
    switch self {
    case .preparing: "preparing"
    case .running: "running"
    case .paused: "paused"
    case .ended: "ended"
    }
  }

  /// Reads a name; nil for an unknown one.
  public init?(text: String) {
    guard let found = Self.allCases.first(where: { $0.text == text }) else { return nil }
    self = found
  }
}

/// One completed kilometre.
public struct Split: Sendable, Equatable {
  /// Which kilometre, from 1.
  public var kmIndex: Int
  /// How long it took without pauses, in seconds, three decimals.
  public var durationSeconds: Double
  /// Its pace in seconds per kilometre, two decimals.
  public var paceSecPerKm: Double
  /// The mean heart rate over it in beats per minute; nil without readings.
  public var avgHeartRate: Int?

  /// Creates a split.
  public init(kmIndex: Int, durationSeconds: Double, paceSecPerKm: Double, avgHeartRate: Int? = nil) {
    self.kmIndex = kmIndex
    self.durationSeconds = durationSeconds
    self.paceSecPerKm = paceSecPerKm
    self.avgHeartRate = avgHeartRate
  }
}

/// What the watch publishes once a second: one state of the workout, rounded before it is sent.
public struct LiveMetrics: Sendable, Equatable {
  /// Which workout.
  public var workoutId: Identifier
  /// When, by the watch's clock.
  public var sentAt: WatchTime
  /// Seconds since the start without pauses, three decimals.
  public var elapsed: Double
  /// Metres, two decimals.
  public var distance: Double
  /// Seconds per kilometre over the last moments, two decimals, above 0; nil while standing.
  public var currentPaceSecPerKm: Double?
  /// Seconds per kilometre over the whole workout, two decimals, above 0; nil before the first metre.
  public var avgPaceSecPerKm: Double?
  /// Beats per minute; nil without a reading.
  public var currentHR: Int?
  /// Active energy in kilocalories, one decimal.
  public var energyKcal: Double
  /// Steps per minute; nil without a reading.
  public var cadence: Int?
  /// The split that was completed since the snapshot before; nil in all others.
  public var lastSplit: Split?
  /// What the workout is doing.
  public var state: WorkoutState

  /// Creates a snapshot from values that are rounded already.
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

  /// A bit for each field of a trace line that carries this snapshot; 0 for one with a split, whose text is its own.
  private var traceShape: UInt32 {
    if lastSplit != nil { return 0 }
    // Workout, stamp, time, way, energy and state are always there.
    return 0b11_1111 | (currentPaceSecPerKm != nil ? 1 << 6 : 0) | (avgPaceSecPerKm != nil ? 1 << 7 : 0)
      | (currentHR != nil ? 1 << 8 : 0) | (cadence != nil ? 1 << 9 : 0)
  }

  /// Writes the fields of ``writeTraceFields(to:)``, of a snapshot without a split.
  @inline(__always)
  private func writePlainFields(to fields: inout PlainFields) {
    fields.write("workoutId", identifier: workoutId)
    fields.write("sentAt", integer: sentAt.nanoseconds)
    fields.write("elapsed", rounded: elapsed, places: 3)
    fields.write("distance", rounded: distance, places: 2)
    if let pace = currentPaceSecPerKm { fields.write("currentPaceSecPerKm", rounded: pace, places: 2) }
    if let pace = avgPaceSecPerKm { fields.write("avgPaceSecPerKm", rounded: pace, places: 2) }
    if let rate = currentHR { fields.write("currentHR", integer: Int64(rate)) }
    fields.write("energyKcal", rounded: energyKcal, places: 1)
    if let cadence { fields.write("cadence", integer: Int64(cadence)) }
    fields.write("state", name: state.text)
  }

  /// Writes the fields of a line that comes every second: which snapshot this is, and what it carries.
  public func writeTraceFields(epoch: Epoch, seq: SequenceNumber, to line: inout ReusedLine) {
    let (epoch, seq) = (Int64(epoch.rawValue), Int64(clamping: seq.rawValue))
    let isWritten = line.overwrite(shape: traceShape, count: 2 + traceShape.nonzeroBitCount) { fields in
      fields.write("epoch", integer: epoch)
      fields.write("seq", integer: seq)
      writePlainFields(to: &fields)
    }
    if isWritten { return }
    line.put("epoch", .int(epoch))
    line.put("seq", .int(seq))
    writeTraceFields(to: &line)
  }

  /// Writes the fields of a trace line that carries this snapshot, after those that say which one it is.
  public func writeTraceFields(to line: inout ReusedLine) {
    line.put("workoutId", workoutId.traceValue)
    line.put("sentAt", .int(sentAt.nanoseconds))
    line.put("elapsed", .rounded(elapsed, places: 3))
    line.put("distance", .rounded(distance, places: 2))
    if let pace = currentPaceSecPerKm { line.put("currentPaceSecPerKm", .rounded(pace, places: 2)) }
    if let pace = avgPaceSecPerKm { line.put("avgPaceSecPerKm", .rounded(pace, places: 2)) }
    if let rate = currentHR { line.put("currentHR", .int(Int64(rate))) }
    line.put("energyKcal", .rounded(energyKcal, places: 1))
    if let cadence { line.put("cadence", .int(Int64(cadence))) }
    if let lastSplit { line.put("lastSplit", lastSplit.traceValue) }
    line.put("state", .string(state.text))
  }
}

extension Split {
  /// The value of a trace field.
  public var traceValue: TraceValue {
    var text = "{\"kmIndex\":\(kmIndex),\"durationSeconds\":"
    TraceValue.number(durationSeconds, places: 3).append(to: &text)
    text += ",\"paceSecPerKm\":"
    TraceValue.number(paceSecPerKm, places: 2).append(to: &text)
    if let avgHeartRate { text += ",\"avgHeartRate\":\(avgHeartRate)" }
    return .json(text + "}")
  }
}
