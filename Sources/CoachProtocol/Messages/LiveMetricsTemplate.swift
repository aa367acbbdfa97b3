import Link

/// The payload of an ordinary snapshot, with gaps where its values stand.
///
/// Nearly all messages are snapshots, and nearly all snapshots have the same fields, so their payloads
/// differ in the same few bytes. The template is made by the ordinary writer, and filled in; bytes that
/// fit it are read without looking for keys. What does not fit goes the ordinary way. Both ways give the
/// same bytes and the same values: the template only saves the time.
struct LiveMetricsTemplate: Sendable {
  /// For a running workout with every reading, and no split.
  static let running = LiveMetricsTemplate(.running, isMoving: true)
  /// For one that is paused: nobody moves, so there is neither a pace of the moment nor a step.
  static let paused = LiveMetricsTemplate(.paused, isMoving: false)

  /// Returns a snapshot's payload; nil when it fits no template.
  ///
  /// - Parameter workout: The text of the workout of the snapshot before; of this one, afterwards.
  static func payload(of metrics: LiveMetrics, workout: inout IdentifierText) -> [UInt8]? {
    metrics.state == .paused ? paused.fill(metrics, &workout) : running.fill(metrics, &workout)
  }

  /// Reads a payload into `metrics`.
  ///
  /// - Parameter workout: The text of the workout of the snapshot before; of this one, afterwards.
  /// - Returns: False when it fits no template, or holds what a snapshot must not; what `metrics` holds says nothing then.
  @inline(__always)
  static func read(_ payload: [UInt8], into metrics: inout LiveMetrics, workout: inout IdentifierText) -> Bool {
    let running = running
    return payload.count == running.bytes.count
      ? running.fill(&metrics, from: payload, &workout) : paused.fill(&metrics, from: payload, &workout)
  }

  private let state: WorkoutState
  /// Whether there is a pace of the moment, and a cadence.
  private let isMoving: Bool

  private let bytes: [UInt8]
  /// All ones where the bytes are the same in every payload, zeros where a value stands.
  private let mask: [UInt8]

  // Where each value begins, after its marker; 0 where there is none.
  private let workoutId: Int
  private let sentAt: Int
  private let elapsed: Int
  private let distance: Int
  private let currentPace: Int
  private let averagePace: Int
  private let heartRate: Int
  private let energy: Int
  private let cadence: Int

  /// Whole numbers from here on are written in 8 bytes: 4.3 s after 1970.
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
    // A value follows its key; before its bytes stands a marker, for a long string three bytes.
    func gap(_ key: String, _ count: Int, marker: Int = 1) -> Int {
      let place = Self.end(of: key, in: bytes) + marker
      for index in place..<place + count { mask[index] = 0 }
      return place
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
    self.mask = mask
  }

  private static func end(of key: String, in bytes: [UInt8]) -> Int {
    let text = Array(key.utf8)
    for start in 0..<bytes.count - text.count where bytes[start..<start + text.count].elementsEqual(text) {
      return start + text.count
    }
    preconditionFailure("the writer wrote no \(key)")
  }

  // MARK: Writing

  /// Returns a snapshot's payload; nil when it does not fit the template.
  private func fill(_ metrics: LiveMetrics, _ workout: inout IdentifierText) -> [UInt8]? {
    guard metrics.state == state, metrics.lastSplit == nil, metrics.sentAt.nanoseconds >= Self.sentAtMin,
      (metrics.currentPaceSecPerKm != nil) == isMoving, (metrics.cadence != nil) == isMoving,
      let average = metrics.avgPaceSecPerKm, let rate = metrics.currentHR.flatMap({ UInt8(exactly: $0) }),
      let steps = UInt8(exactly: metrics.cadence ?? 0)
    else { return nil }
    if workout.identifier != metrics.workoutId { workout = IdentifierText(metrics.workoutId) }
    // Made by appending to an empty one: this is compiled here, for bytes, while the ways to make an array of so many
    // elements go through one in the library that looks up what bytes are, each time.
    var payload: [UInt8] = []
    payload.reserveCapacity(bytes.count)
    unsafe bytes.withUnsafeBufferPointer { unsafe payload.append(contentsOf: $0) }
    unsafe payload.withUnsafeMutableBytes { buffer in
      unsafe workout.put(in: buffer, at: workoutId)
      unsafe Self.put(UInt64(bitPattern: metrics.sentAt.nanoseconds), in: buffer, at: sentAt)
      unsafe Self.put(metrics.elapsed.bitPattern, in: buffer, at: elapsed)
      unsafe Self.put(metrics.distance.bitPattern, in: buffer, at: distance)
      unsafe Self.put(average.bitPattern, in: buffer, at: averagePace)
      unsafe Self.put(metrics.energyKcal.bitPattern, in: buffer, at: energy)
      unsafe buffer[heartRate] = rate
      if isMoving, let pace = metrics.currentPaceSecPerKm {
        unsafe Self.put(pace.bitPattern, in: buffer, at: currentPace)
        unsafe buffer[cadence] = steps
      }
    }
    return payload
  }

  @inline(__always)
  private static func put(_ value: UInt64, in buffer: UnsafeMutableRawBufferPointer, at place: Int) {
    unsafe buffer.storeBytes(of: value.bigEndian, toByteOffset: place, as: UInt64.self)
  }

  // MARK: Reading

  /// Reads a payload; false when it does not fit the template, or holds what a snapshot must not.
  private func fill(_ metrics: inout LiveMetrics, from payload: [UInt8], _ workout: inout IdentifierText) -> Bool {
    guard payload.count == bytes.count else { return false }
    return unsafe payload.withUnsafeBytes { buffer in
      // The lengths are equal, and every place lies within the template.
      guard unsafe fits(buffer) else { return false }
      if unsafe !workout.stands(in: buffer, at: workoutId) {
        guard let other = unsafe IdentifierText(in: buffer, at: workoutId) else { return false }
        workout = other
      }
      metrics.workoutId = workout.identifier
      metrics.sentAt = WatchTime(nanoseconds: Int64(bitPattern: unsafe Self.word(in: buffer, at: sentAt)))
      metrics.elapsed = Double(bitPattern: unsafe Self.word(in: buffer, at: elapsed))
      metrics.distance = Double(bitPattern: unsafe Self.word(in: buffer, at: distance))
      metrics.currentPaceSecPerKm = isMoving ? Double(bitPattern: unsafe Self.word(in: buffer, at: currentPace)) : nil
      metrics.avgPaceSecPerKm = Double(bitPattern: unsafe Self.word(in: buffer, at: averagePace))
      metrics.currentHR = Int(unsafe buffer[heartRate])
      metrics.energyKcal = Double(bitPattern: unsafe Self.word(in: buffer, at: energy))
      metrics.cadence = isMoving ? Int(unsafe buffer[cadence]) : nil
      metrics.lastSplit = nil
      metrics.state = state
      return metrics.isWithinBounds
    }
  }

  /// Tells whether everything but the values is as in the template.
  @inline(__always)
  private func fits(_ buffer: UnsafeRawBufferPointer) -> Bool {
    unsafe bytes.withUnsafeBytes { bytes in
      unsafe mask.withUnsafeBytes { mask in
        var differences: UInt64 = 0
        var place = 0
        let last = bytes.count - 8
        while place < last {
          differences |= unsafe Self.difference(buffer, bytes, mask, at: place)
          place += 8
        }
        // The last word overlaps the one before it.
        return unsafe differences | Self.difference(buffer, bytes, mask, at: last) == 0
      }
    }
  }

  @inline(__always)
  private static func difference(
    _ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer, _ mask: UnsafeRawBufferPointer, at place: Int
  ) -> UInt64 {
    unsafe (a.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      ^ b.loadUnaligned(fromByteOffset: place, as: UInt64.self))
      & mask.loadUnaligned(fromByteOffset: place, as: UInt64.self)
  }

  @inline(__always)
  private static func word(in buffer: UnsafeRawBufferPointer, at place: Int) -> UInt64 {
    unsafe UInt64(bigEndian: buffer.loadUnaligned(fromByteOffset: place, as: UInt64.self))
  }
}

extension LiveMetrics {
  /// Whether every number is one that ``init(from:)`` would take.
  fileprivate var isWithinBounds: Bool {
    let numbers = 0...Self.numberMax
    let paces = Self.paceMin...Self.numberMax
    return sentAt.nanoseconds.magnitude <= 1 << 62 && numbers.contains(elapsed) && numbers.contains(distance)
      && numbers.contains(energyKcal) && paces.contains(currentPaceSecPerKm ?? 1)
      && paces.contains(avgPaceSecPerKm ?? 1) && Self.rates.contains(Int64(currentHR ?? 1))
      && Self.rates.contains(Int64(cadence ?? 1))
  }
}
