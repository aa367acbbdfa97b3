import CoachProtocol
import Link
import PhoneSim

/// What the athlete of a run does beside the workouts: nights, meals, appointments, tasks, and how the body moves.
///
/// It is a function of the scenario, its seed and what the hand presses: nothing here comes from a device. From
/// yesterday on everything is written, once it is over; earlier days are not.
struct TrueDays {
  /// A line that comes due, in seconds since 1970.
  private struct Due {
    var at: Int64
    var line: any TraceEventKind
  }

  private let athlete: Athlete
  private let startedAt: Int64
  private let drawnMeals: DrawnMeals
  /// Meals before this second are not in the app.
  private let mealsFrom: Int64
  /// In the order of time, and of their days.
  private var due: [Due] = []
  /// The next day whose lines are not planned.
  private var nextDay: LocalDay
  /// When that day is planned, in seconds since 1970.
  private var nextDayAt: Int64
  /// The next day whose drawn meals are not planned: in another zone they may be eaten a day before or after it.
  private var nextMeals: LocalDay
  /// What counts as eaten.
  private var eaten: [TrueMeal] = []
  private var meals: Int64 = 0
  /// What counted as eaten at the last backup; nil before it.
  private var backup: [TrueMeal]?
  private var lines: [any TraceEventKind] = []

  /// Nil for a scenario in which no part of the phone knows of days.
  init?(_ scenario: Scenario) {
    guard scenario.ingestion != nil || scenario.daily != nil else { return nil }
    let start = scenario.start.nanoseconds
    athlete = Athlete(
      seed: scenario.seed, startedAt: start, offsets: scenario.start.offsets, sampleCount: scenario.ingestion?.samples)
    startedAt = start
    drawnMeals = DrawnMeals(seed: scenario.seed, count: scenario.daily?.mealsPerDay ?? 0)
    let seconds = CalendarDay.floorDivided(start, 1_000_000_000)
    let offset = athlete.zone.offset(at: seconds)
    let today = LocalDay(clock: start, offset: offset)
    let history = Int64(scenario.daily?.historyDays ?? 0)
    mealsFrom = LocalDay(today.number - history).begin(offset: offset) / 1_000_000_000 - 1
    nextDay = LocalDay(today.number - 1)
    nextDayAt = .min
    nextMeals = LocalDay(today.number - 2)
  }

  /// When a line comes due.
  var nextAt: VirtualTime {
    let seconds = min(nextDayAt, due.first?.at ?? .max)
    guard seconds != .min else { return .start }
    return VirtualTime(nanoseconds: max(0, seconds.saturatingNanoseconds &- startedAt))
  }

  /// Lets time pass up to an instant.
  mutating func advance(to now: VirtualTime) {
    let seconds = CalendarDay.floorDivided(startedAt &+ now.nanoseconds, 1_000_000_000)
    while nextDayAt <= seconds { plan() }
    while let first = due.first, first.at <= seconds {
      due.removeFirst()
      if let meal = first.line as? TrueMeal { eat(meal) } else { lines.append(first.line) }
    }
  }

  /// The user presses something on the phone, whose app takes it.
  mutating func press(_ command: NodeCommand, at now: VirtualTime) {
    switch DailyCommand(command) {
    case .logMeal(let told):
      eat(meal(at: startedAt &+ now.nanoseconds &- told.ago.nanoseconds, told.calories, told.protein))
    case .editMeal(let edit):
      guard let newest else { return }
      eaten[newest].calories = edit.calories.map(Int64.init) ?? eaten[newest].calories
      eaten[newest].protein = edit.protein.map(Int64.init) ?? eaten[newest].protein
      lines.append(eaten[newest])
    case .removeMeal:
      guard let newest else { return }
      var line = TrueMealRemoved()
      line.meal = eaten.remove(at: newest).meal
      lines.append(line)
    case .backUp: backup = eaten
    case .replacePhone: restore()
    case .syncDaily, .writeChat, nil: break
    }
  }

  /// The phone is lost: nothing but the backup knows of a meal.
  private mutating func restore() {
    guard let backup else { return }
    for meal in eaten where !backup.contains(where: { $0.meal == meal.meal }) {
      var line = TrueMealRemoved()
      line.meal = meal.meal
      lines.append(line)
    }
    for meal in backup {
      let known = eaten.first { $0.meal == meal.meal }
      if known?.calories != meal.calories || known?.protein != meal.protein { lines.append(meal) }
    }
    eaten = backup
  }

  /// The lines since the last call.
  mutating func takeLines() -> [any TraceEventKind] {
    defer { lines = [] }
    return lines
  }

  /// The meal eaten last, of several in one second the one entered last, by its place in the list; nil before the first.
  private var newest: Int? {
    func second(_ index: Int) -> Int64 { CalendarDay.floorDivided(eaten[index].eatenAt, 1_000_000_000) }
    return eaten.indices.max { (second($0), $0) < (second($1), $1) }
  }

  private mutating func eat(_ meal: TrueMeal) {
    meals += 1
    var line = meal
    line.meal = meals
    eaten.append(line)
    lines.append(line)
  }

  private func meal(at nanoseconds: Int64, _ calories: Int, _ protein: Int) -> TrueMeal {
    var line = TrueMeal()
    line.day = day(of: nanoseconds).text
    (line.eatenAt, line.calories, line.protein) = (nanoseconds, Int64(calories), Int64(protein))
    return line
  }

  private func day(of nanoseconds: Int64) -> LocalDay {
    LocalDay(
      clock: nanoseconds, offset: athlete.zone.offset(at: CalendarDay.floorDivided(nanoseconds, 1_000_000_000)))
  }

  // MARK: Days

  /// Plans the lines of the next day.
  private mutating func plan() {
    let day = nextDay
    nextDay = LocalDay(day.number + 1)
    nextDayAt = athlete.zone.period(of: nextDay, .calories).lowerBound
    var own: [Due] = []
    while nextMeals.number <= day.number + 2 {
      own += meals(of: nextMeals)
      nextMeals = LocalDay(nextMeals.number + 1)
    }
    if let night = night(of: day) { own.append(night) }
    for entry in athlete.samples(.calendar, of: day, until: .max) {
      var line = TrueAppointment()
      (line.day, line.allDay, line.calendar) = (day.text, entry.isAllDay, entry.calendar.title)
      (line.from, line.to) = (entry.start.saturatingNanoseconds, entry.end.saturatingNanoseconds)
      own.append(Due(at: entry.end, line: line))
    }
    for entry in athlete.samples(.reminders, of: day, until: .max) {
      var line = TrueReminder()
      (line.day, line.due) = (day.text, entry.start.saturatingNanoseconds)
      (line.done, line.important) = entry.task
      own.append(Due(at: entry.end, line: line))
    }
    // A journey to the east leaves out a day.
    if let over = wholeDay(day) { own.append(over) }
    due = (due + own).enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
  }

  /// The meals that are drawn for a day.
  private func meals(of day: LocalDay) -> [Due] {
    let home = CalendarDay.floorDivided(startedAt, 1_000_000_000)
    let zone = athlete.zone
    return drawnMeals.meals(of: day) { zone.offset(atLocal: $0, inZoneOf: home) }.filter { $0.at > mealsFrom }.map {
      Due(at: $0.at, line: meal(at: $0.at.saturatingNanoseconds, $0.calories, $0.protein))
    }
  }

  private func night(of day: LocalDay) -> Due? {
    guard let rest = athlete.rest(of: day) else { return nil }
    var line = TrueNight()
    line.day = day.text
    (line.from, line.to) = (rest.lowerBound.saturatingNanoseconds, rest.upperBound.saturatingNanoseconds)
    // Stages follow one another.
    let stages = athlete.samples(.sleep, of: day, until: .max).filter { $0.value != "inBed" && $0.value != "awake" }
    line.asleep = stages.reduce(0) { $0 + ($1.end - $1.start) }
    return Due(at: rest.upperBound, line: line)
  }

  private func wholeDay(_ day: LocalDay) -> Due? {
    let period = athlete.zone.period(of: day, .calories)
    guard !period.isEmpty else { return nil }
    var line = TrueDay()
    line.day = day.text
    (line.from, line.to) = (period.lowerBound.saturatingNanoseconds, period.upperBound.saturatingNanoseconds)
    let walks = athlete.moves(of: day, until: .max).map { walk in
      let minutes = walk.isBrisk ? (walk.end - walk.start) / 60 : 0
      return "[\(walk.start),\(walk.end),\(walk.steps),\(walk.energy),\(minutes)]"
    }
    line.walks = JSONText("[\(walks.joined(separator: ","))]")
    let sessions = athlete.samples(.mindfulness, of: day, until: .max)
    line.sessions = Int64(sessions.count)
    line.mindful = sessions.reduce(0) { $0 + ($1.end - $1.start) }
    // What began before midnight may end after it.
    let over = max(period.upperBound, sessions.map(\.end).max() ?? .min)
    if let morning = athlete.morning(of: day, until: over) {
      line.hrv = Int64(morning.hrv)
      line.grams = morning.weight.map { Int64(($0 * 1_000).rounded()) }
    }
    return Due(at: over, line: line)
  }
}
