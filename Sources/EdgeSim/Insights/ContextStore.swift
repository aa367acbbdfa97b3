import CoachProtocol
import Link

/// The server's snapshots by day: the file `context_store.json`.
struct ContextStore: Sendable, Equatable {
  /// A day's `DailySnapshot`.
  struct DailySnapshot: Sendable, Equatable {
    var data: DailySyncData
    /// Earlier versions; only by a planted bug.
    var versions: [String] = []

    /// Without the date, which is its key.
    var json: JSONValue {
      guard case .object(var members) = data.json else { return .null }
      members.removeAll { $0.key == "date" }
      if !versions.isEmpty { members.append(JSONMember("versions", versions.json)) }
      return .object(members)
    }
  }

  /// Ten years; beyond it the oldest day is dropped.
  static let daysMax = 3_660

  /// Identifies this store: another one lacks what was posted to this one.
  var store: Identifier
  var days: [String: DailySnapshot] = [:]
  /// The external service's workouts by day, each list in the order of the service.
  var workouts: [String: [ServiceWorkout]] = [:]
  /// Names of meals, which have no business here; only by a planted bug.
  var meals: [JSONNode] = []

  init(store: Identifier) { self.store = store }

  /// Reads the file: a whole object with the known keys.
  init(_ bytes: [UInt8]) throws(FileDamage) {
    let reader = try FileDamage.object(bytes, of: .contextStore)
    let collector = reader.collector
    guard let store = reader.string("store", required: true).flatMap({ Identifier(text: $0) }) else {
      throw FileDamage(why: "found no store, expected a UUID")
    }
    self.store = store
    reader.object("days", required: true) { days in
      days.allow(days.members.map(\.key))
      for member in days.members { read(member, into: collector) }
      return ()
    }
    if let names = reader.value("meals")?.node, case .array(let elements) = names.value { meals = elements }
    reader.finish()
    try FileDamage.check(reader)
  }

  private mutating func read(_ member: JSONMember, into collector: DiagnosticsCollector) {
    guard case .object(var members) = member.node.value, days.count < Self.daysMax else { return }
    if let list = members.first(where: { $0.key == "workouts" })?.node, case .array(let elements) = list.value {
      workouts[member.key] = elements.compactMap { ServiceWorkout($0, date: member.key, into: collector) }
      members.removeAll { $0.key == "workouts" }
      // A day before the phone's first one.
      if members.isEmpty { return }
    }
    let versions = members.first { $0.key == "versions" }?.node.value
    members.removeAll { $0.key == "versions" }
    members.insert(JSONMember("date", .string(member.key)), at: 0)
    guard let reader = JSONObjectReader(JSONNode(.object(members), at: member.node.position), into: collector) else {
      return
    }
    let data = DailySyncData(reader)
    reader.finish()
    guard let data else { return }
    var snapshot = DailySnapshot(data: data)
    if case .array(let texts) = versions {
      snapshot.versions = texts.compactMap { if case .string(let text) = $0.value { text } else { nil } }
    }
    days[data.date] = snapshot
  }

  /// The file: days in their order.
  var bytes: [UInt8] {
    let listed = dates.map { date in
      var members: [JSONMember] = []
      if case .object(let own)? = days[date]?.json { members = own }
      if let list = workouts[date] { members.append(JSONMember("workouts", .array(list.map(\.json)))) }
      return JSONMember(date, .object(members))
    }
    let json = JSONValue.object(of: [
      "store": store.text, "days": JSONValue.object(listed), "meals": meals.isEmpty ? nil : JSONValue.array(meals),
    ])
    return JSONWriter.compact(JSONNode(json))
  }

  /// The days that the file has.
  var dates: [String] { Set(days.keys).union(workouts.keys).sorted() }

  mutating func dropOldest() {
    while days.count > Self.daysMax, let oldest = days.keys.min() { days[oldest] = nil }
    while workouts.count > Self.daysMax, let oldest = workouts.keys.min() { workouts[oldest] = nil }
  }

  /// The file `exercise_history.json`: the heaviest set and the volume of each exercise by day; nil without workouts.
  var exerciseHistory: [UInt8]? {
    guard !workouts.isEmpty else { return nil }
    var history: [String: [JSONNode]] = [:]
    for (date, list) in workouts.sorted(by: { $0.key < $1.key }) {
      for exercise in list.flatMap(\.exercises) {
        let json = JSONValue.object(of: [
          "date": date, "top_weight": Double(exercise.topWeight) / 10, "volume": exercise.volume,
        ])
        history[exercise.name, default: []].append(JSONNode(json))
      }
    }
    let members = history.sorted { $0.key < $1.key }.map { JSONMember($0.key, .array($0.value)) }
    return JSONWriter.compact(JSONNode(.object(members)))
  }

  // MARK: Insights

  /// How many days the averages are of.
  private static let weekDays = 7

  /// The file `insights.json`: averages of the last seven complete days, for the user's goal; nil without a day.
  ///
  /// The newest day is still changing, so that the file changes about once a day.
  ///
  /// - Parameter isTodayCounted: A planted bug: whether the newest day counts, too.
  func insights(goal: String?, isTodayCounted: Bool = false) -> [UInt8]? {
    let sorted = days.sorted { $0.key < $1.key }.dropLast(isTodayCounted ? 0 : 1)
    let complete = sorted.suffix(Self.weekDays).map(\.value.data)
    guard !complete.isEmpty else { return nil }
    func average(_ values: [Int]) -> Int? { values.isEmpty ? nil : values.reduce(0, +) / values.count }
    let averages = JSONValue.object(of: [
      "calories": average(complete.compactMap { $0.nutrition?.calories }),
      "protein": average(complete.compactMap { $0.nutrition?.protein }),
      "steps": average(complete.compactMap { $0.health?.steps }),
      "sleep_minutes": average(complete.compactMap { $0.health?.sleepHours.map { Int(($0 * 60).rounded()) } }),
    ])
    let json = JSONValue.object(of: [
      "through": complete.last?.date ?? "", "days": complete.count, "averages": averages, "goal": goal,
    ])
    return JSONWriter.compact(JSONNode(json))
  }
}
