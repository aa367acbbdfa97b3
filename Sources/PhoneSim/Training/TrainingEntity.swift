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

  /// That exactly one reference has a value, in SQL; nil for a table without this rule.
  var ruleOfParents: String? {
    guard name == "GPSPoint" else { return nil }
    return columns.filter(\.isReference).map { "(\($0.name) IS NOT NULL)" }.joined(separator: " + ") + " = 1"
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
  func allows(_ value: TrainingValue) -> Bool {
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

/// A value of a row.
package enum TrainingValue: Sendable, Equatable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)

  static func optional(_ value: Double?) -> Self { value.map { .real($0) } ?? .null }
  static func optional(_ value: Int64?) -> Self { value.map { .integer($0) } ?? .null }
  static func id(_ id: Identifier?) -> Self { id.map { .text($0.text) } ?? .null }
  static func flag(_ flag: Bool) -> Self { .integer(flag ? 1 : 0) }
}

/// A row of the unified form.
package struct TrainingRow: Sendable, Equatable {
  /// Index of the entity in ``TrainingCatalog``.
  package let table: Int
  package let id: Identifier
  /// One for each column.
  package private(set) var values: [TrainingValue]

  /// Creates a row; columns that are not given are empty.
  init(_ name: String, _ id: Identifier, _ values: [String: TrainingValue]) {
    table = TrainingCatalog.index(of: name)
    self.id = id
    let entity = TrainingCatalog.all[table]
    self.values = entity.columns.map { values[$0.name] ?? .null }
    precondition(
      values.keys.allSatisfy { key in entity.columns.contains { $0.name == key } }, "\(name): \(values.keys)")
    check()
  }

  /// Reads a row of the database; nil if a value is not allowed.
  init?(table: Int, id: Identifier, stored values: [TrainingValue]) {
    let entity = TrainingCatalog.all[table]
    guard values.count == entity.columns.count, zip(entity.columns, values).allSatisfy({ $0.allows($1) }) else {
      return nil
    }
    self.table = table
    self.id = id
    self.values = values
  }

  package var entity: TrainingEntity { TrainingCatalog.all[table] }

  /// The value of a column.
  package subscript(column: String) -> TrainingValue {
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

  private func check() {
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

  static func index(of name: String) -> Int {
    guard let index = indexes[name] else { preconditionFailure("no table \(name)") }
    return index
  }
}
