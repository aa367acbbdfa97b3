import Link

extension LiveMetrics: AppMessageBody {
  static let kind = AppMessage.Kind.liveMetrics
  static let channel = Channel.message
  static let example = LiveMetrics(
    workoutId: .example, sentAt: WatchTime(nanoseconds: 1_775_975_733_000_000_000), elapsed: 330.25,
    distance: 1_001.37, currentPaceSecPerKm: 328.44, avgPaceSecPerKm: 329.8, currentHR: 151, energyKcal: 70.1,
    cadence: 170,
    lastSplit: Split(kmIndex: 1, durationSeconds: 329.812, paceSecPerKm: 329.81, avgHeartRate: 146), state: .running)

  var message: AppMessage { .liveMetrics(self) }

  var fieldCount: Int {
    6 + (currentPaceSecPerKm == nil ? 0 : 1) + (avgPaceSecPerKm == nil ? 0 : 1) + (currentHR == nil ? 0 : 1)
      + (cadence == nil ? 0 : 1) + (lastSplit == nil ? 0 : 1)
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

  /// A blank snapshot to decode into.
  @inline(__always)
  public static var blank: LiveMetrics {
    LiveMetrics(
      workoutId: Identifier(high: 0, low: 0), sentAt: WatchTime(nanoseconds: 0), elapsed: 0, distance: 0,
      state: .preparing)
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

  // The split comes last: it is absent in all but one of hundreds of snapshots, and a reader that has found every entry
  // need not look for it.

  func write(to writer: inout PropertyListWriter) {
    writer.identifier("workoutId", workoutId)
    writer.integer("sentAt", sentAt.nanoseconds)
    writer.real("elapsed", elapsed)
    writer.real("distance", distance)
    if let pace = currentPaceSecPerKm { writer.real("currentPaceSecPerKm", pace) }
    if let pace = avgPaceSecPerKm { writer.real("avgPaceSecPerKm", pace) }
    if let rate = currentHR { writer.integer("currentHR", Int64(rate)) }
    writer.real("energyKcal", energyKcal)
    if let cadence { writer.integer("cadence", Int64(cadence)) }
    writer.string("state", state.text)
    if let lastSplit { writer.nested("lastSplit", entryCount: lastSplit.fieldCount) { lastSplit.write(to: &$0) } }
  }

  init(from fields: inout MessageFields) throws(MessageError) {
    workoutId = try fields.identifier("workoutId")
    sentAt = try fields.time("sentAt")
    elapsed = try fields.real("elapsed", 0...Self.numberMax)
    distance = try fields.real("distance", 0...Self.numberMax)
    currentPaceSecPerKm = try fields.optionalReal("currentPaceSecPerKm", Self.paceMin...Self.numberMax)
    avgPaceSecPerKm = try fields.optionalReal("avgPaceSecPerKm", Self.paceMin...Self.numberMax)
    currentHR = try fields.integer("currentHR", Self.rates).map { Int($0) }
    energyKcal = try fields.real("energyKcal", 0...Self.numberMax)
    cadence = try fields.integer("cadence", Self.rates).map { Int($0) }
    let text = try fields.string("state")
    guard let state = WorkoutState(text: text) else {
      throw fields.outside("state", "\"\(text)\"", "preparing, running, paused, ended")
    }
    self.state = state
    if var split = try fields.optionalNested("lastSplit") {
      lastSplit = try Split(from: &split)
    } else {
      lastSplit = nil
    }
  }

  /// Far above any elapsed time, distance, pace or energy.
  static let numberMax = 1e9
  /// The smallest pace above 0 with two decimals.
  static let paceMin = 0.01
  /// Beats and steps per minute.
  static let rates: ClosedRange<Int64> = 1...1_000
}

extension Split {
  /// Number of entries that ``write(to:)`` writes.
  fileprivate var fieldCount: Int { avgHeartRate == nil ? 3 : 4 }

  fileprivate func write(to writer: inout PropertyListWriter) {
    writer.integer("kmIndex", Int64(kmIndex))
    writer.real("durationSeconds", durationSeconds)
    writer.real("paceSecPerKm", paceSecPerKm)
    if let rate = avgHeartRate { writer.integer("avgHeartRate", Int64(rate)) }
  }

  fileprivate init(from fields: inout MessageFields) throws(MessageError) {
    let index = try fields.requiredInteger("kmIndex", 1...1_000_000)
    self.init(
      kmIndex: Int(index), durationSeconds: try fields.real("durationSeconds", 0...LiveMetrics.numberMax),
      paceSecPerKm: try fields.real("paceSecPerKm", 0...LiveMetrics.numberMax),
      avgHeartRate: try fields.integer("avgHeartRate", LiveMetrics.rates).map { Int($0) })
  }
}
