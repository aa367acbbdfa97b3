import CoachProtocol
import Link

/// A strength workout as the external service lists it, and as a `WorkoutSnapshot` of `context_store.json` stores it.
struct ServiceWorkout: Sendable, Equatable {
  /// What was done of one exercise.
  struct Exercise: Sendable, Equatable {
    var name: String
    var sets: Int
    /// The heaviest set, in tenths of a kilogram.
    var topWeight: Int
    /// Weight times repetitions of all sets, in kilograms.
    var volume: Int

    fileprivate static let schema = ObjectSchema<Self>(
      "Exercise", "What was done of one exercise.", Self(name: "", sets: 0, topWeight: 0, volume: 0),
      [
        Field("name", \.name, .string, "its name", .required),
        Field("sets", \.sets, .integer(0...figureMax), "how many", .required),
        Field(
          "top_weight", \.topWeight,
          ValueSchema<Double>.number(0...Double(figureMax)).map(
            reading: { kilograms, _ in Int((kilograms * 10).rounded()) }, writing: { Double($0) / 10 }),
          "the heaviest set in kilograms", .required),
        Field("volume", \.volume, .integer(0...figureMax), "weight times repetitions", .required),
      ])
  }

  var id: Identifier
  /// Its day in UTC, `YYYY-MM-DD`.
  var date: String
  var title: String
  var minutes: Int
  var exercises: [Exercise]

  static let minutesMax: Int64 = 1_440
  static let exercisesMax = 50
  private static let figureMax: Int64 = 1_000_000

  /// Without the date, which is its key in the file.
  var json: JSONNode {
    JSONNode(.object(Self.schema.members(of: self)))
  }

  init(id: Identifier, date: String, title: String, minutes: Int, exercises: [Exercise]) {
    self.id = id
    self.date = date
    self.title = title
    self.minutes = minutes
    self.exercises = exercises
  }

  private static let schema = ObjectSchema<Self>(
    "ServiceWorkout", "A strength workout.", Self(id: .none, date: "", title: "", minutes: 0, exercises: []),
    [
      Field("id", \.id, .identifier, "its id", .required), Field("title", \.title, .string, "its title", .required),
      Field("minutes", \.minutes, .integer(0...minutesMax), "its length", .required),
      Field(
        "exercises", \.exercises, .array(of: .object(Exercise.schema), count: 0...exercisesMax), "in order", .required),
    ])

  /// Reads one of a file; nil after reporting errors.
  init?(_ node: JSONNode, date: String, into collector: DiagnosticsCollector) {
    guard let reader = JSONObjectReader(node, into: collector), let read = Self.schema.readWhole(reader) else {
      return nil
    }
    self = read
    self.date = date
  }
}

/// The external service that knows the user's strength workouts: a function of the seed and of the true time.
///
/// It is not part of the server, so no loss of the server affects it.
struct WorkoutService: Sendable {
  private static let titles = ["Push", "Pull", "Legs", "Full body"]
  private static let exercises = ["Squat", "Bench press", "Deadlift", "Overhead press", "Barbell row", "Pull up"]

  private let random: RandomStream
  /// The day of the run's start, counted from 1970-01-01 in UTC.
  private let firstDay: Int64
  private let startedAt: Int64
  private let historyDays: Int64

  /// - Parameters:
  ///   - startedAt: The run's start, in nanoseconds since 1970.
  ///   - historyDays: Days before it that have workouts.
  init(seed: UInt64, startedAt: Int64, historyDays: Int) {
    random = RandomStream(seed: seed, name: "edge.workouts")
    self.startedAt = startedAt
    firstDay = startedAt / 86_400_000_000_000
    self.historyDays = Int64(historyDays)
  }

  /// The workouts from a day on that have ended, oldest first.
  ///
  /// - Parameter since: `YYYY-MM-DD`; nil for all.
  func workouts(since: String?, at now: VirtualTime) -> [ServiceWorkout] {
    let today = (startedAt &+ now.nanoseconds) / 86_400_000_000_000
    guard firstDay - historyDays <= today else { return [] }
    return (firstDay - historyDays...today).compactMap { workout(ofDay: $0, until: startedAt &+ now.nanoseconds) }
      .filter { $0.date >= since ?? "" }
  }

  private func workout(ofDay day: Int64, until now: Int64) -> ServiceWorkout? {
    let key = UInt64(bitPattern: day)
    func draw(_ number: UInt64, below bound: UInt64) -> Int { Int(random.number(below: bound, for: key, draw: number)) }
    // About four days in seven.
    guard draw(0, below: 7) < 4 else { return nil }
    let minutes = 35 + draw(1, below: 50)
    // It ends between seven and 19 o'clock.
    let end = day * 86_400 + 25_200 + Int64(draw(2, below: 720)) * 60
    guard end <= now / 1_000_000_000 else { return nil }
    let first = draw(3, below: UInt64(Self.exercises.count))
    let exercises = (0..<(2 + draw(4, below: 3))).map { index in
      let number = UInt64(10 + 3 * index)
      let sets = 3 + draw(number, below: 3)
      // The weight grows slowly, by a step of 2.5 kg in ten days.
      let weight = 400 + draw(number + 1, below: 8) * 25 + Int((day - firstDay + historyDays) / 10) * 25
      let repetitions = 5 + draw(number + 2, below: 6)
      return ServiceWorkout.Exercise(
        name: Self.exercises[(first + index) % Self.exercises.count], sets: sets, topWeight: weight,
        volume: weight * sets * repetitions / 10)
    }
    return ServiceWorkout(
      id: Identifier(random, for: key), date: CalendarDay(day).text, title: Self.titles[draw(5, below: 4)],
      minutes: minutes,
      exercises: exercises)
  }
}
