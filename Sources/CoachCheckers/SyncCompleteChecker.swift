import CoachReference
import CoachProtocol
package import Link

/// `sync-complete`: the device's totals are those of its meals, and the server's are the device's.
package struct SyncCompleteChecker: Checker {
  package static let invariant = "sync-complete"
  package static let about =
    "A day's totals sum up its meals, and whenever nothing is pending the server has the phone's totals."

  private struct Meals {
    var calories: Int64 = 0
    var protein: Int64 = 0
    var count: Int64 = 0
  }

  /// A real server reports no snapshots.
  private let hasServer: Bool
  private var meals: [String: Meals] = [:]
  private var entries: [Identifier: (day: String, calories: Int64, protein: Int64)] = [:]
  private var device: [String: (revision: Int64, totals: String, line: Int)] = [:]
  private var server = ServerDays()
  /// Requests since the server last lost its days, of the current synchronisation.
  private var posted: Set<Identifier> = []

  package init(header: TraceHeader) { hasServer = header.extra("proxy") == nil }

  package mutating func mealLogged(_ meal: MealLogged, at event: Occurrence, into report: inout Report) {
    entries[meal.id] = (meal.day, meal.calories, meal.protein)
    change(meal.day, calories: meal.calories, protein: meal.protein, count: 1)
  }

  package mutating func mealRemoved(_ meal: MealRemoved, at event: Occurrence, into report: inout Report) {
    guard let known = entries.removeValue(forKey: meal.id) else { return }
    change(known.day, calories: 0 &- known.calories, protein: 0 &- known.protein, count: -1)
  }

  package mutating func dayAggregated(_ day: DayAggregated, at event: Occurrence, into report: inout Report) {
    device[day.day] = (day.revision, day.totals.text, event.line)
    guard !agrees(day) else { return }
    report.add("the totals of \(day.day) are not those of its meals", at: event.time, lines: [event.line])
  }

  package mutating func daysPosted(_ post: DaysPosted, at event: Occurrence, into report: inout Report) {
    posted.insert(post.id)
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

  private mutating func change(_ day: String, calories: Int64, protein: Int64, count: Int64) {
    meals[day, default: Meals()].calories &+= calories
    meals[day, default: Meals()].protein &+= protein
    meals[day, default: Meals()].count &+= count
  }

  private func agrees(_ day: DayAggregated) -> Bool {
    guard let node = try? JSONParser.parse(day.totals.text, dialect: .json) else { return false }
    let sum = meals[day.day] ?? Meals()
    guard let nutrition = node["nutrition"] else { return sum.count == 0 }
    return nutrition["calories"]?.double == Double(sum.calories)
      && nutrition["protein"]?.double == Double(sum.protein)
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
