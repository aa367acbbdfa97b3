internal import CSQLite
internal import Glibc
internal import Link

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
