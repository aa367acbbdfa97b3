import Link
import LinkStore

/// A row of a table.
protocol TableRow<Record>: Sendable, Equatable {
  /// What is stored as a whole, of which the table is a part.
  associatedtype Record
  associatedtype Key: RowKey
  static var table: StoredTable<Self> { get }
  var rowKey: Key { get }
}

/// A row that the record in memory has as well.
protocol StoredRow<Record>: TableRow {
  associatedtype Rows: RowSet = [Self] where Rows.Row == Self
  typealias Place = any WritableKeyPath<Record, Rows> & Sendable
  /// Where the record has the table's rows.
  static var inRecord: Place { get }
}

extension TableRow {
  /// The statements that create the table and its indexes.
  static func create(prefix: String = "") -> String { table.create(prefix: prefix) }
}

protocol PhoneRow: TableRow where Record == PhoneRecord {}
protocol DailyRow: TableRow where Record == DailyRecord {}
protocol TrainingPart: TableRow where Record == TrainingRecord {}

/// The rows of a record, in memory or on disk: what one of the two refuses, the other one does.
protocol RowStore<Record> {
  associatedtype Record
  func row<Row: StoredRow<Record>>(_ type: Row.Type, _ key: Row.Key) throws(StoreError) -> Row?
  /// All rows, in the order of their first storing where that matters.
  func rows<Row: StoredRow<Record>>(_ type: Row.Type) throws(StoreError) -> [Row]
  /// The row that was added last; nil without rows.
  func last<Row: StoredRow<Record>>(_ type: Row.Type) throws(StoreError) -> Row?
  /// Sets a row in the place of the one with a key, which may be another one; adds it if there is none.
  ///
  /// - Parameter key: Nil for a row that must be new.
  mutating func put<Row: StoredRow<Record>>(_ row: Row, replacing key: Row.Key?) throws(StoreError)
  /// Removes a row, if there is one.
  ///
  /// - Parameter key: Nil for all rows.
  mutating func remove<Row: StoredRow<Record>>(_ type: Row.Type, _ key: Row.Key?) throws(StoreError)
}

extension RowStore {
  /// Adds a row with a new key.
  mutating func insert(_ row: some StoredRow<Record>) throws(StoreError) { try put(row, replacing: nil) }

  /// Sets a row in the place of the one with its key; adds it if there is none.
  mutating func put(_ row: some StoredRow<Record>) throws(StoreError) { try put(row, replacing: row.rowKey) }

  mutating func removeAll<Row: StoredRow<Record>>(_ type: Row.Type) throws(StoreError) { try remove(type, nil) }

  /// Changes a row, if there is one.
  mutating func change<Row: StoredRow<Record>>(
    _ type: Row.Type, _ key: Row.Key, _ body: (inout Row) -> Void
  ) throws(StoreError) {
    guard var row = try row(type, key) else { return }
    body(&row)
    try put(row, replacing: key)
  }

  /// Changes the only row of a table.
  mutating func change<Row: OnlyRow<Record>>(_ type: Row.Type, _ body: (inout Row) -> Void) throws(StoreError) {
    var row = try row(type, OnlyKey()) ?? Row.table.blank
    body(&row)
    try put(row)
  }

  /// Changes all rows of a table.
  mutating func changeAll<Row: StoredRow<Record>>(_ type: Row.Type, _ body: (inout Row) -> Void) throws(StoreError) {
    for row in try rows(type) { try change(type, row.rowKey, body) }
  }
}

// MARK: In memory

/// Rows of one table in memory.
protocol RowSet<Row> {
  associatedtype Row: StoredRow
  init(rows: [Row])
  var all: [Row] { get }
  func row(_ key: Row.Key) -> Row?
  /// Sets a row in the place of the one with a key, or as the last one.
  mutating func set(_ row: Row, for key: Row.Key)
  mutating func remove(_ key: Row.Key)
}

extension Array: RowSet where Element: StoredRow {
  init(rows: [Element]) { self = rows }
  var all: [Element] { self }
  func row(_ key: Element.Key) -> Element? { index(of: key).map { self[$0] } }
  mutating func set(_ row: Element, for key: Element.Key) {
    if let index = index(of: key) { self[index] = row } else { append(row) }
  }
  mutating func remove(_ key: Element.Key) { if let index = index(of: key) { remove(at: index) } }
  /// From the end: what was stored last is changed most.
  private func index(of key: Element.Key) -> Int? { lastIndex { $0.rowKey == key } }
}

extension Dictionary: RowSet where Value: StoredRow, Key == Value.Key {
  init(rows: [Value]) { self.init(uniqueKeysWithValues: rows.map { ($0.rowKey, $0) }) }
  var all: [Value] { Array(values) }
  func row(_ key: Key) -> Value? { self[key] }
  mutating func set(_ row: Value, for key: Key) {
    self[key] = nil
    self[row.rowKey] = row
  }
  mutating func remove(_ key: Key) { self[key] = nil }
}

/// A table's only row, which is its own set.
protocol OnlyRow<Record>: StoredRow, RowSet where Key == OnlyKey, Row == Self, Rows == Self {}

extension OnlyRow {
  init(rows: [Self]) { self = rows.first ?? Self.table.blank }
  var rowKey: OnlyKey { OnlyKey() }
  var all: [Self] { [self] }
  func row(_ key: OnlyKey) -> Self? { self }
  mutating func set(_ row: Self, for key: OnlyKey) { self = row }
  mutating func remove(_ key: OnlyKey) { self = Self.table.blank }
}

/// A record that has its rows in memory, with the constraints of the tables.
protocol MemoryRows: RowStore where Record == Self {
  /// Whether a table that rows refer to has a row.
  func has(_ table: String, _ key: StoredValue) -> Bool
}

extension MemoryRows {
  func has(_ table: String, _ key: StoredValue) -> Bool { preconditionFailure("nothing refers to \(table)") }

  func row<Row: StoredRow<Self>>(_ type: Row.Type, _ key: Row.Key) -> Row? {
    self[keyPath: Row.inRecord].row(key)
  }

  func rows<Row: StoredRow<Self>>(_ type: Row.Type) -> [Row] { self[keyPath: Row.inRecord].all }

  func last<Row: StoredRow<Self>>(_ type: Row.Type) -> Row? { self[keyPath: Row.inRecord].all.last }

  mutating func put<Row: StoredRow<Self>>(_ row: Row, replacing key: Row.Key?) throws(StoreError) {
    try Row.table.check(row)
    // The key of a row that is there.
    let known = key.flatMap { self[keyPath: Row.inRecord].row($0)?.rowKey }
    if known != row.rowKey, known != nil || key == nil, self[keyPath: Row.inRecord].row(row.rowKey) != nil {
      throw Row.table.keyTaken
    }
    self[keyPath: Row.inRecord].set(row, for: known ?? row.rowKey)
    try Row.table.checkReferences(of: row) { has($0, $1) }
  }

  mutating func remove<Row: StoredRow<Self>>(_ type: Row.Type, _ key: Row.Key?) {
    if let key { self[keyPath: Row.inRecord].remove(key) } else { self[keyPath: Row.inRecord] = Row.Rows(rows: []) }
  }

  /// Whether a table has a row.
  func has<Row: StoredRow<Self>>(_ type: Row.Type, _ key: StoredValue) -> Bool where Row.Key: ColumnValue {
    Row.Key(cell: key).map { self[keyPath: Row.inRecord].row($0) != nil } ?? false
  }
}
