import CoachProtocol
import Link
import Testing

@testable import PhoneSim

/// One athlete: every sample and every meal belongs to exactly one local day, whatever the zone does.
@Suite struct AthleteTests {
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
  static let days = (start / 86_400 - 10...start / 86_400 + 10).map { LocalDay($0) }

  private func athlete(_ offsets: [WallHour.Offset], seed: UInt64 = 5) -> Athlete {
    Athlete(seed: seed, startedAt: Self.start * 1_000_000_000, offsets: offsets, sampleCount: nil)
  }

  private func health(_ offsets: [WallHour.Offset], seed: UInt64 = 9) -> PhoneHealth {
    PhoneHealth(seed: seed, startedAt: Self.start * 1_000_000_000, offsets: offsets)
  }

  @Test(arguments: [flights, dateLine, [.init(from: .start, seconds: 20_700)]])
  func `the days' steps sum up to those of all waking quarters`(offsets: [WallHour.Offset]) {
    let athlete = athlete(offsets)
    let end = Self.start + 6 * 86_400
    let moves = Self.days.flatMap { athlete.moves(of: $0, until: end) }
    #expect(moves.map(\.start) == moves.map(\.start).sorted() && Set(moves.map(\.start)).count == moves.count)
    let rests = Self.days.compactMap { athlete.rest(of: $0) }
    var expected = 0
    let steps = RandomStream(seed: 5, name: "phone.daily.steps")
    // The days begin wherever the athlete was.
    let first = athlete.zone.period(of: Self.days[0], .calories).lowerBound
    for quarter in (first + 899) / 900..<end / 900 {
      let local = quarter * 900 + athlete.zone.offset(at: quarter * 900)
      guard (7..<22).contains((local % 86_400) / 3_600), steps.number(below: 3, for: UInt64(quarter)) == 0,
        !rests.contains(where: { $0.overlaps(quarter * 900..<quarter * 900 + 900) })
      else { continue }
      expected += Int(steps.number(below: 1_500, for: UInt64(quarter), draw: 1))
    }
    #expect(moves.reduce(0) { $0 + $1.steps } == expected && expected > 50_000)
  }

  @Test(arguments: [flights, dateLine, []])
  func `nights follow one another, and each is over at noon`(offsets: [WallHour.Offset]) {
    let athlete = athlete(offsets)
    var last: Int64 = .min
    for day in Self.days {
      guard let rest = athlete.rest(of: day) else { continue }
      #expect(rest.lowerBound > last && rest.upperBound <= athlete.zone.period(of: day, .sleep).upperBound)
      last = rest.upperBound
      let night = athlete.samples(.sleep, of: day, until: .max)
      #expect(night.allSatisfy { rest.contains($0.start) && $0.end <= rest.upperBound })
      #expect(Set(night.map(\.id)).count == night.count && night.count > 1)
      // Half a night has no time in bed yet.
      let half = athlete.samples(.sleep, of: day, until: rest.upperBound - 1)
      #expect(half.count == night.count - 1 && !half.contains { $0.value == "inBed" })
    }
    #expect(Self.days.count { athlete.rest(of: $0) != nil } > 17)
  }

  @Test func `a past day has the same totals whenever it is asked for`() {
    let health = health(Self.flights)
    let day = LocalDay(Self.start / 86_400 + 1)
    let early = health.snapshot(of: day, until: Self.start + 3 * 86_400, at: .start)
    #expect(early == health.snapshot(of: day, until: Self.start + 9 * 86_400, at: .start))
    #expect(early.steps ?? 0 > 0 && early.sleepHours != nil)
  }

  @Test func `a day has no totals before it begins, no night before it is over, and no morning before that`() throws {
    let health = health([])
    let day = LocalDay(Self.start / 86_400)
    let before = LocalDay(day.number - 1)
    let rest = try #require(health.athlete.rest(of: before))
    func snapshot(_ day: LocalDay, _ seconds: Int64) -> HealthSnapshot {
      health.snapshot(of: day, until: seconds, at: .start)
    }
    #expect(snapshot(day, day.number * 86_400).isEmpty)
    #expect(snapshot(before, rest.upperBound - 1).sleepHours == nil && snapshot(day, rest.upperBound - 1).hrv == nil)
    let hours = try #require(snapshot(before, rest.upperBound).sleepHours)
    #expect((5.0...9.0).contains(hours) && snapshot(day, rest.upperBound).hrv != nil)
    let half = health.hoursAsleep(inNightOf: before, until: rest.upperBound - 3_600, at: .start)
    #expect(half.map { $0 < hours } == true)
  }

  @Test func `a flight moves no sample that was taken before it`() {
    let landing = Self.start + 30 * 3_600
    for type in AppleDataType.allCases where type.source == "HealthKit" {
      func taken(_ offsets: [WallHour.Offset]) -> [String] {
        Self.days.flatMap { athlete(offsets).samples(type, of: $0, until: landing - 43_200) }.map {
          "\($0.id) \($0.start)"
        }
      }
      let home = taken([Self.flights[0]])
      #expect(home == taken(Self.flights) && Set(home).count == home.count && home.count > 5)
    }
  }

  @Test func `a workout adds its steps, energy and minutes, and the phone's of that time count once`() throws {
    var health = health([])
    let day = LocalDay(Self.start / 86_400)
    let end = (day.number + 2) * 86_400
    let before = health.snapshot(of: day, until: end, at: .start)
    let move = try #require(health.athlete.moves(of: day, until: end).first { $0.steps > 500 })
    // Over the second half of a walk of the phone, and a minute more.
    let (from, to) = (move.start + 450, move.end + 60)
    health.workouts = [
      HealthWorkout(
        uuid: Identifier(high: 1, low: 2), aarcRunId: Identifier(high: 1, low: 3),
        startedAt: WatchTime(nanoseconds: from * 1_000_000_000), endedAt: WatchTime(nanoseconds: to * 1_000_000_000),
        duration: 510, distance: 1_500, energyKcal: 100.4, steps: 1_300, pauses: [])
    ]
    let after = health.snapshot(of: day, until: end, at: .start)
    let others = health.athlete.moves(of: day, until: end).filter { $0.start >= move.end && $0.start < to }
    let lost = Double(move.steps) / 2 + others.reduce(0) { $0 + Double($1.steps) * Double(to - $1.start) / 900 }
    #expect(abs(Double((after.steps ?? 0) - (before.steps ?? 0)) - (1_300 - lost)) <= 1)
    let burned = health.samples(.calories, of: day, until: end, at: .start)
    #expect(burned.contains { $0.amount == 100.4 && $0.source == AppleSample.watch && $0.start == from })
    #expect(after.calories == Int(SourceQuantity.total(burned.map(\.quantity)).rounded()))
    #expect(health.samples(.exercise, of: day, until: end, at: .start).contains { $0.amount == 8 && $0.start == from })
    #expect(health.snapshot(of: LocalDay(day.number + 1), until: end, at: .start).steps ?? 0 > 0)
  }

  @Test func `what was corrected or deleted afterwards is so for every reader`() {
    var ingestion = IngestionSetup()
    ingestion.failures = [StoreFailure(.correct, type: .calories)]
    let corrected = PhoneHealth(
      seed: 9, startedAt: Self.start * 1_000_000_000, offsets: [], ingestion: ingestion)
    let day = LocalDay(Self.start / 86_400 - 2)
    let (old, new) = (
      health([]).snapshot(of: day, until: Self.start, at: .start),
      corrected.snapshot(of: day, until: Self.start, at: .start)
    )
    #expect(new.calories == old.calories.map { Int((Double($0) * 1.1).rounded()) } && new.steps == old.steps)
  }

  @Test func `drawn meals do not move when the user travels`() {
    let home = LocalOffsets(startedAt: Self.start * 1_000_000_000, [Self.flights[0]])
    let away = LocalOffsets(startedAt: Self.start * 1_000_000_000, Self.flights)
    let meals = DrawnMeals(seed: 3, count: 4)
    let day = LocalDay(Self.start / 86_400)
    let planned = meals.meals(of: day) { home.offset(atLocal: $0, inZoneOf: Self.start) }
    #expect(planned == meals.meals(of: day) { away.offset(atLocal: $0, inZoneOf: Self.start) })
    #expect(planned.count == 4 && Set(planned.map(\.id)).count == 4)
    #expect(planned.map(\.at) == planned.map(\.at).sorted())
  }
}
