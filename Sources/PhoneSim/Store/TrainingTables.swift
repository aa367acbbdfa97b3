import CoachProtocol
import Link
import LinkStore

/// Tables of training sessions: the statements follow from ``TrainingCatalog``.
struct TrainingTables {
  /// By table.
  private let write: [Statement]
  private let read: [Statement]
  private let delete: [Statement]
  private let addRemoved: Statement
  private let readRemoved: Statement
  private let sync: SyncTables
  private let addPart: Statement
  private let dropParts: Statement
  private let readParts: Statement

  /// - Parameter phone: 1, or 2 for the second phone, whose tables have names of their own.
  init(_ database: Database, phone: Int64) {
    let prefix = phone == 2 ? PhoneTables.secondPrefix : ""
    sync = SyncTables(database, phone: phone)
    write = TrainingCatalog.all.map { entity in
      let names = entity.columns.map { Self.quoted($0.name) }
      let marks = (1...names.count + 1).map { "?\($0)" }.joined(separator: ", ")
      let updates = names.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
      // Replacing the row would delete its parts.
      return Statement(
        database,
        "INSERT INTO \(prefix)\(entity.name) (id, \(names.joined(separator: ", "))) VALUES (\(marks)) "
          + "ON CONFLICT (id) DO UPDATE SET \(updates)")
    }
    read = TrainingCatalog.all.map { entity in
      let names = entity.columns.map { Self.quoted($0.name) }.joined(separator: ", ")
      return Statement(database, "SELECT id, \(names) FROM \(prefix)\(entity.name) ORDER BY id")
    }
    delete = TrainingCatalog.all.map { Statement(database, "DELETE FROM \(prefix)\($0.name) WHERE id = ?1") }
    addRemoved = Statement(database, "INSERT OR IGNORE INTO \(prefix)RemovedSession VALUES (?1)")
    readRemoved = Statement(database, "SELECT id FROM \(prefix)RemovedSession ORDER BY id")
    addPart = Statement(database, "INSERT OR REPLACE INTO \(prefix)TrainingReport VALUES (?1, ?2, ?3)")
    dropParts = Statement(database, "DELETE FROM \(prefix)TrainingReport WHERE workoutId = ?1")
    readParts = Statement(database, "SELECT workoutId, report FROM \(prefix)TrainingReport ORDER BY workoutId, part")
  }

  /// A column's name in SQL: `end` is a word of the language.
  static func quoted(_ name: String) -> String { "\"\(name)\"" }

  func apply(_ change: TrainingChange) throws(StoreError) {
    switch change {
    case .row(let row):
      let statement = write[row.table]
      statement.bind(row.id.text, at: 1)
      for (index, value) in row.values.enumerated() { Self.bind(value, to: statement, at: Int32(index + 2)) }
      try statement.run()
    case .removed(let table, let id):
      try delete[table].run(id.text)
    case .sessionRemoved(let id): try addRemoved.run(id.text)
    case .synced, .queued, .delivered, .edited: try sync.apply(change)
    case .part(let report): try addPart.run(report.workoutId.text, report.part, report.traceText)
    case .complete(let workout): try dropParts.run(workout.text)
    }
  }

  static func bind(_ value: TrainingValue, to statement: Statement, at parameter: Int32) {
    switch value {
    case .null: statement.bindNull(at: parameter)
    case .integer(let number): statement.bind(number, at: parameter)
    case .real(let number): statement.bind(number, at: parameter)
    case .text(let text): statement.bind(text, at: parameter)
    }
  }

  func load() throws(StoreError) -> TrainingRecord {
    var record = TrainingRecord()
    for (table, entity) in TrainingCatalog.all.enumerated() {
      let rows = read[table]
      while try rows.step() { record.apply(.row(try Self.row(table, entity, rows))) }
    }
    try readRemoved.forEachRow { (row) throws(StoreError) in
      guard let id = Identifier(text: row.text(0)) else {
        throw StoreError(.corrupt, "a removed session of the store has no identifier")
      }
      record.apply(.sessionRemoved(id))
    }
    try sync.load(into: &record)
    try readParts.forEachRow { (row) throws(StoreError) in
      guard let workout = Identifier(text: row.text(0)),
        let report = SessionReport(workoutId: workout, traceText: row.text(1))
      else { throw StoreError(.corrupt, "a part of a session's report in the store cannot be read") }
      record.apply(.part(report))
    }
    return record
  }

  /// The current row of a query of `id` and every column.
  static func row(_ table: Int, _ entity: TrainingEntity, _ rows: Statement) throws(StoreError) -> TrainingRow {
    let values = entity.columns.enumerated().map { index, column in value(column, rows, Int32(index + 1)) }
    guard let id = Identifier(text: rows.text(0)), let row = TrainingRow(table: table, id: id, stored: values) else {
      let text = rows.text(0)
      rows.reset()
      throw StoreError(.corrupt, "the row \(text) of \(entity.name) in the store has a value out of bounds")
    }
    return row
  }

  private static func value(_ column: TrainingColumn, _ rows: Statement, _ index: Int32) -> TrainingValue {
    guard !rows.isNull(index) else { return .null }
    return switch column.kind {
    case .integer, .date: .integer(rows.int64(index))
    case .real(let bounds): (try? rows.double(index, in: bounds)).map { .real($0) } ?? .text("")
    case .text, .json, .word, .identifier, .reference: .text(rows.text(index))
    }
  }
}
