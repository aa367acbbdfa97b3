internal import CSQLite
internal import Glibc
package import Link

/// One connection to one SQLite file, confined to its opener.
///
/// Owners create their statements (``Statement``), which keep the connection open.
package final class Database {
  /// The allowed access to the file.
  package enum Access: Sendable {
    /// Reading and writing; the file must exist.
    case existing
    /// Reading only the file itself, without locks and without the log beside it.
    case frozen
  }

  /// The path of the file, for people.
  package let path: String
  let connection: SQLiteConnection
  private var begin: SQLiteConnection.Cursor?
  private var commit: SQLiteConnection.Cursor?

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
    let (opened, code) = SQLiteConnection.open(name, flags)
    guard let opened else { throw StoreError(.system, "\(path): open: no memory") }
    guard code == SQLITE_OK else {
      let error = Self.error(path, code, of: opened, "open")
      opened.close()
      throw error
    }
    self.path = path
    connection = opened
    opened.setBusyTimeout(milliseconds: busyMilliseconds)
  }

  deinit {
    begin?.finalize()
    commit?.finalize()
    connection.close()
  }

  /// Executes statements without reading rows.
  package func execute(_ sql: String) throws(StoreError) {
    let code = connection.execute(sql)
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
    try beginTransaction()
    do throws(StoreError) {
      let result = try body()
      try endTransaction()
      return result
    } catch {
      // Some failures end the transaction by themselves.
      if connection.isInTransaction { _ = connection.execute("ROLLBACK") }
      throw error
    }
  }

  /// Begins a transaction, which is rolled back if the connection closes before ``endTransaction()``.
  func beginTransaction() throws(StoreError) { try step(&begin, "BEGIN IMMEDIATE") }

  /// Commits the transaction.
  func endTransaction() throws(StoreError) { try step(&commit, "COMMIT") }

  /// The first bytes of the file, without locks and without the log; zeros past its end.
  package func head(byteCount: Int) throws(StoreError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: byteCount)
    let code = connection.readHead(&bytes)
    guard code == SQLITE_OK else { throw error(code, "read its first \(byteCount) bytes") }
    return bytes
  }

  /// Prevents changes to file and log, including those at closing.
  package func keepUnchanged() throws(StoreError) {
    let code = connection.keepLog()
    guard code == SQLITE_OK else { throw error(code, "keep the log") }
    try execute("PRAGMA query_only=ON")
  }

  /// The number of rows that the last statement changed.
  package var changedRows: Int { connection.changedRows }

  /// The number of rows changed since the connection was opened.
  var changedRowsInAll: Int { connection.changedRowsInAll }

  /// The number of pages read from the file or its log since the connection was opened.
  var readPages: Int { connection.readPages }

  /// Whether the file is read-only.
  package var isReadOnly: Bool { connection.isReadOnly }

  /// Runs a statement of the connection itself, prepared once.
  private func step(_ statement: inout SQLiteConnection.Cursor?, _ sql: String) throws(StoreError) {
    if statement == nil {
      let (prepared, code) = connection.prepare(sql)
      guard code == SQLITE_OK else { throw error(code, sql) }
      statement = prepared
    }
    guard let statement else { return }
    let code = statement.step()
    defer { statement.reset() }
    guard code == SQLITE_DONE else { throw error(code, sql) }
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

extension Database {
  /// An error of this connection, with SQLite's message.
  ///
  /// - Parameter action: The failed action: a statement, or a description.
  func error(_ code: Int32, _ action: String) -> StoreError { Self.error(path, code, of: connection, action) }

  /// The same for a connection that could not be opened.
  static func error(_ path: String, _ code: Int32, of connection: SQLiteConnection, _ action: String) -> StoreError {
    let (extended, message, system) = connection.error
    var words = action.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
    if words.count > 80 { words = words.prefix(77) + "..." }
    let cause = cause(code, system)
    if cause == .busy { words = "another process has it open: \(words)" }
    var text = "\(path): \(words): \(message) (SQLite \(extended == SQLITE_OK ? code : extended))"
    if system != 0, code & 0xFF == SQLITE_CANTOPEN || code & 0xFF == SQLITE_IOERR {
      text += ": \(FileSystem.systemText(system))"
    }
    if extended == SQLITE_IOERR | (3 << 8), let limit = FileSystem.fileBytesLimit {
      // SQLite forgets why a write failed.
      text += ": a file may have \(limit) bytes here; raise that with ulimit -f"
    }
    return StoreError(cause, text)
  }

  private static func cause(_ code: Int32, _ system: Int32) -> StoreError.Cause {
    switch code & 0xFF {
    case SQLITE_FULL: .full
    // An exceeded quota or limit counts as a full disk.
    case SQLITE_IOERR where system == ENOSPC || system == EDQUOT || system == EFBIG: .full
    case SQLITE_BUSY, SQLITE_LOCKED: .busy
    case SQLITE_CORRUPT, SQLITE_NOTADB: .corrupt
    default: .system
    }
  }
}
