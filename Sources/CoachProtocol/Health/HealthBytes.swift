import Link

/// Writes the health store's binary format: consecutive little-endian numbers.
struct HealthBytes {
  var bytes: [UInt8] = []

  mutating func append<Number: FixedWidthInteger>(_ number: Number) {
    var rest = number
    for _ in 0..<Number.bitWidth / 8 {
      bytes.append(UInt8(truncatingIfNeeded: rest))
      if Number.bitWidth > 8 { rest >>= 8 }
    }
  }

  mutating func append(_ name: Identifier) {
    append(name.high)
    append(name.low)
  }

  /// Appends a workout without its pauses: ``HealthWorkout/headBytes``.
  mutating func append(_ workout: HealthWorkout) {
    append(workout.uuid)
    append(workout.aarcRunId)
    append(UInt64(bitPattern: workout.startedAt.nanoseconds))
    append(UInt64(bitPattern: workout.endedAt.nanoseconds))
    append(workout.duration.bitPattern)
    append(workout.distance.bitPattern)
    append(workout.energyKcal.bitPattern)
    append(UInt32(clamping: workout.steps))
  }

  /// Reads the same format from untrusted bytes.
  struct Reader {
    private let bytes: [UInt8]
    private var offset = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { offset == bytes.count }

    mutating func byte() -> UInt8? { number(UInt8.self) }

    mutating func number<Number: FixedWidthInteger & UnsignedInteger>(_: Number.Type) -> Number? {
      let size = Number.bitWidth / 8
      guard bytes.count - offset >= size else { return nil }
      var number: Number = 0
      for index in (0..<size).reversed() { number = (size > 1 ? number << 8 : 0) | Number(bytes[offset + index]) }
      offset += size
      return number
    }

    mutating func identifier() -> Identifier? {
      guard let high = number(UInt64.self), let low = number(UInt64.self) else { return nil }
      return Identifier(high: high, low: low)
    }

    /// The number of following elements; nil if the bytes cannot contain them.
    mutating func count(of size: Int) -> Int? {
      guard let count = number(UInt32.self), Int(count) <= (bytes.count - offset) / size else { return nil }
      return Int(count)
    }

    /// A workout without its pauses; nil also for non-finite figures.
    mutating func workout() -> HealthWorkout? {
      guard let uuid = identifier(), let runId = identifier(), let start = number(UInt64.self),
        let end = number(UInt64.self), let duration = finite(), let distance = finite(), let energy = finite(),
        let steps = number(UInt32.self)
      else { return nil }
      return HealthWorkout(
        uuid: uuid, aarcRunId: runId, startedAt: WatchTime(nanoseconds: Int64(bitPattern: start)),
        endedAt: WatchTime(nanoseconds: Int64(bitPattern: end)), duration: duration, distance: distance,
        energyKcal: energy, steps: Int(steps), pauses: [])
    }

    private mutating func finite() -> Double? {
      guard let bits = number(UInt64.self) else { return nil }
      let value = Double(bitPattern: bits)
      return value.isFinite && value >= 0 ? value : nil
    }
  }
}
