internal import CSQLite
package import Link

/// One connection to one SQLite file, confined to its opener.
///
/// Owners create their statements (``Statement``), which keep the connection open.
@safe package final class Database {
  /// The allowed access to the file.
  package enum Access: Sendable {
    /// Reading and writing; the file must exist.
    case existing
    /// Reading only the file itself, without locks and without the log beside it.
    case frozen
  }

  /// The path of the file, for people.
  package let path: String
  let handle: OpaquePointer
  private var begin: OpaquePointer?
  private var commit: OpaquePointer?

  /// Opens a file without reading it.
  ///
  /// - Parameter busyMilliseconds: How long to wait for another process's lock.
  package init(path: String, _ access: Access = .existing, busyMilliseconds: Int32 = 1_000) throws(StoreError) {
    var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    var name = path
    switch access {
    case .existing: flags |= SQLITE_OPEN_READWRITE
    case .frozen:
      flags |= SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
      name = "file:\(Self.escaped(path))?immutable=1"
    }
    var opened: OpaquePointer?
    let code = unsafe sqlite3_open_v2(name, &opened, flags, nil)
    guard let opened = unsafe opened else { throw StoreError(.system, "\(path): open: no memory") }
    guard code == SQLITE_OK else {
      let error = unsafe Self.error(path, code, of: opened, "open")
      unsafe sqlite3_close_v2(opened)
      throw error
    }
    self.path = path
    unsafe handle = unsafe opened
    unsafe sqlite3_busy_timeout(opened, busyMilliseconds)
  }

  deinit {
    unsafe sqlite3_finalize(begin)
    unsafe sqlite3_finalize(commit)
    unsafe sqlite3_close_v2(handle)
  }

  /// Executes statements without reading rows.
  package func execute(_ sql: String) throws(StoreError) {
    let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw error(code, sql) }
  }

  /// Reads the first column of the first row as a number; nil if there is no row.
  package func number(_ sql: String) throws(StoreError) -> Int64? {
    let statement = Statement(self, sql)
    return try statement.step() ? statement.int64(0) : nil
  }

  /// Reads the first column of the first row as text; nil if there is no row.
  package func text(_ sql: String) throws(StoreError) -> String? {
    let statement = Statement(self, sql)
    return try statement.step() ? statement.text(0) : nil
  }

  /// Runs `body` in one transaction; rolls it back if it throws.
  package func transaction<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
    try unsafe step(&begin, "BEGIN IMMEDIATE")
    do throws(StoreError) {
      let result = try body()
      try unsafe step(&commit, "COMMIT")
      return result
    } catch {
      // Some failures end the transaction by themselves.
      if unsafe sqlite3_get_autocommit(handle) == 0 { unsafe sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
      throw error
    }
  }

  /// The first bytes of the file, without locks and without the log; zeros past its end.
  package func head(byteCount: Int) throws(StoreError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: byteCount)
    let code = unsafe bytes.withUnsafeMutableBytes { unsafe csqlite_read_head(handle, $0.baseAddress, Int32($0.count)) }
    guard code == SQLITE_OK else { throw error(code, "read its first \(byteCount) bytes") }
    return bytes
  }

  /// Prevents changes to file and log, including those at closing.
  package func keepUnchanged() throws(StoreError) {
    let code = unsafe csqlite_keep_log(handle)
    guard code == SQLITE_OK else { throw error(code, "keep the log") }
    try execute("PRAGMA query_only=ON")
  }

  /// The number of rows that the last statement changed.
  package var changedRows: Int { Int(unsafe sqlite3_changes64(handle)) }

  /// The number of rows changed since the connection was opened.
  var changedRowsInAll: Int { Int(unsafe sqlite3_total_changes64(handle)) }

  /// The number of pages read from the file or its log since the connection was opened.
  var readPages: Int {
    var count: Int32 = 0
    var most: Int32 = 0
    unsafe sqlite3_db_status(handle, SQLITE_DBSTATUS_CACHE_MISS, &count, &most, 0)
    return Int(count)
  }

  /// Whether the file is read-only.
  package var isReadOnly: Bool { unsafe sqlite3_db_readonly(handle, "main") == 1 }

  /// Runs a statement of the connection itself, prepared once.
  private func step(_ statement: inout OpaquePointer?, _ sql: String) throws(StoreError) {
    if unsafe statement == nil {
      let code = unsafe sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
      guard code == SQLITE_OK else { throw error(code, sql) }
    }
    let code = unsafe sqlite3_step(statement)
    guard code == SQLITE_DONE else {
      let error = error(code, sql)
      unsafe sqlite3_reset(statement)
      throw error
    }
    unsafe sqlite3_reset(statement)
  }

  /// Escapes a path for a URI.
  private static func escaped(_ path: String) -> String {
    var text = ""
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"):
        text.unicodeScalars.append(Unicode.Scalar(byte))
      default: text += (byte < 16 ? "%0" : "%") + String(byte, radix: 16)
      }
    }
    return text
  }
}
