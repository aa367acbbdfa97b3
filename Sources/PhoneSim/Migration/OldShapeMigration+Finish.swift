import Link
import LinkStore

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
