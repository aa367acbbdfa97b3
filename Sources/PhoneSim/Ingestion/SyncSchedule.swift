import CoachProtocol
import Link

/// When the stores are synchronised without being asked: both at the app's first start, then HealthKit in the morning,
/// when the night is over, and EventKit in the evening, when the day is; or both every so often.
struct SyncSchedule: Sendable {
  /// The stores that a synchronisation asks.
  struct Stores: OptionSet, Sendable {
    var rawValue: UInt8

    static let health = Self(rawValue: 1)
    static let events = Self(rawValue: 2)
    static let both: Self = [health, events]

    func contains(_ type: AppleDataType) -> Bool { contains(type.source == "HealthKit" ? .health : .events) }
  }

  /// Seconds after midnight.
  static let morning: Int64 = 36_000
  static let evening: Int64 = 75_600

  /// From one synchronisation of both stores to the next; nil for morning and evening.
  private let every: VirtualTime.Span?
  /// Nil where local time is UTC.
  private let zone: LocalOffsets
  /// The run's start, in nanoseconds since 1970.
  private let startedAt: Int64
  private var healthAt: VirtualTime
  private var eventsAt: VirtualTime

  /// - Parameters:
  ///   - last: The last synchronisation that ended, if any.
  ///   - now: The app's start: what was missed before is due now.
  init(
    every: VirtualTime.Span?, zone: LocalOffsets?, startedAt: Int64, last: VirtualTime?, at now: VirtualTime
  ) {
    self.every = every
    self.zone = zone ?? LocalOffsets(startedAt: startedAt, [])
    self.startedAt = startedAt
    (healthAt, eventsAt) = (now, now)
    guard let last else { return }
    (healthAt, eventsAt) = (max(now, next(Self.morning, after: last)), max(now, next(Self.evening, after: last)))
  }

  var nextAt: VirtualTime { min(healthAt, eventsAt) }

  /// Takes the stores that are due; they are due again later.
  mutating func takeDue(at now: VirtualTime) -> Stores {
    var due: Stores = []
    if healthAt <= now { due.insert(.health) }
    if eventsAt <= now { due.insert(.events) }
    postpone(due, at: now)
    return due
  }

  /// Plans the next synchronisation of stores that are synchronised now.
  mutating func postpone(_ stores: Stores, at now: VirtualTime) {
    if stores.contains(.health) { healthAt = next(Self.morning, after: now) }
    if stores.contains(.events) { eventsAt = next(Self.evening, after: now) }
  }

  /// Makes a synchronisation of both stores due.
  mutating func advance(to now: VirtualTime) { (healthAt, eventsAt) = (min(healthAt, now), min(eventsAt, now)) }

  /// The first time after another one at which the device's local time is so many seconds after midnight.
  private func next(_ second: Int64, after time: VirtualTime) -> VirtualTime {
    if let every { return time + every }
    let now = CalendarDay.floorDivided(startedAt &+ time.nanoseconds, 1_000_000_000)
    let day = CalendarDay.floorDivided(now &+ zone.offset(at: now), 86_400)
    // A traveller to the west has had this day's time already, one to the east may skip a day.
    for number in day - 1...day + 3 {
      let at = zone.first(notBefore: number &* 86_400 &+ second)
      if at > now { return VirtualTime(nanoseconds: at.saturatingNanoseconds &- startedAt) }
    }
    return time + .hours(24)
  }
}
