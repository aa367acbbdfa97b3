import CoachProtocol
import Link
import Testing

@testable import PhoneSim

/// Local days: every sample and every meal belongs to exactly one, whatever the zone does.
@Suite struct DayMetricsTests {
  /// 2026-03-27T05:00:00Z.
  static let start: Int64 = 1_774_587_600
  /// Berlin, New York from the second day, Berlin with summer time from the fourth.
  static let flights: [WallHour.Offset] = [
    .init(from: .start, seconds: 3_600), .init(from: .start + .hours(30), seconds: -14_400),
    .init(from: .start + .hours(80), seconds: 7_200),
  ]
  /// To the east over the date line, a whole day is missing; back, one comes twice.
  static let dateLine: [WallHour.Offset] = [
    .init(from: .start, seconds: -36_000), .init(from: .start + .hours(20), seconds: 50_400),
    .init(from: .start + .hours(70), seconds: -36_000),
  ]

  @Test(arguments: [flights, dateLine, [.init(from: .start, seconds: 20_700)]])
  func `the days' steps sum up to those of all quarters`(offsets: [WallHour.Offset]) {
    let metrics = DayMetrics(seed: 5, startedAt: Self.start * 1_000_000_000, offsets: offsets)
    let end = Self.start + 6 * 86_400
    let first = Self.start / 86_400 - 10
    let days = (first...first + 20).map { metrics.metrics(of: LocalDay($0), until: end) }
    let sum = days.compactMap(\.steps).reduce(0, +)
    // One zone for the whole time: the same quarters, apart from those that another hour of the day leaves out.
    var expected = 0
    let steps = RandomStream(seed: 5, name: "phone.daily.steps")
    var quarter = ((first - 1) * 86_400) / 900
    while (quarter + 1) * 900 <= end {
      defer { quarter += 1 }
      let local = quarter * 900 + metrics.offset(at: quarter * 900)
      let day = local / 86_400
      guard (first...first + 20).contains(day), (7..<22).contains((local % 86_400) / 3_600),
        steps.number(below: 3, for: UInt64(bitPattern: quarter)) == 0
      else { continue }
      expected += Int(steps.number(below: 1_500, for: UInt64(bitPattern: quarter), draw: 1))
    }
    #expect(sum == expected && sum > 50_000)
  }

  @Test func `a past day has the same metrics whenever it is asked for`() {
    let metrics = DayMetrics(seed: 9, startedAt: Self.start * 1_000_000_000, offsets: Self.flights)
    let day = LocalDay(Self.start / 86_400 + 1)
    let early = metrics.metrics(of: day, until: Self.start + 3 * 86_400)
    #expect(early == metrics.metrics(of: day, until: Self.start + 9 * 86_400))
    #expect(early.steps ?? 0 > 0 && early.sleepHours != nil)
  }

  @Test func `a day has no metrics before it begins, and no night before the morning`() {
    let metrics = DayMetrics(seed: 9, startedAt: Self.start * 1_000_000_000, offsets: [])
    let day = LocalDay(Self.start / 86_400)
    #expect(metrics.metrics(of: day, until: day.number * 86_400).isEmpty)
    let early = metrics.metrics(of: day, until: day.number * 86_400 + 7 * 3_600)
    #expect(early.steps == 0 && early.sleepHours == nil)
    #expect(metrics.metrics(of: day, until: day.number * 86_400 + 9 * 3_600).sleepHours != nil)
  }

  @Test func `drawn meals do not move when the user travels`() {
    let home = DayMetrics(seed: 3, startedAt: Self.start * 1_000_000_000, offsets: [Self.flights[0]])
    let away = DayMetrics(seed: 3, startedAt: Self.start * 1_000_000_000, offsets: Self.flights)
    let meals = DrawnMeals(seed: 3, count: 4)
    let day = LocalDay(Self.start / 86_400)
    let planned = meals.meals(of: day) { home.offset(atLocal: $0) }
    #expect(planned == meals.meals(of: day) { away.offset(atLocal: $0) })
    #expect(planned.count == 4 && Set(planned.map(\.id)).count == 4)
    #expect(planned.map(\.at) == planned.map(\.at).sorted())
  }
}
