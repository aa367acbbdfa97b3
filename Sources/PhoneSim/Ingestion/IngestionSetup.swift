import CoachProtocol
package import Link

/// The ingestion of Apple data: a scenario's `phone.ingestion`.
package struct IngestionSetup: Sendable, Equatable {
  /// How many days before the first one are fetched at the first synchronisation.
  package var historyDays = 7
  /// From one synchronisation of all stores to the next; nil for HealthKit in the morning and EventKit in the evening.
  package var every: VirtualTime.Span?
  /// Mean time from a query to its answer.
  package var latency = VirtualTime.Span.milliseconds(50)
  /// Replaces each type's retention; nil for the types' own.
  package var keep: VirtualTime.Span?
  /// Samples of each kind a day, instead of a drawn number; nil to draw.
  package var samples: Int?
  /// The titles of the calendars whose entries are asked for; empty for all.
  package var calendars: [String] = []
  package var failures: [StoreFailure] = []

  func asksCalendar(_ title: String) -> Bool { calendars.isEmpty || calendars.contains(title) }

  /// Upper bound of `history`, and of the days that one synchronisation fetches.
  package static let daysMax = 400
  private static let spanMax = VirtualTime.Span.hours(400 * 24)

  /// How a scenario's `phone.ingestion` is read and described.
  package static let schema = ObjectSchema<Self>(
    "phone.ingestion",
    "The app ingests data from simulated HealthKit and EventKit stores ([ingestion](built-in-apps.md#ingestion)).",
    Self(),
    [
      Field("history", \.historyDays, .integer(0...Int64(daysMax)), "days before today that the first sync fetches"),
      Field(
        "every", \.every, .duration(.seconds(60)...spanMax), "from one sync of both stores to the next",
        .otherwise("at the first start, then HealthKit at 10:00 and EventKit at 21:00 of local time")),
      Field("latency", \.latency, .duration(.milliseconds(1)...(.hours(1))), "from a query to the store's answer"),
      Field(
        "keep", \.keep, .duration(max: spanMax), "how long a row is kept after it was fetched",
        .otherwise("sleep and calories 7 days, exercise and mindfulness 14, calendar and reminders 30")),
      Field("samples", \.samples, .integer(0...1_000), "how many samples a day has", .otherwise("drawn, by type")),
      Field(
        "calendars", \.calendars, .array(of: .string(bytes: 1...100), count: 0...20),
        "which calendars count, of `Work` and `Personal`",
        .otherwise("all of them")
      ).omittedAtDefault,
      Field(
        "failures", \.failures, .array(of: .object(StoreFailure.schema), count: 0...1_000),
        "what the stores do wrong; of two at one time the first counts"
      ).omittedAtDefault,
    ])
}

/// A period in which a simulated store fails in one way.
package struct StoreFailure: Sendable, Equatable {
  package enum Effect: String, Sendable, CaseIterable {
    /// The user took the permission away.
    case denied
    /// The store does not answer queries, for instance because the device is locked.
    case unavailable
    /// Answers come later.
    case slow
    /// Each answer arrives twice, and lists each sample twice.
    case twice
    /// The JSON has another shape, as in a newer system.
    case newFormat
    /// Values were corrected afterwards.
    case correct
    /// Some samples were deleted afterwards.
    case delete
  }

  /// Nil for all types.
  package var type: AppleDataType?
  package var begin = VirtualTime.start
  /// Nil for the end of the run.
  package var length: VirtualTime.Span?
  package var effect: Effect
  /// Of `slow`: how much later.
  package var lateness = VirtualTime.Span.seconds(30)

  package init(_ effect: Effect, type: AppleDataType? = nil) {
    self.effect = effect
    self.type = type
  }

  package static let schema = ObjectSchema<Self>(
    "phone.ingestion.failures[]", "A way in which the stores fail for a while.", Self(.unavailable),
    [
      Field("do", \.effect, .word, "what happens", .required),
      Field("type", \.type, .word, "the affected type", .otherwise("all of them")),
      Field("at", \.begin, .instant, "since the run's start"),
      Field("for", \.length, .duration(), "for how long", .otherwise("to the end")),
      Field("by", \.lateness, .duration(max: .hours(1)), "of slow: how much later the answers come"),
    ])

  /// - Parameter type: Nil for a type that no failure can name.
  func applies(to type: AppleDataType?, at now: VirtualTime) -> Bool {
    guard self.type == nil || self.type == type, begin <= now else { return false }
    return length.map { now < begin + $0 } ?? true
  }
}

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
