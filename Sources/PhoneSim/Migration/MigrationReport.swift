import Link
import LinkStore

/// What a migration did, and what it found.
package struct MigrationReport: Sendable {
  /// The result of a phase.
  package struct Phase: Sendable {
    package var phase: MigrationPhase
    /// The tables moved now; empty if there was nothing left to do.
    package var tables: [Table] = []
    /// Indexes created by phase A.
    package var newIndexes = 0
    /// Whether all figures agree; the old tables are dropped only then.
    package var agrees: Bool { tables.allSatisfy { $0.differences.isEmpty } }
  }

  /// The result of one old table.
  package struct Table: Sendable {
    package var source: String
    /// The new table; empty if the rows can be derived.
    package var target: String
    /// Rows of the old table.
    package var rows: Int64
    /// Rows of the new one that it became, or rows that can be derived.
    package var moved: Int64
    /// Rows that could not be moved: their values are in the table `MigrationValue`.
    package var kept: Int64
    /// Rows that were moved and about which something is reported.
    package var noted: Int64
    /// Columns whose counts and sums were compared.
    package var sums: [Sum] = []
    package var differences: [String] = []
    /// What is reported, at most ``findingsMax``.
    package var findings: [Finding] = []
  }

  /// The sum of a column, which old and new table share.
  package struct Sum: Sendable, Equatable {
    package var column: String
    package var count: Int64
    /// Rounded; texts in bytes.
    package var sum: Double
  }

  package struct Finding: Sendable, Equatable {
    /// The row in the old table.
    package var row: Int64
    package var isMoved: Bool
    package var reason: String
  }

  /// Limit of the listed findings of a table.
  package static let findingsMax = 20

  package var phases: [Phase] = []
  /// The path of the backup that was made, if any.
  package var backup: String?
  package var agrees: Bool { phases.allSatisfy(\.agrees) }
}

/// How far a migration came.
package struct MigrationProgress: Sendable {
  package var phase: MigrationPhase
  /// The old table; empty while the phase's figures are compared.
  package var table: String
  package var rows: Int64
  package var of: Int64
}

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
