import CoachProtocol
import Link

/// Acts of the user that change no result, and removal.
extension TrainingBook {
  mutating func addPhoto(_ file: TrainingFile, _ clock: Int64, _ orders: inout Orders) -> String? {
    guard let ride = record.newest(.riding) else { return "there is no ride" }
    let id = newId("RidePhoto", of: ride.id)
    put(
      "RidePhoto", id,
      ["fileName": .text(file.name), "digest": .text(file.digest), "takenAt": .integer(clock), "ride": .id(ride.id)],
      &orders)
    report("RidePhoto", id, "added", rows: 1, &orders)
    return nil
  }

  mutating func scanTarget(
    _ end: Int, _ file: TrainingFile, _ groupSize: Double?, _ clock: Int64, _ orders: inout Orders
  ) -> String? {
    guard let session = record.newest(.shooting) else { return "there is no shooting session" }
    guard var row = record.row("ShootingEnd", Identifier(of: session.id, "ShootingEnd", Int64(end - 1))) else {
      return "there is no end \(end)"
    }
    let id = newId("TargetScanAnalysis", of: row.id)
    put(
      "TargetScanAnalysis", id,
      [
        "fileName": .text(file.name), "digest": .text(file.digest), "analysedAt": .integer(clock),
        "groupSize": .optional(groupSize),
      ], &orders)
    row["targetScanAnalysis"] = .id(id)
    put(row, &orders)
    report("TargetScanAnalysis", id, "added", rows: 1, &orders)
    return nil
  }

  mutating func addTask(_ title: String, _ orders: inout Orders) -> String? {
    guard let competition, record.row("Competition", competition) != nil else { return "there is no competition" }
    let tasks = record.rows("CompetitionTask").filter { $0.identifier("competition") == competition }
    guard tasks.count < Self.tasksMax else { return "there are \(Self.tasksMax) tasks" }
    let id = newId("CompetitionTask", of: competition)
    let last = tasks.compactMap { $0.integer("orderIndex") }.max() ?? -1
    put(
      "CompetitionTask", id,
      [
        "orderIndex": .integer(min(last + 1, 1_000)), "title": .text(title), "isCompleted": .flag(false),
        "competition": .id(competition),
      ], &orders)
    report("CompetitionTask", id, "added", rows: 1, &orders)
    return nil
  }

  /// Tasks of a competition at most.
  static let tasksMax = 1_000

  mutating func completeTask(_ title: String, _ clock: Int64, _ orders: inout Orders) -> String? {
    let open = record.rows("CompetitionTask").filter { $0.text("title") == title && $0.integer("isCompleted") == 0 }
    guard var row = open.min(by: { ($0.integer("orderIndex") ?? 0, $0.id) < ($1.integer("orderIndex") ?? 0, $1.id) })
    else { return "there is no open task of this title" }
    row["isCompleted"] = .flag(true)
    row["completedAt"] = .integer(clock)
    put(row, &orders)
    report("CompetitionTask", row.id, "completed", rows: 1, &orders)
    return nil
  }

  mutating func planWorkout(
    _ discipline: TrainingDiscipline, _ name: String, _ intervals: [PlannedInterval], _ clock: Int64,
    _ orders: inout Orders
  ) -> String? {
    guard let word = discipline.partWord else { return "a plan of \(discipline.rawValue) has no intervals" }
    let id = newId("WorkoutTemplate", of: athlete)
    put(
      "WorkoutTemplate", id,
      ["name": .text(name), "discipline": .text(discipline.rawValue), "createdAt": .integer(clock)], &orders)
    for (index, interval) in intervals.enumerated() {
      put(
        "Interval", Identifier(of: id, "Interval", Int64(index)),
        [
          "orderIndex": .integer(Int64(index)), "name": .text(interval.name),
          "targetDistance": .optional(interval.distance), "targetDuration": .optional(interval.duration),
          "targetPace": .optional(interval.pace), "restDuration": .optional(interval.rest), "isCompleted": .flag(false),
          "targetGait": interval.gait.map { .text($0) } ?? .null,
          "intensity": interval.intensity.map { .text($0) } ?? .null, "discipline": .text(word),
          "workoutTemplate": .id(id),
        ], &orders)
    }
    report("WorkoutTemplate", id, "added", rows: intervals.count + 1, &orders)
    return nil
  }

  mutating func recordWeather(
    _ discipline: TrainingDiscipline, _ weather: String, _ orders: inout Orders
  ) -> String? {
    guard var session = record.newest(discipline) else { return "there is no session of \(discipline.rawValue)" }
    session["weather"] = .text(weather)
    put(session, &orders)
    report(discipline.table, session.id, "weather", rows: 1, &orders)
    return nil
  }

  /// Stores what the edge says of a run with its session; no effect without one.
  mutating func store(_ summary: PostRunSummaryResponse, ofRun runId: Identifier, _ orders: inout Orders) {
    let text = summary.json.compactText
    // A real edge may write at length; `Run.summaryText` has it all.
    guard text.utf8.count <= 20_000, var session = record.row("RunningSession", runId) else { return }
    session["aiSummary"] = .text(text)
    put(session, &orders)
    report("RunningSession", runId, "summary", rows: 1, &orders)
  }

  func report(_ table: String, _ id: Identifier, _ what: String, rows: Int, _ orders: inout Orders) {
    var event = TrainingRowChanged()
    (event.table, event.rowId, event.what, event.rows) = (table, id, what, Int64(rows))
    event.phone = phoneNumber
    orders.events.append(event)
  }

  // MARK: Removal

  mutating func removeSession(_ discipline: TrainingDiscipline, _ orders: inout Orders) -> String? {
    guard let session = record.newest(discipline) else { return "there is no session of \(discipline.rawValue)" }
    remove(session, discipline, stamp: stampRemoval(of: session, &orders), &orders)
    return nil
  }

  /// Removes a session with its parts and snapshot, and refreshes what referred to it.
  ///
  /// - Parameter stamp: Of the removal; nil without a second phone.
  mutating func remove(
    _ session: TrainingRow, _ discipline: TrainingDiscipline, stamp: SyncStamp?, _ orders: inout Orders
  ) {
    let own = record.rows("SkillSnapshot").filter { $0.identifier("sourceSessionID") == session.id }
    for snapshot in own { apply(.removed(table: snapshot.table, snapshot.id), &orders) }
    let competitions = record.rows("Competition").filter { $0.identifier(discipline.competitionColumn) == session.id }
    let count = removeRow(session, stamp: stamp, &orders)
    reported[session.id] = nil
    apply(.sessionRemoved(session.id), &orders)
    var event = TrainingRemoved()
    (event.sessionId, event.discipline, event.rows) = (session.id, discipline.rawValue, Int64(count))
    event.phone = phoneNumber
    orders.events.append(event)
    for competition in competitions {
      if let row = record.row("Competition", competition.id) { refresh(row, discipline, of: session.id, &orders) }
    }
  }

  /// Removes a row after its parts, and empties references to it; returns how many rows went.
  mutating func removeRow(_ row: TrainingRow, stamp: SyncStamp?, _ orders: inout Orders) -> Int {
    var count = 1
    for (table, column, isPart) in TrainingCatalog.references[row.table] {
      let index = TrainingCatalog.all[table].index(of: column)
      let text = StoredValue.id(row.id)
      let others = record.tables[table].values.filter { $0.values[index] == text }.sorted { $0.id < $1.id }
      for var other in others {
        if isPart {
          count += removeRow(other, stamp: stamp, &orders)
        } else {
          // Not written by the user: each phone empties it by itself.
          other[column] = .null
          apply(.row(other), &orders)
        }
      }
    }
    apply(.removed(table: row.table, row.id), &orders)
    let key = SyncKey(table: row.table, id: row.id)
    if let stamp, var known = record.synced[key], known.removed == nil {
      known.removed = stamp
      apply(.synced(known), &orders)
    }
    return count
  }
}
