import CoachProtocol
package import Link

/// `health-agrees`: a phone has one health store.
package struct HealthAgreesChecker: Checker {
  package static let invariant = "health-agrees"
  package static let about =
    "The energy and the sleep of a local day are the same in the daily totals and in the ingested measures, to rounding, where nothing changed between both readings. Steps, energy and minutes of exercise of a day are at least those of its workouts. A workout has the watch's time and distance in the phone's health store and in the list of runs. Not judged once a clock was wrong, nor of a type that the app could not read."

  /// What both name, by its type, with its keys and half a unit of the totals.
  private static let shared = [
    (type: "calories", measure: "calories_burned", total: "calories", tolerance: 0.5),
    (type: "sleep", measure: "sleep_hours", total: "sleep_hours", tolerance: 0.005),
  ]

  /// A day's reading of a type.
  private struct Reading {
    var time: VirtualTime
    var raw: String
    /// Nil until it is parsed.
    var value: Double?
    /// The lines that staged and parsed it.
    var lines: [Int]
  }

  /// A day's totals since their last change.
  private struct Totals {
    var values: [String: Double] = [:]
    /// When each one changed last, with its line.
    var changes: [String: (time: VirtualTime, line: Int)] = [:]
  }

  /// By the day and the type.
  private var readings: [LocalDay: [String: Reading]] = [:]
  private var totals: [LocalDay: Totals] = [:]
  private var workouts: WorkoutReadings
  private let header: TraceHeader
  /// The run's start, in nanoseconds since 1970; nil for a header without.
  private let start: Int64?
  private var isUnknown = false
  /// The changes of stores that the scenario has.
  private let conditions: TruthConditions

  package init(header: TraceHeader) {
    self.header = header
    conditions = TruthConditions(header: header)
    start = TraceHeader.unixStart(header.startedAt)
    workouts = WorkoutReadings(header)
  }

  package mutating func faultBegin(_ fault: FaultBegan, at event: Occurrence, into report: inout Report) {
    guard !isUnknown else { return }
    isUnknown = fault.kind == "clockSkew"
  }

  package mutating func ingestionStaged(_ staged: IngestionStaged, at event: Occurrence, into report: inout Report) {
    guard !isUnknown else { return }
    workouts.stage(staged, at: event.time, event.line)
    guard Self.shared.contains(where: { $0.type == staged.type }), let day = LocalDay(text: staged.day) else {
      return
    }
    let known = readings[day]?[staged.type]
    var reading = Reading(time: event.time, raw: staged.raw, lines: [event.line])
    // The same JSON is not parsed again.
    if let known, staged.row == "same", known.raw == staged.raw {
      (reading.value, reading.lines) = (known.value, known.lines + [event.line])
    }
    readings[day, default: [:]][staged.type] = reading
  }

  package mutating func ingestionParsed(_ parsed: IngestionParsed, at event: Occurrence, into report: inout Report) {
    guard !isUnknown else { return }
    for flaw in workouts.judge(parsed, at: event.time, event.line) {
      report.add(flaw.why, at: event.time, lines: flaw.lines)
    }
    guard let shared = Self.shared.first(where: { $0.type == parsed.type }), let day = LocalDay(text: parsed.day),
      readings[day]?[parsed.type]?.raw == parsed.raw
    else { return }
    let node = try? JSONParser.parse(parsed.measures.text, dialect: .json)
    readings[day]?[parsed.type]?.value = node?[shared.measure]?.double ?? 0
    readings[day]?[parsed.type]?.lines.append(event.line)
  }

  package mutating func healthSaved(_ workout: HealthSaved, at event: Occurrence, into report: inout Report) {
    guard !isUnknown else { return }
    workouts.saved[workout.workout] = (workout.distance, workout.duration, event.line)
  }

  package mutating func healthObserved(_ workout: HealthObserved, at event: Occurrence, into report: inout Report) {
    guard !isUnknown else { return }
    guard let flaw = workouts.observe(workout, at: event.time, event.line) else { return }
    report.add(flaw.why, at: event.time, lines: flaw.lines)
  }

  package mutating func healthTruth(_ truth: HealthTruth, at event: Occurrence, into report: inout Report) {
    guard !isUnknown else { return }
    let flaw = workouts.compare(truth.workout, truth.distance, truth.duration, "the list of runs", event.line)
    if let flaw { report.add(flaw.why, at: event.time, lines: flaw.lines) }
  }

  package mutating func dayAggregated(_ aggregated: DayAggregated, at event: Occurrence, into report: inout Report) {
    guard !isUnknown else { return }
    aggregate(aggregated, at: event.time, event.line, into: &report)
  }

  private mutating func aggregate(
    _ aggregated: DayAggregated, at now: VirtualTime, _ line: Int, into report: inout Report
  ) {
    guard let day = LocalDay(text: aggregated.day) else { return }
    let health = (try? JSONParser.parse(aggregated.totals.text, dialect: .json))?["health"]
    for shared in Self.shared {
      let value = health?[shared.total]?.double ?? 0
      guard totals[day]?.values[shared.total] != value else { continue }
      totals[day, default: Totals()].values[shared.total] = value
      totals[day]?.changes[shared.total] = (now, line)
    }
    let refused = aggregated.refused?.split(separator: ",").map(String.init) ?? []
    for flaw in workouts.judge(day, health, except: refused, at: now, line) {
      report.add(flaw.why, at: now, lines: flaw.lines)
    }
    // A synchronisation reads yesterday before today. So what it finds of today says that it has read yesterday.
    guard let start, day == LocalDay(clock: start &+ now.nanoseconds, offset: Int64(header.utcOffset(at: now))) else {
      return
    }
    judge(LocalDay(day.number - 1), except: refused, at: now, line, into: &report)
    readings = readings.filter { $0.key.number > day.number - 4 }
    totals = totals.filter { $0.key.number > day.number - 4 }
  }

  /// Compares a day's readings with the totals that were read again now.
  private mutating func judge(
    _ day: LocalDay, except refused: [String], at now: VirtualTime, _ line: Int, into report: inout Report
  ) {
    for shared in Self.shared where !refused.contains(shared.type) {
      guard let reading = readings[day]?[shared.type], let measured = reading.value, reading.time < now,
        let total = totals[day]?.values[shared.total], let change = totals[day]?.changes[shared.total],
        change.time <= reading.time, total > 0 || isOver(day, shared.type, at: reading.time),
        abs(measured - total) > shared.tolerance + 1e-6,
        !conditions.isChanging(shared.type, from: reading.time, to: now)
      else { continue }
      readings[day]?[shared.type] = nil
      let (stated, ingested) = (Self.text(total), Self.text(measured))
      report.add(
        "the \(shared.total) of \(day.text) are \(stated) in the daily totals, and \(ingested) in the measures",
        at: now, lines: ([change.line] + reading.lines + [line]).sorted())
    }
  }

  /// A value with at most two decimals.
  private static func text(_ value: Double) -> String {
    let rounded = (value * 100).rounded() / 100
    return JSONValue.plain(rounded.isFinite ? rounded : value).compactText
  }

  /// Whether a day is over for a type; totals have a night only once it is.
  private func isOver(_ day: LocalDay, _ type: String, at time: VirtualTime) -> Bool {
    guard type == "sleep", let start else { return true }
    let noon = Int64(header.utcOffset(at: time)) - 43_200
    return LocalDay(clock: start &+ time.nanoseconds, offset: noon) > day
  }
}

/// What a phone has of workouts, against what the watch saved.
private struct WorkoutReadings {
  typealias Flaw = (why: String, lines: [Int])

  /// A workout that the app knows to be in the phone's health store.
  private struct Workout {
    var day: LocalDay
    var event: HealthObserved
    var time: VirtualTime
    var line: Int
  }

  /// What a day cannot have less of than its workouts have, by the type of the samples.
  private static func least(_ type: String, of workout: HealthObserved) -> Double {
    switch type {
    case "calories": workout.energy
    case "exercise": (workout.duration / 60).rounded(.down)
    default: Double(workout.steps)
    }
  }

  private let header: TraceHeader
  /// The run's start, in nanoseconds since 1970.
  private let start: Int64?
  /// Types of which a scenario deletes samples.
  private let deleted: Set<String>
  var saved: [Identifier: (distance: Double, duration: Double, line: Int)] = [:]
  private var known: [Identifier: Workout] = [:]
  /// The readings of a day's samples that were not parsed yet, by type and bytes.
  private var staged: [String: (time: VirtualTime, line: Int)] = [:]

  init(_ header: TraceHeader) {
    self.header = header
    start = TraceHeader.unixStart(header.startedAt)
    let failures = header.extra("phone")?["ingestion"]?["failures"]?.elements ?? []
    let deletions = failures.filter { $0["do"]?.text == "delete" }
    deleted = Set(deletions.flatMap { $0["type"]?.text.map { [$0] } ?? ["calories", "exercise"] })
  }

  mutating func observe(_ workout: HealthObserved, at time: VirtualTime, _ line: Int) -> Flaw? {
    if let day = day(of: workout) {
      known[workout.workout] = Workout(day: day, event: workout, time: time, line: line)
    }
    return compare(workout.workout, workout.distance, workout.duration, "the phone's health store", line)
  }

  /// The local day on which a workout began; nil for one beside a journey, where days have other lengths.
  private func day(of workout: HealthObserved) -> LocalDay? {
    guard let start else { return nil }
    let dayLength: Int64 = 86_400_000_000_000
    let offsets = [-dayLength, 0, dayLength].map {
      header.utcOffset(at: VirtualTime(nanoseconds: workout.startedAt -| start +| $0))
    }
    let offset = offsets[1]
    guard offsets.allSatisfy({ $0 == offset }) else { return nil }
    return LocalDay(clock: workout.startedAt, offset: Int64(offset))
  }

  func compare(
    _ workout: Identifier, _ distance: Double, _ duration: Double, _ place: String, _ line: Int
  ) -> Flaw? {
    guard let own = saved[workout], abs(own.distance - distance) > 0.011 || abs(own.duration - duration) > 0.0011 else {
      return nil
    }
    func text(_ metres: Double, _ seconds: Double) -> String {
      "\(JSONValue.plain(metres).compactText) m in \(JSONValue.plain(seconds).compactText) s"
    }
    let (had, has) = (text(own.distance, own.duration), text(distance, duration))
    return ("a workout that the watch saved with \(had) has \(has) in \(place)", [own.line, line])
  }

  mutating func stage(_ event: IngestionStaged, at now: VirtualTime, _ line: Int) {
    guard event.type == "calories" || event.type == "exercise", staged.count < 10_000 else { return }
    staged["\(event.type) \(event.day) \(event.raw)"] = (now, line)
  }

  mutating func judge(_ event: IngestionParsed, at now: VirtualTime, _ line: Int) -> [Flaw] {
    guard let reading = staged.removeValue(forKey: "\(event.type) \(event.day) \(event.raw)"),
      let day = LocalDay(text: event.day), !deleted.contains(event.type)
    else { return [] }
    let node = try? JSONParser.parse(event.measures.text, dialect: .json)
    let value = node?[event.type == "calories" ? "calories_burned" : "exercise_minutes"]?.double ?? 0
    let what = event.type == "calories" ? "kcal" : "minutes of exercise"
    let lines = [reading.line, line]
    return [judge(event.type, value, what, "measures", of: day, before: reading.time, lines)].compactMap(\.self)
  }

  /// Judges a day's totals of an instant.
  func judge(
    _ day: LocalDay, _ health: JSONNode?, except refused: [String], at now: VirtualTime, _ line: Int
  ) -> [Flaw] {
    [("calories", "calories", "kcal"), ("steps", "steps", "steps")].compactMap { type, total, what in
      guard !refused.contains(type), !deleted.contains(type), let value = health?[total]?.double else { return nil }
      return judge(type, value, what, "daily totals", of: day, before: now, [line])
    }
  }

  private func judge(
    _ type: String, _ value: Double, _ what: String, _ place: String, of day: LocalDay, before time: VirtualTime,
    _ lines: [Int]
  ) -> Flaw? {
    let own = known.values.filter { $0.day == day && $0.time <= time && $0.line < lines[0] }.sorted {
      $0.line < $1.line
    }
    let least = own.reduce(0) { $0 + Self.least(type, of: $1.event) }
    // Each value is rounded.
    guard value + Double(own.count) + 0.5 < least else { return nil }
    let (has, workouts) = (JSONValue.plain(value).compactText, JSONValue.plain((least * 10).rounded() / 10).compactText)
    return (
      "the \(place) of \(day.text) have \(has) \(what), and its workouts alone \(workouts)",
      (own.map(\.line) + lines).sorted()
    )
  }
}
