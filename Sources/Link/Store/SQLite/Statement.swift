internal import CSQLite
package import Link

/// A statement that is prepared on first use and then reused.
///
/// Parameters count from 1 and stay bound until they are bound again; columns count from 0. The next step throws errors
/// of preparing and binding.
package final class Statement {
  private let database: Database
  private let sql: String
  private var cursor: SQLiteConnection.Cursor?
  /// The SQLite code of an error before the step.
  private var failure = SQLITE_OK

  /// Creates a statement; the text is not parsed yet.
  package init(_ database: Database, _ sql: String) {
    self.database = database
    self.sql = sql
  }

  deinit { cursor?.finalize() }

  // MARK: Parameters

  package func bind(_ value: Int64, at parameter: Int32) { recordFailure(prepare()?.bind(value, at: parameter)) }
  package func bind(_ value: Int, at parameter: Int32) { bind(Int64(value), at: parameter) }
  package func bind(_ value: Double, at parameter: Int32) { recordFailure(prepare()?.bind(value, at: parameter)) }
  package func bind(_ value: String, at parameter: Int32) { recordFailure(prepare()?.bind(value, at: parameter)) }
  package func bind(_ value: [UInt8], at parameter: Int32) { recordFailure(prepare()?.bind(value, at: parameter)) }
  package func bindNull(at parameter: Int32) { recordFailure(prepare()?.bindNull(at: parameter)) }

  // MARK: Steps

  /// Advances to the next row; after the last one the statement can be executed again.
  ///
  /// - Returns: Whether there is a row.
  package func step() throws(StoreError) -> Bool {
    if let cursor = prepare(), failure == SQLITE_OK {
      let code = cursor.step()
      if code == SQLITE_ROW { return true }
      if code == SQLITE_DONE {
        cursor.reset()
        return false
      }
      failure = code
    }
    let error = database.error(failure, sql)
    failure = SQLITE_OK
    cursor?.reset()
    throw error
  }

  /// Executes it to its end.
  package func run() throws(StoreError) {
    while try step() {}
  }

  /// Discards unread rows; the parameters stay bound.
  package func reset() { cursor?.reset() }

  // MARK: Columns

  /// A column as a number; 0 for null.
  package func int64(_ column: Int32) -> Int64 { cursor?.int64(column) ?? 0 }

  /// A column as a floating-point number; 0 for null.
  package func double(_ column: Int32) -> Double { cursor?.double(column) ?? 0 }

  /// A column as text; empty for null.
  package func text(_ column: Int32) -> String { cursor?.text(column) ?? "" }

  /// A column's bytes; empty for null.
  package func blob(_ column: Int32) -> [UInt8] { cursor?.blob(column) ?? [] }

  /// A column's name in its table; empty if there is no such column.
  func name(of column: Int32) -> String { cursor?.name(of: column) ?? "" }

  /// The path of the file, for people.
  var path: String { database.path }

  /// Whether a column is null.
  package func isNull(_ column: Int32) -> Bool { cursor?.isNull(column) ?? true }

  // MARK: Preparing

  private func prepare() -> SQLiteConnection.Cursor? {
    if let cursor { return cursor }
    guard failure == SQLITE_OK else { return nil }
    let (prepared, code) = database.connection.prepare(sql)
    recordFailure(code)
    cursor = prepared
    return prepared
  }

  private func recordFailure(_ code: Int32?) {
    if let code, code != SQLITE_OK { failure = code }
  }
}

/// Columns with bounds: a store is a file, and its numbers can have any value.
extension Statement {
  /// A column as a number within bounds.
  ///
  /// - Throws: `.corrupt` for others, with the column's name, what was found and what was expected.
  package func int64(_ column: Int32, in bounds: ClosedRange<Int64>) throws(StoreError) -> Int64 {
    let value = int64(column)
    guard bounds.contains(value) else {
      throw refusal(column, "\(value)", "\(bounds.lowerBound)...\(bounds.upperBound)")
    }
    return value
  }

  /// A column as a finite floating-point number within bounds.
  ///
  /// - Throws: `.corrupt` for others, with the column's name, what was found and what was expected.
  package func double(_ column: Int32, in bounds: ClosedRange<Double>) throws(StoreError) -> Double {
    let value = double(column)
    guard bounds.contains(value) else {
      throw refusal(column, "\(value)", "\(bounds.lowerBound)...\(bounds.upperBound)")
    }
    return value
  }

  /// A column as a count, from 0 up to a limit that leaves room to increase.
  package func count(_ column: Int32) throws(StoreError) -> Int64 { try int64(column, in: 0...Self.countMax) }

  /// The largest count accepted from a store.
  package static let countMax: Int64 = 1 << 48

  private func refusal(_ column: Int32, _ found: String, _ expected: String) -> StoreError {
    let error = StoreError(.corrupt, "\(path): the column \(name(of: column)) holds \(found), expected \(expected)")
    reset()
    return error
  }
}
