import CoachProtocol
import Link
import PhoneSim

/// Reports what the phone's health store has of each night once it is over, so that the trace says what was slept.
///
/// A night is reported again when a correction or a deletion begins or ends.
struct NightReports {
  private let health: PhoneHealth
  /// The run's start, in nanoseconds since 1970.
  private let startedAt: Int64
  /// When samples change, in order.
  private var changes: ArraySlice<VirtualTime>
  /// The next night that ends, and its end; nil if there is none for days.
  private var next: (day: LocalDay, at: VirtualTime)?
  /// The reported nights of the run with their hours.
  private var reported: [(day: LocalDay, hours: Double)] = []

  /// Nil for a scenario in which nothing reads the health store.
  init?(_ scenario: Scenario) {
    guard scenario.ingestion != nil || scenario.daily != nil else { return nil }
    let start = scenario.start.nanoseconds
    health = PhoneHealth(
      seed: scenario.seed, startedAt: start, offsets: scenario.start.offsets, ingestion: scenario.ingestion)
    startedAt = start
    let changing = (scenario.ingestion?.failures ?? []).filter { $0.changesSamples && ($0.type ?? .sleep) == .sleep }
    let instants = changing.flatMap { failure in
      [failure.begin] + (failure.length.map { [failure.begin + $0] } ?? [])
    }
    changes = Set(instants).sorted().drop { $0 <= .start }
    findNext(after: LocalDay(clock: start, offset: 0).number - 3, at: .start)
  }

  /// When a night ends, or samples change; nil for never.
  var nextAt: VirtualTime? { [next?.at, changes.first].compactMap(\.self).min() }

  /// Takes what is to be reported now.
  mutating func takeDue(at now: VirtualTime) -> [HealthSlept] {
    var due: [HealthSlept] = []
    while let night = next, night.at <= now {
      let hours = hours(of: night.day, at: now)
      reported.append((night.day, hours))
      due.append(report(night.day, hours))
      findNext(after: night.day.number, at: now)
    }
    while let at = changes.first, at <= now {
      changes = changes.dropFirst()
      for index in reported.indices {
        let hours = hours(of: reported[index].day, at: now)
        guard hours != reported[index].hours else { continue }
        reported[index].hours = hours
        due.append(report(reported[index].day, hours))
      }
    }
    return due
  }

  private func hours(of day: LocalDay, at now: VirtualTime) -> Double {
    let hours = health.hoursAsleep(inNightOf: day, until: .max, at: now) ?? 0
    return (hours * 10_000).rounded() / 10_000
  }

  private func report(_ day: LocalDay, _ hours: Double) -> HealthSlept {
    var event = HealthSlept()
    (event.day, event.hours) = (day.text, hours)
    guard let rest = health.athlete.rest(of: day) else { return event }
    event.from = time(rest.lowerBound).nanoseconds
    event.to = time(rest.upperBound).nanoseconds
    return event
  }

  private mutating func findNext(after number: Int64, at now: VirtualTime) {
    next = nil
    // A journey leaves out a night or two.
    for candidate in number + 1...number + 8 {
      let day = LocalDay(candidate)
      guard let rest = health.athlete.rest(of: day), time(rest.upperBound) > now else { continue }
      next = (day, time(rest.upperBound))
      return
    }
  }

  private func time(_ seconds: Int64) -> VirtualTime {
    VirtualTime(nanoseconds: seconds.saturatingNanoseconds &- startedAt)
  }
}
