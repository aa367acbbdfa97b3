package import Link

/// What an app must have of an athlete's days, computed from the `truth` lines alone.
///
/// It shares no code with the phone: it sums up nights, meals, appointments, tasks and walks by itself.
package struct ReferenceDays: Sendable {
  /// A value with how far a right one may be from it.
  package struct Value: Sendable, Equatable {
    package var number: Double
    package var slack: Double

    init(_ number: Double, within slack: Double) { (self.number, self.slack) = (number, slack) }

    package func allows(_ other: Double) -> Bool { abs(other - number) <= slack }
  }

  /// A quantity of a time, in seconds since 1970.
  private struct Quantity {
    var time: Range<Int64>
    var value: Double
  }

  private struct Walk: Sendable {
    var time: Range<Int64>
    var steps: Double
    var energy: Double
    var exercise: Double
  }

  private struct Workout: Sendable {
    var ended: TrueWorkoutEnded
    /// In whole seconds, as a health store keeps it.
    var time: Range<Int64>
  }

  package struct Meal: Sendable {
    var day: String
    var calories: Int64
    var protein: Int64
  }

  private struct Day: Sendable {
    var night: TrueNight?
    var nightLine = 0
    var nightAt = VirtualTime.start
    var meetingSeconds: Int64 = 0
    var meetings = 0
    var entries = 0
    var tasks = 0
    var done = 0
    var important = 0
    /// The line of its end; nil before.
    var overLine: Int?
    var overAt = VirtualTime.start
    var time: Range<Int64> = 0..<0
    var walks: [Walk] = []
    var sessions: Int64 = 0
    var mindful: Int64 = 0
    var hrv: Int64?
    var grams: Int64?
  }

  /// Days older than so many are settled.
  private static let daysMax = 40

  private var days: [String: Day] = [:]
  /// Ended ones, of the days that are known.
  private var workouts: [Workout] = []
  private var meals: [Int64: Meal] = [:]
  /// When workouts began, in nanoseconds since 1970, and how many ended.
  private var begun: [Int64] = []
  package private(set) var ended = 0

  /// Whether there are such lines: in a run with truth those of yesterday come first.
  package private(set) var isTold = false
  /// The calendars whose appointments count; nil for all.
  private let calendars: Set<String>?

  package init(header: TraceHeader) {
    let titles = header.extra("phone")?["ingestion"]?["calendars"]?.elements ?? []
    calendars = titles.isEmpty ? nil : Set(titles.compactMap(\.text))
  }

  /// Follows the start of a workout.
  package mutating func observe(_ workout: TrueWorkoutBegan) {
    isTold = true
    begun.append(workout.startedAt)
  }

  /// Follows the end of a workout.
  package mutating func observe(_ over: TrueWorkoutEnded) {
    isTold = true
    ended += 1
    let (from, to) = (over.startedAt / 1_000_000_000, over.endedAt / 1_000_000_000)
    workouts.append(Workout(ended: over, time: from..<max(from, to)))
    if workouts.count > 200 { workouts.removeFirst(100) }
  }

  /// Follows the end of a night.
  package mutating func observe(_ night: TrueNight, at event: Occurrence) {
    isTold = true
    days[night.day, default: Day()].night = night
    days[night.day]?.nightLine = event.line
    days[night.day]?.nightAt = event.time
  }

  /// Follows a meal, or its correction.
  package mutating func observe(_ meal: TrueMeal) {
    isTold = true
    meals[meal.meal] = Meal(day: meal.day, calories: meal.calories, protein: meal.protein)
  }

  /// Follows a meal that is taken back.
  package mutating func observe(_ removed: TrueMealRemoved) {
    isTold = true
    meals[removed.meal] = nil
  }

  /// Follows the end of an appointment.
  package mutating func observe(_ entry: TrueAppointment) {
    isTold = true
    guard calendars?.contains(entry.calendar) ?? true else { return }
    days[entry.day, default: Day()].entries += 1
    guard !entry.allDay else { return }
    days[entry.day]?.meetings += 1
    days[entry.day]?.meetingSeconds &+= (entry.to &- entry.from) / 1_000_000_000
  }

  /// Follows a task that was due.
  package mutating func observe(_ task: TrueReminder) {
    isTold = true
    days[task.day, default: Day()].tasks += 1
    if task.done { days[task.day]?.done += 1 }
    if task.done, task.important { days[task.day]?.important += 1 }
  }

  /// Follows the end of a day.
  package mutating func observe(_ day: TrueDay, at event: Occurrence) {
    isTold = true
    days[day.day, default: Day()].overLine = event.line
    days[day.day]?.overAt = event.time
    days[day.day]?.time = day.from / 1_000_000_000..<max(day.from, day.to) / 1_000_000_000
    days[day.day]?.walks = Self.walks(day.walks)
    days[day.day]?.sessions = day.sessions
    days[day.day]?.mindful = day.mindful
    days[day.day]?.hrv = day.hrv
    days[day.day]?.grams = day.grams
    forget()
  }

  /// Whether every walk of a day that is over has ended: the last one may outlast a day that a flight cut short.
  ///
  /// - Parameter seconds: True time since 1970.
  package func hasWalked(_ day: String, at seconds: Int64) -> Bool {
    days[day]?.walks.allSatisfy { $0.time.upperBound <= seconds - 60 } ?? true
  }

  private mutating func forget() {
    guard days.count > 2 * Self.daysMax else { return }
    for day in days.keys.sorted().prefix(days.count - Self.daysMax) {
      days[day] = nil
      meals = meals.filter { $0.value.day != day }
    }
  }

  private static func walks(_ text: JSONText) -> [Walk] {
    guard let node = try? JSONParser.parse(text.text, dialect: .json), case .array(let elements) = node.value else {
      return []
    }
    return elements.compactMap { element in
      guard case .array(let parts) = element.value, parts.count == 5, let from = parts[0].integer,
        let to = parts[1].integer, from <= to, to &- from <= 86_400
      else { return nil }
      return Walk(
        time: from..<to, steps: parts[2].double ?? 0, energy: parts[3].double ?? 0, exercise: parts[4].double ?? 0)
    }
  }

  /// The days that are over, each with the line and the instant of its end.
  package var over: [(day: String, line: Int, at: VirtualTime)] {
    days.compactMap { day, own in own.overLine.map { (day, $0, own.overAt) } }.sorted { $0.day < $1.day }
  }

  /// The nights of days that did not occur, or are not over, each with its line and when the athlete got up.
  package var nightsAlone: [(day: String, line: Int, at: VirtualTime)] {
    days.compactMap { day, own in own.overLine == nil && own.night != nil ? (day, own.nightLine, own.nightAt) : nil }
      .sorted { $0.day < $1.day }
  }

  /// The line from which on everything of a type and a day is known; nil before.
  package func line(_ type: String, of day: String) -> Int? {
    guard let own = days[day] else { return nil }
    return type == "sleep" ? (own.night == nil ? nil : own.nightLine) : own.overLine
  }

  /// How many workouts began before the end of a day that is over.
  package func workoutCount(until day: String) -> Int {
    let end = days[day]?.time.upperBound ?? .max
    return begun.count { $0 / 1_000_000_000 < end }
  }

  /// Whether a workout began on a day that is over.
  package func hasWorkout(on day: String) -> Bool {
    guard let time = days[day]?.time else { return false }
    return begun.contains { time.contains($0 / 1_000_000_000) }
  }

  /// When the athlete got up after the night of a day; nil before.
  package func nightOver(_ day: String) -> VirtualTime? {
    guard let own = days[day], own.night != nil else { return nil }
    return own.nightAt
  }

  private func workouts(of day: String) -> [Workout] {
    guard let time = days[day]?.time else { return [] }
    return workouts.filter { time.contains($0.time.lowerBound) }
  }

  // MARK: Measures

  /// What the ingested measures of a type and a day must be: empty without a sample; nil if the day is not over, or if
  /// a workout makes it vague.
  package func measures(_ type: String, of day: String) -> [String: Value]? {
    guard let own = days[day], line(type, of: day) != nil else { return nil }
    func hours(_ seconds: Int64) -> Value { Value(Double(seconds) / 3_600, within: 1e-4) }
    func count(_ number: Int) -> Value { Value(Double(number), within: 0) }
    switch type {
    case "sleep":
      guard let night = own.night else { return nil }
      let bed = (night.to &- night.from) / 1_000_000_000
      return [
        "sleep_hours": hours(night.asleep), "inbed_hours": hours(bed),
        "sleep_efficiency": Value(Double(night.asleep) * 100 / Double(bed), within: 1e-3),
      ]
    case "calendar":
      guard own.entries > 0 else { return [:] }
      return ["meeting_hours": hours(own.meetingSeconds), "meeting_count": count(own.meetings)]
    case "reminders":
      guard own.tasks > 0 else { return [:] }
      return ["tasks_completed": count(own.done), "high_priority_completed": count(own.important)]
    case "mindfulness":
      guard own.sessions > 0 else { return [:] }
      return [
        "mindfulness_sessions": Value(Double(own.sessions), within: 0),
        "mindfulness_minutes": Value(Double(own.mindful) / 60, within: 1e-4),
      ]
    case "calories":
      return total(.energy, of: day).map { ["calories_burned": $0].compactMapValues(\.self) }
    case "exercise":
      return total(.exercise, of: day).map { ["exercise_minutes": $0].compactMapValues(\.self) }
    default: return nil
    }
  }

  private enum Kind { case steps, energy, exercise }

  /// A day's total, in which each time counts once: as the watch's, where it recorded a workout.
  ///
  /// - Returns: Nil if it is vague; a nil value without a sample.
  private func total(_ kind: Kind, of day: String) -> Value?? {
    guard let own = days[day], own.overLine != nil else { return nil }
    var watch: [Quantity] = []
    var slack = 1e-4
    for workout in workouts(of: day) {
      let ended = workout.ended
      guard ended.discipline != nil else { return nil }
      // A watch measures once a second, and does not see at once that its athlete stands.
      let seconds = 2 + 2 * Double(ended.stops)
      switch kind {
      case .steps:
        watch.append(Quantity(time: workout.time, value: Double(ended.steps)))
        slack += 6 * seconds
      case .energy:
        // Without energy there is no sample, and the phone's count.
        guard ended.energy > 5 else { return nil }
        watch.append(Quantity(time: workout.time, value: Double(ended.energy) / 10))
        slack += seconds
      case .exercise:
        let (minutes, rest) = ended.active.quotientAndRemainder(dividingBy: 60_000)
        let isVague = Double(min(rest, 60_000 - rest)) < seconds * 1_000
        guard minutes > 0 || !isVague else { return nil }
        guard minutes > 0 else { continue }
        watch.append(Quantity(time: workout.time, value: Double(minutes)))
        slack += 0.2 + (isVague ? 1 : 0)
      }
    }
    let walks = own.walks.filter { kind != .exercise || $0.exercise > 0 }
    guard !watch.isEmpty || !walks.isEmpty else { return .some(nil) }
    var sum = watch.reduce(0) { $0 + $1.value }
    for walk in walks {
      let value = kind == .steps ? walk.steps : kind == .energy ? walk.energy : walk.exercise
      sum += value * Self.share(of: walk.time, without: watch.map(\.time))
    }
    return Value(sum, within: slack)
  }

  /// Which share of a time is in none of others.
  private static func share(of time: Range<Int64>, without others: [Range<Int64>]) -> Double {
    guard !time.isEmpty else { return 1 }
    let met = others.map { $0.clamped(to: time) }.filter { !$0.isEmpty }
    guard !met.isEmpty else { return 1 }
    // Seconds one by one: a quarter of an hour has 900.
    return Double(time.count { second in !met.contains { $0.contains(second) } }) / Double(time.count)
  }

  // MARK: Totals

  /// A day's meals so far, by the keys of the posted totals; nil without one.
  package func nutrition(of day: String) -> [String: Int64]? {
    let own = meals.values.filter { $0.day == day }
    guard !own.isEmpty else { return nil }
    return [
      "calories": own.reduce(0) { $0 &+ $1.calories }, "protein": own.reduce(0) { $0 &+ $1.protein },
      "entry_count": Int64(own.count),
    ]
  }

  /// What the totals of a day that is over must say of the body, by their keys, as far as it is known.
  package func totals(of day: String) -> [String: Value] {
    var values: [String: Value] = [:]
    func add(_ key: String, _ value: Value??, within rounding: Double) {
      guard let known = value, var number = known else { return }
      number.slack += rounding
      values[key] = number
    }
    add("steps", total(.steps, of: day), within: 0.5)
    add("calories", total(.energy, of: day), within: 0.5)
    if let night = days[day]?.night {
      values["sleep_hours"] = Value(Double(night.asleep) / 3_600, within: 0.005 + 1e-9)
    }
    if let hrv = days[day]?.hrv {
      values["hrv"] = Value(Double(hrv), within: 0)
      // Not every morning has a weighing.
      values["weight"] = Value(Double(days[day]?.grams ?? 0) / 1_000, within: 1e-6)
    }
    return values
  }
}
