package import CoachProtocol
import Link

/// The simulated athlete beside the workouts: what the sensors measure of a life, as a function of the seed and of absolute
/// time.
///
/// Each local day is lived in the zone of that time, so that a flight moves nothing that has happened. A sleeping
/// athlete takes no steps.
package struct Athlete: Sendable {
  /// A stretch of walking; times in seconds since 1970.
  package struct Move: Sendable {
    package var start: Int64
    package var end: Int64
    package var steps: Int

    /// Active energy in kilocalories.
    package var energy: Int { steps / 22 }
    /// From 87 steps a minute on, minutes count as exercise.
    package var isBrisk: Bool { Int64(steps) * 60 >= (end - start) * 87 }
  }

  static let quarterSeconds: Int64 = 900
  /// From seven in the morning to ten at night the athlete walks.
  private static let activeHours: Range<Int64> = 7..<22
  /// A number of samples that a scenario states begins at nine, and is spread over thirteen hours.
  private static let countedBegin: Int64 = 32_400
  private static let countedSpan: Int64 = 46_800

  package let zone: LocalOffsets
  /// Walks and other samples of a kind a day; nil to draw them.
  private let sampleCount: Int?
  private let steps: RandomStream
  private let days: RandomStream
  private let apple: RandomStream

  /// - Parameters:
  ///   - startedAt: The scenario's start, in nanoseconds since 1970.
  ///   - sampleCount: Walks and other samples of a kind a day; nil to draw them.
  package init(seed: UInt64, startedAt: Int64, offsets: [WallHour.Offset], sampleCount: Int?) {
    zone = LocalOffsets(startedAt: startedAt, offsets)
    self.sampleCount = sampleCount
    steps = RandomStream(seed: seed, name: "phone.daily.steps")
    days = RandomStream(seed: seed, name: "phone.daily.day")
    apple = RandomStream(seed: seed, name: "phone.apple")
  }

  /// The samples of a day that are over at a true time in seconds since 1970, by their start.
  package func samples(_ type: AppleDataType, of day: LocalDay, until now: Int64) -> [AppleSample] {
    switch type {
    case .sleep: night(of: day).filter { $0.end <= now }
    case .calories:
      moves(of: day, until: now).map { sample(type, $0.start, $0.end, amount: Double($0.energy), source: Self.phone) }
    case .exercise:
      moves(of: day, until: now).filter { $0.isBrisk && $0.end - $0.start >= 60 }.map {
        sample(type, $0.start, $0.end, amount: Double(($0.end - $0.start) / 60), source: Self.phone)
      }
    case .mindfulness: sessions(of: day).filter { $0.end <= now }
    case .calendar, .reminders: entries(type, of: day).filter { $0.end <= now }
    }
  }

  /// The device that counts steps in everyday life; the watch on the wrist precedes it in a workout.
  static let phone = "iPhone"

  private func sample(
    _ type: AppleDataType, _ start: Int64, _ end: Int64, value: String = "", amount: Double = 0,
    source: String = AppleSample.watch
  ) -> AppleSample {
    let stream = apple.appending(".\(type.rawValue)")
    return AppleSample(
      id: Identifier(stream, for: UInt64(bitPattern: start)).text, start: start, end: end, value: value, amount: amount,
      source: source)
  }

  // MARK: Walking

  /// The walks of a day that are over at a true time in seconds since 1970, in order.
  package func moves(of day: LocalDay, until now: Int64) -> [Move] {
    if let sampleCount { return countedMoves(of: day, until: now, count: sampleCount) }
    let period = zone.period(of: day, .calories)
    let rests = [rest(of: LocalDay(day.number - 1)), rest(of: day)].compactMap(\.self)
    // Ends of quarters are counted in whole quarters since 1970, wherever the athlete is.
    var start = -CalendarDay.floorDivided(0 &- period.lowerBound, Self.quarterSeconds) * Self.quarterSeconds
    var moves: [Move] = []
    while start < period.upperBound, start + Self.quarterSeconds <= now {
      let end = start + Self.quarterSeconds
      defer { start = end }
      let hour = CalendarDay.floorDivided(start &+ zone.offset(at: start), 3_600) % 24
      let key = UInt64(bitPattern: CalendarDay.floorDivided(start, Self.quarterSeconds))
      // Active for about a third of the waking quarters.
      guard Self.activeHours.contains(hour < 0 ? hour + 24 : hour), steps.number(below: 3, for: key) == 0,
        !rests.contains(where: { $0.overlaps(start..<end) })
      else { continue }
      moves.append(Move(start: start, end: end, steps: Int(steps.number(below: 1_500, for: key, draw: 1))))
    }
    return moves
  }

  private func countedMoves(of day: LocalDay, until now: Int64, count: Int) -> [Move] {
    let begin = zone.first(notBefore: day.number &* 86_400 &+ Self.countedBegin)
    guard count > 0 else { return [] }
    let period = zone.period(of: day, .calories)
    let length = Self.countedSpan / Int64(count)
    return (0..<count).compactMap { index in
      let start = begin &+ Int64(index) * length
      guard period.contains(start), start &+ length <= now else { return nil }
      let most = UInt64(length) * 5 / 3
      return Move(
        start: start, end: start + length, steps: Int(steps.number(below: most + 1, for: UInt64(bitPattern: start))))
    }
  }

  // MARK: Sleeping

  /// When the athlete is in bed in the night that begins on a day, in seconds since 1970; nil for a night that the
  /// journey leaves no time for.
  ///
  /// From about eleven for seven to nine hours; at noon the next day begins, wherever that is.
  package func rest(of day: LocalDay) -> Range<Int64>? {
    let random = apple.appending(".sleep")
    let key = UInt64(bitPattern: day.number)
    let local = day.number &* 86_400 &+ 81_000 &+ Int64(random.number(below: 60, for: key)) * 60
    let bed = zone.first(notBefore: local)
    let up = min(
      bed &+ 25_200 &+ Int64(random.number(below: 120, for: key, draw: 1)) * 60,
      zone.period(of: day, .sleep).upperBound)
    return up - bed >= 3_600 ? bed..<up : nil
  }

  /// The stages of sleep, and the time in bed.
  private func night(of day: LocalDay) -> [AppleSample] {
    guard let rest = rest(of: day) else { return [] }
    let random = apple.appending(".sleep")
    let key = UInt64(bitPattern: day.number)
    var samples = [sample(.sleep, rest.lowerBound, rest.upperBound, value: "inBed")]
    let risen = rest.upperBound - 300
    var start = rest.lowerBound + 600
    var index = 0
    while start < risen {
      let isAwake = index % 5 == 4
      let minutes = Int64(random.number(below: isAwake ? 8 : 20, for: key, draw: UInt64(index + 2)))
      let end = min(risen, start + (isAwake ? 180 : 1_200) + minutes * 60)
      samples.append(
        sample(.sleep, start, end, value: isAwake ? "awake" : ["core", "deep", "core", "REM"][index % 4]))
      start = end
      index += 1
    }
    return samples
  }

  // MARK: Other measures

  /// Appointments, or tasks by when they are due, of a day by their start.
  private func entries(_ type: AppleDataType, of day: LocalDay) -> [AppleSample] {
    let random = apple.appending(".\(type.rawValue)")
    let key = UInt64(bitPattern: day.number)
    func draw(_ number: Int, below bound: UInt64) -> Int64 {
      Int64(random.number(below: bound, for: key, draw: UInt64(number)))
    }
    let number = sampleCount ?? Int(draw(0, below: 5))
    // From six in the morning on, within 16 hours.
    let step = Int64(57_600 / max(number, 1))
    let first = day.number &* 86_400 &- zone.offset(atBeginOf: day, type) &+ 21_600
    // A journey to the east shortens the day.
    let period = zone.period(of: day, type)
    return (0..<number).compactMap { index in
      let start = first + Int64(index) * step
      guard period.contains(start) else { return nil }
      let length = min(step, 300 + draw(2 * index + 1, below: 40) * 60)
      return sample(
        type, start, start + length, amount: Double(draw(2 * index + 2, below: 5)), source: Self.phone)
    }
  }

  private func sessions(of day: LocalDay) -> [AppleSample] {
    let random = apple.appending(".mindfulness")
    let key = UInt64(bitPattern: day.number)
    let count = sampleCount ?? Int(random.number(below: 3, for: key))
    let begin = zone.first(notBefore: day.number &* 86_400 &+ Self.countedBegin)
    guard count > 0 else { return [] }
    let period = zone.period(of: day, .mindfulness)
    let step = Self.countedSpan / Int64(count)
    return (0..<count).compactMap { index in
      let start = begin &+ Int64(index) * step
      guard period.contains(start) else { return nil }
      let minutes = Int64(random.number(below: 40, for: key, draw: UInt64(index + 1)))
      return sample(.mindfulness, start, start + min(step, 300 + minutes * 60), value: "notApplicable")
    }
  }

  /// What the morning of a day measures, once the night before it is over: heart rate variability, and on some days the
  /// weight.
  package func morning(of day: LocalDay, until now: Int64) -> (hrv: Int, weight: Double?)? {
    guard let rest = rest(of: LocalDay(day.number - 1)), rest.upperBound <= now else { return nil }
    let key = UInt64(bitPattern: day.number)
    let hrv = 30 + Int(days.number(below: 60, for: key, draw: 1))
    guard days.number(below: 2, for: key, draw: 2) == 0 else { return (hrv, nil) }
    return (hrv, 68 + Double(days.number(below: 40, for: key, draw: 3)) / 10)
  }
}
