import Link
import LinkStore

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
