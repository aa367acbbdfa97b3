import CoachProtocol
import CoachReference
package import Link

/// `row-once`: no row is shown twice on a phone.
package struct RowOnceChecker: Checker {
  package static let invariant = "row-once"
  package static let about =
    "A session, score, photo, task, plan or exercise is shown once on each phone, however often its copies arrive."

  /// A row in the cloud, as one of the phones shows it.
  private struct Place: Hashable {
    var phone: Int64
    var source: Identifier
  }

  /// The line that says that the phone shows the row.
  private var shown: [Place: Int] = [:]

  package init(header: TraceHeader) {}

  package mutating func trainingStored(_ session: TrainingStored, at event: Occurrence, into report: inout Report) {
    // What a phone's own user made has its identifier on all phones.
    shown[Place(phone: 1, source: session.sessionId)] = event.line
  }

  package mutating func trainingRowChanged(_ row: TrainingRowChanged, at event: Occurrence, into report: inout Report) {
    shown[Place(phone: row.phone ?? 1, source: row.rowId)] = event.line
  }

  package mutating func trainingDrill(_ drill: TrainingDrill, at event: Occurrence, into report: inout Report) {
    shown[Place(phone: drill.phone ?? 1, source: drill.drillId)] = event.line
  }

  package mutating func trainingRemoved(_ session: TrainingRemoved, at event: Occurrence, into report: inout Report) {
    shown[Place(phone: session.phone ?? 1, source: session.sessionId)] = nil
  }

  package mutating func trainingShown(_ row: TrainingShown, at event: Occurrence, into report: inout Report) {
    let place = Place(phone: row.phone, source: row.source)
    if let before = shown[place] {
      report.add(
        "the \(row.phone == 2 ? "second" : "first") phone shows the row \(row.source.text) of \(row.table) a second time",
        at: event.time,
        lines: [before, event.line])
    }
    shown[place] = event.line
  }
}

/// `stores-converge`: once everything has arrived, both phones show the same.
package struct StoresConvergeChecker: Checker {
  package static let invariant = "stores-converge"
  package static let about =
    "With `phone.training.sync` both phones hold equal rows whenever nothing is on its way between them, in whatever order and however often rows came."

  private struct State {
    var settled: TrainingSettled
    var line: Int
    var time: VirtualTime
  }

  /// The first phone's state, until the second one's follows.
  private var first: State?

  package init(header: TraceHeader) {}

  package mutating func trainingSettled(_ settled: TrainingSettled, at event: Occurrence, into report: inout Report) {
    let state = State(settled: settled, line: event.line, time: event.time)
    guard settled.phone == 2 else {
      if let alone = first { Self.object(to: alone, &report) }
      return first = state
    }
    guard let other = first, other.time == event.time else { return Self.object(to: state, &report) }
    first = nil
    guard other.settled.digest != settled.digest || other.settled.rows != settled.rows else { return }
    let rows =
      other.settled.rows == settled.rows
      ? "other values in \(settled.rows) rows" : "\(other.settled.rows) and \(settled.rows) rows"
    report.add(
      "the phones show \(rows), and nothing is on its way between them", at: event.time,
      lines: [other.line, event.line])
  }

  /// Objects to a phone whose other one reports nothing.
  private static func object(to state: State, _ report: inout Report) {
    report.add("the other phone does not report what it has at the same time", at: state.time, lines: [state.line])
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout Report) {
    if ending.isComplete, let alone = first { Self.object(to: alone, &report) }
  }
}

/// `sync-complete`: the device's totals are those of its meals, and the server's are the device's.
package struct SyncCompleteChecker: Checker {
  package static let invariant = "sync-complete"
  package static let about =
    "A day's totals sum up its meals, and whenever nothing is pending the server has the phone's totals."

  /// Amounts of a meal, or sums of them.
  private struct Amounts {
    var calories: Int64 = 0
    var protein: Int64 = 0
    /// Zero in traces of earlier versions, whose totals have none.
    var carbs: Int64 = 0
    var fat: Int64 = 0
    var count: Int64 = 0

    mutating func add(_ other: Self, times: Int64) {
      calories &+= other.calories &* times
      protein &+= other.protein &* times
      carbs &+= other.carbs &* times
      fat &+= other.fat &* times
      count &+= other.count &* times
    }
  }

  /// A real server reports no snapshots.
  private let hasServer: Bool
  private var meals: [String: Amounts] = [:]
  private var entries: [Identifier: (day: String, amounts: Amounts)] = [:]
  private var device: [String: (revision: Int64, totals: String, line: Int)] = [:]
  private var server = ServerDays()
  /// The totals of days that were posted, by day, as last posted.
  private var sent: [String: String] = [:]
  /// Requests since the server last lost its days, of the current synchronisation.
  private var posted: Set<Identifier> = []

  package init(header: TraceHeader) { hasServer = header.extra("proxy") == nil }

  package mutating func mealLogged(_ meal: MealLogged, at event: Occurrence, into report: inout Report) {
    store(
      meal.id, meal.day,
      Amounts(calories: meal.calories, protein: meal.protein, carbs: meal.carbs ?? 0, fat: meal.fat ?? 0, count: 1))
  }

  package mutating func mealEdited(_ meal: MealEdited, at event: Occurrence, into report: inout Report) {
    guard let known = remove(meal.id) else { return }
    // A meal keeps its day.
    store(
      meal.id, known,
      Amounts(calories: meal.calories, protein: meal.protein, carbs: meal.carbs, fat: meal.fat, count: 1))
  }

  package mutating func mealRemoved(_ meal: MealRemoved, at event: Occurrence, into report: inout Report) {
    remove(meal.id)
  }

  package mutating func dayAggregated(_ day: DayAggregated, at event: Occurrence, into report: inout Report) {
    device[day.day] = (day.revision, day.totals.text, event.line)
    guard !agrees(day) else { return }
    report.add("the totals of \(day.day) are not those of its meals", at: event.time, lines: [event.line])
  }

  package mutating func daysPosted(_ post: DaysPosted, at event: Occurrence, into report: inout Report) {
    posted.insert(post.id)
    for day in (try? JSONParser.parse(post.days.text, dialect: .json))?.elements ?? [] {
      guard let date = day["date"]?.text, let totals = device[date]?.totals else { continue }
      sent[date] = totals
    }
  }

  package mutating func serverContext(_ context: ServerContext, at event: Occurrence, into report: inout Report) {
    guard let why = PostedSummary(sent.values).difference(from: context) else { return }
    report.add(why, at: event.time, lines: [event.line])
  }

  package mutating func daysSynced(_ sync: DaysSynced, at event: Occurrence, into report: inout Report) {
    guard posted.remove(sync.id) != nil, sync.pending == 0, hasServer else { return }
    compare(at: event.time, event.line, into: &report)
  }

  package mutating func dayUpserted(_ day: DayUpserted, at event: Occurrence, into report: inout Report) {
    server.observe(day, at: event)
  }

  package mutating func serverRestarted(_ start: ServerRestarted, at event: Occurrence, into report: inout Report) {
    if server.observe(start, at: event) { posted = [] }
  }

  package mutating func fileDamaged(_ damage: FileDamaged, at event: Occurrence, into report: inout Report) {
    if server.observe(damage, at: event) { posted = [] }
  }

  private mutating func store(_ id: Identifier, _ day: String, _ amounts: Amounts) {
    entries[id] = (day, amounts)
    meals[day, default: Amounts()].add(amounts, times: 1)
  }

  /// Returns the day of the meal, if it was stored.
  @discardableResult
  private mutating func remove(_ id: Identifier) -> String? {
    guard let known = entries.removeValue(forKey: id) else { return nil }
    meals[known.day, default: Amounts()].add(known.amounts, times: -1)
    return known.day
  }

  private func agrees(_ day: DayAggregated) -> Bool {
    guard let node = try? JSONParser.parse(day.totals.text, dialect: .json) else { return false }
    let sum = meals[day.day] ?? Amounts()
    guard let nutrition = node["nutrition"] else { return sum.count == 0 }
    return nutrition["calories"]?.double == Double(sum.calories)
      && nutrition["protein"]?.double == Double(sum.protein)
      && (nutrition["carbs"]?.double ?? 0) == Double(sum.carbs)
      && (nutrition["fat"]?.double ?? 0) == Double(sum.fat)
      && nutrition["entry_count"]?.double == Double(sum.count)
  }

  private func compare(at time: VirtualTime, _ line: Int, into report: inout Report) {
    let days = Set(device.keys).union(server.days.keys).sorted()
    for day in days {
      let own = device[day].map { ServerDays.snapshot(revision: $0.revision, totals: $0.totals) }
      let stored = server.days[day]
      guard own != stored?.text else { continue }
      let why = stored == nil ? "lacks \(day)" : "has other totals for \(day)"
      report.add(
        "the server \(why), although nothing is pending", at: time,
        lines: [device[day]?.line, stored?.line, line].compactMap(\.self).sorted())
      return
    }
  }
}

/// `wiped-server-whole`: what the server loses, the device brings back.
package struct WipedServerChecker: Checker {
  package static let invariant = "wiped-server-whole"
  package static let about =
    "A server that lost its days has all of them after the phone's first complete synchronisation."

  /// The days that the phone has totals of.
  private var device: Set<String> = []
  private var server = ServerDays()
  /// The line of a loss that no synchronisation has made good, if any.
  private var loss: Int?
  /// Requests since the loss, of the current synchronisation.
  private var posted: Set<Identifier> = []

  package init(header: TraceHeader) {}

  package mutating func dayAggregated(_ day: DayAggregated, at event: Occurrence, into report: inout Report) {
    device.insert(day.day)
  }

  package mutating func daysPosted(_ post: DaysPosted, at event: Occurrence, into report: inout Report) {
    if loss != nil { posted.insert(post.id) }
  }

  package mutating func daysSynced(_ sync: DaysSynced, at event: Occurrence, into report: inout Report) {
    guard let loss, posted.contains(sync.id), sync.pending == 0 else { return }
    self.loss = nil
    posted = []
    let missing = device.subtracting(server.days.keys)
    guard let first = missing.min() else { return }
    report.add(
      "the server lost its days, and after a synchronisation \(missing.count) are missing, such as \(first)",
      at: event.time, lines: [loss, event.line])
  }

  package mutating func dayUpserted(_ day: DayUpserted, at event: Occurrence, into report: inout Report) {
    server.observe(day, at: event)
  }

  package mutating func serverRestarted(_ start: ServerRestarted, at event: Occurrence, into report: inout Report) {
    guard server.observe(start, at: event) else { return }
    loss = event.line
    posted = []
  }

  package mutating func fileDamaged(_ damage: FileDamaged, at event: Occurrence, into report: inout Report) {
    guard server.observe(damage, at: event) else { return }
    loss = event.line
    posted = []
  }
}
