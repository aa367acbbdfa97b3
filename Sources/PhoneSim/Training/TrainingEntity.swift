package import Link

/// A kind of row of the unified form: its table, and the columns with their types and bounds.
///
/// The names are the founding document's. Memory and database hold the same values, and what is read from either is
/// checked against the columns.
package struct TrainingEntity: Sendable {
  /// The table.
  package let name: String
  /// What a row is.
  package let about: String
  /// The columns after `id`, in order.
  package let columns: [TrainingColumn]

  init(_ name: String, _ about: String, _ columns: [TrainingColumn]) {
    self.name = name
    self.about = about
    self.columns = columns
  }

  /// Index of a column.
  func index(of column: String) -> Int {
    guard let index = columns.firstIndex(where: { $0.name == column }) else {
      preconditionFailure("\(name) has no column \(column)")
    }
    return index
  }
}

/// A column of a ``TrainingEntity``.
package struct TrainingColumn: Sendable {
  package enum Kind: Sendable, Equatable {
    case integer(ClosedRange<Int64>)
    case real(ClosedRange<Double>)
    /// At most so many bytes in UTF-8.
    case text(Int)
    /// A JSON text of at most so many bytes.
    case json(Int)
    case word([String])
    /// Nanoseconds since 1970.
    case date
    /// An identifier of another row, of any table.
    case identifier
    /// A row of a table; deleted with it if it is a part of it.
    case reference(String, isPart: Bool)
  }

  package let name: String
  package let kind: Kind
  /// Whether there may be no value.
  package let isOptional: Bool
  /// What it means, with its unit.
  package let about: String

  init(_ name: String, _ kind: Kind, _ about: String, isOptional: Bool = false) {
    self.name = name
    self.kind = kind
    self.about = about
    self.isOptional = isOptional
  }

  /// A column that may be empty.
  static func optional(_ name: String, _ kind: Kind, _ about: String) -> Self {
    Self(name, kind, about, isOptional: true)
  }

  /// Whether it refers to a row.
  var isReference: Bool { if case .reference = kind { true } else { false } }

  /// Whether a value may be in the column.
  func allows(_ value: StoredValue) -> Bool {
    switch (kind, value) {
    case (_, .null): isOptional
    case (.integer(let bounds), .integer(let number)): bounds.contains(number)
    case (.date, .integer): true
    case (.real(let bounds), .real(let number)): bounds.contains(number)
    case (.text(let bytesMax), .text(let text)): text.utf8.count <= bytesMax
    case (.json(let bytesMax), .text(let text)):
      text.utf8.count <= bytesMax && (try? JSONParser.parse(text, dialect: .json)) != nil
    case (.word(let words), .text(let text)): words.contains(text)
    case (.identifier, .text(let text)), (.reference, .text(let text)): Identifier(text: text) != nil
    default: false
    }
  }
}

/// A row of the unified form.
package struct TrainingRow: Sendable, Equatable {
  /// Index of the entity in ``TrainingCatalog``.
  package let table: Int
  package fileprivate(set) var id: Identifier
  /// One for each column.
  package fileprivate(set) var values: [StoredValue]

  /// Creates a row; columns that are not given are empty.
  init(_ name: String, _ id: Identifier, _ values: [String: StoredValue]) {
    table = TrainingCatalog.index(of: name)
    self.id = id
    let entity = TrainingCatalog.all[table]
    self.values = entity.columns.map { values[$0.name] ?? .null }
    precondition(
      values.keys.allSatisfy { key in entity.columns.contains { $0.name == key } }, "\(name): \(values.keys)")
    check()
  }

  /// A row with values for all columns; nil if one is not allowed.
  init?(table: Int, id: Identifier, stored values: [StoredValue]) {
    let entity = TrainingCatalog.all[table]
    guard values.count == entity.columns.count, zip(entity.columns, values).allSatisfy({ $0.allows($1) }) else {
      return nil
    }
    self.table = table
    self.id = id
    self.values = values
  }

  /// A row whose columns are read next.
  fileprivate init(blank table: Int) {
    self.table = table
    id = .blank
    values = TrainingCatalog.all[table].columns.map { _ in .null }
  }

  package var entity: TrainingEntity { TrainingCatalog.all[table] }

  /// The value of a column.
  package subscript(column: String) -> StoredValue {
    get { values[entity.index(of: column)] }
    set {
      let index = entity.index(of: column)
      precondition(entity.columns[index].allows(newValue), "\(entity.name).\(column): \(newValue)")
      values[index] = newValue
    }
  }

  package func integer(_ column: String) -> Int64? {
    if case .integer(let value) = self[column] { value } else { nil }
  }

  package func real(_ column: String) -> Double? { if case .real(let value) = self[column] { value } else { nil } }

  package func text(_ column: String) -> String? { if case .text(let value) = self[column] { value } else { nil } }

  package func identifier(_ column: String) -> Identifier? { text(column).flatMap { Identifier(text: $0) } }

  fileprivate func check() {
    for (column, value) in zip(entity.columns, values) {
      precondition(column.allows(value), "\(entity.name).\(column.name): \(value)")
    }
  }
}

/// Every table of the unified form, parents before their parts.
package enum TrainingCatalog {
  package static let all: [TrainingEntity] = [
    .athleteProfile, .horse,
    .ride, .runningSession, .swimmingSession, .shootingSession,
    .workoutTemplate, .gpsPoint, .split, .interval,
    .gaitSegment, .reinSegment, .gaitTransition, .rideScore, .ridePhoto,
    .targetScanAnalysis, .shootingEnd, .shot,
    .drillSession, .drillSet,
    .skillSnapshot, .competition, .competitionTask,
  ]

  private static let indexes = Dictionary(uniqueKeysWithValues: all.enumerated().map { ($1.name, $0) })

  /// The columns that refer to a table: their tables, and whether the row is a part of the one that it refers to.
  static let references: [[(table: Int, column: String, isPart: Bool)]] = all.map { entity in
    all.enumerated().flatMap { index, other in
      other.columns.compactMap { column in
        guard case .reference(entity.name, let isPart) = column.kind else { return nil }
        return (index, column.name, isPart)
      }
    }
  }

  /// How the rows of each entity are stored.
  static let tables: [StoredTable<TrainingRow>] = all.enumerated().map { index, entity in entity.table(index) }

  static func index(of name: String) -> Int {
    guard let index = indexes[name] else { preconditionFailure("no table \(name)") }
    return index
  }
}

extension TrainingEntity {
  /// How its rows are stored.
  ///
  /// As the document's sync asks, every column has a default or may be empty, relations are optional, and nothing is
  /// unique but the identifier.
  fileprivate func table(_ index: Int) -> StoredTable<TrainingRow> {
    StoredTable(
      name, blank: TrainingRow(blank: index), rule: name == "GPSPoint" ? oneParent : nil, indexes: indexes,
      [StoredColumn("id", \.id)]
        + columns.enumerated().map { place, column in
          StoredColumn(
            column.name, column.storedKind, isRequired: !column.isOptional && !column.isReference,
            standard: column.standard, references: column.reference, get: { $0.values[place] },
            set: { row, cell in
              row.values[place] = cell
              return column.allows(cell)
            })
        })
  }

  /// That exactly one reference has a value.
  private var oneParent: (sql: String, holds: @Sendable (TrainingRow) -> Bool) {
    let places = columns.indices.filter { columns[$0].isReference }
    return (
      places.map { "(\(columns[$0].name) IS NOT NULL)" }.joined(separator: " + ") + " = 1",
      { row in places.count { row.values[$0] != .null } == 1 }
    )
  }

  /// The indexes beside those of references: what follows the table's name, and the columns.
  private var indexes: [(name: String, columns: [String])] {
    switch name {
    case "Ride", "RunningSession", "SwimmingSession", "ShootingSession": [("ByDate", ["startDate", "id"])]
    case "GPSPoint": [("OfParent", ["parentID"])]
    case "SkillSnapshot": [("ByDomain", ["domain", "recordedAt"]), ("OfSource", ["sourceSessionID"])]
    default: []
    }
  }
}

extension TrainingColumn {
  var storedKind: StoredValue.Kind {
    switch kind {
    case .integer, .date: .integer
    case .real: .real
    case .text, .json, .word, .identifier, .reference: .text
    }
  }

  /// The value of a row that does not say it, in SQL.
  fileprivate var standard: String? {
    if isOptional || isReference { return nil }
    return storedKind == .text ? "''" : "0"
  }

  fileprivate var reference: (table: String, action: String)? {
    guard case .reference(let table, let isPart) = kind else { return nil }
    return (table, " ON DELETE \(isPart ? "CASCADE" : "SET NULL")")
  }
}
