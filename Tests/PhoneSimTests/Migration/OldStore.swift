import Foundation
import Link
import LinkTransport

@testable import LinkStore
@testable import PhoneSim

/// A store of the old shape in a folder of a test's own.
final class OldStore {
  private let directory: TemporaryDirectory
  var folder: String { directory.path }

  init(points: Int64 = 24, others: Int64 = 11, sessions: Int64 = 6) throws {
    directory = try TemporaryDirectory()
    try OldStoreMaker.make(in: folder, .init(points: points, others: others, sessions: sessions))
  }

  /// A copy of a store that no process has open.
  init(copying other: OldStore) throws {
    directory = try TemporaryDirectory()
    try FileManager.default.copyItem(
      atPath: "\(other.folder)/\(StoreFile.name)", toPath: "\(directory.path)/\(StoreFile.name)")
  }

  func open() throws -> Database {
    let database = try StoreFile.open(folder: folder, DeviceStore<PhoneTables>.components)
    // Tests write rows that the app would not.
    try database.execute("PRAGMA foreign_keys=OFF")
    return database
  }

  /// Executes statements in the closed store.
  func execute(_ sql: String) throws { try open().execute(sql) }

  func number(_ sql: String) throws -> Int64? { try open().number(sql) }

  /// Migrates everything.
  @discardableResult
  func migrate(
    _ phases: Set<MigrationPhase> = Set(MigrationPhase.allCases), batchRows: Int64 = 5, indexedRowsMax: Int64? = nil,
    backup: String? = nil, hook: OldShapeMigration.Hook? = nil
  ) throws -> MigrationReport {
    try OldShapeMigration(folder: folder, batchRows: batchRows, indexedRowsMax: indexedRowsMax, hook: hook)
      .run(phases, backup: backup)
  }

  /// All tables with their rows, and all indexes, as text; without the passes of the migration.
  func content() throws -> [String] { try Self.content(of: open()) }

  static func content(of database: Database) throws -> [String] {
    let list = Statement(
      database, "SELECT name, type FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY type, name")
    var names: [(name: String, isTable: Bool)] = []
    while try list.step() { names.append((list.text(0), list.text(1) == "table")) }
    var lines: [String] = []
    for (name, isTable) in names {
      lines.append(name)
      guard isTable else { continue }
      let columns = Statement(database, "SELECT 'quote(\"' || name || '\")' FROM pragma_table_info('\(name)')")
      var quoted: [String] = []
      while try columns.step() { quoted.append(columns.text(0)) }
      let rows = Statement(database, "SELECT \(quoted.joined(separator: " || ', ' || ")) FROM \"\(name)\" ORDER BY 1")
      while try rows.step() { lines.append("\(name): \(rows.text(0))") }
    }
    return lines
  }

  /// The names of old tables that are still there.
  func oldTables() throws -> [String] {
    let database = try open()
    var names: [String] = []
    for entity in OldCatalog.all
    where try database.number("SELECT 1 FROM sqlite_schema WHERE name = '\(entity.name)'") != nil {
      names.append(entity.name)
    }
    return names
  }

  /// What the phone reads at its start: it refuses a store with a value out of bounds.
  func record() throws -> TrainingRecord {
    var store = try DeviceStore<PhoneTables>(folder: folder)
    return try store.begin().app.training
  }
}
