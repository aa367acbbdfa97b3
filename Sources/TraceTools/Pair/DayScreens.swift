import Console
package import Link

/// The screen Training: sessions of all disciplines, exercises, competitions.
package struct TrainingScreen {
  /// A stored session.
  package struct Session {
    package let id: Identifier
    package let discipline: String
    /// Metres.
    package let distance: Double
    /// Seconds.
    package let duration: Double
    /// As in `training.stored`: milliseconds, thousandths of a point, or rings, if any.
    package var result: Int64?
    package let parts: Int64?
    package let at: VirtualTime
    /// What the user changed in it.
    package var edits: [String] = []
  }

  package var isOn = false
  package private(set) var sessions: [Session] = []
  package private(set) var drills: [(discipline: String, kind: String, sets: Int64, at: VirtualTime)] = []
  /// The cached results of the competition, by discipline.
  package private(set) var results: [(discipline: String, result: Int64?)] = []
  /// The last report that was refused, and why, if any.
  package private(set) var refusal: String?

  private static let listMax = 200

  mutating func observe(_ event: TraceEvent) {
    switch event.body {
    case .trainingStored(let stored):
      guard sessions.count < Self.listMax, !sessions.contains(where: { $0.id == stored.sessionId }) else { return }
      sessions.append(
        Session(
          id: stored.sessionId, discipline: stored.discipline, distance: Double(stored.distance) / 1_000,
          duration: Double(stored.duration) / 1_000, result: stored.result, parts: stored.parts, at: event.time))
    case .trainingEdited(let edited):
      guard let index = sessions.firstIndex(where: { $0.id == edited.sessionId }) else { return }
      sessions[index].edits.append(edited.what)
      if let result = edited.result { sessions[index].result = result }
    case .trainingRemoved(let removed): sessions.removeAll { $0.id == removed.sessionId }
    case .trainingDrill(let drill):
      if drills.count < Self.listMax { drills.append((drill.discipline, drill.drillType, drill.sets, event.time)) }
    case .competitionUpdated(let competition):
      if let index = results.firstIndex(where: { $0.discipline == competition.discipline }) {
        results[index].result = competition.result
      } else if results.count < Self.listMax {
        results.append((competition.discipline, competition.result))
      }
    default:
      if event.name == TrainingRefused.name { refusal = event.text("why") }
    }
  }
}

/// The screens Apple Health and Settings: what was fetched of Apple's data, parsed, purged, and failed.
package struct AppleHealthScreen {
  /// A row of the staging table.
  package struct Row {
    package let id: Identifier
    package let type: String
    package let day: String
    package var bytes: Int64
    package var isParsed = false
    package var failure: String?
  }

  package var isOn = false
  /// The rows that are staged now.
  package private(set) var rows: [Row] = []
  /// The measures of a day and type, in the order of parsing; they outlive the rows.
  package private(set) var measures: [(type: String, day: String, values: [(key: String, value: Double)])] = []
  /// Types that the user has switched off.
  package private(set) var off: [String] = []
  package private(set) var syncedAt: VirtualTime?
  /// The last query that brought nothing: type, why.
  package private(set) var refusal: (type: String, why: String)?

  /// In the order of the settings.
  package static let types = ["sleep", "calories", "exercise", "mindfulness", "calendar", "reminders"]
  private static let rowsMax = 4_000

  mutating func observe(_ event: TraceEvent) {
    switch event.body {
    case .ingestionRequested: syncedAt = event.time
    case .ingestionStaged(let staged):
      if let index = rows.firstIndex(where: { $0.id == staged.id }) {
        (rows[index].bytes, rows[index].isParsed, rows[index].failure) = (staged.bytes, false, nil)
      } else if rows.count < Self.rowsMax {
        rows.append(Row(id: staged.id, type: staged.type, day: staged.day, bytes: staged.bytes))
      }
      refusal = nil
    case .ingestionParsed(let parsed): parse(parsed)
    case .ingestionFailed(let failed):
      guard let index = rows.firstIndex(where: { $0.id == failed.id }) else { return }
      rows[index].failure = failed.why
    case .ingestionPurged(let purged): rows.removeAll { $0.id == purged.id }
    default: change(event)
    }
  }

  private mutating func parse(_ parsed: IngestionParsed) {
    if let index = rows.firstIndex(where: { $0.id == parsed.id }) {
      (rows[index].isParsed, rows[index].failure) = (true, nil)
    }
    guard let node = parsed.measures.node, case .object(let members) = node.value else { return }
    let values = members.compactMap { member in member.node.double.map { (member.key, $0) } }
    if let index = measures.firstIndex(where: { $0.type == parsed.type && $0.day == parsed.day }) {
      measures[index].values = values
    } else if measures.count < Self.rowsMax {
      measures.append((parsed.type, parsed.day, values))
    }
  }

  private mutating func change(_ event: TraceEvent) {
    switch event.name {
    case IngestionRefused.name: refusal = (event.text("type") ?? "", event.text("why") ?? "")
    case IngestionAccess.name:
      if event.text("status") == "granted", refusal?.type == event.text("type") { refusal = nil }
    case IngestionSwitched.name:
      guard let type = event.text("type") else { return }
      off.removeAll { $0 == type }
      if event["on"] == .bool(false) { off.append(type) }
    default: break
    }
  }
}

/// The screen Meals: what was eaten, the totals of the days, what the edge has of them.
package struct MealsScreen {
  /// A meal of the phone's table.
  package struct Meal {
    package let id: Identifier
    package let day: String
    package fileprivate(set) var name: String
    package fileprivate(set) var calories: Int64
    package fileprivate(set) var protein: Int64
    package fileprivate(set) var carbs: Int64
    package fileprivate(set) var fat: Int64
    package let date: String
  }

  package var isOn = false
  package private(set) var meals: [Meal] = []
  /// The totals of the days as last computed.
  package private(set) var days: [(day: String, revision: Int64, totals: JSONText)] = []
  /// Days that wait for a post, as the last answer leaves them; nil before the first answer.
  package private(set) var pending: Int64?
  package private(set) var syncedAt: VirtualTime?
  /// Why the last post brought nothing; nil if it did.
  package private(set) var failure: String?
  package private(set) var chat: [(number: Int64, text: String)] = []

  private static let listMax = 1_000

  mutating func observe(_ event: TraceEvent) {
    switch event.body {
    case .mealLogged(let meal):
      guard meals.count < Self.listMax else { return }
      meals.append(
        Meal(
          id: meal.id, day: meal.day, name: meal.name, calories: meal.calories, protein: meal.protein,
          carbs: meal.carbs ?? 0, fat: meal.fat ?? 0, date: meal.date))
    case .mealEdited(let edited):
      guard let index = meals.firstIndex(where: { $0.id == edited.id }) else { return }
      meals[index].name = edited.name
      (meals[index].calories, meals[index].protein) = (edited.calories, edited.protein)
      (meals[index].carbs, meals[index].fat) = (edited.carbs, edited.fat)
    case .mealRemoved(let removed): meals.removeAll { $0.id == removed.id }
    case .dayAggregated(let day):
      if let index = days.firstIndex(where: { $0.day == day.day }) {
        days[index] = (day.day, day.revision, day.totals)
      } else if days.count < Self.listMax {
        days.append((day.day, day.revision, day.totals))
      }
    case .daysSynced(let synced): (pending, syncedAt, failure) = (synced.pending, event.time, nil)
    case .syncFailed(let failed): failure = failed.why
    case .chatWritten(let chat):
      if self.chat.count < Self.listMax { self.chat.append((chat.number, chat.text)) }
    default: break
    }
  }
}

/// The screens History and Trends: the runs that the phone has in its store, and their distance by week.
package struct RunHistoryScreen {
  /// A run of the list.
  package struct Row {
    package let workout: Identifier
    /// When it began, in seconds since 1970 by the phone's clock.
    package var begin: Double
    /// Metres; nil while the row is a stub, without figures of the health store.
    package var distance: Double?
    /// Seconds; nil likewise.
    package var duration: Double?
    package var averagePace: Double?
    package var splits: Int64?
    /// Points of its route.
    package var route: Int64?
    package var heartRates: Int64?
    /// Whether the watch has saved it.
    package var isFinished = false
    package var discipline: String
  }

  package private(set) var rows: [Row] = []
  /// Seconds since 1970 at the run's start.
  private var startedAt = 0.0

  private static let rowsMax = 500

  mutating func setUp(_ header: TraceHeader) { startedAt = Double(header.unixStart ?? 0) / 1e9 }

  mutating func observe(_ event: TraceEvent) {
    switch event.body {
    case .runOpened(let opened): add(opened.workoutId, at: event.time)
    case .runFinished(let finished): change(finished.workoutId) { $0.isFinished = true }
    case .runDiscarded(let discarded): rows.removeAll { $0.workout == discarded.workoutId }
    case .snapshotFresh(let snapshot):
      // Figures of the watch, until the health store has its own.
      change(snapshot.metrics.workoutId) { row in
        guard !row.isFinished else { return }
        (row.distance, row.duration) = (snapshot.metrics.distance, snapshot.metrics.elapsed)
        row.averagePace = snapshot.metrics.avgPaceSecPerKm
      }
    case .trainingStored(let stored):
      add(stored.workoutId, at: event.time)
      change(stored.workoutId) { row in
        row.discipline = stored.discipline
        row.distance = Double(stored.distance) / 1_000
        row.duration = Double(stored.duration) / 1_000
        row.averagePace = stored.distance > 0 ? Double(stored.duration) / Double(stored.distance) * 1_000 : nil
        if let began = stored.startedAt { row.begin = Double(began) / 1e9 }
      }
    default:
      if event.name == HealthTruth.name {
        readHealth(event)
      } else if event.name == StoreWiped.name {
        rows.removeAll()
      }
    }
  }

  private mutating func readHealth(_ event: TraceEvent) {
    guard let run = event.identifier("aarcRunId") else { return }
    add(run, at: event.time)
    change(run) { row in
      row.distance = event["distance"]?.double
      row.duration = event["duration"]?.double
      row.averagePace = event["avgPace"]?.double
      row.splits = event["splits"]?.integer
      row.route = event["route"]?.integer
      row.heartRates = event["heartRates"]?.integer
      row.isFinished = true
    }
  }

  private mutating func add(_ workout: Identifier, at time: VirtualTime) {
    guard rows.count < Self.rowsMax, !rows.contains(where: { $0.workout == workout }) else { return }
    rows.append(Row(workout: workout, begin: startedAt + Double(time.nanoseconds) / 1e9, discipline: "running"))
  }

  private mutating func change(_ workout: Identifier, _ change: (inout Row) -> Void) {
    guard let index = rows.lastIndex(where: { $0.workout == workout }) else { return }
    change(&rows[index])
  }
}
