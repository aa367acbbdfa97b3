import CoachProtocol
import Link

/// Stores the athlete's sessions in the unified form, and keeps what is derived from them up to date.
///
/// A session is stored whole, in one transaction, once all parts of its report are there; parts that come again change
/// nothing. Skills and a competition's cache are computed from the sessions after every change.
struct TrainingBook: Sendable {
  /// What a call orders: the changes are committed together.
  struct Orders: Sendable {
    var changes: [TrainingChange] = []
    var events: [any TraceEventKind] = []
  }

  /// Incomplete reports at most; a watch completes one before it begins the next.
  static let pendingMax = 64

  private(set) var record: TrainingRecord
  private let setup: TrainingSetup
  private let plants: Plants
  private let athlete: Identifier
  private let horse: Identifier
  private let competition: Identifier?

  init(seed: UInt64, setup: TrainingSetup, restoring record: TrainingRecord, plants: Plants) {
    self.record = record
    self.setup = setup
    self.plants = plants
    let random = RandomStream(seed: seed, name: "phone.training")
    athlete = Identifier(random, for: 1)
    horse = Identifier(random, for: 2)
    competition = setup.competition.isEmpty ? nil : Identifier(random, for: 3)
  }

  /// Stores athlete, horse and competition at the first start.
  mutating func begin(clock: Int64, into orders: inout Orders) {
    guard record.row("AthleteProfile", athlete) == nil else { return }
    put(TrainingRow("AthleteProfile", athlete, ["name": .text(setup.athlete)]), &orders)
    put(TrainingRow("Horse", horse, ["name": .text(setup.horse)]), &orders)
    guard let competition else { return }
    let values: [String: TrainingValue] = [
      "name": .text(setup.competition), "date": .integer(clock), "horse": .id(horse),
    ]
    put(TrainingRow("Competition", competition, values), &orders)
  }

  // MARK: Reports

  /// Stores a part of a report.
  mutating func receive(_ report: SessionReport, into orders: inout Orders) {
    let known = record.pending[report.workoutId] ?? []
    // A watch that was killed between two parts sends all of them again.
    if record.session(report.workoutId) != nil || report.part <= known.count { return }
    guard report.part == known.count + 1, known.last.map({ report.continues($0) }) ?? true else {
      return refuse(report, "part \(report.part) after \(known.count)", &orders)
    }
    guard !known.isEmpty || record.pending.count < Self.pendingMax else {
      return refuse(report, "\(Self.pendingMax) incomplete reports", &orders)
    }
    guard report.part == report.parts else { return apply(.part(report), &orders) }
    let units = known.flatMap(\.units) + report.units
    if !known.isEmpty { apply(.complete(report.workoutId), &orders) }
    store(report, units, as: report.workoutId, &orders)
  }

  private mutating func refuse(_ report: SessionReport, _ why: String, _ orders: inout Orders) {
    var event = TrainingRefused()
    (event.workoutId, event.why) = (report.workoutId, why)
    orders.events.append(event)
  }

  private mutating func store(
    _ report: SessionReport, _ units: [SessionUnit], as id: Identifier, _ orders: inout Orders
  ) {
    let made = SessionRows(report, units, id: id, horse: horse)
    for row in made.rows { put(row, &orders) }
    var event = TrainingStored()
    (event.sessionId, event.workoutId, event.discipline) = (id, report.workoutId, report.discipline.rawValue)
    (event.distance, event.duration) = (report.distanceMillimetres, report.activeMilliseconds)
    event.points = Int64(made.rows.count { $0.entity.name == "GPSPoint" })
    event.rows = Int64(made.rows.count)
    event.result = result(of: id, report.discipline)
    orders.events.append(event)
    updateSkill(of: id, report.discipline, parts: made.rows, &orders)
    updateCompetition(for: id, report.discipline, &orders)
  }

  /// Stores a session again when its workout was found in the health store; only by a planted bug.
  mutating func storeAgain(_ workout: Identifier, into orders: inout Orders) {
    guard let (discipline, row) = record.session(workout) else { return }
    let id = Identifier(of: workout, "again", 0)
    var values: [String: TrainingValue] = [:]
    for (column, value) in zip(row.entity.columns, row.values) { values[column.name] = value }
    put(TrainingRow(discipline.table, id, values), &orders)
    var event = TrainingStored()
    (event.sessionId, event.workoutId, event.discipline) = (id, workout, discipline.rawValue)
    (event.distance, event.duration) = (thousandths(row, "totalDistance"), thousandths(row, "totalDuration"))
    (event.rows, event.result) = (1, result(of: id, discipline))
    orders.events.append(event)
  }

  // MARK: Acts of the user

  /// Carries out an act; returns why it is refused, nil if it is not.
  mutating func carryOut(_ act: TrainingCommand, clock: Int64, into orders: inout Orders) -> String? {
    switch act {
    case .correctShot(let end, let shot, let score): correctShot(end, shot, score, &orders)
    case .scoreRide(let score): scoreRide(score, clock, &orders)
    case .logDrill(let discipline, let type, let sets): logDrill(discipline, type, sets, clock, &orders)
    }
  }

  private mutating func correctShot(_ end: Int, _ shot: Int, _ score: Int, _ orders: inout Orders) -> String? {
    guard let session = record.newest(.shooting) else { return "there is no shooting session" }
    let endId = Identifier(of: session.id, "ShootingEnd", Int64(end - 1))
    let number = SessionRows.number(end: Int64(end - 1), shot: Int64(shot - 1))
    guard var row = record.row("Shot", Identifier(of: session.id, "Shot", number)),
      var endRow = record.row("ShootingEnd", endId)
    else { return "there is no shot \(shot) in end \(end)" }
    row["score"] = .integer(Int64(score))
    put(row, &orders)
    let shots = record.rows("Shot").filter { $0.identifier("end") == endId }
    endRow["totalScore"] = .integer(shots.reduce(0) { $0 + ($1.integer("score") ?? 0) })
    put(endRow, &orders)
    let ends = record.rows("ShootingEnd").filter { $0.identifier("session") == session.id }
    var changed = session
    changed["totalScore"] = .integer(ends.reduce(0) { $0 + ($1.integer("totalScore") ?? 0) })
    put(changed, &orders)
    sessionChanged(session.id, .shooting, "shot", &orders)
    return nil
  }

  private mutating func scoreRide(_ score: Double, _ clock: Int64, _ orders: inout Orders) -> String? {
    guard let ride = record.newest(.riding) else { return "there is no ride" }
    let count = record.rows("RideScore").count { $0.identifier("ride") == ride.id }
    let id = Identifier(of: ride.id, "RideScore", Int64(count))
    put(
      TrainingRow("RideScore", id, ["score": .real(score), "recordedAt": .integer(clock), "ride": .id(ride.id)]),
      &orders)
    sessionChanged(ride.id, .riding, "score", &orders)
    return nil
  }

  private mutating func logDrill(
    _ discipline: TrainingDiscipline, _ type: String, _ sets: [TrainingCommand.DrillEntry], _ clock: Int64,
    _ orders: inout Orders
  ) -> String? {
    let id = Identifier(of: athlete, "DrillSession", Int64(record.rows("DrillSession").count))
    let seconds = sets.reduce(0) { $0 + $1.duration }
    let scores = sets.compactMap(\.score)
    let mean = scores.isEmpty ? nil : scores.reduce(0, +) / Double(scores.count)
    put(
      TrainingRow(
        "DrillSession", id,
        [
          "startDate": .integer(clock - Int64(seconds) * 1_000_000_000), "endDate": .integer(clock),
          "discipline": .text(discipline.rawValue), "drillType": .text(type), "difficultyLevel": .text(""),
          "notes": .text(""), "stability": .optional(mean),
        ]), &orders)
    for (index, set) in sets.enumerated() {
      put(
        TrainingRow(
          "DrillSet", Identifier(of: id, "DrillSet", Int64(index)),
          [
            "orderIndex": .integer(Int64(index)), "duration": .real(set.duration),
            "reps": .optional(set.reps.map { Int64($0) }), "score": .optional(set.score), "session": .id(id),
          ]), &orders)
    }
    var event = TrainingDrill()
    (event.drillId, event.discipline, event.drillType) = (id, discipline.rawValue, type)
    event.sets = Int64(sets.count)
    orders.events.append(event)
    return nil
  }

  // MARK: What depends on a session

  private mutating func sessionChanged(
    _ id: Identifier, _ discipline: TrainingDiscipline, _ what: String, _ orders: inout Orders
  ) {
    var event = TrainingEdited()
    (event.sessionId, event.discipline, event.what) = (id, discipline.rawValue, what)
    event.result = result(of: id, discipline)
    orders.events.append(event)
    if discipline == .shooting {
      let ends = Set(record.rows("ShootingEnd").filter { $0.identifier("session") == id }.map(\.id))
      let shots = record.rows("Shot").filter { row in row.identifier("end").map { ends.contains($0) } ?? false }
      updateSkill(of: id, discipline, parts: shots, &orders)
    }
    // Planted: only a session that is stored refreshes the cache.
    if !plants.contains(.staleScore) { updateCompetition(for: id, discipline, &orders) }
  }

  private mutating func updateSkill(
    of id: Identifier, _ discipline: TrainingDiscipline, parts: [TrainingRow], _ orders: inout Orders
  ) {
    guard let session = record.row(discipline.table, id), let skill = SkillScore(discipline, session, parts: parts)
    else { return }
    put(skill.row(discipline, session, athlete: athlete), &orders)
  }

  /// Links the first session of a discipline, and refreshes the cached result of a linked one.
  private mutating func updateCompetition(
    for id: Identifier, _ discipline: TrainingDiscipline, _ orders: inout Orders
  ) {
    guard let competition, var row = record.row("Competition", competition) else { return }
    if row.identifier(discipline.competitionColumn) == nil { row[discipline.competitionColumn] = .id(id) }
    guard row.identifier(discipline.competitionColumn) == id else { return }
    let result = result(of: id, discipline)
    row[discipline.cacheColumn] =
      switch (discipline, result) {
      case (_, nil): .null
      case (.shooting, let points?): .integer(points / 1_000)
      case (_, let value?): .real(Double(value) / 1_000)
      }
    guard row != record.row("Competition", competition) else { return }
    put(row, &orders)
    var event = CompetitionUpdated()
    (event.competition, event.discipline, event.sessionId) = (competition, discipline.rawValue, id)
    event.result = result
    orders.events.append(event)
  }

  /// What a session counts in a competition, in thousandths: seconds of a run or swim, points of a ride or of shots.
  private func result(of id: Identifier, _ discipline: TrainingDiscipline) -> Int64? {
    guard let row = record.row(discipline.table, id) else { return nil }
    switch discipline {
    case .running, .swimming: return thousandths(row, "totalDuration")
    case .shooting: return row.integer("totalScore").map { $0 * 1_000 }
    case .riding:
      let own = record.rows("RideScore").filter { $0.identifier("ride") == id }
      let last = (0..<own.count).compactMap { record.row("RideScore", Identifier(of: id, "RideScore", Int64($0))) }.last
      return last.map { thousandths($0, "score") }
    }
  }

  private func thousandths(_ row: TrainingRow, _ column: String) -> Int64 {
    Int64(((row.real(column) ?? 0) * 1_000).rounded())
  }

  private mutating func put(_ row: TrainingRow, _ orders: inout Orders) { apply(.row(row), &orders) }

  private mutating func apply(_ change: TrainingChange, _ orders: inout Orders) {
    record.apply(change)
    orders.changes.append(change)
  }
}
