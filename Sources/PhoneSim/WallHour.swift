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
  /// Until when the hour holds; before the first reckoning it holds for no time.
  private var until = VirtualTime.start

  /// Creates a clock; `startedAt` in nanoseconds since 1970, the offsets in the order of time.
  package init(startedAt: Int64, offsets: [Offset]) {
    self.startedAt = startedAt
    self.offsets = offsets
  }

  /// The hour, 0...23; `now` never goes back.
  package mutating func hour(at now: VirtualTime) -> Int {
    if now < until { return hour }
    let offset = offsets.last { $0.from <= now }?.seconds ?? 0
    let nextOffset = offsets.first { $0.from > now }?.from ?? .distantFuture
    let hourLength: Int64 = 3_600_000_000_000
    let local = startedAt &+ now.nanoseconds &+ offset * 1_000_000_000
    let (hours, rest) = local.quotientAndRemainder(dividingBy: hourLength)
    let isBefore1970 = rest < 0
    let whole = isBefore1970 ? hours - 1 : hours
    hour = Int((whole % 24 + 24) % 24)
    let left = hourLength - (isBefore1970 ? rest + hourLength : rest)
    until = min(now + VirtualTime.Span(nanoseconds: left), nextOffset)
    return hour
  }
}
