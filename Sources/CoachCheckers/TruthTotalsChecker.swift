import CoachProtocol
import CoachReference
package import Link

/// `truth-totals`: the totals of a day are what its athlete ate and did, on the phone and on the server.
package struct TruthTotalsChecker: ChecksDays {
  package static let invariant = "truth-totals"
  package static let about =
    "The totals of a local day have every meal that was eaten on it and not taken back, and after one sync its steps, energy, night, heart rate variability and weight, to rounding; a server that has confirmed everything has the same, and in its insights the averages of its last seven days that are over. Not judged once the phone's clock was wrong."

  /// A day's totals on the phone.
  private struct Totals {
    var json: JSONNode?
    var line: Int
  }

  private let every: VirtualTime.Span?
  private let hasServer: Bool
  var truth: ReferenceDays
  var conditions: TruthConditions
  private var totals: [String: Totals] = [:]
  private var server = ServerDays()
  private var week = ServerWeek()
  /// The last line of a meal of each day, with its instant.
  private var meals: [String: (at: VirtualTime, line: Int)] = [:]
  private var days: [Int64: String] = [:]
  private var isConfirmed = false
  private var postedAt = VirtualTime.start
  private var reported: Set<String> = []
  private var firstDay: String?
  /// The run's start, in nanoseconds since 1970; nil for a header without it.
  private var start: Int64?
  private var foreign: Set<String> = []

  package init(header: TraceHeader) {
    conditions = TruthConditions(header: header)
    truth = ReferenceDays(header: header)
    hasServer = header.extra("proxy") == nil
    let setup = header.extra("phone")?["daily"]
    every = setup == nil ? nil : TruthConditions.span(setup?["every"]) ?? .seconds(900)
    start = TraceHeader.unixStart(header.startedAt)
    guard let start else { return }
    // Of earlier days nothing is known.
    firstDay = LocalDay(LocalDay(clock: start, offset: Int64(header.utcOffset(at: .start))).number - 1).text
  }

  package mutating func trueMeal(_ meal: TrueMeal, at event: Occurrence, into report: inout Report) {
    truth.observe(meal)
    conditions.observeAct(at: event)
    days[meal.meal] = meal.day
    meals[meal.day] = (event.time, event.line)
  }

  package mutating func trueMealRemoved(_ meal: TrueMealRemoved, at event: Occurrence, into report: inout Report) {
    truth.observe(meal)
    conditions.observeAct(at: event)
    if let day = days.removeValue(forKey: meal.meal) { meals[day] = (event.time, event.line) }
  }

  package mutating func dayAggregated(_ day: DayAggregated, at event: Occurrence, into report: inout Report) {
    isConfirmed = false
    // A store of an earlier run has meals that no line of this one tells of.
    if totals[day.day] == nil, day.revision > 1 { foreign.insert(day.day) }
    totals[day.day] = Totals(json: try? JSONParser.parse(day.totals.text, dialect: .json), line: event.line)
    guard truth.isTold, !conditions.hasWrongClock, !conditions.isUnknown, isKnown(day.day) else { return }
    judgeMeals(of: day.day, totals[day.day]?.json, "the totals", at: event.time, event.line, &report)
  }

  package mutating func daysPosted(_: DaysPosted, at event: Occurrence, into report: inout Report) {
    postedAt = event.time
  }

  package mutating func daysSynced(_ sync: DaysSynced, at event: Occurrence, into report: inout Report) {
    isConfirmed = sync.pending == 0
  }

  package mutating func dayUpserted(_ day: DayUpserted, at event: Occurrence, into report: inout Report) {
    server.observe(day, at: event)
  }

  package mutating func profileExtracted(_ profile: ProfileExtracted, at event: Occurrence, into report: inout Report) {
    week.observe(profile)
  }

  package mutating func workoutsStored(_ workouts: WorkoutsStored, at event: Occurrence, into report: inout Report) {
    week.observe(workouts)
  }

  package mutating func fileStored(_ file: FileStored, at event: Occurrence, into report: inout Report) {
    week.observe(file, at: event)
    judgeWeek(at: event.time, event.line, &report)
  }

  /// Judges the server's insights, which are written after the days and the profile that they are made of.
  private mutating func judgeWeek(at now: VirtualTime, _ line: Int, _ report: inout Report) {
    guard let (why, stored) = week.flaw(of: server) else { return }
    report.add(why, at: now, lines: [stored])
  }

  package mutating func serverRestarted(_ start: ServerRestarted, at event: Occurrence, into report: inout Report) {
    week.observe(start)
    if server.observe(start, at: event) { isConfirmed = false }
  }

  package mutating func fileDamaged(_ damage: FileDamaged, at event: Occurrence, into report: inout Report) {
    week.observe(damage)
    if server.observe(damage, at: event) { isConfirmed = false }
  }

  private func isKnown(_ day: String) -> Bool { !foreign.contains(day) && firstDay.map { day >= $0 } ?? false }

  private mutating func judgeMeals(
    of day: String, _ json: JSONNode?, _ what: String, at now: VirtualTime, _ line: Int, _ report: inout Report
  ) {
    let eaten = truth.nutrition(of: day) ?? [:]
    if eaten.isEmpty, json?["nutrition"] != nil, reported.insert(day).inserted {
      report.add("\(what) of \(day) have meals, and there was none", at: now, lines: [line])
    }
    for key in ["entry_count", "calories", "protein"] {
      let stated = json?["nutrition"]?[key]?.integer ?? 0
      guard stated != eaten[key] ?? 0, reported.insert(day).inserted else { continue }
      let name = key == "entry_count" ? "meals" : key == "protein" ? "g of protein" : "kcal eaten"
      report.add(
        "\(what) of \(day) say \(stated) \(name), and it was \(eaten[key] ?? 0)", at: now,
        lines: [meals[day]?.line, line].compactMap(\.self).sorted())
    }
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout Report) {
    guard ending.isComplete, let every, !conditions.isUnknown, !conditions.hasWrongClock, conditions.isPhoneUp else {
      return
    }
    let margin = every + .seconds(600)
    func isSettled(_ since: VirtualTime) -> Bool { max(since, conditions.phoneChange) + margin < ending.time }
    for (day, meal) in meals.sorted(by: { $0.key < $1.key }) where isKnown(day) && isSettled(meal.at) {
      judgeMeals(of: day, totals[day]?.json, "the totals", at: ending.time, meal.line, &report)
    }
    for (day, line, at) in truth.over where isKnown(day) && isSettled(at) {
      judgeBody(of: day, totals[day]?.json, "the totals", over: at, ending, line, &report)
      guard hasServer, isConfirmed, postedAt >= at else { continue }
      let stored = server.days[day].flatMap { try? JSONParser.parse($0.text, dialect: .json) }
      judgeBody(of: day, stored, "the server's totals", over: at, ending, line, &report)
      if let meal = meals[day], isSettled(meal.at) {
        judgeMeals(of: day, stored, "the server's totals", at: ending.time, meal.line, &report)
      }
    }
  }

  private mutating func judgeBody(
    of day: String, _ json: JSONNode?, _ what: String, over: VirtualTime, _ ending: TraceEnding, _ line: Int,
    _ report: inout Report
  ) {
    let margin = (every ?? .zero) + .seconds(600)
    let syncedFrom = ((start ?? 0) &+ (ending.time.nanoseconds &- margin.nanoseconds)) / 1_000_000_000
    let isMeasured =
      conditions.knowsWorkouts(of: truth, until: day, at: ending.time, for: margin)
      && truth.hasWalked(day, at: syncedFrom)
    for (key, value) in truth.totals(of: day).sorted(by: { $0.key < $1.key }) {
      // What no scenario names by itself fails with everything, and nothing changes it afterwards.
      let type = ["sleep_hours": "sleep", "calories": "calories"][key] ?? key
      let isMorning = key == "hrv" || key == "weight"
      if !isMorning, conditions.mayChange(type) { continue }
      if key == "sleep_hours", let over = truth.nightOver(day), over + margin >= ending.time { continue }
      if key == "steps" || key == "calories", !isMeasured { continue }
      // What the app may not read stays as it was known; it may read it again a moment later.
      if conditions.mayFail(key == "steps" ? "calories" : type, since: over) { continue }
      let stated = json?["health"]?[key]?.double
      guard !value.allows(stated ?? 0), reported.insert(day).inserted else { continue }
      let truth = JSONValue.plain((value.number * 100).rounded() / 100).compactText
      report.add(
        "\(what) of \(day) say \(JSONValue.plain(stated ?? 0).compactText) \(key), and it was \(truth)",
        at: ending.time, lines: [totals[day]?.line, line].compactMap(\.self).sorted())
    }
  }
}

/// What says whether an app can know the truth: clocks, deaths, lost stores, and what the scenario's stores do.
struct TruthConditions: Sendable {
  /// A time in which a store fails or changes.
  private struct Failure {
    var effect: String
    /// Nil for all types.
    var type: String?
    var from: VirtualTime
    /// Nil for the end of the run.
    var to: VirtualTime?
  }

  private let failures: [Failure]
  /// How long a workout takes to the phone's health store.
  private let syncLag: VirtualTime.Span
  private(set) var hasWrongClock = false
  private(set) var hasWrongWatchClock = false
  /// Whether the app lost what it had, could not store it, or is not the only one that tracks.
  private(set) var isUnknown = false
  /// When the watch saved each workout.
  private var saved: [VirtualTime] = []
  private(set) var isPhoneUp = true
  /// When the phone's app started or ended last, or slept or woke.
  private(set) var phoneChange = VirtualTime.start
  /// When the athlete last did something that an app may have lost with its process.
  private var actedAt: VirtualTime?

  init(header: TraceHeader) {
    let setup = header.extra("phone")?["ingestion"]
    var failures: [Failure] = []
    if case .array(let elements)? = setup?["failures"]?.value {
      failures = elements.map { element in
        let from = VirtualTime.start + (Self.span(element["at"]) ?? .zero)
        return Failure(
          effect: element["do"]?.text ?? "", type: element["type"]?.text, from: from,
          to: Self.span(element["for"]).map { from + $0 })
      }
    }
    self.failures = failures
    // A header has nanoseconds; what reads the store without the key has the usual lag.
    let lag = header.extra("health")?["syncLag"]?.integer
    syncLag = lag.map { min(.init(nanoseconds: max(0, $0)), Self.spanMax) } ?? .seconds(30)
    if let commands = header.extra("phone")?["events"], case .array(let elements) = commands.value {
      isUnknown = elements.contains { $0["do"]?.text == "wipe" }
    }
  }

  /// Ten years, so that sums stay in range.
  private static let spanMax = VirtualTime.Span.hours(87_600)

  /// A duration as a header has it: a text, or a number of seconds.
  static func span(_ node: JSONNode?) -> VirtualTime.Span? {
    if let text = node?.text { return (try? DurationText.parse(text)).map { min(max(.zero, $0), spanMax) } }
    return node?.double.map { .milliseconds(Int64(min(max(0, $0), 300_000_000) * 1_000)) }
  }

  mutating func observe(_ fault: FaultBegan) {
    switch fault.kind {
    case "clockSkew":
      if JSONNode.names("watch", in: fault.params.text) { hasWrongWatchClock = true }
      if JSONNode.names("phone", in: fault.params.text) { hasWrongClock = true }
    case "reboot": if fault.params.text.contains("\"power\":true") { isUnknown = true }
    case "diskFull": isUnknown = true
    default: break
    }
  }

  /// Follows a workout that the watch saved.
  mutating func observeSaving(at event: Occurrence) { saved.append(event.time) }

  /// Follows a second tracker, beside which no truth is known.
  mutating func observeTracker() { isUnknown = true }

  /// Follows something that the athlete did.
  mutating func observeAct(at event: Occurrence) { actedAt = event.time }

  mutating func observe(_ change: NodeChange, at event: Occurrence) {
    if let isUp = change.isUp(.phone) {
      (isPhoneUp, phoneChange) = (isUp, event.time)
      // A press at the instant of a death may not have been taken.
      if !isUp, actedAt == event.time { isUnknown = true }
    }
    if change.isUp(.watch) == false, actedAt == event.time { isUnknown = true }
  }

  /// Whether what the workouts up to the end of a day measured has been in the phone's health store for a time.
  func knowsWorkouts(
    of truth: ReferenceDays, until day: String, at now: VirtualTime, for time: VirtualTime.Span
  ) -> Bool {
    guard !hasWrongWatchClock, phoneChange + time < now else { return false }
    let count = truth.workoutCount(until: day)
    guard count > 0 else { return true }
    return truth.ended >= count && saved.count >= count && saved[count - 1] + syncLag + time < now
  }

  /// Whether a type's store fails in a way now.
  func isOn(_ effect: String, _ type: String, at now: VirtualTime) -> Bool {
    failures.contains { failure in
      failure.effect == effect && (failure.type ?? type) == type && failure.from <= now
        && (failure.to.map { now < $0 } ?? true)
    }
  }

  /// When the phone has had, since the workouts up to the end of a day were saved, all of them; nil if it has not.
  func workoutsKnown(of truth: ReferenceDays, until day: String) -> VirtualTime? {
    let count = truth.workoutCount(until: day)
    return count > 0 && truth.ended >= count && saved.count >= count ? saved[count - 1] + syncLag : nil
  }

  /// Whether samples of a type are not those that were measured.
  func isChanged(_ type: String, at now: VirtualTime) -> Bool {
    failures.contains { failure in
      ["correct", "delete"].contains(failure.effect) && (failure.type ?? type) == type && failure.from <= now
        && (failure.to.map { now <= $0 } ?? true)
    }
  }

  /// Whether samples of a type are not those that were measured, at some time.
  func mayChange(_ type: String) -> Bool {
    failures.contains { ["correct", "delete"].contains($0.effect) && ($0.type ?? type) == type }
  }

  /// Whether a type's samples changed between two instants, or a change ended.
  func isChanging(_ type: String, from: VirtualTime, to now: VirtualTime) -> Bool {
    failures.contains { failure in
      ["correct", "delete"].contains(failure.effect) && (failure.type ?? type) == type
        && [failure.from, failure.to].contains { $0.map { from <= $0 && $0 <= now } ?? false }
    }
  }

  /// When a type's store has kept something back for the last time; nil if it never did.
  func lastFailure(of type: String) -> VirtualTime? {
    failures.filter { !["slow", "twice"].contains($0.effect) && ($0.type ?? type) == type }.compactMap(\.to).max()
  }

  /// Whether a type's store may have kept something back at some time.
  func mayFail(_ type: String, since from: VirtualTime) -> Bool {
    failures.contains { failure in
      !["slow", "twice"].contains(failure.effect) && (failure.type ?? type) == type
        && (failure.to.map { $0 + .hours(1) >= from } ?? true)
    }
  }
}

/// A checker that knows the conditions of an app.
protocol ChecksConditions: Checker {
  var conditions: TruthConditions { get set }
}

extension ChecksConditions {
  package mutating func nodeChanged(_ change: NodeChange, at event: Occurrence, into report: inout Report) {
    conditions.observe(change, at: event)
  }

  package mutating func faultBegin(_ fault: FaultBegan, at event: Occurrence, into report: inout Report) {
    conditions.observe(fault)
  }

  package mutating func healthSaved(_: HealthSaved, at event: Occurrence, into report: inout Report) {
    conditions.observeSaving(at: event)
  }

  package mutating func trackerStarted(_: TrackerStarted, at event: Occurrence, into report: inout Report) {
    conditions.observeTracker()
  }
}

/// A checker that follows the athlete's days, and knows the conditions of the app that should.
protocol ChecksDays: ChecksConditions {
  var truth: ReferenceDays { get set }
}

extension ChecksDays {
  package mutating func trueWorkoutBegan(_ workout: TrueWorkoutBegan, at event: Occurrence, into report: inout Report) {
    truth.observe(workout)
  }

  package mutating func trueWorkoutEnded(_ workout: TrueWorkoutEnded, at event: Occurrence, into report: inout Report) {
    truth.observe(workout)
    conditions.observeAct(at: event)
  }

  package mutating func trueNight(_ night: TrueNight, at event: Occurrence, into report: inout Report) {
    truth.observe(night, at: event)
  }

  package mutating func trueMeal(_ meal: TrueMeal, at event: Occurrence, into report: inout Report) {
    truth.observe(meal)
    conditions.observeAct(at: event)
  }

  package mutating func trueMealRemoved(_ meal: TrueMealRemoved, at event: Occurrence, into report: inout Report) {
    truth.observe(meal)
    conditions.observeAct(at: event)
  }

  package mutating func trueAppointment(_ entry: TrueAppointment, at event: Occurrence, into report: inout Report) {
    truth.observe(entry)
  }

  package mutating func trueReminder(_ task: TrueReminder, at event: Occurrence, into report: inout Report) {
    truth.observe(task)
  }

  package mutating func trueDay(_ day: TrueDay, at event: Occurrence, into report: inout Report) {
    truth.observe(day, at: event)
  }
}

/// `truth-not-copied`: the app does not copy the health store's data.
///
/// The line `health.kept` lists the changes as the store receives them, whatever code made them: a route, a heart rate
/// series or a list of splits shows by the kind or the size of a change.
package struct TruthNotCopiedChecker: Checker {
  package static let invariant = "truth-not-copied"
  package static let about =
    "Of a workout in the health store the phone stores only three figures, and the ids that link it with its run."

  /// The changes that an answer of the health store may cause: the figures, the link, and a row for a run without one.
  static let allowed: Set<String> = ["runCached", "runFinished", "runRestored"]
  /// The limit of one such change, in bytes as reported by the line: a row with the longest possible names.
  static let bytesMax: Int64 = 1_500

  package init(header: TraceHeader) {}

  package mutating func healthKept(_ kept: HealthKept, at event: Occurrence, into report: inout Report) {
    for kind in Self.kinds(kept) where !Self.allowed.contains(kind) {
      report.add("an answer of the health store changed \(kind) in the store", at: event.time, lines: [event.line])
    }
    if kept.most > Self.bytesMax {
      report.add(
        "one change that followed from an answer of the health store has \(kept.most) bytes, expected \(Self.bytesMax) at most",
        at: event.time, lines: [event.line])
    }
  }

  private static func kinds(_ kept: HealthKept) -> [String] {
    guard let node = try? JSONParser.parse(kept.changes.text, dialect: .json),
      case .array(let elements) = node.value
    else { return ["nothing that can be read"] }
    return elements.map { $0.text ?? "nothing that can be read" }
  }
}
