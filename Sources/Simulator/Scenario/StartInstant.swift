import Foundation
import Link
import PhoneSim

/// When and where a run starts: date, time zone, and the zone's changes during the run.
struct StartInstant: Sendable {
  /// The scenario's text.
  var text = "2026-01-01T08:00:00Z" { didSet { nanoseconds = Self.parse(text) ?? nanoseconds } }
  /// Nanoseconds since 1970.
  private(set) var nanoseconds: Int64 = 1_767_254_400_000_000_000
  /// The zone's IANA name.
  var timeZone = "UTC"
  /// Changes of the zone.
  var flights: [Flight] = []
  /// The zone's offsets from UTC: from the start on, and before it as far as the phone looks back.
  var offsets = [WallHour.Offset(from: .start, seconds: 0)]

  /// From an instant on, the phone shows the time of another zone.
  struct Flight: Sendable {
    var at = VirtualTime.start
    var timeZone = ""

    static let schema = ObjectSchema<Self>(
      "flights[]", "A change of the time zone.", Self(),
      [
        Field(
          "at", \.at, .instant, "since the run's start, up to a whole second; after the one before", .required),
        Field("timeZone", \.timeZone, .timeZone, "the zone from then on", .required),
      ])
  }

  /// The earliest start of a scenario, in nanoseconds since 1970: the phone looks back 400 days, and stores no day before 1970.
  static let earliest: Int64 = 2 * 365 * 86_400 * 1_000_000_000

  /// Limit of a scenario's flights.
  static let flightsMax = 20

  /// Computes the offsets of zone and flights.
  ///
  /// - Parameter history: How far before the start local times are needed.
  mutating func setOffsets(duration: VirtualTime.Span, history: VirtualTime.Span) {
    offsets = []
    if history > .zero, let zone = TimeZone(identifier: timeZone) {
      let first = VirtualTime(nanoseconds: -history.nanoseconds)
      let known = Self.offsets(of: zone, from: first, startedAt: nanoseconds, duration: .zero)
      // A zone without a change needs no other offset than that of the start.
      if known.contains(where: { $0.from > first && $0.from < .start }) { offsets = known }
    }
    for var flight in [Flight(at: .start, timeZone: timeZone)] + flights {
      guard let zone = TimeZone(identifier: flight.timeZone) else { continue }
      // Days begin at whole seconds; the phone's clock and its days change together.
      if flight.at > .start {
        let past = (nanoseconds &+ flight.at.nanoseconds) % 1_000_000_000
        if past > 0 { flight.at = flight.at + .init(nanoseconds: 1_000_000_000 - past) }
      }
      offsets.removeAll { $0.from >= flight.at }
      offsets += Self.offsets(of: zone, from: flight.at, startedAt: nanoseconds, duration: duration)
    }
  }

  /// A zone's offsets from an instant on.
  private static func offsets(
    of zone: TimeZone, from first: VirtualTime, startedAt: Int64, duration: VirtualTime.Span
  ) -> [WallHour.Offset] {
    let start = Date(timeIntervalSince1970: Double(startedAt &+ first.nanoseconds) / 1e9)
    var offsets = [WallHour.Offset(from: first, seconds: Int64(zone.secondsFromGMT(for: start)))]
    var at = start
    // A zone changes twice a year; no run comes near this bound.
    while offsets.count < 64, let next = zone.nextDaylightSavingTimeTransition(after: at) {
      let from = VirtualTime.Span(nanoseconds: Int64((next.timeIntervalSince1970 * 1e9).rounded()) - startedAt)
      guard from <= duration + .seconds(3_600) else { break }
      offsets.append(WallHour.Offset(from: .start + from, seconds: Int64(zone.secondsFromGMT(for: next))))
      at = next
    }
    return offsets
  }

  /// Reads `YYYY-MM-DDThh:mm:ss` with an optional fraction and `Z` or `+hh:mm`; nil for anything else, and outside
  /// the years 1970 to 2100: messages have times until 2116.
  static func parse(_ text: String) -> Int64? {
    let bytes = Array(text.utf8)
    func number(_ range: Range<Int>) -> Int64? {
      guard range.upperBound <= bytes.count else { return nil }
      var value: Int64 = 0
      for byte in bytes[range] {
        guard (48...57).contains(byte) else { return nil }
        value = value * 10 + Int64(byte - 48)
      }
      return value
    }
    guard bytes.count >= 20, bytes[4] == 45, bytes[7] == 45, bytes[10] == 84 || bytes[10] == 32, bytes[13] == 58,
      bytes[16] == 58, let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
      let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
      (1970...2100).contains(year), (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60,
      second < 60
    else { return nil }
    var place = 19
    var nanoseconds: Int64 = 0
    if bytes[place] == 46 {
      place += 1
      var unit: Int64 = 100_000_000
      let first = place
      while place < bytes.count, (48...57).contains(bytes[place]) {
        nanoseconds += Int64(bytes[place] - 48) * unit
        unit /= 10
        place += 1
      }
      guard place > first else { return nil }
    }
    let offset: Int64
    if place == bytes.count - 1, bytes[place] == 90 {
      offset = 0
    } else if place == bytes.count - 6, bytes[place] == 43 || bytes[place] == 45, bytes[place + 3] == 58,
      let hours = number(place + 1..<place + 3), let minutes = number(place + 4..<place + 6), hours < 24, minutes < 60
    {
      offset = (hours * 3_600 + minutes * 60) * (bytes[place] == 43 ? 1 : -1)
    } else {
      return nil
    }
    guard let days = days(year, month, day) else { return nil }
    return (days * 86_400 + hour * 3_600 + minute * 60 + second - offset) * 1_000_000_000 + nanoseconds
  }

  /// Days since 1970 of a date in the Gregorian calendar; nil for a day that its month does not have.
  private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64? {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let lengths: [Int64] = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard day <= lengths[Int(month) - 1] else { return nil }
    let years = year - 1
    let before = years * 365 + years / 4 - years / 100 + years / 400
    return before - 719_162 + lengths[..<Int(month - 1)].reduce(0, +) + day - 1
  }
}
