package import CoachProtocol
package import Link

/// When local days begin, by what local time adds to UTC at each time.
package struct LocalOffsets: Sendable, Equatable {
  /// In order, from the second since 1970 on; the first one also holds before.
  private let changes: [Change]

  private struct Change: Sendable, Equatable {
    var from: Int64
    var seconds: Int64
  }

  /// - Parameters:
  ///   - startedAt: The scenario's start, in nanoseconds since 1970.
  ///   - offsets: In ascending order of time; none for UTC.
  init(startedAt: Int64, _ offsets: [WallHour.Offset]) {
    changes = offsets.map { offset in
      let from = startedAt.addingReportingOverflow(offset.from.nanoseconds)
      let bounded = from.overflow ? (startedAt < 0 ? .min : .max) : from.partialValue
      // Days begin at whole seconds.
      return Change(
        from: CalendarDay.floorDivided(bounded, 1_000_000_000) + (bounded % 1_000_000_000 == 0 ? 0 : 1),
        seconds: offset.seconds)
    }
  }

  /// The first second since 1970 at which local time is not before a local second, counted from 1970-01-01 00:00.
  ///
  /// Local time may never show that second, and may show it twice.
  package func first(notBefore local: Int64) -> Int64 {
    for (index, change) in changes.enumerated() {
      let instant = index == 0 ? local &- change.seconds : max(local &- change.seconds, change.from)
      if index + 1 == changes.count || instant < changes[index + 1].from { return instant }
    }
    return local
  }

  /// What local time adds to UTC at a true time in seconds since 1970; before the first known offset the same as then.
  package func offset(at seconds: Int64) -> Int64 {
    (changes.last { $0.from <= seconds } ?? changes.first)?.seconds ?? 0
  }

  /// The same at a local time in seconds, which is read in the zone of another true time: one answer for each local
  /// time, so that nothing moves when the user travels.
  package func offset(atLocal local: Int64, inZoneOf seconds: Int64) -> Int64 {
    offset(at: local &- offset(at: seconds))
  }

  /// The true times that belong to a day, in seconds since 1970: no time belongs to two days, and none to no day.
  package func period(of day: LocalDay, _ type: AppleDataType) -> Range<Int64> {
    let local = day.number &* 86_400 &+ Int64(type.periodStart.seconds)
    let begin = first(notBefore: local)
    return begin..<max(begin, first(notBefore: local &+ 86_400))
  }

  /// The day to which a true time in seconds since 1970 belongs, from midnight to midnight.
  func day(at seconds: Int64) -> LocalDay {
    var day = LocalDay(clock: seconds.saturatingNanoseconds, offset: offset(at: seconds))
    // After a flight to the west local time shows a day again, although the next one has begun.
    while period(of: LocalDay(day.number + 1), .calories).lowerBound <= seconds { day = LocalDay(day.number + 1) }
    return day
  }

  /// What local time adds to UTC when a day's period begins, in seconds.
  func offset(atBeginOf day: LocalDay, _ type: AppleDataType) -> Int64 {
    let local = day.number &* 86_400 &+ Int64(type.periodStart.seconds)
    return local &- first(notBefore: local)
  }

  /// Whether the period of a day is empty, since the device travelled past it.
  func isSkipped(_ day: LocalDay, _ type: AppleDataType) -> Bool {
    offset(atBeginOf: LocalDay(day.number + 1), type) - offset(atBeginOf: day, type) >= 86_400
  }
}

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
