import Link
import LinkStore

/// Copies one old table, a batch at a time.
struct MigrationCopy {
  private let migration: OldShapeMigration
  private let step: MigrationStep
  private let pass: Int64
  private let source: String
  /// Rows of the pass that are not moved.
  static let kept = "(SELECT f.sourceRow FROM MigrationFinding f WHERE f.pass = ?1 AND f.isMoved = 0)"
  /// The rows of a batch.
  private static let batch = "o.rowid BETWEEN ?2 AND ?3"
  private let isMovable: String

  init(_ migration: OldShapeMigration, _ step: MigrationStep, pass: Int64) {
    self.migration = migration
    self.step = step
    self.pass = pass
    source = "\(step.source.name) o"
    isMovable = step.conditions.map { "(\($0.condition))" }.joined(separator: " AND ")
  }

  /// Copies the next rows, in one transaction.
  ///
  /// - Returns: How many rows of the table were dealt with so far; nil if there are no more.
  func copyBatch() throws(StoreError) -> Int64? {
    let begun = try migration.number("SELECT lastRow FROM MigrationPass WHERE id = ?1", [pass])
    guard begun != .max else { return nil }
    let first = begun.map { $0 + 1 } ?? .min
    let rows = "SELECT rowid FROM \(step.source.name) WHERE rowid >= ?1 ORDER BY rowid LIMIT ?2"
    let limits = [first, migration.batchRows]
    guard let last = try migration.number("SELECT max(rowid) FROM (\(rows))", limits) else { return nil }
    let count = try migration.number("SELECT count(*) FROM (\(rows))", limits) ?? 0
    return try migration.transaction { () throws(StoreError) in
      let range = [pass, first, last]
      let before = try migration.number("SELECT coalesce(max(id), 0) FROM MigrationFinding") ?? 0
      try findBadText(range)
      let moved = try step.target == nil ? recordUnfit(range, count: count) : move(range, count: count)
      for note in step.notes {
        try migration.run(
          """
          INSERT INTO MigrationFinding (pass, sourceRow, isMoved, reason)
          SELECT ?1, o.rowid, 1, \(note.literal) FROM \(source)
          WHERE \(Self.batch) AND \(note.condition) AND o.rowid NOT IN \(Self.kept)
          """, range)
      }
      try storeValues(findingsAfter: before)
      try migration.run(
        "UPDATE MigrationPass SET lastRow = ?3, moved = moved + ?2 WHERE id = ?1", [pass, moved, last])
      let kept = "SELECT count(*) FROM MigrationFinding WHERE pass = ?1 AND isMoved = 0"
      let isMoved = try migration.number("SELECT moved FROM MigrationPass WHERE id = ?1", [pass]) ?? 0
      return isMoved +| (try migration.number(kept, [pass]) ?? 0)
    }
  }

  /// Moves the rows of a batch, and keeps those that cannot be moved; returns how many were moved.
  private func move(_ range: [Int64], count: Int64) throws(StoreError) -> Int64 {
    guard let target = step.target?.name else { return 0 }
    let columns = step.values.map { "\"\($0.column.name)\"" }.joined(separator: ", ")
    let expressions = step.values.map { step.expression($0.column, $0.value) }.joined(separator: ", ")
    let insert = """
      INSERT INTO \(target) (id, \(columns)) SELECT \(MigrationStep.identifier), \(expressions) FROM \(source)
      WHERE \(Self.batch) AND \(isMovable) AND o.rowid NOT IN \(Self.kept)
      ORDER BY 1 ON CONFLICT (id) DO NOTHING
      """
    let newest = "SELECT coalesce(max(rowid), 0) FROM \(target)"
    let before = try migration.number(newest) ?? 0
    var moved = try migration.run(insert, range)
    if moved < count {
      // Which rows are missing is found without those just inserted.
      try migration.run("DELETE FROM \(target) WHERE rowid > ?1", [before])
      _ = try recordUnfit(range, count: count)
      try migration.run(
        """
        INSERT INTO MigrationFinding (pass, sourceRow, isMoved, reason)
        SELECT ?1, row, 0, 'its id is in \(target) already' FROM (
          SELECT o.rowid AS row, row_number() OVER (PARTITION BY lower(o.id) ORDER BY o.rowid) AS number,
            EXISTS (SELECT 1 FROM \(target) t WHERE t.id = lower(o.id)) AS isThere
          FROM \(source) WHERE \(Self.batch) AND o.rowid NOT IN \(Self.kept)
        ) WHERE number > 1 OR isThere
        """, range)
      moved = try migration.run(insert, range)
    }
    guard moved > 0 else { return 0 }
    let after = try migration.number(newest) ?? 0
    let isLonger = try migration.run(
      "UPDATE MigrationRange SET lastRow = ?3 WHERE pass = ?1 AND lastRow = ?2", [pass, before, after])
    if isLonger == 0 {
      try migration.run("INSERT INTO MigrationRange VALUES (?1, ?2 + 1, ?3)", [pass, before, after])
    }
    return moved
  }

  /// Records the rows of a batch that do not meet the conditions; returns how many do.
  private func recordUnfit(_ range: [Int64], count: Int64) throws(StoreError) -> Int64 {
    let reasons = step.conditions.map { "WHEN (\($0.condition)) IS NOT 1 THEN \($0.literal)" }
    let kept = try migration.run(
      """
      INSERT INTO MigrationFinding (pass, sourceRow, isMoved, reason)
      SELECT ?1, o.rowid, 0, CASE \(reasons.joined(separator: " ")) END FROM \(source)
      WHERE \(Self.batch) AND (\(isMovable)) IS NOT 1 AND o.rowid NOT IN \(Self.kept)
      """, range)
    return count - kept
  }

  /// Keeps rows with a text that is not UTF-8: the phone could not read it as it was.
  private func findBadText(_ range: [Int64]) throws(StoreError) {
    for name in step.texts {
      try migration.prepareStatement()
      // Texts of plain ASCII without a zero byte are most of them.
      let find = Statement(
        migration.database,
        """
        SELECT o.rowid, o."\(name)" FROM \(source) WHERE \(Self.batch) AND typeof(o."\(name)") = 'text'
          AND (o."\(name)" GLOB '*[^ -~]*' OR length(o."\(name)") <> length(CAST(o."\(name)" AS BLOB)))
          AND o.rowid NOT IN \(Self.kept)
        """)
      for (index, number) in range.enumerated() { find.bind(number, at: Int32(index + 1)) }
      var bad: [Int64] = []
      while try find.step() {
        if String(validating: find.blob(1), as: UTF8.self) == nil { bad.append(find.int64(0)) }
      }
      for row in bad {
        try migration.run(
          "INSERT INTO MigrationFinding (pass, sourceRow, isMoved, reason) VALUES (?1, ?2, 0, '\(name) is not UTF-8')",
          [pass, row])
      }
    }
  }

  /// Stores all columns of the rows of new findings.
  private func storeValues(findingsAfter before: Int64) throws(StoreError) {
    guard let last = try migration.number("SELECT max(id) FROM MigrationFinding"), last > before else { return }
    for column in step.source.columns {
      try migration.run(
        """
        INSERT INTO MigrationValue SELECT f.id, '\(column.name)', o."\(column.name)"
        FROM MigrationFinding f JOIN \(source) ON o.rowid = f.sourceRow WHERE f.id > ?1
        """, [before])
    }
  }
}

/// The tables of the migration itself: how far it came, and what it reports.
enum MigrationTables {
  /// The component's name and version in the table `SchemaVersion`.
  static let component = "migration"
  static let version: Int64 = 1

  /// The tables.
  ///
  /// A pass is one old table being moved, up to its row `lastRow`. A range holds rows of the new table that a pass wrote. A finding is about one old
  /// row, and its values are all columns of that row; `value` has no type, so that it holds what the row held.
  private static let sql = """
    CREATE TABLE MigrationPass (
      id INTEGER PRIMARY KEY, phase TEXT NOT NULL, source TEXT NOT NULL, lastRow INTEGER, isDone INTEGER NOT NULL,
      rows INTEGER NOT NULL, moved INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE MigrationRange (
      pass INTEGER NOT NULL, firstRow INTEGER NOT NULL, lastRow INTEGER NOT NULL, PRIMARY KEY (pass, firstRow)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE MigrationFinding (
      id INTEGER PRIMARY KEY, pass INTEGER NOT NULL, sourceRow INTEGER NOT NULL, isMoved INTEGER NOT NULL,
      reason TEXT NOT NULL
    ) STRICT;
    CREATE INDEX MigrationFindingOfPass ON MigrationFinding (pass, isMoved, sourceRow);
    CREATE TABLE MigrationValue (
      finding INTEGER NOT NULL, name TEXT NOT NULL, value, PRIMARY KEY (finding, name)
    ) WITHOUT ROWID;
    CREATE TABLE MigrationIndex (name TEXT PRIMARY KEY, phase TEXT NOT NULL, sql TEXT NOT NULL) STRICT;
    """

  /// Whether the store has them.
  ///
  /// - Throws: `.newer` for a version that this program does not know.
  static func exist(in database: Database) throws(StoreError) -> Bool {
    guard let found = try database.number("SELECT version FROM SchemaVersion WHERE component = '\(component)'") else {
      return false
    }
    guard found == version else {
      throw StoreError(
        found > version ? .newer : .corrupt,
        "\(database.path): \(component) has version \(found), but this program knows version \(version)")
    }
    return true
  }

  /// Creates them, inside a transaction.
  static func create(in database: Database) throws(StoreError) {
    try database.execute(sql)
    try database.execute("INSERT INTO SchemaVersion (component, version) VALUES ('\(component)', \(version))")
  }
}
