import Link
import LinkStore

/// A table: its columns say how a row is stored, checked and read, in memory and on disk.
package struct StoredTable<Row: Sendable>: Sendable {
  let name: String
  /// Those of the key first.
  private(set) var columns: [StoredColumn<Row>]
  /// How many columns are the key.
  let keyCount: Int
  /// A row whose columns are then read.
  let blank: Row
  /// A rule for a row as a whole, in SQL and as a function.
  private let rule: (sql: String, holds: @Sendable (Row) -> Bool)?
  /// Indexes beside those of references: what follows the table's name, and the columns.
  private let indexes: [(name: String, columns: [String])]

  init(
    _ name: String, keyCount: Int = 1, blank: Row, rule: (sql: String, holds: @Sendable (Row) -> Bool)? = nil,
    indexes: [(name: String, columns: [String])] = [], _ columns: [StoredColumn<Row>]
  ) {
    self.name = name
    self.keyCount = keyCount
    self.blank = blank
    self.rule = rule
    self.indexes = indexes
    self.columns = columns
  }

  /// A table of one row.
  static func only(_ name: String, blank: Row, _ columns: [StoredColumn<Row>]) -> Self {
    let id = StoredColumn<Row>("id", .integer, check: "id = 1", get: { _ in .integer(1) }, set: { _, _ in true })
    return Self(name, blank: blank, [id] + columns)
  }

  /// The cells of a row's key.
  func key(of row: Row) -> [StoredValue] { columns.prefix(keyCount).map { $0.get(row) } }

  // MARK: JSON

  /// A row as an object with a member for each column.
  func json(of row: Row) -> JSONValue {
    .object(columns.map { JSONMember(key: $0.name, at: .nowhere, JSONNode($0.get(row).json)) })
  }

  /// Reads what ``json(of:)`` wrote; nil for a row that no phone writes.
  func row(of json: JSONNode) -> Row? {
    var row = blank
    for column in columns {
      guard let cell = json[column.name].flatMap({ StoredValue($0.value, column.kind) }), column.set(&row, cell) else {
        return nil
      }
    }
    return row
  }

  // MARK: Constraints

  /// Checks a row's values as the database does.
  func check(_ row: Row) throws(StoreError) {
    let cells = columns.map { $0.get(row) }
    for (column, cell) in zip(columns, cells) where column.isRequired && cell == .null {
      throw Self.refusal("NOT NULL constraint failed: \(name).\(column.name)")
    }
    for (column, cell) in zip(columns, cells) where !(column.rule?.allows(cell) ?? true) {
      throw Self.refusal("CHECK constraint failed: \(column.rule?.sql(column.name) ?? "")")
    }
    if let rule, !rule.holds(row) { throw Self.refusal("CHECK constraint failed: \(rule.sql)") }
  }

  /// Checks that what a row refers to is there.
  func checkReferences(of row: Row, _ isKnown: (_ table: String, StoredValue) -> Bool) throws(StoreError) {
    for column in columns {
      guard let reference = column.reference else { continue }
      let cell = column.get(row)
      if cell != .null, !isKnown(reference.table, cell) { throw Self.refusal("FOREIGN KEY constraint failed") }
    }
  }

  /// The refusal of a key that a row has already.
  var keyTaken: StoreError { Self.refusal("UNIQUE constraint failed: \(name).\(columns[0].name)") }

  private static func refusal(_ text: String) -> StoreError { StoreError(.system, "the phone's store: \(text)") }

  // MARK: SQL

  /// The statements that create the table and its indexes.
  ///
  /// What refers to a row has an index, so that the row is found and deleted with its parts.
  ///
  /// - Parameter prefix: Before the names of tables and indexes.
  func create(prefix: String = "") -> String {
    let isPrimary = keyCount == 1
    var lines = columns.enumerated().map { index, column in
      "\(column.quoted) \(column.definition(isKey: isPrimary && index == 0, prefix: prefix))"
    }
    if !isPrimary {
      lines.append("PRIMARY KEY (\(columns.prefix(keyCount).map(\.quoted).joined(separator: ", ")))")
    }
    if let rule { lines.append("CHECK (\(rule.sql))") }
    let own = columns.dropFirst(keyCount).filter { $0.reference != nil || $0.isIndexed }.map {
      (name: "Of" + $0.name.prefix(1).uppercased() + $0.name.dropFirst(), columns: [$0.name])
    }
    return "CREATE TABLE \(prefix)\(name) (\n  \(lines.joined(separator: ",\n  "))\n) STRICT;\n"
      + (own + indexes).map { index in
        let columns = index.columns.map { "\"\($0)\"" }.joined(separator: ", ")
        return "CREATE INDEX \(prefix)\(name)\(index.name) ON \(prefix)\(name) (\(columns));\n"
      }.joined()
  }
}

/// A column of a ``StoredTable``: its name, what it may hold, and where a row has it.
struct StoredColumn<Row: Sendable>: Sendable {
  /// A rule for a column's value; null passes.
  enum Rule: Sendable {
    case positive, notNegative
    case between(Int, Int)

    func sql(_ name: String) -> String {
      switch self {
      case .positive: "\(name) > 0"
      case .notNegative: "\(name) >= 0"
      case .between(let least, let most): "\(name) BETWEEN \(least) AND \(most)"
      }
    }

    func allows(_ cell: StoredValue) -> Bool {
      let number: Double
      switch cell {
      case .integer(let value): number = Double(value)
      case .real(let value): number = value
      case .null, .text: return true
      }
      return switch self {
      case .positive: number > 0
      case .notNegative: number >= 0
      case .between(let least, let most): number >= Double(least) && number <= Double(most)
      }
    }
  }

  let name: String
  let kind: StoredValue.Kind
  private(set) var isRequired = true
  private(set) var isIndexed = false
  private(set) var rule: Rule?
  /// A check that the types rule out in memory.
  private var check: String?
  /// The value of a row that does not say it, in SQL.
  private var standard: String?
  /// The table that it refers to, and what happens to the row when the other one is deleted.
  private(set) var reference: (table: String, action: String)?
  let get: @Sendable (Row) -> StoredValue
  /// Sets a value that was read; false for one that no phone writes.
  let set: @Sendable (inout Row, StoredValue) -> Bool

  /// A column with a value of its own kind.
  init(
    _ name: String, _ kind: StoredValue.Kind, isRequired: Bool = true, check: String? = nil, standard: String? = nil,
    references reference: (table: String, action: String)? = nil, get: @escaping @Sendable (Row) -> StoredValue,
    set: @escaping @Sendable (inout Row, StoredValue) -> Bool
  ) {
    self.name = name
    self.kind = kind
    self.isRequired = isRequired
    self.check = check
    self.standard = standard
    self.reference = reference
    self.get = get
    self.set = set
  }

  /// A column that holds a property.
  ///
  /// - Parameters:
  ///   - bounds: What is accepted from a store; nil for everything that the type has.
  ///   - table: The table of the row that it refers to.
  init<Value: ColumnValue>(
    _ name: String, _ property: any WritableKeyPath<Row, Value> & Sendable, in bounds: ClosedRange<Double>? = nil,
    _ rule: Rule? = nil, references table: String? = nil, isIndexed: Bool = false
  ) {
    self.init(
      name, Value.kind, isRequired: !Value.isOptional,
      check: Value.choices.map { "\(name) IN (\($0.joined(separator: ", ")))" }, references: table.map { ($0, "") },
      get: { $0[keyPath: property].cell },
      set: { row, cell in
        guard Self.isWithin(bounds, cell), rule?.allows(cell) ?? true, let value = Value(cell: cell) else {
          return false
        }
        row[keyPath: property] = value
        return true
      })
    self.rule = rule
    self.isIndexed = isIndexed
  }

  /// The same column of a row that has this one's row as a part.
  func of<Whole>(_ part: any WritableKeyPath<Whole, Row> & Sendable) -> StoredColumn<Whole> {
    let (get, set) = (get, set)
    return StoredColumn<Whole>(
      name, kind, isRequired: isRequired, check: check, get: { get($0[keyPath: part]) },
      set: { set(&$0[keyPath: part], $1) })
  }

  private static func isWithin(_ bounds: ClosedRange<Double>?, _ cell: StoredValue) -> Bool {
    guard let bounds else { return true }
    return switch cell {
    case .integer(let number): bounds.contains(Double(number))
    case .real(let number): bounds.contains(number)
    case .null, .text: true
    }
  }

  /// In SQL: `end` is a word of the language.
  var quoted: String { "\"\(name)\"" }

  fileprivate func definition(isKey: Bool, prefix: String) -> String {
    var text = kind.rawValue.uppercased()
    if isKey { text += " PRIMARY KEY" } else if isRequired { text += " NOT NULL" }
    if let standard { text += " DEFAULT \(standard)" }
    if let sql = rule?.sql(name) ?? check { text += " CHECK (\(sql))" }
    if let reference { text += " REFERENCES \(prefix)\(reference.table)\(reference.action)" }
    return text
  }
}

extension Identifier {
  /// That of a row whose columns are not read yet.
  static let blank = Self(high: 0, low: 0)
}

extension ClosedRange<Double> {
  /// What is accepted of a count, which leaves room to increase.
  static let counts = 0...Double(Statement.countMax)
}
