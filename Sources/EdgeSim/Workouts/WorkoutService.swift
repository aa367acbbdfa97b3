import CoachProtocol
package import Link

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

/// Decides when the server fetches workouts, and from which day on.
///
/// Only the store says what was fetched: the newest stored day is fetched again, since it may have another workout by then,
/// and a store without workouts gets all of them. So a wiped server is filled like a new one.
struct WorkoutScheduler: Sendable {
  /// The result of a fetch.
  enum Outcome: Sendable {
    case fetched(since: String?, [ServiceWorkout])
    case failed(String, retryAt: VirtualTime)
  }

  private static let timeout = VirtualTime.Span.seconds(30)
  private static let retryFirst: Int64 = 60_000_000_000
  /// Doublings of the retry's delay: at most 32 minutes.
  private static let doublingsMax = 5

  private let setup: WorkoutSetup
  private let service: WorkoutService
  private var fetchAt: VirtualTime
  private var pending: (since: String?, answerAt: VirtualTime, failure: ServiceFailure?)?
  private var failures = 0
  /// The newest day that was ever fetched; only by a planted bug.
  private(set) var newestFetched: String?

  init(_ setup: WorkoutSetup, seed: UInt64, startedAt: Int64, at now: VirtualTime, newestFetched: String? = nil) {
    self.setup = setup
    service = WorkoutService(seed: seed, startedAt: startedAt, historyDays: setup.historyDays)
    fetchAt = now
    self.newestFetched = newestFetched
  }

  var nextDeadline: VirtualTime { pending?.answerAt ?? fetchAt }

  /// Sends a request or receives an answer; nil if neither was due or the answer is still missing.
  ///
  /// - Parameters:
  ///   - newest: The newest day with workouts in the store; nil without any.
  ///   - remembers: Planted: the newest day that was ever fetched counts, whatever the store holds.
  mutating func fire(newest: String?, remembers: Bool, at now: VirtualTime) -> Outcome? {
    guard let (since, answerAt, failure) = pending else {
      guard fetchAt <= now else { return nil }
      let failure = setup.failure(at: now)
      var wait = setup.latency
      if failure?.effect == .late { wait = wait + (failure?.lateness ?? .zero) }
      if failure?.effect == .unavailable { wait = Self.timeout }
      pending = (remembers ? newestFetched ?? newest : newest, now + wait, failure)
      return nil
    }
    guard answerAt <= now else { return nil }
    pending = nil
    switch failure?.effect {
    case .unavailable: return fail("no answer within 30 s", at: now)
    case .error500: return fail("status 500", at: now)
    case .rateLimited: return fail("status 429", at: now)
    case .malformed: return fail("the answer is not JSON", at: now)
    case .twice, .late, nil: break
    }
    failures = 0
    fetchAt = now + setup.every
    var workouts = service.workouts(since: since, at: now)
    if failure?.effect == .twice { workouts += workouts }
    newestFetched = max(newestFetched ?? "", workouts.last?.date ?? "")
    return .fetched(since: since, workouts)
  }

  private mutating func fail(_ why: String, at now: VirtualTime) -> Outcome {
    let delay = VirtualTime.Span(nanoseconds: Self.retryFirst << Int64(min(failures, Self.doublingsMax)))
    failures += 1
    fetchAt = now + min(delay, setup.every)
    return .failed(why, retryAt: fetchAt)
  }
}

/// The external service of strength workouts, and how often the server asks it: a scenario's `edge.workouts`.
package struct WorkoutSetup: Sendable, Equatable {
  /// From one fetch to the next.
  package var every = VirtualTime.Span.seconds(3_600)
  /// From a request to its answer.
  package var latency = VirtualTime.Span.milliseconds(600)
  /// How many days before the start have workouts already.
  package var historyDays = 30
  package var failures: [ServiceFailure] = []

  private static let historyMax: Int64 = 3_650

  /// How a scenario's `edge.workouts` is read and described.
  package static let schema = ObjectSchema<Self>(
    "edge.workouts",
    "The server fetches strength workouts from a simulated service ([totals](built-in-apps.md#daily-totals)).",
    Self(),
    [
      Field("every", \.every, .duration(.seconds(60)...(.hours(24))), "from one fetch to the next"),
      Field("latency", \.latency, .duration(.milliseconds(1)...(.hours(1))), "from a request to its answer"),
      Field("history", \.historyDays, .integer(0...historyMax), "days before the start that have workouts"),
      Field(
        "failures", \.failures, .array(of: .object(ServiceFailure.schema), count: 0...1_000),
        "what the service does wrong; of two at one time the first counts"
      ).omittedAtDefault,
    ])

  func failure(at now: VirtualTime) -> ServiceFailure? { failures.first { $0.applies(at: now) } }
}

/// A period in which the external service fails in one way: one of a scenario's `edge.workouts.failures`.
package struct ServiceFailure: Sendable, Equatable {
  package enum Effect: String, Sendable, CaseIterable {
    /// It does not answer.
    case unavailable
    /// It answers with status 500.
    case error500
    /// It answers with status 429: too many requests.
    case rateLimited
    /// Its answer is cut off in the middle.
    case malformed
    /// It lists each workout twice.
    case twice
    /// Its answer comes later.
    case late
  }

  package var begin = VirtualTime.start
  /// Nil for the end of the run.
  package var length: VirtualTime.Span?
  package var effect: Effect
  /// Of `late`: how much later.
  package var lateness = VirtualTime.Span.seconds(30)

  package init(_ effect: Effect) { self.effect = effect }

  package static let schema = ObjectSchema<Self>(
    "edge.workouts.failures[]", "A way in which the external service fails for a while.", Self(.unavailable),
    [
      Field("do", \.effect, .word, "what happens", .required),
      Field("at", \.begin, .instant, "since the run's start"),
      Field("for", \.length, .duration(), "for how long", .otherwise("to the end")),
      Field("by", \.lateness, .duration(max: .hours(1)), "of late: how much later the answers come"),
    ])

  func applies(at now: VirtualTime) -> Bool {
    guard begin <= now else { return false }
    return length.map { now < begin + $0 } ?? true
  }
}
