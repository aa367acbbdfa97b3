import CoachProtocol
import Link

/// Changes of a phone that has to tell another one.
extension TrainingBook {
  /// Notes which columns of a row a change of this phone's user wrote, and queues the row.
  ///
  /// - Parameters:
  ///   - before: The row as it was shown; nil for a new one.
  ///   - shotCount: How many shots a new shooting session has.
  mutating func stamp(
    _ row: TrainingRow, over before: TrainingRow?, shotCount: Int64? = nil, _ orders: inout Orders
  ) {
    guard let phone else { return }
    let (derived, stored) = (TrainingCatalog.derived[row.table], TrainingCatalog.storedResults[row.table])
    let written = row.values.indices.filter { index in
      // A new row is written whole, also what is empty in it; a result that is not there yet is not written.
      if before == nil, !derived[index] { return true }
      return (!derived[index] || stored[index]) && row.values[index] != (before?.values[index] ?? .null)
    }
    guard !written.isEmpty else { return }
    let key = SyncKey(table: row.table, id: row.id)
    var known = record.synced[key] ?? SyncRow(unwritten: key)
    if let shotCount, row.entity.name == TrainingDiscipline.shooting.table { known.shotCount = shotCount }
    lastStamp = lastStamp.next(clock: orders.clock, phone: phone)
    for index in written { (known.values[index], known.stamps[index]) = (row.values[index], lastStamp) }
    send(known, &orders)
  }

  /// Marks a row as removed by this phone's user.
  mutating func stampRemoval(of row: TrainingRow, _ orders: inout Orders) -> SyncStamp? {
    guard let phone else { return nil }
    let key = SyncKey(table: row.table, id: row.id)
    var known = record.synced[key] ?? SyncRow(unwritten: key)
    lastStamp = lastStamp.next(clock: orders.clock, phone: phone)
    known.removed = lastStamp
    send(known, &orders)
    return lastStamp
  }

  /// Whether all shots of a shooting session are here; the other phone's may still be on their way.
  func hasAllShots(_ session: Identifier) -> Bool {
    let key = SyncKey(table: TrainingCatalog.index(of: TrainingDiscipline.shooting.table), id: session)
    // Planted: the shots that are here are all there are.
    guard phone != nil, !plants.contains(.partialScores), let count = record.synced[key]?.shotCount else { return true }
    return skillParts(of: session, .shooting).count >= count
  }

  /// What a competition shows for a discipline, in thousandths; nil for no result.
  ///
  /// That is the result of its session. Of a shooting session whose shots have not all arrived, it is the result that the
  /// phone which wrote it last has stored.
  func competitionResult(_ row: TrainingRow, _ discipline: TrainingDiscipline) -> Int64? {
    let session = row.identifier(discipline.competitionColumn)
    guard discipline == .shooting, let known = record.synced[SyncKey(table: row.table, id: row.id)] else {
      return session.flatMap { result(of: $0, discipline) }
    }
    // The reference is shown once the session is there.
    guard let linked = session ?? known.identifier(discipline.competitionColumn) else { return nil }
    let key = SyncKey(table: TrainingCatalog.index(of: discipline.table), id: linked)
    guard record.synced[key]?.removed == nil else { return nil }
    if isShown(key), hasAllShots(linked) { return result(of: linked, discipline) }
    guard case .integer(let points) = known.values[row.entity.index(of: discipline.cacheColumn)] else { return nil }
    return points * 1_000
  }

  /// What a session is reported to count: as its competition shows it, while its shots have not all arrived.
  func reportedResult(of id: Identifier, _ discipline: TrainingDiscipline) -> Int64? {
    guard discipline == .shooting, !hasAllShots(id) else { return result(of: id, discipline) }
    let competition = record.rows("Competition").first { $0.identifier(discipline.competitionColumn) == id }
    return competition.flatMap { competitionResult($0, discipline) }
  }

  private mutating func send(_ row: SyncRow, _ orders: inout Orders) {
    apply(.synced(row), &orders)
    apply(.queued(row.key), &orders)
    orders.outgoing.append(row)
  }

  /// Finds the newest stamp, and which rows wait, in what is stored.
  mutating func restoreSync() {
    for (key, row) in record.synced {
      lastStamp = max(lastStamp, row.newest)
      guard row.removed == nil else { continue }
      if record.tables[key.table][key.id] == nil || !isWhole(row) { waiting.insert(key) }
    }
  }

  /// Whether all rows that a row refers to are shown, or gone for good.
  func isWhole(_ row: SyncRow) -> Bool {
    row.references(areParts: false).allSatisfy { isShown($0) || record.synced[$0]?.removed != nil }
  }

  func isShown(_ key: SyncKey) -> Bool { record.tables[key.table][key.id] != nil }

  /// The newest copies of the rows that the other phone may not have.
  var queuedRows: [SyncRow] { record.queue.keys.sorted().compactMap { record.synced[$0] } }

  /// The other phone has the newest copy of a row.
  mutating func finishPush(of key: SyncKey, into orders: inout Orders) {
    if record.queue[key] != nil { apply(.delivered(key), &orders) }
  }

  /// Counts an act of the scenario on this phone as carried out.
  mutating func finishEdit(into orders: inout Orders) { apply(.edited(record.editsDone + 1), &orders) }

  /// What this phone shows, as a digest.
  var settledEvent: TrainingSettled {
    var digest = SHA256Stream()
    var count = 0
    for table in record.tables {
      for row in table.values.sorted(by: { $0.id < $1.id }) {
        count += 1
        digest.append(Array(row.digestText.utf8))
      }
    }
    var event = TrainingSettled()
    (event.phone, event.rows) = (phone ?? 1, Int64(count))
    event.digest = Digest.text(digest.finish())
    return event
  }
}

extension TrainingRow {
  /// All of the row as a line.
  fileprivate var digestText: String {
    var text = "\(entity.name) \(id.text)"
    for value in values {
      switch value {
      case .null: text += "|"
      case .integer(let number): text += "|\(number)"
      case .real(let number): text += "|\(number)"
      case .text(let word): text += "|\"\(word)\""
      }
    }
    return text + "\n"
  }
}

/// Rows of the other phone.
extension TrainingBook {
  /// What a merge changed so far.
  private struct Effects {
    var sessions: Set<SyncKey> = []
    var competitions: Set<Identifier> = []
    var drills: Set<Identifier> = []
  }

  /// Merges copies of the other phone's rows, shows what can be shown, and computes again what depends on it.
  ///
  /// A part whose row has not come yet waits, and a reference to a missing row is shown as empty. Derived columns are
  /// not in the copies.
  mutating func merge(_ copies: [SyncRow], into orders: inout Orders) {
    var event = TrainingMerged()
    (event.phone, event.rows) = (phone ?? 1, Int64(copies.count))
    var touched: Set<SyncKey> = []
    for copy in copies {
      lastStamp = max(lastStamp, SyncStamp(time: copy.newest.time, counter: copy.newest.counter, phone: phone ?? 1))
      let known = record.synced[copy.key]
      var merged = known?.merged(with: copy) ?? copy
      if plants.contains(.arrivalWins), let known, known != copy {
        // Planted: the copy that comes last is the row, whenever it was written.
        merged = copy
        merged.removed = known.removed ?? copy.removed
      }
      if merged == known {
        event.again += 1
        if plants.contains(.twinRows) { addTwin(of: copy.key, &orders) }
        continue
      }
      apply(.synced(merged), &orders)
      touched.insert(copy.key)
    }
    event.changed = Int64(touched.count)
    var effects = Effects()
    for key in touched.sorted() { removeIfGone(key, &orders) }
    // Rows come after those that they are parts of, or refer to.
    for key in touched.union(waiting).sorted() { show(key, &effects, &orders) }
    event.waiting = Int64(waiting.count)
    orders.events.append(event)
    for key in effects.sessions.sorted() { sessionMerged(key, &orders) }
    for id in effects.drills.sorted() {
      if let row = record.row("DrillSession", id) { updateSkills(ofDrill: row, &orders) }
    }
    for id in effects.competitions.sorted() {
      for discipline in TrainingDiscipline.allCases { refreshMerged(id, discipline, &orders) }
    }
  }

  /// Removes a shown row that the other phone removed.
  private mutating func removeIfGone(_ key: SyncKey, _ orders: inout Orders) {
    guard let stamp = record.synced[key]?.removed else { return }
    waiting.remove(key)
    guard let row = record.tables[key.table][key.id] else { return }
    if let discipline = TrainingDiscipline.allCases.first(where: { $0.table == row.entity.name }) {
      remove(row, discipline, stamp: stamp, &orders)
    } else {
      _ = removeRow(row, stamp: stamp, &orders)
    }
  }

  /// Shows a row as far as its parents are shown; lets it wait otherwise.
  private mutating func show(_ key: SyncKey, _ effects: inout Effects, _ orders: inout Orders) {
    guard var row = record.synced[key], row.removed == nil else {
      waiting.remove(key)
      return
    }
    let parents = row.parents
    if let stamp = parents.compactMap({ record.synced[$0]?.removed }).max() {
      // A part of a removed row, which came after the removal.
      row.removed = stamp
      apply(.synced(row), &orders)
      waiting.remove(key)
      return
    }
    let isPart = row.entity.columns.contains { if case .reference(_, isPart: true) = $0.kind { true } else { false } }
    guard parents.allSatisfy({ isShown($0) }), !isPart || !parents.isEmpty else {
      waiting.insert(key)
      return
    }
    if isWhole(row) { waiting.remove(key) } else { waiting.insert(key) }
    let before = record.tables[key.table][key.id]
    guard let shown = shownRow(row, before), shown != before else { return }
    apply(.row(shown), &orders)
    markDependents(of: shown, &effects)
    guard before == nil, !TrainingCatalog.quietTables.contains(key.table) else { return }
    report(shown.entity.name, key.id, source: key.id, &orders)
  }

  /// The row for the user: derived columns as they were, references to missing rows empty; nil if a value is not allowed.
  private func shownRow(_ row: SyncRow, _ before: TrainingRow?) -> TrainingRow? {
    let derived = TrainingCatalog.derived[row.key.table]
    let values = row.entity.columns.indices.map { index -> StoredValue in
      let column = row.entity.columns[index]
      if derived[index] { return before?.values[index] ?? (column.isOptional ? .null : .integer(0)) }
      guard case .reference(let table, isPart: false) = column.kind, case .text(let text) = row.values[index] else {
        return row.values[index]
      }
      let target = Identifier(text: text).map { SyncKey(table: TrainingCatalog.index(of: table), id: $0) }
      return target.map { isShown($0) } == true ? row.values[index] : .null
    }
    return TrainingRow(table: row.key.table, id: row.key.id, stored: values)
  }

  /// Marks what has to be computed again after a row changed.
  private func markDependents(of row: TrainingRow, _ effects: inout Effects) {
    if row.entity.name == "DrillSession" { effects.drills.insert(row.id) }
    if row.entity.name == "Competition" { effects.competitions.insert(row.id) }
    if row.entity.name == "Shot" {
      if let end = row.identifier("end"), let session = record.row("ShootingEnd", end)?.identifier("session") {
        effects.sessions.insert(SyncKey(table: TrainingCatalog.index(of: "ShootingSession"), id: session))
      }
      return
    }
    for discipline in TrainingDiscipline.allCases {
      let table = TrainingCatalog.index(of: discipline.table)
      if row.table == table { effects.sessions.insert(SyncKey(table: table, id: row.id)) }
      for reference in TrainingCatalog.references[table] where reference.table == row.table && reference.isPart {
        if let id = row.identifier(reference.column) { effects.sessions.insert(SyncKey(table: table, id: id)) }
      }
    }
  }

  /// Computes what depends on a session again, and reports what it counts.
  private mutating func sessionMerged(_ key: SyncKey, _ orders: inout Orders) {
    guard
      let discipline = TrainingDiscipline.allCases.first(where: { TrainingCatalog.index(of: $0.table) == key.table })
    else { return }
    let id = key.id
    if discipline == .shooting { updateTotals(of: id, &orders) }
    reportMerged(id, discipline, &orders)
    updateSkill(of: id, discipline, parts: skillParts(of: id, discipline), &orders)
    for row in record.rows("Competition") where row.identifier(discipline.competitionColumn) == id {
      refreshMerged(row.id, discipline, &orders)
    }
  }

  /// Reports what a session counts, if a merge changed that.
  private mutating func reportMerged(_ id: Identifier, _ discipline: TrainingDiscipline, _ orders: inout Orders) {
    let value = reportedResult(of: id, discipline)
    guard reported[id] != .some(value) else { return }
    reported[id] = .some(value)
    var event = TrainingEdited()
    (event.sessionId, event.discipline, event.what) = (id, discipline.rawValue, "merge")
    (event.result, event.phone) = (value, phoneNumber)
    orders.events.append(event)
  }

  private mutating func refreshMerged(
    _ competition: Identifier, _ discipline: TrainingDiscipline, _ orders: inout Orders
  ) {
    guard let row = record.row("Competition", competition) else { return }
    let session = row.identifier(discipline.competitionColumn)
    // Planted: a result that is there is refreshed by this phone's user alone.
    if plants.contains(.scoreLeftBehind), session != nil, row[discipline.cacheColumn] != .null { return }
    // The result of a session whose shots have not all arrived comes with the competition.
    if discipline == .shooting, let session { reportMerged(session, discipline, &orders) }
    refresh(row, discipline, of: session ?? Identifier.none, &orders)
  }

  /// ``Plants/twinRows``: stores a row that came again under an identifier of its own.
  private mutating func addTwin(of key: SyncKey, _ orders: inout Orders) {
    let twin = Identifier(of: key.id, "twin", 0)
    guard !TrainingCatalog.quietTables.contains(key.table), let row = record.tables[key.table][key.id],
      record.tables[key.table][twin] == nil, let copy = TrainingRow(table: key.table, id: twin, stored: row.values)
    else { return }
    apply(.row(copy), &orders)
    report(row.entity.name, twin, source: key.id, &orders)
  }

  private func report(_ table: String, _ id: Identifier, source: Identifier, _ orders: inout Orders) {
    var event = TrainingShown()
    (event.phone, event.table, event.rowId, event.source) = (phone ?? 1, table, id, source)
    orders.events.append(event)
  }
}
