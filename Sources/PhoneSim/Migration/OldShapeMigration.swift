import CoachProtocol
package import Link
import LinkStore

/// Moves the rows of TetraTrack's old shape into the unified tables of a phone's store, phase by phase.
///
/// Rows are copied in batches. A batch is a transaction, which also records how far the copy came, so a process that was
/// killed anywhere continues with the next batch. When a phase has copied everything, counts and sums of the old rows are
/// compared with those of the new ones, and the old tables are dropped in the transaction that found them equal. A row
/// that the new table cannot hold is kept as it was in `MigrationFinding` and `MigrationValue`.
package struct OldShapeMigration {
  /// Called before each statement: throws in tests that end a migration there.
  package typealias Hook = () throws(StoreError) -> Void

  /// Rows of a batch: they are sorted by identifier, so that the index of identifiers is written in order.
  package static let batchRows: Int64 = 200_000
  /// From so many rows of a phase on, the other indexes of the new tables are built after the copy.
  static let indexedRowsMax: Int64 = 100_000
  /// SQLite's page cache, which also bounds the memory of a sort, in KiB.
  private static let cacheKiB = 8_192

  let database: Database
  let batchRows: Int64
  private let indexedRowsMax: Int64
  private let hook: Hook?

  /// Opens the store in a phone's folder, and migrates the app's own tables to their newest version.
  ///
  /// - Throws: As ``StoreFile/open(folder:_:durability:busyMilliseconds:)``, and `.system` if there is no store.
  package init(
    folder: String, batchRows: Int64 = batchRows, indexedRowsMax: Int64? = nil, hook: Hook? = nil
  ) throws(StoreError) {
    try StoreFile.requireStore(in: folder)
    database = try StoreFile.open(folder: folder, DeviceStore<PhoneTables>.components)
    self.batchRows = max(1, batchRows)
    self.indexedRowsMax = indexedRowsMax ?? Self.indexedRowsMax
    self.hook = hook
    // References are conditions of the copy. Checked again for each row, they would cost a tenth of it.
    try database.execute("PRAGMA foreign_keys=OFF; PRAGMA cache_size=-\(Self.cacheKiB)")
  }

  /// The backup's name in the phone's folder.
  package static let backupName = "store.before-migration.sqlite"

  /// Runs phases in their order.
  ///
  /// - Parameters:
  ///   - backup: The path of the backup; nil to make none.
  ///   - progress: Called after each batch.
  /// - Returns: Up to the first phase whose figures differ.
  package func run(
    _ phases: Set<MigrationPhase> = Set(MigrationPhase.allCases), backup: String? = nil,
    progress: (MigrationProgress) -> Void = { _ in }
  ) throws(StoreError) -> MigrationReport {
    var report = MigrationReport()
    let present = try presentSteps()
    for phase in phases {
      guard let first = phase.dependency, !phases.contains(first), present.contains(where: { $0.phase == first })
      else { continue }
      throw StoreError(
        .system, "phase \(phase.rawValue): found phase \(first.rawValue) not done, expected it done before")
    }
    let hasBegun = try MigrationTables.exist(in: database)
    guard hasBegun || !present.isEmpty else { return report }
    if !hasBegun {
      try transaction { () throws(StoreError) in
        try prepareStatement()
        try MigrationTables.create(in: database)
      }
    }
    try restoreIndexes(of: MigrationPhase.allCases.filter { !phases.contains($0) })
    for phase in phases.sorted() {
      let result = try run(phase, present.filter { $0.phase == phase }, backup, &report, progress)
      report.phases.append(result)
      guard result.agrees else { break }
    }
    return report
  }

  private func run(
    _ phase: MigrationPhase, _ steps: [MigrationStep], _ backup: String?, _ report: inout MigrationReport,
    _ progress: (MigrationProgress) -> Void
  ) throws(StoreError) -> MigrationReport.Phase {
    if phase == .queries { return try createIndexes() }
    guard !steps.isEmpty else { return MigrationReport.Phase(phase: phase) }
    if phase.needsBackup, let backup {
      try prepareStatement()
      if try StoreFile.backUp(database, to: backup) { report.backup = backup }
    }
    var passes: [(step: MigrationStep, pass: Int64)] = []
    for step in steps { passes.append((step, try openPass(step))) }
    try setIndexesAside(phase, steps)
    for (step, pass) in passes {
      let copy = MigrationCopy(self, step, pass: pass)
      let total = try number("SELECT rows FROM MigrationPass WHERE id = ?1", [pass]) ?? 0
      while let done = try copy.copyBatch() {
        progress(MigrationProgress(phase: phase, table: step.source.name, rows: done, of: max(total, done)))
      }
    }
    progress(MigrationProgress(phase: phase, table: "", rows: 0, of: 0))
    try restoreIndexes(of: [phase])
    return try finish(phase, passes)
  }

  // MARK: Tables

  /// The steps whose old tables are in the store.
  ///
  /// - Throws: `.corrupt` for a table with other columns than the old shape's.
  private func presentSteps() throws(StoreError) -> [MigrationStep] {
    var steps: [MigrationStep] = []
    for step in MigrationCatalog.all {
      let name = step.source.name
      let statement = Statement(database, "SELECT type, wr FROM pragma_table_list(?1) WHERE schema = 'main'")
      statement.bind(name, at: 1)
      guard try statement.step() else { continue }
      let isTable = statement.text(0) == "table" && statement.int64(1) == 0
      statement.reset()
      guard isTable else {
        throw StoreError(.corrupt, "\(database.path): \(name) is no table with row numbers, expected one")
      }
      try checkColumns(step.source)
      steps.append(step)
    }
    return steps
  }

  private func checkColumns(_ entity: OldEntity) throws(StoreError) {
    let statement = Statement(database, "SELECT name FROM pragma_table_info(?1)")
    statement.bind(entity.name)
    let found = Set(try statement.load { $0.text(0) })
    let expected = Set(entity.columns.map(\.name))
    guard found != expected else { return }
    let missing = expected.subtracting(found).sorted().map { "no column \($0)" }
    let unknown = found.subtracting(expected).sorted().map { "a column \($0) that the old shape has not" }
    throw StoreError(
      .corrupt, "\(database.path): \(entity.name) has \((missing + unknown).joined(separator: ", "))")
  }

  /// The pass that is under way, or a new one.
  private func openPass(_ step: MigrationStep) throws(StoreError) -> Int64 {
    let name = step.source.name
    if let pass = try number("SELECT id FROM MigrationPass WHERE source = '\(name)' AND isDone = 0") { return pass }
    try run(
      """
      INSERT INTO MigrationPass (phase, source, lastRow, isDone, rows, moved)
      SELECT '\(step.phase.rawValue)', '\(name)', NULL, 0, count(*), 0 FROM \(name)
      """)
    return try number("SELECT id FROM MigrationPass WHERE source = '\(name)' AND isDone = 0") ?? 0
  }

  // MARK: Indexes

  /// Phase A: the indexes by which ``SessionQueryService`` reads pages.
  private func createIndexes() throws(StoreError) -> MigrationReport.Phase {
    var result = MigrationReport.Phase(phase: .queries)
    let count = "SELECT count(*) FROM sqlite_schema WHERE type = 'index'"
    let before = try number(count) ?? 0
    let tables = TrainingDiscipline.allCases.map(\.table)
    let sql = tables.map { "CREATE INDEX IF NOT EXISTS \($0)ByDate ON \($0) (startDate, id)" }
    for statement in sql { try run(statement) }
    result.newIndexes = Int(try (number(count) ?? 0) - before)
    return result
  }

  /// Drops the indexes of a phase's new tables if there is much to copy, and remembers them.
  private func setIndexesAside(_ phase: MigrationPhase, _ steps: [MigrationStep]) throws(StoreError) {
    var rows: Int64 = 0
    for step in steps {
      rows = rows
        +| (try number("SELECT rows FROM MigrationPass WHERE source = '\(step.source.name)' AND isDone = 0") ?? 0)
    }
    guard rows > indexedRowsMax else { return }
    let targets = Set(steps.compactMap { $0.target?.name }).sorted().map { "'\($0)'" }.joined(separator: ", ")
    let condition = "type = 'index' AND sql IS NOT NULL AND tbl_name IN (\(targets))"
    let names = try texts("SELECT name FROM sqlite_schema WHERE \(condition) ORDER BY name")
    guard !names.isEmpty else { return }
    try transaction { () throws(StoreError) in
      try run(
        "INSERT INTO MigrationIndex SELECT name, '\(phase.rawValue)', sql FROM sqlite_schema WHERE \(condition)")
      for name in names { try run("DROP INDEX \"\(name)\"") }
    }
  }

  /// Builds the indexes again that were set aside for some phases.
  private func restoreIndexes(of phases: [MigrationPhase]) throws(StoreError) {
    for phase in phases {
      let own = "FROM MigrationIndex WHERE phase = '\(phase.rawValue)'"
      for (name, sql) in zip(
        try texts("SELECT name \(own) ORDER BY name"), try texts("SELECT sql \(own) ORDER BY name"))
      {
        try transaction { () throws(StoreError) in
          try run(sql)
          try run("DELETE FROM MigrationIndex WHERE name = '\(name)'")
        }
      }
    }
  }

  // MARK: Statements

  func prepareStatement() throws(StoreError) { try hook?() }

  /// A transaction; in tests it may also end before its commit.
  func transaction<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
    try database.transaction { () throws(StoreError) in
      let result = try body()
      try prepareStatement()
      return result
    }
  }

  private func statement(_ sql: String, _ numbers: [Int64]) throws(StoreError) -> Statement {
    try prepareStatement()
    let statement = Statement(database, sql)
    for (index, number) in numbers.enumerated() { statement.bind(number, at: Int32(index + 1)) }
    return statement
  }

  /// Executes a statement and returns how many rows it changed.
  @discardableResult
  func run(_ sql: String, _ numbers: [Int64] = []) throws(StoreError) -> Int64 {
    try statement(sql, numbers).run()
    return Int64(database.changedRows)
  }

  /// The first column of the first row; nil for no row, and for null.
  func number(_ sql: String, _ numbers: [Int64] = []) throws(StoreError) -> Int64? {
    let statement = try statement(sql, numbers)
    guard try statement.step(), !statement.isNull(0) else { return nil }
    return statement.int64(0)
  }

  private func texts(_ sql: String) throws(StoreError) -> [String] {
    try statement(sql, []).load { $0.text(0) }
  }
}

/// The end of a phase.
extension OldShapeMigration {
  /// Compares counts and sums of each table with what became of it, and drops the old tables if all agree.
  func finish(
    _ phase: MigrationPhase, _ passes: [(step: MigrationStep, pass: Int64)]
  ) throws(StoreError) -> MigrationReport.Phase {
    try transaction { () throws(StoreError) in
      var result = MigrationReport.Phase(phase: phase)
      for (step, pass) in passes { result.tables.append(try compare(step, pass: pass)) }
      guard result.agrees else { return result }
      for (step, pass) in passes {
        try run("DROP TABLE \(step.source.name)")
        try run("DELETE FROM MigrationRange WHERE pass = ?1", [pass])
        try run("UPDATE MigrationPass SET isDone = 1 WHERE id = ?1", [pass])
      }
      return result
    }
  }

  private func compare(_ step: MigrationStep, pass: Int64) throws(StoreError) -> MigrationReport.Table {
    func count(_ condition: String) throws(StoreError) -> Int64 {
      try number("SELECT count(DISTINCT sourceRow) FROM MigrationFinding WHERE pass = ?1 AND \(condition)", [pass]) ?? 0
    }
    let before = try number("SELECT rows FROM MigrationPass WHERE id = ?1", [pass]) ?? 0
    let rows = try number("SELECT count(*) FROM \(step.source.name)") ?? 0
    var table = MigrationReport.Table(
      source: step.source.name, target: step.target?.name ?? "", rows: rows,
      moved: try number("SELECT moved FROM MigrationPass WHERE id = ?1", [pass]) ?? 0,
      kept: try count("isMoved = 0"), noted: try count("isMoved = 1"))
    if rows < before { table.differences.append("\(table.source): \(before) rows before, \(rows) now") }
    if table.moved +| table.kept != rows {
      table.differences.append(
        "\(table.source): \(rows) rows, of which \(table.moved) were moved and \(table.kept) kept")
    }
    if let target = step.target { try compareSums(step, target, pass: pass, &table) }
    table.findings = try findings(pass: pass)
    return table
  }

  /// Compares the rows that the pass wrote with the old ones that were not kept.
  private func compareSums(
    _ step: MigrationStep, _ target: TrainingEntity, pass: Int64, _ table: inout MigrationReport.Table
  ) throws(StoreError) {
    let columns = step.compared
    try prepareStatement()
    let old = try MigrationFigures.read(
      columns.map { ($0.column, $0.old) },
      "FROM \(step.source.name) o WHERE o.rowid NOT IN \(MigrationCopy.kept)", pass: pass, database)
    try prepareStatement()
    let new = try MigrationFigures.read(
      columns.map { ($0.column, $0.new) },
      "FROM MigrationRange r CROSS JOIN \(target.name) n ON n.rowid BETWEEN r.firstRow AND r.lastRow WHERE r.pass = ?1",
      pass: pass, database)
    table.sums = old.columns.map { MigrationReport.Sum(column: $0.name, count: $0.count, sum: $0.sum) }
    if old.rows != new.rows {
      table.differences.append("\(table.source): \(old.rows) rows to move, and \(new.rows) in \(target.name)")
    }
    for (old, new) in zip(old.columns, new.columns) where old != new {
      table.differences.append(
        "\(table.source).\(old.name): sum \(old.sum) of \(old.count) values, and \(new.sum) of \(new.count) in "
          + target.name)
    }
  }

  private func findings(pass: Int64) throws(StoreError) -> [MigrationReport.Finding] {
    try prepareStatement()
    let statement = Statement(
      database,
      """
      SELECT sourceRow, isMoved, reason FROM MigrationFinding WHERE pass = ?1
      ORDER BY isMoved, sourceRow, id LIMIT \(MigrationReport.findingsMax)
      """)
    statement.bind(pass)
    return try statement.load {
      MigrationReport.Finding(row: $0.int64(0), isMoved: $0.int64(1) == 1, reason: $0.text(2))
    }
  }
}
