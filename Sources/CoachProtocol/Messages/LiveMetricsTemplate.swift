import Link

/// The payload of an ordinary snapshot, with gaps for its values.
///
/// Nearly all messages are snapshots with the same fields, so their payloads differ in the same few bytes. The template
/// is made by the general writer, and then filled in; payloads that match it are decoded without searching for keys.
/// Everything else takes the general path. Both paths give the same bytes and values: the template only saves time.
struct LiveMetricsTemplate: Sendable {
  /// A running workout with every reading, and no split.
  static let running = LiveMetricsTemplate(.running, isMoving: true)
  /// A paused workout: neither current pace nor cadence.
  static let paused = LiveMetricsTemplate(.paused, isMoving: false)

  /// A snapshot's payload; nil if it fits no template.
  ///
  /// - Parameter workout: The cached text of the previous snapshot's workout; updated to this one's.
  static func payload(of metrics: LiveMetrics, workout: inout IdentifierText) -> [UInt8]? {
    metrics.state == .paused ? paused.fill(metrics, &workout) : running.fill(metrics, &workout)
  }

  /// Decodes a payload into `metrics`.
  ///
  /// - Parameter workout: The cached text of the previous snapshot's workout; updated to this one's.
  /// - Returns: False if it fits no template or is invalid; `metrics` is then meaningless.
  @inline(__always)
  static func read(_ payload: [UInt8], into metrics: inout LiveMetrics, workout: inout IdentifierText) -> Bool {
    let running = running
    return payload.count == running.bytes.count
      ? running.fill(&metrics, from: payload, &workout) : paused.fill(&metrics, from: payload, &workout)
  }

  private let state: WorkoutState
  /// Whether there are a current pace and a cadence.
  private let isMoving: Bool

  private let bytes: [UInt8]
  /// The payload's words, the last of which overlaps the one before it, with ones in the mask for constant bytes.
  private let pattern: [(bits: UInt64, mask: UInt64)]

  // The offset of each value after its marker; 0 if absent.
  private let workoutId: Int
  private let sentAt: Int
  private let elapsed: Int
  private let distance: Int
  private let currentPace: Int
  private let averagePace: Int
  private let heartRate: Int
  private let energy: Int
  private let cadence: Int

  /// From here on, 4.3 s after 1970, integers are encoded in 8 bytes.
  private static let sentAtMin: Int64 = 1 << 32

  private init(_ state: WorkoutState, isMoving: Bool) {
    self.state = state
    self.isMoving = isMoving
    let sample = LiveMetrics(
      workoutId: Identifier(high: 0, low: 0), sentAt: WatchTime(nanoseconds: Self.sentAtMin), elapsed: 1, distance: 1,
      currentPaceSecPerKm: isMoving ? 1 : nil, avgPaceSecPerKm: 1, currentHR: 1, energyKcal: 1,
      cadence: isMoving ? 1 : nil, state: state)
    let bytes = sample.plainlyEncoded
    var mask = [UInt8](repeating: 0xFF, count: bytes.count)
    // A value follows its key and a marker, which has three bytes for a long string.
    func gap(_ key: String, _ count: Int, marker: Int = 1) -> Int {
      let offset = Self.end(of: key, in: bytes) + marker
      for index in offset..<offset + count { mask[index] = 0 }
      return offset
    }
    workoutId = gap("workoutId", IdentifierText.count, marker: 3)
    sentAt = gap("sentAt", 8)
    elapsed = gap("elapsed", 8)
    distance = gap("distance", 8)
    currentPace = isMoving ? gap("currentPaceSecPerKm", 8) : 0
    averagePace = gap("avgPaceSecPerKm", 8)
    heartRate = gap("currentHR", 1)
    energy = gap("energyKcal", 8)
    cadence = isMoving ? gap("cadence", 1) : 0
    for hyphen in [8, 13, 18, 23] { mask[workoutId + hyphen] = 0xFF }
    self.bytes = bytes
    let (bits, constant, last) = (bytes.span, mask.span, bytes.count - 8)
    var pattern: [(bits: UInt64, mask: UInt64)] = []
    for offset in Array(stride(from: 0, to: last, by: 8)) + [last] {
      pattern.append((bits.word(UInt64.self, at: offset), constant.word(UInt64.self, at: offset)))
    }
    self.pattern = pattern
  }

  private static func end(of key: String, in bytes: [UInt8]) -> Int {
    let text = Array(key.utf8)
    for start in 0..<bytes.count - text.count where bytes[start..<start + text.count].elementsEqual(text) {
      return start + text.count
    }
    preconditionFailure("the writer wrote no \(key)")
  }

  // MARK: Writing

  /// A snapshot's payload; nil if it does not fit the template.
  private func fill(_ metrics: LiveMetrics, _ workout: inout IdentifierText) -> [UInt8]? {
    guard metrics.state == state, metrics.lastSplit == nil, metrics.sentAt.nanoseconds >= Self.sentAtMin,
      (metrics.currentPaceSecPerKm != nil) == isMoving, (metrics.cadence != nil) == isMoving,
      let average = metrics.avgPaceSecPerKm, let rate = metrics.currentHR.flatMap({ UInt8(exactly: $0) }),
      let steps = UInt8(exactly: metrics.cadence ?? 0)
    else { return nil }
    if workout.identifier != metrics.workoutId { workout = IdentifierText(metrics.workoutId) }
    // Appending to an empty array is specialized for bytes here; other ways to create an array go through an
    // unspecialized library function.
    var payload: [UInt8] = []
    payload.reserveCapacity(bytes.count)
    bytes.span.append(to: &payload)
    var target = payload.mutableSpan
    workout.write(to: &target, at: workoutId)
    target.store(UInt64(bitPattern: metrics.sentAt.nanoseconds).bigEndian, at: sentAt)
    target.store(metrics.elapsed.bitPattern.bigEndian, at: elapsed)
    target.store(metrics.distance.bitPattern.bigEndian, at: distance)
    target.store(average.bitPattern.bigEndian, at: averagePace)
    target.store(metrics.energyKcal.bitPattern.bigEndian, at: energy)
    target[heartRate] = rate
    if isMoving, let pace = metrics.currentPaceSecPerKm {
      target.store(pace.bitPattern.bigEndian, at: currentPace)
      target[cadence] = steps
    }
    return payload
  }

  // MARK: Reading

  /// Decodes a payload; false if it does not fit the template or is invalid.
  private func fill(_ metrics: inout LiveMetrics, from payload: [UInt8], _ workout: inout IdentifierText) -> Bool {
    guard payload.count == bytes.count else { return false }
    let payload = payload.span
    // The lengths are equal, and all offsets lie within the template.
    guard fits(payload) else { return false }
    if !workout.matches(payload, at: workoutId) {
      guard let other = IdentifierText(in: payload, at: workoutId) else { return false }
      workout = other
    }
    metrics.workoutId = workout.identifier
    metrics.sentAt = WatchTime(nanoseconds: payload.bigEndian(Int64.self, at: sentAt))
    metrics.elapsed = Self.number(in: payload, at: elapsed)
    metrics.distance = Self.number(in: payload, at: distance)
    metrics.currentPaceSecPerKm = isMoving ? Self.number(in: payload, at: currentPace) : nil
    metrics.avgPaceSecPerKm = Self.number(in: payload, at: averagePace)
    metrics.currentHR = Int(payload[heartRate])
    metrics.energyKcal = Self.number(in: payload, at: energy)
    metrics.cadence = isMoving ? Int(payload[cadence]) : nil
    metrics.lastSplit = nil
    metrics.state = state
    return metrics.isWithinBounds
  }

  /// Whether everything but the values matches the template.
  @inline(__always)
  private func fits(_ payload: Span<UInt8>) -> Bool {
    let last = bytes.count - 8
    var differences: UInt64 = 0
    for index in pattern.indices {
      let word = pattern[index]
      differences |= (payload.word(UInt64.self, at: min(8 &* index, last)) ^ word.bits) & word.mask
    }
    return differences == 0
  }

  @inline(__always)
  private static func number(in payload: Span<UInt8>, at offset: Int) -> Double {
    Double(bitPattern: payload.bigEndian(UInt64.self, at: offset))
  }
}

extension LiveMetrics {
  /// Whether a reader of the payload would accept every number.
  fileprivate var isWithinBounds: Bool {
    let numbers = 0...Self.numberMax
    return sentAt.nanoseconds.magnitude <= 1 << 62 && numbers.contains(elapsed) && numbers.contains(distance)
      && numbers.contains(energyKcal) && Self.paces.contains(currentPaceSecPerKm ?? 1)
      && Self.paces.contains(avgPaceSecPerKm ?? 1) && Self.rates.contains(currentHR ?? 1)
      && Self.rates.contains(cadence ?? 1)
  }
}
