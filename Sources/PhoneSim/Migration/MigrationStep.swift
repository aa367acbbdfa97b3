/// What becomes of the rows of one old table: the columns of the new one, and which rows cannot be moved.
struct MigrationStep: Sendable {
  /// Where the value of a new column comes from.
  ///
  /// In SQL, `o` is the old row.
  enum Value: Sendable {
    /// An old column, checked against the new one.
    case column(String)
    /// The row of which the new row is a part; without it the old row is not moved.
    case part(String)
    /// Another row; empty if that is missing, which is reported.
    case relation(String)
    /// The same text in each row.
    case word(String)
    /// An expression whose value is always allowed.
    case sql(String)
  }

  /// A condition in SQL, and what it means.
  struct Remark: Sendable {
    var condition: String
    var reason: String
    /// The reason as a literal of SQL.
    var literal: String { MigrationStep.literal(reason) }
  }

  let phase: MigrationPhase
  let source: OldEntity
  /// Nil if the rows can be derived from others.
  let target: TrainingEntity?
  let values: [(column: TrainingColumn, value: Value)]
  private let extraConditions: [Remark]
  private let extraNotes: [Remark]

  init(
    _ phase: MigrationPhase, _ source: OldEntity, to target: TrainingEntity?, _ values: [(String, Value)] = [],
    conditions: [Remark] = [], notes: [Remark] = []
  ) {
    self.phase = phase
    self.source = source
    self.target = target
    self.values = values.map { name, value in
      guard let target else { preconditionFailure("\(source.name): values without a table") }
      return (target.columns[target.index(of: name)], value)
    }
    extraConditions = conditions
    extraNotes = notes
  }

  /// An identifier in small or capital letters; text may go on after a zero byte, which GLOB does not see.
  private static func isIdentifier(_ sql: String) -> String {
    let digits = [8, 4, 4, 4, 12].map { String(repeating: "[0-9A-Fa-f]", count: $0) }.joined(separator: "-")
    return "(typeof(\(sql)) = 'text' AND length(CAST(\(sql) AS BLOB)) = 36 AND \(sql) GLOB '\(digits)')"
  }

  private static func old(_ name: String) -> String { "o.\"\(name)\"" }
  fileprivate static func literal(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
  }

  /// The expression of the new row's identifier.
  static let identifier = "lower(o.id)"

  /// The expression of a new column.
  func expression(_ column: TrainingColumn, _ value: Value) -> String {
    switch value {
    case .column(let name) where column.kind == .identifier: "lower(\(Self.old(name)))"
    case .column(let name): Self.old(name)
    case .part(let name): "lower(\(Self.old(name)))"
    case .relation(let name): "(SELECT p.id FROM \(Self.table(column)) p WHERE p.id = lower(\(Self.old(name))))"
    case .word(let text): Self.literal(text)
    case .sql(let sql): sql
    }
  }

  private static func table(_ column: TrainingColumn) -> String {
    guard case .reference(let table, _) = column.kind else { preconditionFailure("\(column.name) is no reference") }
    return table
  }

  /// What must hold of a row that is moved.
  ///
  /// A condition that is null does not hold.
  var conditions: [Remark] {
    var conditions: [Remark] = []
    if target != nil {
      conditions.append(Remark(condition: Self.isIdentifier("o.id"), reason: "id is no identifier"))
    }
    for (column, value) in values {
      switch value {
      case .column(let name):
        let (check, expected) = Self.check(column, Self.old(name))
        conditions.append(
          Remark(
            condition: column.isOptional ? "(\(Self.old(name)) IS NULL OR \(check))" : check,
            reason: "\(name) is not \(expected)"))
      case .part(let name):
        let table = Self.table(column)
        conditions.append(
          Remark(
            condition: "EXISTS (SELECT 1 FROM \(table) p WHERE p.id = lower(\(Self.old(name))))",
            reason: "\(name) is no row of \(table)"))
      case .relation, .word, .sql: break
      }
    }
    return conditions + extraConditions
  }

  /// What of a moved row is reported.
  var notes: [Remark] {
    values.compactMap { column, value in
      guard case .relation(let name) = value else { return nil }
      let found = expression(column, value)
      return Remark(
        condition: "\(Self.old(name)) IS NOT NULL AND \(found) IS NULL",
        reason: "\(name) is no row of \(Self.table(column)), and stays empty")
    } + extraNotes
  }

  /// The old columns whose text is copied: that it is UTF-8, SQL cannot check.
  var texts: [String] {
    values.compactMap { column, value in
      if case .column(let name) = value, case .text = column.kind { name } else { nil }
    }
  }

  private static func check(_ column: TrainingColumn, _ sql: String) -> (condition: String, expected: String) {
    switch column.kind {
    case .integer(let bounds):
      (
        "(typeof(\(sql)) = 'integer' AND \(sql) BETWEEN \(bounds.lowerBound) AND \(bounds.upperBound))",
        "an integer from \(bounds.lowerBound) to \(bounds.upperBound)"
      )
    case .date: ("typeof(\(sql)) = 'integer'", "a date")
    case .real(let bounds):
      (
        "(typeof(\(sql)) IN ('real', 'integer') AND \(sql) BETWEEN \(bounds.lowerBound) AND \(bounds.upperBound))",
        "a number from \(bounds.lowerBound) to \(bounds.upperBound)"
      )
    case .text(let bytes):
      (
        "(typeof(\(sql)) = 'text' AND length(CAST(\(sql) AS BLOB)) <= \(bytes))", "a text of at most \(bytes) bytes"
      )
    case .json(let bytes):
      (
        "(typeof(\(sql)) = 'text' AND length(CAST(\(sql) AS BLOB)) <= \(bytes) AND json_valid(\(sql)))",
        "JSON of at most \(bytes) bytes"
      )
    case .word(let words):
      (
        "(typeof(\(sql)) = 'text' AND \(sql) IN (\(words.map(literal).joined(separator: ", "))))",
        "one of \(words.joined(separator: ", "))"
      )
    case .identifier, .reference: (isIdentifier(sql), "an identifier")
    }
  }

  // MARK: Figures

  /// The columns that are compared: each with its expression in the old and in the new row.
  var compared: [(column: TrainingColumn, old: String, new: String)] {
    values.compactMap { column, value in
      switch value {
      case .column, .part: (column, expression(column, value), "n.\"\(column.name)\"")
      case .relation, .word, .sql: nil
      }
    }
  }
}

/// A phase of the migration from the old shape, as the founding document lists them.
package enum MigrationPhase: String, Sendable, CaseIterable, Comparable {
  case queries = "A"
  case drills = "B"
  case skills = "C"
  case points = "D"
  case splitsAndIntervals = "E"
  case competitions = "F"
  case artifacts = "G"

  /// What it brings.
  package var about: String {
    switch self {
    case .queries: "the session queries and their indexes"
    case .drills: "one table of drills"
    case .skills: "skills with the table of their session"
    case .points: "one table of points"
    case .splitsAndIntervals: "one table of splits, one of intervals"
    case .competitions: "competitions that refer to their sessions"
    case .artifacts: "artifacts as a projection"
    }
  }

  /// The phase that must be done first, if any.
  package var dependency: Self? { self == .artifacts ? .competitions : nil }

  /// Whether the store is backed up before it.
  var needsBackup: Bool { self == .points || self == .splitsAndIntervals }

  package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
