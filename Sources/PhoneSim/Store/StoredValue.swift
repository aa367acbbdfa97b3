import CoachProtocol
import Link
import LinkStore

/// A value of a stored row, as SQLite has it.
package enum StoredValue: Sendable, Equatable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)

  /// The type of a column.
  enum Kind: String, Sendable { case integer, real, text }

  static func optional(_ value: Double?) -> Self { value.map { .real($0) } ?? .null }
  static func optional(_ value: Int64?) -> Self { value.map { .integer($0) } ?? .null }
  static func id(_ id: Identifier?) -> Self { id.map { .text($0.text) } ?? .null }
  static func flag(_ flag: Bool) -> Self { .integer(flag ? 1 : 0) }

  /// As in SQL, for people.
  var description: String {
    switch self {
    case .null: "NULL"
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .text(let text): "\"\(text)\""
    }
  }

  var json: JSONValue {
    switch self {
    case .null: .null
    case .integer(let number): .integer(number)
    case .real(let number): .number(number)
    case .text(let text): .string(text)
    }
  }

  /// Reads a value of a column of a kind; nil for JSON that is no cell.
  ///
  /// A whole number is written without a point, also in a column of reals.
  init?(_ json: JSONValue, _ kind: Kind) {
    switch (json, kind) {
    case (.null, _): self = .null
    case (.integer(let number), .real): self = .real(Double(number))
    case (.integer(let number), _): self = .integer(number)
    case (.number(let number), _): self = .real(number)
    case (.string(let text), _): self = .text(text)
    default: return nil
    }
  }
}

/// What a column holds, beside numbers and text themselves.
protocol ColumnValue: Sendable {
  static var kind: StoredValue.Kind { get }
  /// Whether it may be null.
  static var isOptional: Bool { get }
  /// All values in SQL, if they are few.
  static var choices: [String]? { get }
  var cell: StoredValue { get }
  /// Nil for a value that no phone writes.
  init?(cell: StoredValue)
}

extension ColumnValue {
  static var isOptional: Bool { false }
  static var choices: [String]? { nil }
}

/// What identifies a row of a table.
protocol RowKey: Hashable, Sendable {
  var cells: [StoredValue] { get }
}

extension RowKey where Self: ColumnValue {
  var cells: [StoredValue] { [cell] }
}

/// The key of a table's only row.
struct OnlyKey: RowKey {
  var cells: [StoredValue] { [.integer(1)] }
}

/// What is stored as a number.
protocol IntegerColumn: ColumnValue {
  var number: Int64 { get }
  init?(number: Int64)
}

extension IntegerColumn {
  static var kind: StoredValue.Kind { .integer }
  var cell: StoredValue { .integer(number) }
  init?(cell: StoredValue) {
    guard case .integer(let number) = cell else { return nil }
    self.init(number: number)
  }
}

extension Int64: IntegerColumn, RowKey {
  var number: Int64 { self }
  init(number: Int64) { self = number }
}

extension Int: IntegerColumn, RowKey {
  var number: Int64 { Int64(self) }
  init?(number: Int64) { self.init(exactly: number) }
}

extension Bool: IntegerColumn {
  static var choices: [String]? { ["0", "1"] }
  var number: Int64 { self ? 1 : 0 }
  init(number: Int64) { self = number != 0 }
}

extension VirtualTime: IntegerColumn {
  var number: Int64 { nanoseconds }
  init(number: Int64) { self.init(nanoseconds: number) }
}

extension NodeTime: ColumnValue, IntegerColumn {
  var number: Int64 { nanoseconds }
  init(number: Int64) { self.init(nanoseconds: number) }
}

extension Epoch: IntegerColumn {
  var number: Int64 { Int64(rawValue) }
  init?(number: Int64) {
    guard let value = UInt32(exactly: number) else { return nil }
    self.init(value)
  }
}

extension SequenceNumber: IntegerColumn {
  var number: Int64 { Int64(bitPattern: rawValue) }
  init(number: Int64) { self.init(UInt64(bitPattern: number)) }
}

extension LocalDay: IntegerColumn, RowKey {
  init(number: Int64) { self.init(number) }
}

extension Double: ColumnValue {
  static var kind: StoredValue.Kind { .real }
  /// SQLite has no value for "not a number".
  var cell: StoredValue { isNaN ? .null : .real(self) }
  init?(cell: StoredValue) {
    guard case .real(let number) = cell, number.isFinite else { return nil }
    self = number
  }
}

/// What is stored as a text.
protocol TextColumn: ColumnValue {
  var columnText: String { get }
  init?(columnText: String)
}

extension TextColumn {
  static var kind: StoredValue.Kind { .text }
  var cell: StoredValue { .text(columnText) }
  init?(cell: StoredValue) {
    guard case .text(let text) = cell else { return nil }
    self.init(columnText: text)
  }
}

extension String: TextColumn, RowKey {
  var columnText: String { self }
  init(columnText: String) { self = columnText }
}

extension Identifier: TextColumn, RowKey {
  var columnText: String { text }
  init?(columnText: String) { self.init(text: columnText) }
}

extension JSONValue: TextColumn {
  var columnText: String { compactText }
  init?(columnText: String) {
    guard let node = try? JSONParser.parse(columnText, dialect: .json) else { return nil }
    self = node.value.withoutPositions
  }
}

/// A word of a list.
extension TextColumn where Self: RawRepresentable, RawValue == String {
  var columnText: String { rawValue }
  init?(columnText: String) { self.init(rawValue: columnText) }
}

extension TextColumn where Self: RawRepresentable & CaseIterable, RawValue == String {
  static var choices: [String]? { allCases.map { "'\($0.rawValue)'" } }
}

extension RunType: TextColumn {}
extension RunMode: TextColumn {}
extension EdgeCall: TextColumn {}
extension ScriptSource: TextColumn {}
extension BranchPolicy: TextColumn {}
extension MemoryKind: TextColumn {}
extension MemorySource: TextColumn {}
extension VoiceNote.Status: TextColumn {}
extension VoiceNoteMetadata.Transcription: TextColumn {}
extension PacingStrategy: TextColumn {}

extension Optional: ColumnValue where Wrapped: ColumnValue {
  static var kind: StoredValue.Kind { Wrapped.kind }
  static var isOptional: Bool { true }
  static var choices: [String]? { Wrapped.choices }
  var cell: StoredValue { self?.cell ?? .null }
  init?(cell: StoredValue) {
    if cell == .null {
      self = Self.none
    } else {
      guard let value = Wrapped(cell: cell) else { return nil }
      self = .some(value)
    }
  }
}

// MARK: Statements

extension Statement {
  /// Binds a value to a parameter.
  func bind(_ value: StoredValue, at parameter: Int32) {
    switch value {
    case .null: bindNull(at: parameter)
    case .integer(let number): bind(number, at: parameter)
    case .real(let number): bind(number, at: parameter)
    case .text(let text): bind(text, at: parameter)
    }
  }

  /// Binds cells to the parameters from `first` on, in order.
  func bind(_ cells: [StoredValue], from first: Int = 1) {
    for (index, cell) in cells.enumerated() { bind(cell, at: Int32(first + index)) }
  }

  /// Binds values to the parameters from `first` on, in order.
  func bind<each Value: ColumnValue>(_ values: repeat each Value, from first: Int32 = 1) {
    var parameter = first
    for value in repeat each values {
      bind(value.cell, at: parameter)
      parameter += 1
    }
  }

  /// Binds values to the parameters, in order, and executes the statement to its end.
  func run<each Value: ColumnValue>(_ values: repeat each Value) throws(StoreError) {
    bind(repeat each values)
    try run()
  }

  /// Passes every row to a function; an error that it throws discards the rest.
  func forEachRow(_ body: (Statement) throws(StoreError) -> Void) throws(StoreError) {
    while try step() {
      do throws(StoreError) { try body(self) } catch {
        reset()
        throw error
      }
    }
  }

  /// Makes a value of every row.
  func load<Row>(_ read: (Statement) throws(StoreError) -> Row) throws(StoreError) -> [Row] {
    var rows: [Row] = []
    try forEachRow { (row) throws(StoreError) in rows.append(try read(row)) }
    return rows
  }

  /// A column as text; nil for null.
  func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

  /// A column of a kind.
  func value(_ column: Int32, _ kind: StoredValue.Kind) -> StoredValue {
    if isNull(column) { return .null }
    return switch kind {
    case .integer: .integer(int64(column))
    case .real: .real(double(column))
    case .text: .text(text(column))
    }
  }
}
