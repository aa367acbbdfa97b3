internal import CSQLite
package import Link

/// One statement, prepared when it is first used and then kept.
///
/// Parameters count from 1 and stay bound until they are bound anew; columns count from 0. What goes wrong while
/// preparing or binding is thrown by the step that follows.
@safe package final class Statement {
  private let database: Database
  private let sql: String
  private var handle: OpaquePointer?
  /// What went wrong before the step: SQLite's code.
  private var failure = SQLITE_OK

  /// Creates a statement; the text is not looked at yet.
  package init(_ database: Database, _ sql: String) {
    self.database = database
    self.sql = sql
  }

  deinit { unsafe sqlite3_finalize(handle) }

  // MARK: Parameters

  /// Binds a number.
  package func bind(_ value: Int64, at parameter: Int32) {
    prepare()
    unsafe note(sqlite3_bind_int64(handle, parameter, value))
  }

  /// Binds a number.
  package func bind(_ value: Int, at parameter: Int32) { bind(Int64(value), at: parameter) }

  /// Binds a floating-point number.
  package func bind(_ value: Double, at parameter: Int32) {
    prepare()
    unsafe note(sqlite3_bind_double(handle, parameter, value))
  }

  /// Binds text.
  package func bind(_ value: String, at parameter: Int32) {
    prepare()
    var value = value
    value.withUTF8 { bytes in
      unsafe note(
        sqlite3_bind_text64(
          handle, parameter, bytes.baseAddress, UInt64(bytes.count), csqlite_transient(), UInt8(SQLITE_UTF8)))
    }
  }

  /// Binds bytes.
  package func bind(_ value: [UInt8], at parameter: Int32) {
    prepare()
    guard !value.isEmpty else {
      // Without an address it would be null.
      unsafe note(sqlite3_bind_zeroblob(handle, parameter, 0))
      return
    }
    unsafe value.withUnsafeBytes { bytes in
      unsafe note(
        sqlite3_bind_blob64(handle, parameter, bytes.baseAddress, UInt64(bytes.count), csqlite_transient()))
    }
  }

  /// Binds null.
  package func bindNull(at parameter: Int32) {
    prepare()
    unsafe note(sqlite3_bind_null(handle, parameter))
  }

  // MARK: Steps

  /// Goes to the next row; at the end the statement is ready to be used again.
  ///
  /// - Returns: Whether there is one.
  package func step() throws(StoreError) -> Bool {
    prepare()
    if failure == SQLITE_OK {
      let code = unsafe sqlite3_step(handle)
      if code == SQLITE_ROW { return true }
      if code == SQLITE_DONE {
        unsafe sqlite3_reset(handle)
        return false
      }
      failure = code
    }
    let error = database.error(failure, sql)
    failure = SQLITE_OK
    unsafe sqlite3_reset(handle)
    throw error
  }

  /// Carries it out to its end.
  package func run() throws(StoreError) {
    while try step() {}
  }

  /// Leaves the rows that were not read; the parameters stay bound.
  package func reset() { unsafe sqlite3_reset(handle) }

  // MARK: Columns

  /// A column as a number; 0 for null.
  package func int64(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(handle, column) }

  /// A column as a floating-point number; 0 for null.
  package func double(_ column: Int32) -> Double { unsafe sqlite3_column_double(handle, column) }

  /// A column as text; empty for null.
  package func text(_ column: Int32) -> String {
    guard let start = unsafe sqlite3_column_text(handle, column) else { return "" }
    let count = Int(unsafe sqlite3_column_bytes(handle, column))
    return unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  /// A column's bytes; empty for null.
  package func blob(_ column: Int32) -> [UInt8] {
    guard let start = unsafe sqlite3_column_blob(handle, column) else { return [] }
    let count = Int(unsafe sqlite3_column_bytes(handle, column))
    return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count))
  }

  /// A column's name in its table; empty where there is no such column.
  func name(of column: Int32) -> String {
    guard let name = unsafe sqlite3_column_name(handle, column) else { return "" }
    return unsafe String(cString: name)
  }

  /// Where the file is, for people.
  var path: String { database.path }

  /// Whether a column is null.
  package func isNull(_ column: Int32) -> Bool { unsafe sqlite3_column_type(handle, column) == SQLITE_NULL }

  // MARK: Preparing

  private func prepare() {
    guard unsafe handle == nil, failure == SQLITE_OK else { return }
    note(
      unsafe sqlite3_prepare_v3(database.handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil))
  }

  private func note(_ code: Int32) {
    if code != SQLITE_OK { failure = code }
  }
}
