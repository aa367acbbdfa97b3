import Link

/// The fields of one payload, taken one by one.
///
/// Bytes come from outside: what is taken is checked, so that nothing further in meets a number it
/// cannot reckon with.
struct MessageFields {
  /// Whose fields they are, for errors.
  let kind: AppMessage.Kind
  private var cursor: PropertyListCursor
  /// Entries that were found so far: when all were, an optional field need not be looked for.
  private var taken: Int

  /// Goes on after `kind` and `v`.
  init(_ kind: AppMessage.Kind, _ cursor: PropertyListCursor, taken: Int = 2) {
    self.kind = kind
    self.cursor = cursor
    self.taken = taken
  }

  /// Whole nanoseconds of a node's clock, within 146 years of 1970 either way.
  @inline(__always)
  mutating func time<Node>(_ key: StaticString) throws(MessageError) -> NodeTime<Node> {
    NodeTime(nanoseconds: try Self.require(kind, key, try integer(key, -(1 << 62)...(1 << 62))))
  }

  /// An identifier.
  @inline(__always)
  mutating func identifier(_ key: StaticString) throws(MessageError) -> Identifier {
    try Self.require(kind, key, try optionalIdentifier(key))
  }

  /// An identifier, or nil where there is none.
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

  /// A finite number within bounds, or nil where there is none.
  @inline(__always)
  mutating func optionalReal(_ key: StaticString, _ bounds: ClosedRange<Double>) throws(MessageError) -> Double? {
    guard taken < cursor.count else { return nil }
    let value: Double?
    do throws(PropertyListError) { value = counted(try cursor.real(key)) } catch { throw wrong(key, error) }
    guard let value else { return nil }
    // Not a number is in no range.
    guard bounds.contains(value) else { throw outside(key, "\(value)", "\(bounds.lowerBound) to \(bounds.upperBound)") }
    return value
  }

  /// A whole number within bounds, or nil where there is none.
  @inline(__always)
  mutating func integer(_ key: StaticString, _ bounds: ClosedRange<Int64>) throws(MessageError) -> Int64? {
    guard taken < cursor.count else { return nil }
    let value: Int64?
    do throws(PropertyListError) { value = counted(try cursor.integer(key)) } catch { throw wrong(key, error) }
    guard let value else { return nil }
    guard bounds.contains(value) else { throw outside(key, "\(value)", "\(bounds.lowerBound) to \(bounds.upperBound)") }
    return value
  }

  /// A string.
  mutating func string(_ key: StaticString) throws(MessageError) -> String {
    let value: String?
    do throws(PropertyListError) { value = counted(try cursor.string(key)) } catch { throw wrong(key, error) }
    return try Self.require(kind, key, value)
  }

  /// Bytes.
  mutating func data(_ key: StaticString) throws(MessageError) -> [UInt8] {
    let value: [UInt8]?
    do throws(PropertyListError) { value = counted(try cursor.data(key)) } catch { throw wrong(key, error) }
    return try Self.require(kind, key, value)
  }

  /// One of a few words.
  mutating func word<Word: CaseIterable & RawRepresentable<String>>(
    _ key: StaticString, _ type: Word.Type
  ) throws(MessageError) -> Word {
    let text = try string(key)
    guard let word = Word(rawValue: text) else {
      throw outside(key, "\"\(text)\"", Word.allCases.map(\.rawValue).joined(separator: ", "))
    }
    return word
  }

  /// Tells whether a string is this one, without building it; nil where there is none.
  @inline(__always)
  mutating func string(_ key: StaticString, is text: StaticString) throws(MessageError) -> Bool? {
    do throws(PropertyListError) { return try cursor.string(key, is: text) } catch { throw wrong(key, error) }
  }

  /// A dictionary's fields, or nil where there is none.
  mutating func optionalNested(_ key: StaticString) throws(MessageError) -> MessageFields? {
    guard taken < cursor.count else { return nil }
    let nested: PropertyListCursor?
    do throws(PropertyListError) { nested = counted(try cursor.nested(key)) } catch { throw wrong(key, error) }
    return nested.map { MessageFields(kind, $0, taken: 0) }
  }

  /// The value, which must be there.
  ///
  /// Static, because asking an instance in the middle of its own change would copy it.
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

  /// The error that a field holds what it must not.
  func outside(_ key: StaticString, _ found: String, _ expected: String) -> MessageError {
    .wrong(kind, key: "\(key)", found: found, expected: expected)
  }

  @inline(never)
  private func wrong(_ key: StaticString, _ error: PropertyListError) -> MessageError {
    .wrong(kind, key: "\(key)", found: "\(error.found) at byte \(error.offset)", expected: error.expected)
  }
}
