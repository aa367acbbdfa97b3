import Link

/// Reads the fields of one untrusted payload, checking each value's range.
struct MessageFields {
  /// For errors.
  let kind: AppMessage.Kind
  private var cursor: PropertyListCursor
  /// Entries found so far: once all are, optional fields need no search.
  private var taken: Int

  /// Continues after `kind` and `v`.
  init(_ kind: AppMessage.Kind, _ cursor: PropertyListCursor, taken: Int = 2) {
    self.kind = kind
    self.cursor = cursor
    self.taken = taken
  }

  /// Nanoseconds of a node's clock, within 146 years of 1970 either way.
  @inline(__always)
  mutating func time<Node>(_ key: StaticString) throws(MessageError) -> NodeTime<Node> {
    NodeTime(nanoseconds: try requiredInteger(key, -(1 << 62)...(1 << 62)))
  }

  @inline(__always)
  mutating func identifier(_ key: StaticString) throws(MessageError) -> Identifier {
    try Self.require(kind, key, try optionalIdentifier(key))
  }

  /// Nil if absent.
  @inline(__always)
  mutating func optionalIdentifier(_ key: StaticString) throws(MessageError) -> Identifier? {
    guard taken < cursor.count else { return nil }
    do throws(PropertyListError) { return counted(try cursor.identifier(key)) } catch { throw wrong(key, error) }
  }

  /// A finite number within bounds.
  @inline(__always)
  mutating func real(_ key: StaticString, _ bounds: ClosedRange<Double>) throws(MessageError) -> Double {
    try Self.require(kind, key, try optionalReal(key, bounds))
  }

  /// A finite number within bounds; nil if absent.
  @inline(__always)
  mutating func optionalReal(_ key: StaticString, _ bounds: ClosedRange<Double>) throws(MessageError) -> Double? {
    guard taken < cursor.count else { return nil }
    let value: Double?
    do throws(PropertyListError) { value = counted(try cursor.real(key)) } catch { throw wrong(key, error) }
    guard let value else { return nil }
    // NaN is in no range.
    guard bounds.contains(value) else { throw outside(key, "\(value)", "\(bounds.lowerBound) to \(bounds.upperBound)") }
    return value
  }

  /// An integer within bounds; nil if absent.
  @inline(__always)
  mutating func integer(_ key: StaticString, _ bounds: ClosedRange<Int64>) throws(MessageError) -> Int64? {
    guard taken < cursor.count else { return nil }
    let value: Int64?
    do throws(PropertyListError) { value = counted(try cursor.integer(key)) } catch { throw wrong(key, error) }
    guard let value else { return nil }
    guard bounds.contains(value) else { throw outside(key, "\(value)", "\(bounds.lowerBound) to \(bounds.upperBound)") }
    return value
  }

  /// An integer within bounds.
  @inline(__always)
  mutating func requiredInteger(_ key: StaticString, _ bounds: ClosedRange<Int64>) throws(MessageError) -> Int64 {
    try Self.require(kind, key, try integer(key, bounds))
  }

  mutating func string(_ key: StaticString) throws(MessageError) -> String {
    let value: String?
    do throws(PropertyListError) { value = counted(try cursor.string(key)) } catch { throw wrong(key, error) }
    return try Self.require(kind, key, value)
  }

  mutating func data(_ key: StaticString) throws(MessageError) -> [UInt8] {
    let value: [UInt8]?
    do throws(PropertyListError) { value = counted(try cursor.data(key)) } catch { throw wrong(key, error) }
    return try Self.require(kind, key, value)
  }

  /// One of a set of strings.
  mutating func word<Word: CaseIterable & RawRepresentable<String>>(
    _ key: StaticString, _ type: Word.Type
  ) throws(MessageError) -> Word {
    try Self.require(kind, key, try optionalWord(key, type))
  }

  /// One of a set of strings; nil if absent.
  mutating func optionalWord<Word: CaseIterable & RawRepresentable<String>>(
    _ key: StaticString, _ type: Word.Type
  ) throws(MessageError) -> Word? {
    guard taken < cursor.count else { return nil }
    let found: String?
    do throws(PropertyListError) { found = counted(try cursor.string(key)) } catch { throw wrong(key, error) }
    guard let text = found else { return nil }
    guard let word = Word(rawValue: text) else {
      throw outside(key, "\"\(text)\"", Word.allCases.map(\.rawValue).joined(separator: ", "))
    }
    return word
  }

  /// Whether a string equals this one, without decoding it; nil if absent.
  @inline(__always)
  mutating func string(_ key: StaticString, is text: StaticString) throws(MessageError) -> Bool? {
    do throws(PropertyListError) { return try cursor.string(key, is: text) } catch { throw wrong(key, error) }
  }

  /// A dictionary's fields; nil if absent.
  mutating func optionalNested(_ key: StaticString) throws(MessageError) -> MessageFields? {
    guard taken < cursor.count else { return nil }
    let nested: PropertyListCursor?
    do throws(PropertyListError) { nested = counted(try cursor.nested(key)) } catch { throw wrong(key, error) }
    return nested.map { MessageFields(kind, $0, taken: 0) }
  }

  /// A required value.
  ///
  /// Static, because a method call during a mutation would copy the instance.
  @inline(__always)
  static func require<Value>(
    _ kind: AppMessage.Kind, _ key: StaticString, _ value: Value?
  ) throws(MessageError) -> Value {
    guard let value else { throw .missing(kind, key: "\(key)") }
    return value
  }

  @inline(__always)
  private mutating func counted<Value>(_ value: Value?) -> Value? {
    if value != nil { taken += 1 }
    return value
  }

  /// The error for a field with an invalid value.
  func outside(_ key: StaticString, _ found: String, _ expected: String) -> MessageError {
    .wrong(kind, key: "\(key)", found: found, expected: expected)
  }

  @inline(never)
  private func wrong(_ key: StaticString, _ error: PropertyListError) -> MessageError {
    .wrong(kind, key: "\(key)", found: "\(error.found) at byte \(error.offset)", expected: error.expected)
  }
}
