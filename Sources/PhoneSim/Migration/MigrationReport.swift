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
