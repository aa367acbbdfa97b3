import Link
import LinkStore

/// The rows of a record in a database.
package class SQLRows<Record>: RowStore {
  let database: Database
  /// Before the names of the tables.
  let prefix: String
  private var tables: [ObjectIdentifier: AnyObject] = [:]

  init(_ database: Database, prefix: String) {
    self.database = database
    self.prefix = prefix
  }

  /// A table's statements.
  func table<Row: TableRow>(_ type: Row.Type) -> SQLTable<Row> {
    if let known = tables[ObjectIdentifier(type)] as? SQLTable<Row> { return known }
    let table = SQLTable(database, Row.table, prefix: prefix)
    tables[ObjectIdentifier(type)] = table
    return table
  }

  /// Reads a table into a record.
  func load<Row: StoredRow<Record>>(_ type: Row.Type, into record: inout Record) throws(StoreError) {
    record[keyPath: Row.inRecord] = Row.Rows(rows: try rows(type))
  }

  func row<Row: StoredRow<Record>>(_ type: Row.Type, _ key: Row.Key) throws(StoreError) -> Row? {
    try table(type).row(key.cells)
  }

  func rows<Row: StoredRow<Record>>(_ type: Row.Type) throws(StoreError) -> [Row] {
    try table(type).rows()
  }

  func last<Row: StoredRow<Record>>(_ type: Row.Type) throws(StoreError) -> Row? {
    try table(type).last()
  }

  func put<Row: StoredRow<Record>>(_ row: Row, replacing key: Row.Key?) throws(StoreError) {
    guard let key else { return try table(Row.self).insert(row) }
    if key != row.rowKey, try table(Row.self).replace(key.cells, with: row) { return }
    try table(Row.self).put(row)
  }

  func remove<Row: StoredRow<Record>>(_ type: Row.Type, _ key: Row.Key?) throws(StoreError) {
    try table(type).remove(key?.cells)
  }
}

/// The statements of one table, which follow from its columns.
final class SQLTable<Row: Sendable> {
  private let database: Database
  private let table: StoredTable<Row>
  private let name: String
  private let names: String

  init(_ database: Database, _ table: StoredTable<Row>, prefix: String) {
    self.database = database
    self.table = table
    name = prefix + table.name
    names = table.columns.map(\.quoted).joined(separator: ", ")
  }

  private var key: ArraySlice<StoredColumn<Row>> { table.columns.prefix(table.keyCount) }

  /// That the key is in the parameters from `first` on.
  private func hasKey(from first: Int = 1) -> String {
    key.enumerated().map { "\($1.quoted) = ?\($0 + first)" }.joined(separator: " AND ")
  }

  private lazy var insertText =
    "INSERT INTO \(name) (\(names)) VALUES (\((1...table.columns.count).map { "?\($0)" }.joined(separator: ", ")))"
  private lazy var insertion = Statement(database, insertText)
  private lazy var setting: Statement = {
    let updates = table.columns.dropFirst(table.keyCount).map { "\($0.quoted) = excluded.\($0.quoted)" }
    let action = updates.isEmpty ? "NOTHING" : "UPDATE SET \(updates.joined(separator: ", "))"
    // Replacing the row would delete its parts.
    return Statement(database, "\(insertText) ON CONFLICT (\(key.map(\.quoted).joined(separator: ", "))) DO \(action)")
  }()
  private lazy var replacement: Statement = {
    let updates = table.columns.enumerated().map { "\($1.quoted) = ?\($0 + 1)" }.joined(separator: ", ")
    return Statement(database, "UPDATE \(name) SET \(updates) WHERE \(hasKey(from: table.columns.count + 1))")
  }()
  private lazy var removal = Statement(database, "DELETE FROM \(name) WHERE \(hasKey())")
  private lazy var clearing = Statement(database, "DELETE FROM \(name)")
  private lazy var reading = Statement(database, "SELECT \(names) FROM \(name) ORDER BY rowid")
  private lazy var finding = Statement(database, "SELECT \(names) FROM \(name) WHERE \(hasKey())")
  private lazy var readingParts = Statement(
    database, "SELECT \(names) FROM \(name) WHERE \(table.columns[0].quoted) = ?1 ORDER BY \(names)")
  private lazy var readingLast = Statement(database, "SELECT \(names) FROM \(name) ORDER BY rowid DESC LIMIT 1")

  // MARK: Writing

  func insert(_ row: Row) throws(StoreError) { try run(insertion, row) }

  /// Adds a row, or replaces the one with its key.
  func put(_ row: Row) throws(StoreError) { try run(setting, row) }

  /// Replaces the row with a key; false if there is none.
  func replace(_ key: [StoredValue], with row: Row) throws(StoreError) -> Bool {
    replacement.bind(key, from: table.columns.count + 1)
    try run(replacement, row)
    return database.changedRows > 0
  }

  /// Removes the row with a key; nil removes all.
  func remove(_ key: [StoredValue]?) throws(StoreError) {
    guard let key else { return try clearing.run() }
    removal.bind(key)
    try removal.run()
  }

  private func run(_ statement: Statement, _ row: Row) throws(StoreError) {
    var parameter: Int32 = 1
    for column in table.columns {
      statement.bind(column.get(row), at: parameter)
      parameter += 1
    }
    try statement.run()
  }

  // MARK: Reading

  /// All rows, in the order of their first storing.
  func rows() throws(StoreError) -> [Row] { try load(reading) }

  /// The row with a key; nil if there is none.
  func row(_ key: [StoredValue]) throws(StoreError) -> Row? {
    finding.bind(key)
    return try load(finding).first
  }

  /// The rows whose first column has a value, in the order of their key.
  func rows(of first: StoredValue) throws(StoreError) -> [Row] {
    readingParts.bind([first])
    return try load(readingParts)
  }

  /// The row that was added last; nil without rows.
  func last() throws(StoreError) -> Row? { try load(readingLast).first }

  private func load(_ statement: Statement) throws(StoreError) -> [Row] {
    try statement.load { (statement) throws(StoreError) in
      var row = table.blank
      for (index, column) in table.columns.enumerated() {
        let cell = statement.value(Int32(index), column.kind)
        guard column.set(&row, cell) else {
          throw StoreError(.corrupt, "\(database.path): \(name).\(column.name) holds \(cell.description)")
        }
      }
      return row
    }
  }
}
