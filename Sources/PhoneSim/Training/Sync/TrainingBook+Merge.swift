import CoachProtocol
import Link

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
