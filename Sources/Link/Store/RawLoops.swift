internal import CSQLite
package import Link

/// Plain SQLite, called as a C program calls it: the reference for the store's benchmark.
///
/// It is here because only the store calls SQLite. Rows, table and connection settings are the store's.
package enum RawLoops {
  /// A queue that only inserts and removes rows.
  @safe package final class Queue {
    private let handle: OpaquePointer
    private var insert: OpaquePointer?
    private var delete: OpaquePointer?
    private var begin: OpaquePointer?
    private var commit: OpaquePointer?
    private var next: Int64 = 1
    private var oldest: Int64 = 1

    /// Creates a queue in a folder that has none.
    package init(folder: String, durability: StoreFile.Durability) throws(StoreError) {
      _ = try OpenFile("\(folder)/raw.sqlite", for: .making)
      unsafe handle = try unsafe RawLoops.open("\(folder)/raw.sqlite", durability)
      try unsafe RawLoops.execute(handle, LinkTables.outboxSchema)
      unsafe insert = try unsafe RawLoops.prepare(handle, LinkStatements.insertOutbox)
      unsafe delete = try unsafe RawLoops.prepare(handle, "DELETE FROM Outbox WHERE id = ?1")
      unsafe begin = try unsafe RawLoops.prepare(handle, "BEGIN IMMEDIATE")
      unsafe commit = try unsafe RawLoops.prepare(handle, "COMMIT")
    }

    deinit {
      unsafe sqlite3_finalize(insert)
      unsafe sqlite3_finalize(delete)
      unsafe sqlite3_finalize(begin)
      unsafe sqlite3_finalize(commit)
      unsafe sqlite3_close_v2(handle)
    }

    /// Inserts rows with one payload, `batch` per commit.
    package func insertRows(_ rows: Int, batch: Int, payload: [UInt8]) throws(StoreError) {
      let isDone = unsafe payload.withUnsafeBytes { payload in
        for _ in 0..<rows / batch {
          // A single statement is a transaction by itself.
          if batch > 1, unsafe !step(begin) { return false }
          for _ in 0..<batch where unsafe !add(payload) { return false }
          if batch > 1, unsafe !step(commit) { return false }
        }
        return true
      }
      guard isDone else { throw unsafe RawLoops.error(handle, "insert rows") }
    }

    /// Removes the oldest rows and inserts others, in one transaction.
    package func replaceRows(removing old: Int, inserting rows: Int, payload: [UInt8]) throws(StoreError) {
      let isDone = unsafe payload.withUnsafeBytes { payload in
        if unsafe !step(begin) { return false }
        for _ in 0..<old {
          unsafe sqlite3_bind_int64(delete, 1, oldest)
          if unsafe !step(delete) { return false }
          oldest += 1
        }
        for _ in 0..<rows where unsafe !add(payload) { return false }
        return unsafe step(commit)
      }
      guard isDone else { throw unsafe RawLoops.error(handle, "insert and remove rows") }
    }

    private func add(_ payload: UnsafeRawBufferPointer) -> Bool {
      unsafe sqlite3_bind_int64(insert, 1, next)
      unsafe sqlite3_bind_int64(insert, 2, next &* 0x1E37_79B9_7F4A_7C15)
      unsafe sqlite3_bind_int64(insert, 3, ~next)
      unsafe sqlite3_bind_int64(insert, 4, 1)
      unsafe sqlite3_bind_blob(insert, 5, payload.baseAddress, Int32(payload.count), nil)
      next += 1
      return unsafe step(insert)
    }

    private func step(_ statement: OpaquePointer?) -> Bool {
      let code = unsafe sqlite3_step(statement)
      unsafe sqlite3_reset(statement)
      return code == SQLITE_DONE
    }
  }

  /// Opens a device's store and reads only the first row of its outbox.
  ///
  /// - Parameter measured: Called after reading the row, before the store is closed.
  /// - Returns: The size of the row's payload in bytes.
  package static func readFirst(folder: String, measured: () -> Void) throws(StoreError) -> Int {
    let handle = try unsafe open("\(folder)/\(StoreFile.name)", .normal)
    defer { unsafe sqlite3_close_v2(handle) }
    let read = try unsafe prepare(
      handle, "SELECT id, transferHigh, transferLow, flags, payload FROM Outbox ORDER BY id LIMIT 1")
    defer { unsafe sqlite3_finalize(read) }
    guard unsafe sqlite3_step(read) == SQLITE_ROW else { throw unsafe error(handle, "read the first row") }
    let count = Int(unsafe sqlite3_column_bytes(read, 4))
    measured()
    return count
  }

  private static func open(_ path: String, _ durability: StoreFile.Durability) throws(StoreError) -> OpaquePointer {
    var opened: OpaquePointer?
    let code = unsafe sqlite3_open_v2(path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
    guard let opened = unsafe opened else { throw StoreError(.system, "\(path): open: no memory") }
    guard code == SQLITE_OK else { throw unsafe error(opened, "open \(path)") }
    let level = durability == .full ? "FULL" : "NORMAL"
    try unsafe execute(opened, "PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=WAL; PRAGMA synchronous=\(level)")
    return unsafe opened
  }

  private static func execute(_ handle: OpaquePointer, _ sql: String) throws(StoreError) {
    guard unsafe sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw unsafe error(handle, sql) }
  }

  private static func prepare(_ handle: OpaquePointer, _ sql: String) throws(StoreError) -> OpaquePointer? {
    var statement: OpaquePointer?
    let code = unsafe sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
    guard code == SQLITE_OK else { throw unsafe error(handle, sql) }
    return unsafe statement
  }

  private static func error(_ handle: OpaquePointer, _ action: String) -> StoreError {
    StoreError(.system, unsafe "\(action): \(String(cString: sqlite3_errmsg(handle)))")
  }
}
