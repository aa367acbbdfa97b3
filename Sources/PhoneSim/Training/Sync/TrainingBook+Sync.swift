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
