package import Link

/// The hour of the day on the phone, in the scenario's time zone.
package struct WallHour: Sendable, Equatable {
  /// A change of the offset from UTC.
  package struct Offset: Sendable, Equatable {
    /// In virtual time.
    package var from: VirtualTime
    /// East of Greenwich, in seconds.
    package var seconds: Int64

    package init(from: VirtualTime, seconds: Int64) {
      self.from = from
      self.seconds = seconds
    }
  }

  private let startedAt: Int64
  private let offsets: [Offset]
  private var hour = 0
  /// First clock reading for which `hour` holds.
  private var from: Int64 = 0
  /// End of those readings, exclusive; 0 before the first computation.
  private var until: Int64 = 0

  /// Creates a clock; `startedAt` in nanoseconds since 1970, offsets in ascending order of time.
  package init(startedAt: Int64, offsets: [Offset]) {
    self.startedAt = startedAt
    self.offsets = offsets
  }

  /// The hour, 0...23, at a reading of the phone's clock in nanoseconds since 1970.
  ///
  /// The offset changes when the phone's clock reaches the instant of change.
  package mutating func hour(clock: Int64) -> Int {
    if clock >= from, clock < until { return hour }
    let passed = clock.subtractingReportingOverflow(startedAt)
    let now = passed.overflow ? (clock < startedAt ? Int64.min : .max) : passed.partialValue
    let index = offsets.lastIndex { $0.from.nanoseconds <= now }
    // A slow clock may show a time before the first offset.
    let offset = index.map { offsets[$0].seconds } ?? offsets.first?.seconds ?? 0
    let nextOffset = offsets.first { $0.from.nanoseconds > now }?.from.nanoseconds ?? .max
    let hourLength: Int64 = 3_600_000_000_000
    let local = clock &+ offset &* 1_000_000_000
    let (hours, rest) = local.quotientAndRemainder(dividingBy: hourLength)
    let past = rest < 0 ? rest + hourLength : rest
    let whole = rest < 0 ? hours - 1 : hours
    hour = Int((whole % 24 + 24) % 24)
    from = max(clock &- past, index.map { startedAt &+ offsets[$0].from.nanoseconds } ?? .min)
    until =
      nextOffset == .max ? clock &+ (hourLength - past) : min(clock &+ (hourLength - past), startedAt &+ nextOffset)
    return hour
  }
}
