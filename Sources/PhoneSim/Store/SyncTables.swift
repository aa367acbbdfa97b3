import Link
import LinkStore

/// Tables of what both phones exchange: one phone's part of them.
final class SyncTables {
  private let database: Database
  private let phone: Int64

  init(_ database: Database, phone: Int64) {
    self.database = database
    self.phone = phone
  }

  private lazy var writeRow = Statement(
    database,
    "INSERT INTO SyncRow VALUES (?1, ?2, ?3, ?4) ON CONFLICT (phone, tableName, id) DO UPDATE SET cells = excluded.cells"
  )
  private lazy var readRows = Statement(
    database, "SELECT tableName, id, cells FROM SyncRow WHERE phone = ?1 ORDER BY tableName, id")
  private lazy var addQueued = Statement(database, "INSERT OR IGNORE INTO SyncQueue VALUES (?1, ?2, ?3)")
  private lazy var dropQueued = Statement(
    database, "DELETE FROM SyncQueue WHERE phone = ?1 AND tableName = ?2 AND id = ?3")
  private lazy var readQueue = Statement(
    database, "SELECT tableName, id FROM SyncQueue WHERE phone = ?1 ORDER BY tableName, id")
  private lazy var setEdits = Statement(
    database, "INSERT INTO SyncState VALUES (?1, ?2) ON CONFLICT (phone) DO UPDATE SET editsDone = excluded.editsDone")
  private lazy var readEdits = Statement(database, "SELECT editsDone FROM SyncState WHERE phone = ?1")

  func apply(_ change: TrainingChange) throws(StoreError) {
    switch change {
    case .synced(let row): try writeRow.run(phone, row.entity.name, row.key.id.text, row.text)
    case .queued(let key): try addQueued.run(phone, TrainingCatalog.all[key.table].name, key.id.text)
    case .delivered(let key): try dropQueued.run(phone, TrainingCatalog.all[key.table].name, key.id.text)
    case .edited(let count): try setEdits.run(phone, count)
    case .row, .removed, .sessionRemoved, .part, .complete: preconditionFailure("\(change) is none of the cloud's")
    }
  }

  func load(into record: inout TrainingRecord) throws(StoreError) {
    readRows.bind(phone)
    try readRows.forEachRow { (row) throws(StoreError) in
      guard let key = key(row), let row = SyncRow(key: key, text: row.text(2)) else {
        throw StoreError(.corrupt, "a row of the cloud in the store cannot be read")
      }
      record.apply(.synced(row))
    }
    readQueue.bind(phone)
    try readQueue.forEachRow { (row) throws(StoreError) in
      guard let key = key(row) else {
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
