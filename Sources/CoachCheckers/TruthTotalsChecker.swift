import CoachProtocol
import CoachReference
package import Link

/// `truth-totals`: the totals of a day are what its athlete ate and did, on the phone and on the server.
package struct TruthTotalsChecker: ChecksDays {
  package static let invariant = "truth-totals"
  package static let about =
    "The totals of a local day have every meal that was eaten on it and not taken back, and after one sync its steps, energy, night, heart rate variability and weight, to rounding; a server that has confirmed everything has the same, and in its insights the averages of its last seven days that are over. Days are not judged once the phone's clock was wrong."

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
    // A flight over the date line leaves the night of a day that did not occur.
    for (day, line, at) in truth.over + truth.nightsAlone where isKnown(day) && isSettled(at) {
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
