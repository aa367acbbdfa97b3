public import Link

/// Identifies the watch's clock, so that its readings cannot be compared with another clock's.
public enum WatchClock {}

/// A reading of the watch's clock: the `sentAt` of its messages.
public typealias WatchTime = NodeTime<WatchClock>

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
  /// Counted from 1.
  public var kmIndex: Int
  /// Seconds without pauses, three decimals.
  public var durationSeconds: Double
  /// Seconds per kilometre, two decimals.
  public var paceSecPerKm: Double
  /// Mean in beats per minute; nil without readings.
  public var avgHeartRate: Int?

  public init(kmIndex: Int, durationSeconds: Double, paceSecPerKm: Double, avgHeartRate: Int? = nil) {
    self.kmIndex = kmIndex
    self.durationSeconds = durationSeconds
    self.paceSecPerKm = paceSecPerKm
    self.avgHeartRate = avgHeartRate
  }
}

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

  /// Bitmask of the fields present in a trace event of this snapshot; 0 with a split, whose text varies.
  private var traceShape: UInt32 {
    if lastSplit != nil { return 0 }
    // Workout, stamp, time, distance, energy and state are always present.
    return 0b11_1111 | (currentPaceSecPerKm != nil ? 1 << 6 : 0) | (avgPaceSecPerKm != nil ? 1 << 7 : 0)
      | (currentHR != nil ? 1 << 8 : 0) | (cadence != nil ? 1 << 9 : 0)
  }

  /// The fields of ``writeTraceFields(to:)`` for a snapshot without a split.
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

  /// Writes the fields of an event that comes every second: the snapshot's number and content.
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

  /// Writes the fields of a trace event with this snapshot, after those that identify it.
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
  public var traceValue: TraceValue {
    var text = "{\"kmIndex\":\(kmIndex),\"durationSeconds\":"
    TraceValue.number(durationSeconds, places: 3).append(to: &text)
    text += ",\"paceSecPerKm\":"
    TraceValue.number(paceSecPerKm, places: 2).append(to: &text)
    if let avgHeartRate { text += ",\"avgHeartRate\":\(avgHeartRate)" }
    return .json(text + "}")
  }
}
