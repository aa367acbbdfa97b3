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
    /// The phone's clock, in nanoseconds since 1970.
    var clock: Int64 = 0
    /// Rows for the other phone; always empty without one.
    var outgoing: [SyncRow] = []
    /// Acts on the second phone that were refused, and why.
    var refusals: [(act: String, why: String)] = []
  }

  /// Incomplete reports at most; a watch completes one before it begins the next.
  static let pendingMax = 64

  private(set) var record: TrainingRecord
  private let setup: TrainingSetup
  let plants: Plants
  let athlete: Identifier
  private let horse: Identifier
  let competition: Identifier?

  /// 1 or 2 if a second phone syncs; nil without one.
  let phone: Int64?
  /// The newest stamp that this phone has seen.
  var lastStamp = SyncStamp.never
  /// Rows of the other phone that wait for a row which they are a part of, or refer to.
  var waiting: Set<SyncKey> = []
  /// What sessions were last reported to count in this process.
  var reported: [Identifier: Int64?] = [:]

  init(
    seed: UInt64, setup: TrainingSetup, restoring record: TrainingRecord, plants: Plants, phone: Int64? = nil
  ) {
    self.record = record
    self.setup = setup
    self.plants = plants
    self.phone = phone
    let random = RandomStream(seed: seed, name: "phone.training")
    athlete = Identifier(random, for: 1)
    horse = Identifier(random, for: 2)
    competition = setup.competition.isEmpty ? nil : Identifier(random, for: 3)
    if phone != nil { restoreSync() }
  }

  /// Stores athlete, horse and competition at the first start.
  mutating func begin(clock: Int64, into orders: inout Orders) {
    guard record.row("AthleteProfile", athlete) == nil else { return }
    put("AthleteProfile", athlete, ["name": .text(setup.athlete)], &orders)
    put("Horse", horse, ["name": .text(setup.horse)], &orders)
    guard let competition else { return }
    let values: [String: StoredValue] = [
      "name": .text(setup.competition), "date": .integer(clock), "horse": .id(horse),
    ]
    put("Competition", competition, values, &orders)
  }

  // MARK: Reports

  /// Stores a part of a report.
  mutating func receive(_ report: SessionReport, into orders: inout Orders) {
    let known = record.pending[report.workoutId] ?? []
    // A watch that was killed between two parts sends all of them again.
    if record.session(report.workoutId) != nil || report.part <= known.count { return }
    if record.removedSessions[report.workoutId] != nil { return }
    guard report.part == known.count + 1, known.last.map({ report.continues($0) }) ?? true else {
      return refuse(report, "part \(report.part) after \(known.count)", &orders)
    }
    guard !known.isEmpty || record.pending.count < Self.pendingMax else {
      return refuse(report, "\(Self.pendingMax) incomplete reports", &orders)
    }
    guard report.part == report.parts else { return apply(.part(report), &orders) }
    // Planted: the last part's units are missing.
    let isCut = plants.contains(.lastPartLost) && !known.isEmpty
    let units = known.flatMap(\.units) + (isCut ? [] : report.units)
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
    let plan = plan(carriedOutBy: units, report.discipline)
    let made = SessionRows(report, units, id: id, horse: horse, plan: plan?.intervals ?? [])
    let shotCount = Int64(made.rows.count { $0.entity.name == "Shot" })
    for row in made.rows { put(row, shotCount: shotCount, &orders) }
    var event = TrainingStored()
    (event.sessionId, event.workoutId, event.discipline) = (id, report.workoutId, report.discipline.rawValue)
    (event.distance, event.duration) = (report.distanceMillimetres, report.activeMilliseconds)
    event.points = Int64(made.rows.count { $0.entity.name == "GPSPoint" })
    event.rows = Int64(made.rows.count)
    event.result = result(of: id, report.discipline)
    (event.startedAt, event.endedAt) = (report.startedAt.nanoseconds, report.endedAt.nanoseconds)
    event.parts = Int64(made.rows.count { $0.entity.name == report.discipline.partTable })
    event.plan = plan?.id
    if plan != nil { event.completed = Int64(made.rows.count { $0.isCompletedInterval }) }
    reported[id] = .some(event.result)
    event.skill = skill(of: id, report.discipline, made.rows).map { Int64(($0.score * 1_000).rounded()) }
    orders.events.append(event)
    updateSkill(of: id, report.discipline, parts: made.rows, &orders)
    updateCompetition(for: id, report.discipline, &orders)
  }

  /// Stores a session again when its workout was found in the health store; only by a planted bug.
  mutating func storeAgain(_ workout: Identifier, into orders: inout Orders) {
    guard let (discipline, row) = record.session(workout) else { return }
    let id = Identifier(of: workout, "again", 0)
    var values: [String: StoredValue] = [:]
    for (column, value) in zip(row.entity.columns, row.values) { values[column.name] = value }
    put(discipline.table, id, values, &orders)
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
    case .logDrill(let drill): logDrill(drill, clock, &orders)
    case .enterResult(let discipline, let result): enterResult(discipline, result, &orders)
    case .addPhoto(let file): addPhoto(file, clock, &orders)
    case .scanTarget(let end, let file, let groupSize): scanTarget(end, file, groupSize, clock, &orders)
    case .addTask(let title): addTask(title, &orders)
    case .completeTask(let title): completeTask(title, clock, &orders)
    case .planWorkout(let discipline, let name, let list): planWorkout(discipline, name, list, clock, &orders)
    case .recordWeather(let discipline, let weather): recordWeather(discipline, weather, &orders)
    case .removeSession(let discipline): removeSession(discipline, &orders)
    }
  }

  private mutating func correctShot(_ end: Int, _ shot: Int, _ score: Int, _ orders: inout Orders) -> String? {
    guard let session = record.newest(.shooting) else { return "there is no shooting session" }
    let endId = Identifier(of: session.id, "ShootingEnd", Int64(end - 1))
    let number = SessionRows.number(end: Int64(end - 1), shot: Int64(shot - 1))
    guard var row = record.row("Shot", Identifier(of: session.id, "Shot", number)),
      record.row("ShootingEnd", endId) != nil
    else { return "there is no shot \(shot) in end \(end)" }
    row["score"] = .integer(Int64(score))
    put(row, &orders)
    updateTotals(of: session.id, &orders)
    sessionChanged(session.id, .shooting, "shot", &orders)
    return nil
  }

  private mutating func scoreRide(_ score: Double, _ clock: Int64, _ orders: inout Orders) -> String? {
    guard let ride = record.newest(.riding) else { return "there is no ride" }
    let id = newId("RideScore", of: ride.id)
    put("RideScore", id, ["score": .real(score), "recordedAt": .integer(clock), "ride": .id(ride.id)], &orders)
    sessionChanged(ride.id, .riding, "score", &orders)
    return nil
  }

  // MARK: What depends on a session

  private mutating func sessionChanged(
    _ id: Identifier, _ discipline: TrainingDiscipline, _ what: String, _ orders: inout Orders
  ) {
    var event = TrainingEdited()
    (event.sessionId, event.discipline, event.what) = (id, discipline.rawValue, what)
    (event.result, event.phone) = (reportedResult(of: id, discipline), phoneNumber)
    reported[id] = .some(event.result)
    orders.events.append(event)
    if discipline == .shooting { updateSkill(of: id, discipline, parts: skillParts(of: id, discipline), &orders) }
    // Planted: only a session that is stored refreshes the cache.
    if !plants.contains(.staleScore) { updateCompetition(for: id, discipline, &orders) }
  }

  /// Computes the totals of a shooting session and of its ends from their shots.
  mutating func updateTotals(of session: Identifier, _ orders: inout Orders) {
    guard var row = record.row("ShootingSession", session) else { return }
    var total: Int64 = 0
    for var end in record.rows("ShootingEnd") where end.identifier("session") == session {
      let shots = record.rows("Shot").filter { $0.identifier("end") == end.id }
      let sum = shots.reduce(0) { $0 + ($1.integer("score") ?? 0) }
      total += sum
      guard end.integer("totalScore") != sum else { continue }
      end["totalScore"] = .integer(sum)
      put(end, &orders)
    }
    guard row.integer("totalScore") != total else { return }
    row["totalScore"] = .integer(total)
    put(row, &orders)
  }

  /// The parts of a session from which its skill is computed.
  func skillParts(of id: Identifier, _ discipline: TrainingDiscipline) -> [TrainingRow] {
    switch discipline {
    case .running, .swimming: record.rows("Split").filter { $0.identifier(discipline.partColumn) == id }
    case .riding: record.rows("ReinSegment").filter { $0.identifier("ride") == id }
    case .shooting:
      record.rows("ShootingEnd").filter { $0.identifier("session") == id }.flatMap { end in
        record.rows("Shot").filter { $0.identifier("end") == end.id }
      }
    }
  }

  mutating func updateSkill(
    of id: Identifier, _ discipline: TrainingDiscipline, parts: [TrainingRow], _ orders: inout Orders
  ) {
    guard let session = record.row(discipline.table, id), let skill = skill(of: id, discipline, parts) else { return }
    put(skill.row(discipline, session, athlete: athlete), &orders)
  }

  private func skill(of id: Identifier, _ discipline: TrainingDiscipline, _ parts: [TrainingRow]) -> SkillScore? {
    guard let session = record.row(discipline.table, id) else { return nil }
    guard plants.contains(.worstShotLeftOut), discipline == .shooting else {
      return SkillScore(discipline, session, parts: parts)
    }
    // Planted: the possible rings are those without the worst shot.
    let shots = parts.filter { $0.entity.name == "Shot" }.sorted { $0.integer("score") ?? 0 < $1.integer("score") ?? 0 }
    return SkillScore(discipline, session, parts: Array(shots.count > 1 ? shots.dropFirst() : shots[...]))
  }

  /// Links the first session of a discipline, and refreshes the cached result of a linked one.
  private mutating func updateCompetition(
    for id: Identifier, _ discipline: TrainingDiscipline, _ orders: inout Orders
  ) {
    guard let competition, var row = record.row("Competition", competition) else { return }
    if row.identifier(discipline.competitionColumn) == nil { row[discipline.competitionColumn] = .id(id) }
    guard row.identifier(discipline.competitionColumn) == id else { return }
    refresh(row, discipline, of: id, isWritten: true, &orders)
  }

  /// Stores a competition with its cached result made that of its session, or none if the session is gone.
  ///
  /// - Parameters:
  ///   - id: The session, also one that is gone.
  ///   - isWritten: Whether this phone's user changed the session, so that the result is sent to the other phone.
  mutating func refresh(
    _ changed: TrainingRow, _ discipline: TrainingDiscipline, of id: Identifier, isWritten: Bool = false,
    _ orders: inout Orders
  ) {
    var row = changed
    let result = competitionResult(row, discipline)
    row[discipline.cacheColumn] =
      switch (discipline, result) {
      case (_, nil): .null
      case (.shooting, let points?): .integer(points / 1_000)
      case (_, let value?): .real(Double(value) / 1_000)
      }
    guard row != record.row("Competition", row.id) else { return }
    if isWritten { put(row, &orders) } else { apply(.row(row), &orders) }
    var event = CompetitionUpdated()
    (event.competition, event.discipline, event.sessionId) = (row.id, discipline.rawValue, id)
    (event.result, event.phone) = (result, phoneNumber)
    orders.events.append(event)
  }

  /// What a session counts in a competition, in thousandths: seconds of a run or swim, points of a ride or of shots.
  func result(of id: Identifier, _ discipline: TrainingDiscipline) -> Int64? {
    guard let row = record.row(discipline.table, id) else { return nil }
    switch discipline {
    case .running, .swimming: return thousandths(row, "totalDuration")
    case .shooting: return row.integer("totalScore").map { $0 * 1_000 }
    case .riding:
      let own = record.rows("RideScore").filter { $0.identifier("ride") == id }
      if phone != nil {
        // By the stamps, which follow one another whatever the clocks say: a score that was entered under a wrong clock
        // can be corrected.
        // Planted: the clock decides.
        let isByClock = plants.contains(.scoreClock)
        func place(_ row: TrainingRow) -> SyncStamp {
          isByClock ? .never : record.synced[SyncKey(table: row.table, id: row.id)]?.newest ?? .never
        }
        let last = own.max { left, right in
          (place(left), left.integer("recordedAt") ?? 0, left.id)
            < (place(right), right.integer("recordedAt") ?? 0, right.id)
        }
        return last.map { thousandths($0, "score") }
      }
      let last = (0..<own.count).compactMap { record.row("RideScore", Identifier(of: id, "RideScore", Int64($0))) }.last
      return last.map { thousandths($0, "score") }
    }
  }

  private func thousandths(_ row: TrainingRow, _ column: String) -> Int64 {
    Int64(((row.real(column) ?? 0) * 1_000).rounded())
  }

  /// The number of the phone in events: only the second one is named.
  var phoneNumber: Int64? { phone == 2 ? 2 : nil }

  /// The identifier of a new row of a table that belongs to another row; the second phone has numbers of its own.
  func newId(_ table: String, of parent: Identifier) -> Identifier {
    var number: Int64 = phone == 2 ? 1 << 32 : 0
    var id = Identifier(of: parent, table, number)
    while record.row(table, id) != nil {
      number += 1
      id = Identifier(of: parent, table, number)
    }
    return id
  }

  /// Stores a row that this phone's user wrote, or that follows from one.
  mutating func put(_ row: TrainingRow, shotCount: Int64? = nil, _ orders: inout Orders) {
    let before = phone == nil ? nil : record.tables[row.table][row.id]
    apply(.row(row), &orders)
    stamp(row, over: before, shotCount: shotCount, &orders)
  }

  mutating func put(
    _ table: String, _ id: Identifier, _ values: [String: StoredValue], _ orders: inout Orders
  ) {
    put(TrainingRow(table, id, values), &orders)
  }

  mutating func apply(_ change: TrainingChange, _ orders: inout Orders) {
    record.follow(change)
    orders.changes.append(change)
  }
}
