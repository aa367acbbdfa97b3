package import Link

/// The hour of the day on the phone, in the scenario's time zone.
package struct WallHour: Sendable, Equatable {
  /// A change of the distance to UTC.
  package struct Offset: Sendable, Equatable {
    /// From when on, in the run's time.
    package var from: VirtualTime
    /// East of Greenwich, in seconds.
    package var seconds: Int64

    /// Creates a change.
    package init(from: VirtualTime, seconds: Int64) {
      self.from = from
      self.seconds = seconds
    }
  }

  private let startedAt: Int64
  private let offsets: [Offset]
  private var hour = 0
  /// The readings for which the hour holds: from this one on.
  private var from: Int64 = 0
  /// Up to this one, exclusive; before the first reckoning it holds for none.
  private var until: Int64 = 0

  /// Creates a clock; `startedAt` in nanoseconds since 1970, the offsets in the order of time.
  package init(startedAt: Int64, offsets: [Offset]) {
    self.startedAt = startedAt
    self.offsets = offsets
  }

  /// The hour, 0...23, when the phone's clock shows so many nanoseconds since 1970.
  ///
  /// The zone changes its distance to UTC when the phone believes that the moment has come.
  package mutating func hour(clock: Int64) -> Int {
    if clock >= from, clock < until { return hour }
    let passed = clock.subtractingReportingOverflow(startedAt)
    let now = passed.overflow ? (clock < startedAt ? Int64.min : .max) : passed.partialValue
    let place = offsets.lastIndex { $0.from.nanoseconds <= now }
    // A clock that is behind may show a moment before the first.
    let offset = place.map { offsets[$0].seconds } ?? offsets.first?.seconds ?? 0
    let nextOffset = offsets.first { $0.from.nanoseconds > now }?.from.nanoseconds ?? .max
    let hourLength: Int64 = 3_600_000_000_000
    let local = clock &+ offset &* 1_000_000_000
    let (hours, rest) = local.quotientAndRemainder(dividingBy: hourLength)
    let past = rest < 0 ? rest + hourLength : rest
    let whole = rest < 0 ? hours - 1 : hours
    hour = Int((whole % 24 + 24) % 24)
    from = max(clock &- past, place.map { startedAt &+ offsets[$0].from.nanoseconds } ?? .min)
    until =
      nextOffset == .max ? clock &+ (hourLength - past) : min(clock &+ (hourLength - past), startedAt &+ nextOffset)
    return hour
  }
}
