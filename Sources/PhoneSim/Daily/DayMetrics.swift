import CoachProtocol
import Link

/// The simulated HealthKit's daily metrics: a function of the seed and of absolute time.
///
/// Steps and energy are drawn for each quarter of an hour, and each quarter belongs to the local day in which it begins,
/// by the offset in force then. So each sample belongs to exactly one day, whatever flight or change of the clock there
/// is, and a day asked for later has the same total.
struct DayMetrics: Sendable {
  private let steps: RandomStream
  private let days: RandomStream
  private let startedAt: Int64
  private let offsets: [WallHour.Offset]

  static let quarterSeconds: Int64 = 900

  init(seed: UInt64, startedAt: Int64, offsets: [WallHour.Offset]) {
    steps = RandomStream(seed: seed, name: "phone.daily.steps")
    days = RandomStream(seed: seed, name: "phone.daily.day")
    self.startedAt = startedAt
    self.offsets = offsets
  }

  /// What local time adds to UTC at a true time in seconds since 1970; before the first known offset the same as then.
  func offset(at seconds: Int64) -> Int64 {
    let since = (seconds &- startedAt / 1_000_000_000).saturatingNanoseconds
    return (offsets.last { $0.from.nanoseconds <= since } ?? offsets.first)?.seconds ?? 0
  }

  /// The same at a local time in seconds, which is read in the zone of the run's start: one answer for each local time,
  /// so that no drawn meal moves when the user travels.
  func offset(atLocal local: Int64) -> Int64 {
    offset(at: local &- offset(at: CalendarDay.floorDivided(startedAt, 1_000_000_000)))
  }

  /// The metrics of a day up to a true time in seconds since 1970.
  func metrics(of day: LocalDay, until now: Int64) -> HealthSnapshot {
    var health = HealthSnapshot()
    let midnight = day.number &* 86_400
    // A zone is at most 14 hours ahead of UTC and 12 behind it.
    var quarter = (midnight - 50_400) / Self.quarterSeconds
    let last = (midnight + 86_400 + 50_400) / Self.quarterSeconds
    var (walked, energy) = (0, 0)
    var isMorning = false
    var hasSamples = false
    while quarter <= last, (quarter + 1) * Self.quarterSeconds <= now {
      defer { quarter += 1 }
      let local = quarter * Self.quarterSeconds + offset(at: quarter * Self.quarterSeconds)
      guard LocalDay(clock: local.saturatingNanoseconds, offset: 0) == day else { continue }
      hasSamples = true
      let hour = (local - midnight) / 3_600
      if hour >= 8 { isMorning = true }
      // Active for about a third of the waking quarters.
      guard (7..<22).contains(hour), steps.number(below: 3, for: UInt64(bitPattern: quarter)) == 0 else { continue }
      let count = Int(steps.number(below: 1_500, for: UInt64(bitPattern: quarter), draw: 1))
      walked += count
      energy += count / 22
    }
    guard hasSamples else { return health }
    (health.steps, health.calories) = (walked, energy)
    if isMorning { addNight(of: day, to: &health) }
    return health
  }

  /// Adds the values known from the morning on: sleep, heart rate variability, and on some days the weight.
  private func addNight(of day: LocalDay, to health: inout HealthSnapshot) {
    let key = UInt64(bitPattern: day.number)
    let minutes = 300 + Int(days.number(below: 240, for: key))
    health.sleepHours = (Double(minutes) / 60 * 100).rounded() / 100
    health.hrv = 30 + Int(days.number(below: 60, for: key, draw: 1))
    guard days.number(below: 2, for: key, draw: 2) == 0 else { return }
    health.weight = 68 + Double(days.number(below: 40, for: key, draw: 3)) / 10
  }
}

/// Draws the user's meals: a function of the seed and of the local day.
struct DrawnMeals: Sendable {
  /// A meal at a true time.
  struct Meal: Sendable, Equatable {
    var id: Identifier
    /// In seconds since 1970.
    var at: Int64
    var name: String
    var calories: Int
    var protein: Int
  }

  private static let names = [
    "Porridge with berries", "Two boiled eggs", "Lentil soup", "Chicken and rice", "Grilled salmon", "Tofu curry",
    "Spaghetti al pomodoro", "Greek salad", "Protein shake", "Cheese sandwich", "Bean chili", "Yoghurt and nuts",
  ]

  private let random: RandomStream
  private let count: Int

  init(seed: UInt64, count: Int) {
    random = RandomStream(seed: seed, name: "phone.daily.meals")
    self.count = count
  }

  /// The meals of a local day in their order, between seven and ten at night.
  ///
  /// - Parameter offset: What local time adds to UTC, in seconds, at a local time in seconds.
  func meals(of day: LocalDay, offset: (Int64) -> Int64) -> [Meal] {
    guard count > 0 else { return [] }
    let step = Int64(15 * 3_600 / count)
    return (0..<count).map { index in
      let key = RandomStream.key(UInt64(bitPattern: day.number), UInt64(index))
      func draw(_ number: UInt64, below bound: UInt64) -> Int {
        Int(random.number(below: bound, for: key, draw: number))
      }
      let local =
        day.number * 86_400 + 7 * 3_600 + Int64(index) * step + Int64(draw(0, below: UInt64(max(1, step / 60)))) * 60
      let calories = 180 + draw(1, below: 700)
      return Meal(
        id: Identifier(random, for: key), at: local - offset(local), name: Self.names[draw(2, below: 12)],
        calories: calories, protein: calories / (12 + draw(3, below: 30)))
    }
  }
}
