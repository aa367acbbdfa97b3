internal import CSQLite

/// A connection of SQLite's C interface: the only code that holds its pointers.
///
/// The owner closes it. Calls return SQLite's code.
@safe struct SQLiteConnection {
  private let handle: OpaquePointer

  /// Opens a file.
  ///
  /// - Returns: The connection, also after an error, so that its message can be read; nil without memory.
  static func open(_ name: String, _ flags: Int32) -> (connection: SQLiteConnection?, code: Int32) {
    var opened: OpaquePointer?
    let code = unsafe sqlite3_open_v2(name, &opened, flags, nil)
    return (unsafe opened.map { unsafe SQLiteConnection(handle: $0) }, code)
  }

  func close() { unsafe sqlite3_close_v2(handle) }

  func setBusyTimeout(milliseconds: Int32) { unsafe sqlite3_busy_timeout(handle, milliseconds) }

  func execute(_ sql: String) -> Int32 { unsafe sqlite3_exec(handle, sql, nil, nil, nil) }

  /// Reads the first bytes of the file, without locks and without the log.
  func readHead(_ bytes: inout [UInt8]) -> Int32 {
    unsafe bytes.withUnsafeMutableBytes { unsafe csqlite_read_head(handle, $0.baseAddress, Int32($0.count)) }
  }

  func keepLog() -> Int32 { unsafe csqlite_keep_log(handle) }

  var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }
  var changedRows: Int { Int(unsafe sqlite3_changes64(handle)) }
  var changedRowsInAll: Int { Int(unsafe sqlite3_total_changes64(handle)) }
  var isReadOnly: Bool { unsafe sqlite3_db_readonly(handle, "main") == 1 }

  /// The number of pages read since the connection was opened.
  var readPages: Int {
    var count: Int32 = 0
    var most: Int32 = 0
    unsafe sqlite3_db_status(handle, SQLITE_DBSTATUS_CACHE_MISS, &count, &most, 0)
    return Int(count)
  }

  /// The last call's error.
  var error: (extendedCode: Int32, message: String, systemCode: Int32) {
    unsafe (
      sqlite3_extended_errcode(handle), String(cString: sqlite3_errmsg(handle)), sqlite3_system_errno(handle)
    )
  }

  /// Prepares a statement, which its owner finalizes before the connection is closed.
  func prepare(_ sql: String) -> (cursor: Cursor?, code: Int32) {
    var statement: OpaquePointer?
    let code = unsafe sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
    return (unsafe statement.map { unsafe Cursor(handle: $0) }, code)
  }

  /// A prepared statement; parameters count from 1, columns from 0.
  @safe struct Cursor {
    fileprivate let handle: OpaquePointer

    func finalize() { unsafe sqlite3_finalize(handle) }
    func reset() { unsafe sqlite3_reset(handle) }
    func step() -> Int32 { unsafe sqlite3_step(handle) }

    func bind(_ value: Int64, at parameter: Int32) -> Int32 { unsafe sqlite3_bind_int64(handle, parameter, value) }
    func bind(_ value: Double, at parameter: Int32) -> Int32 { unsafe sqlite3_bind_double(handle, parameter, value) }
    func bindNull(at parameter: Int32) -> Int32 { unsafe sqlite3_bind_null(handle, parameter) }

    func bind(_ value: String, at parameter: Int32) -> Int32 {
      var value = value
      return value.withUTF8 { bytes in
        unsafe sqlite3_bind_text64(
          handle, parameter, bytes.baseAddress, UInt64(bytes.count), csqlite_transient(), UInt8(SQLITE_UTF8))
      }
    }

    func bind(_ value: [UInt8], at parameter: Int32) -> Int32 {
      // A null address would bind null.
      guard !value.isEmpty else { return unsafe sqlite3_bind_zeroblob(handle, parameter, 0) }
      return unsafe value.withUnsafeBytes { bytes in
        unsafe sqlite3_bind_blob64(handle, parameter, bytes.baseAddress, UInt64(bytes.count), csqlite_transient())
      }
    }

    func int64(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(handle, column) }
    func double(_ column: Int32) -> Double { unsafe sqlite3_column_double(handle, column) }
    func isNull(_ column: Int32) -> Bool { unsafe sqlite3_column_type(handle, column) == SQLITE_NULL }
    func byteCount(_ column: Int32) -> Int { Int(unsafe sqlite3_column_bytes(handle, column)) }

    func text(_ column: Int32) -> String {
      guard let start = unsafe sqlite3_column_text(handle, column) else { return "" }
      return unsafe String(decoding: UnsafeBufferPointer(start: start, count: byteCount(column)), as: UTF8.self)
    }

    func blob(_ column: Int32) -> [UInt8] {
      guard let start = unsafe sqlite3_column_blob(handle, column) else { return [] }
      return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: byteCount(column)))
    }

    /// A column's name in its table; empty if there is no such column.
    func name(of column: Int32) -> String {
      guard let name = unsafe sqlite3_column_name(handle, column) else { return "" }
      return unsafe String(cString: name)
    }
  }
}
