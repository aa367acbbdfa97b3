import Link
import LinkStore

/// A value that a parameter of a statement takes.
protocol StatementValue {
  func bind(to statement: Statement, at parameter: Int32)
}

extension Int64: StatementValue {
  func bind(to statement: Statement, at parameter: Int32) { statement.bind(self, at: parameter) }
}

extension Int: StatementValue {
  func bind(to statement: Statement, at parameter: Int32) { statement.bind(self, at: parameter) }
}

extension Double: StatementValue {
  func bind(to statement: Statement, at parameter: Int32) { statement.bind(self, at: parameter) }
}

extension String: StatementValue {
  func bind(to statement: Statement, at parameter: Int32) { statement.bind(self, at: parameter) }
}

/// Nil is null.
extension Optional: StatementValue where Wrapped: StatementValue {
  func bind(to statement: Statement, at parameter: Int32) {
    if let self { self.bind(to: statement, at: parameter) } else { statement.bindNull(at: parameter) }
  }
}

extension Statement {
  /// Binds values to the parameters from `first` on, in order.
  func bind<each Value: StatementValue>(_ values: repeat each Value, from first: Int32 = 1) {
    var parameter = first
    for value in repeat each values {
      value.bind(to: self, at: parameter)
      parameter += 1
    }
  }

  /// Binds values to the parameters, in order, and executes the statement to its end.
  func run<each Value: StatementValue>(_ values: repeat each Value) throws(StoreError) {
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

  /// A column as an instant of the phone's timers; nil for null.
  func optionalTime(_ column: Int32) -> VirtualTime? {
    isNull(column) ? nil : VirtualTime(nanoseconds: int64(column))
  }
}
