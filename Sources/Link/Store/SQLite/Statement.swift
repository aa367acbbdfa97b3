internal import CSQLite
package import Link

/// A statement that is prepared on first use and then reused.
///
/// Parameters count from 1 and stay bound until they are bound again; columns count from 0. The next step throws errors
/// of preparing and binding.
@safe package final class Statement {
  private let database: Database
  private let sql: String
  private var handle: OpaquePointer?
  /// The SQLite code of an error before the step.
  private var failure = SQLITE_OK

  /// Creates a statement; the text is not parsed yet.
  package init(_ database: Database, _ sql: String) {
    self.database = database
    self.sql = sql
  }

  deinit { unsafe sqlite3_finalize(handle) }

  // MARK: Parameters

  package func bind(_ value: Int64, at parameter: Int32) {
    prepare()
    unsafe recordFailure(sqlite3_bind_int64(handle, parameter, value))
  }

  package func bind(_ value: Int, at parameter: Int32) { bind(Int64(value), at: parameter) }

  package func bind(_ value: Double, at parameter: Int32) {
    prepare()
    unsafe recordFailure(sqlite3_bind_double(handle, parameter, value))
  }

  package func bind(_ value: String, at parameter: Int32) {
    prepare()
    var value = value
    value.withUTF8 { bytes in
      unsafe recordFailure(
        sqlite3_bind_text64(
          handle, parameter, bytes.baseAddress, UInt64(bytes.count), csqlite_transient(), UInt8(SQLITE_UTF8)))
    }
  }

  package func bind(_ value: [UInt8], at parameter: Int32) {
    prepare()
    guard !value.isEmpty else {
      // A null address would bind null.
      unsafe recordFailure(sqlite3_bind_zeroblob(handle, parameter, 0))
      return
    }
    unsafe value.withUnsafeBytes { bytes in
      unsafe recordFailure(
        sqlite3_bind_blob64(handle, parameter, bytes.baseAddress, UInt64(bytes.count), csqlite_transient()))
    }
  }

  package func bindNull(at parameter: Int32) {
    prepare()
    unsafe recordFailure(sqlite3_bind_null(handle, parameter))
  }

  // MARK: Steps

  /// Advances to the next row; after the last one the statement can be executed again.
  ///
  /// - Returns: Whether there is a row.
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

  /// Executes it to its end.
  package func run() throws(StoreError) {
    while try step() {}
  }

  /// Discards unread rows; the parameters stay bound.
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

  /// A column's name in its table; empty if there is no such column.
  func name(of column: Int32) -> String {
    guard let name = unsafe sqlite3_column_name(handle, column) else { return "" }
    return unsafe String(cString: name)
  }

  /// The path of the file, for people.
  var path: String { database.path }

  /// Whether a column is null.
  package func isNull(_ column: Int32) -> Bool { unsafe sqlite3_column_type(handle, column) == SQLITE_NULL }

  // MARK: Preparing

  private func prepare() {
    guard unsafe handle == nil, failure == SQLITE_OK else { return }
    recordFailure(
      unsafe sqlite3_prepare_v3(database.handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil))
  }

  private func recordFailure(_ code: Int32) {
    if code != SQLITE_OK { failure = code }
  }
}
