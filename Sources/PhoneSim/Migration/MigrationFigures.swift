import Link
import LinkStore

/// Counts and sums of rows, for comparing an old table with what became of it.
///
/// Sums are of integers, so they do not depend on the order of the rows: a number with a fraction counts in millionths.
/// Each is in two parts, neither of which can overflow.
struct MigrationFigures: Equatable {
  var rows: Int64 = 0
  var columns: [Column] = []

  /// The figures of one column.
  struct Column: Equatable {
    var name: String
    /// How many rows have a value.
    var count: Int64
    var high: Int64
    var low: Int64
    /// Of the sum: numbers in 1, fractions in millionths, texts in bytes.
    var scale: Double

    /// The sum, rounded, for people.
    var sum: Double { (Double(high) * 4_294_967_296 + Double(low)) / scale }
  }

  /// Reads the figures of the rows of a query.
  ///
  /// - Parameters:
  ///   - columns: With their expressions.
  ///   - rows: What follows `SELECT …`: `FROM … WHERE …`, with the pass as `?1`.
  static func read(
    _ columns: [(column: TrainingColumn, sql: String)], _ rows: String, pass: Int64, _ database: Database
  ) throws(StoreError) -> Self {
    let sums = columns.map { column, sql in
      let number = integer(column, sql)
      return ", count(\(sql)), sum(\(number) >> 32), sum(\(number) & 4294967295)"
    }
    let statement = Statement(database, "SELECT count(*)\(sums.joined()) \(rows)")
    statement.bind(pass, at: 1)
    var figures = Self()
    while try statement.step() {
      figures.rows = statement.int64(0)
      figures.columns = columns.enumerated().map { index, column in
        let first = Int32(index * 3 + 1)
        return Column(
          name: column.column.name, count: statement.int64(first), high: statement.int64(first + 1),
          low: statement.int64(first + 2), scale: scale(column.column))
      }
    }
    return figures
  }

  private static func scale(_ column: TrainingColumn) -> Double {
    if case .real = column.kind { 1_000_000 } else { 1 }
  }

  private static func integer(_ column: TrainingColumn, _ sql: String) -> String {
    switch column.kind {
    case .integer, .date: sql
    case .real: "CAST(\(sql) * 1000000.0 AS INTEGER)"
    case .text, .json, .word, .identifier, .reference: "length(CAST(\(sql) AS BLOB))"
    }
  }
}
