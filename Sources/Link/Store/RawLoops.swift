internal import CSQLite
package import Link

/// Plain SQLite, called as a C program calls it: the reference for the store's benchmark.
///
/// It is here because only the store calls SQLite. Rows, table and connection settings are the store's.
package enum RawLoops {
  /// A queue that only inserts and removes rows.
  package final class Queue {
    private let connection: SQLiteConnection
    private let insert: SQLiteConnection.Cursor
    private let delete: SQLiteConnection.Cursor
    private let begin: SQLiteConnection.Cursor
    private let commit: SQLiteConnection.Cursor
    private var next: Int64 = 1
    private var oldest: Int64 = 1

    /// Creates a queue in a folder that has none.
    package init(folder: String, durability: StoreFile.Durability) throws(StoreError) {
      _ = try OpenFile("\(folder)/raw.sqlite", for: .making)
      connection = try RawLoops.open("\(folder)/raw.sqlite", durability)
      try RawLoops.execute(connection, LinkTables.outboxSchema)
      insert = try RawLoops.prepare(connection, LinkStatements.insertOutbox)
      delete = try RawLoops.prepare(connection, "DELETE FROM Outbox WHERE id = ?1")
      begin = try RawLoops.prepare(connection, "BEGIN IMMEDIATE")
      commit = try RawLoops.prepare(connection, "COMMIT")
    }

    deinit {
      for cursor in [insert, delete, begin, commit] { cursor.finalize() }
      connection.close()
    }

    /// Inserts rows with one payload, `batch` per commit.
    package func insertRows(_ rows: Int, batch: Int, payload: [UInt8]) throws(StoreError) {
      for _ in 0..<rows / batch {
        // A single statement is a transaction by itself.
        if batch > 1 { try step(begin, "insert rows") }
        for _ in 0..<batch { try add(payload) }
        if batch > 1 { try step(commit, "insert rows") }
      }
    }

    /// Removes the oldest rows and inserts others, in one transaction.
    package func replaceRows(removing old: Int, inserting rows: Int, payload: [UInt8]) throws(StoreError) {
      try step(begin, "replace rows")
      for _ in 0..<old {
        _ = delete.bind(oldest, at: 1)
        try step(delete, "remove rows")
        oldest += 1
      }
      for _ in 0..<rows { try add(payload) }
      try step(commit, "replace rows")
    }

    private func add(_ payload: [UInt8]) throws(StoreError) {
      _ = insert.bind(next, at: 1)
      _ = insert.bind(next &* 0x1E37_79B9_7F4A_7C15, at: 2)
      _ = insert.bind(~next, at: 3)
      _ = insert.bind(Int64(1), at: 4)
      _ = insert.bind(payload, at: 5)
      next += 1
      try step(insert, "insert rows")
    }

    private func step(_ cursor: SQLiteConnection.Cursor, _ action: String) throws(StoreError) {
      let code = cursor.step()
      cursor.reset()
      guard code == SQLITE_DONE else { throw RawLoops.error(connection, action) }
    }
  }

  /// Opens a device's store and reads only the first row of its outbox.
  ///
  /// - Parameter measured: Called after reading the row, before the store is closed.
  /// - Returns: The size of the row's payload in bytes.
  package static func readFirst(folder: String, measured: () -> Void) throws(StoreError) -> Int {
    let connection = try open("\(folder)/\(StoreFile.name)", .normal)
    defer { connection.close() }
    let read = try prepare(
      connection, "SELECT id, transferHigh, transferLow, flags, payload FROM Outbox ORDER BY id LIMIT 1")
    defer { read.finalize() }
    guard read.step() == SQLITE_ROW else { throw error(connection, "read the first row") }
    let count = read.byteCount(4)
    measured()
    return count
  }

  private static func open(_ path: String, _ durability: StoreFile.Durability) throws(StoreError) -> SQLiteConnection {
    let (opened, code) = SQLiteConnection.open(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX)
    guard let opened else { throw StoreError(.system, "\(path): open: no memory") }
    guard code == SQLITE_OK else { throw error(opened, "open \(path)") }
    let level = durability == .full ? "FULL" : "NORMAL"
    try execute(opened, "PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=WAL; PRAGMA synchronous=\(level)")
    return opened
  }

  private static func execute(_ connection: SQLiteConnection, _ sql: String) throws(StoreError) {
    guard connection.execute(sql) == SQLITE_OK else { throw error(connection, sql) }
  }

  private static func prepare(_ connection: SQLiteConnection, _ sql: String) throws(StoreError)
    -> SQLiteConnection.Cursor
  {
    guard let cursor = connection.prepare(sql).cursor else { throw error(connection, sql) }
    return cursor
  }

  private static func error(_ connection: SQLiteConnection, _ action: String) -> StoreError {
    StoreError(.system, "\(action): \(connection.error.message)")
  }
}
