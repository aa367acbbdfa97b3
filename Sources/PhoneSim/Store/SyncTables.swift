import Link
import LinkStore

/// Tables of what both phones exchange: one phone's part of them.
struct SyncTables {
  private let phone: Int64
  private let writeRow: Statement
  private let readRows: Statement
  private let addQueued: Statement
  private let dropQueued: Statement
  private let readQueue: Statement
  private let setEdits: Statement
  private let readEdits: Statement

  init(_ database: Database, phone: Int64) {
    self.phone = phone
    writeRow = Statement(
      database,
      "INSERT INTO SyncRow VALUES (?1, ?2, ?3, ?4) ON CONFLICT (phone, tableName, id) DO UPDATE SET cells = excluded.cells"
    )
    readRows = Statement(database, "SELECT tableName, id, cells FROM SyncRow WHERE phone = ?1 ORDER BY tableName, id")
    addQueued = Statement(database, "INSERT OR IGNORE INTO SyncQueue VALUES (?1, ?2, ?3)")
    dropQueued = Statement(database, "DELETE FROM SyncQueue WHERE phone = ?1 AND tableName = ?2 AND id = ?3")
    readQueue = Statement(database, "SELECT tableName, id FROM SyncQueue WHERE phone = ?1 ORDER BY tableName, id")
    setEdits = Statement(
      database, "INSERT INTO SyncState VALUES (?1, ?2) ON CONFLICT (phone) DO UPDATE SET editsDone = excluded.editsDone"
    )
    readEdits = Statement(database, "SELECT editsDone FROM SyncState WHERE phone = ?1")
  }

  func apply(_ change: TrainingChange) throws(StoreError) {
    switch change {
    case .synced(let row):
      bind(row.key, to: writeRow)
      writeRow.bind(row.text, at: 4)
      try writeRow.run()
    case .queued(let key):
      bind(key, to: addQueued)
      try addQueued.run()
    case .delivered(let key):
      bind(key, to: dropQueued)
      try dropQueued.run()
    case .edited(let count):
      setEdits.bind(phone, at: 1)
      setEdits.bind(count, at: 2)
      try setEdits.run()
    case .row, .removed, .sessionRemoved, .part, .complete: preconditionFailure("\(change) is none of the cloud's")
    }
  }

  private func bind(_ key: SyncKey, to statement: Statement) {
    statement.bind(phone, at: 1)
    statement.bind(TrainingCatalog.all[key.table].name, at: 2)
    statement.bind(key.id.text, at: 3)
  }

  func load(into record: inout TrainingRecord) throws(StoreError) {
    readRows.bind(phone, at: 1)
    while try readRows.step() {
      guard let key = key(readRows), let row = SyncRow(key: key, text: readRows.text(2)) else {
        readRows.reset()
        throw StoreError(.corrupt, "a row of the cloud in the store cannot be read")
      }
      record.apply(.synced(row))
    }
    readQueue.bind(phone, at: 1)
    while try readQueue.step() {
      guard let key = key(readQueue) else {
        readQueue.reset()
        throw StoreError(.corrupt, "the store queues a row of an unknown table, or without an identifier")
      }
      record.apply(.queued(key))
    }
    readEdits.bind(phone, at: 1)
    while try readEdits.step() { record.apply(.edited(Int(try readEdits.int64(0, in: 0...1_000_000)))) }
  }

  private func key(_ rows: Statement) -> SyncKey? {
    guard let table = TrainingCatalog.all.firstIndex(where: { $0.name == rows.text(0) }),
      let id = Identifier(text: rows.text(1))
    else { return nil }
    return SyncKey(table: table, id: id)
  }
}
