/// Reads the fields of an event in the order in which they usually stand.
///
/// A field that stands where it usually does is found at once; any other is searched for, so the order costs time and
/// never a value. Where the next one usually stands is counted in what was read and passed over, whatever was found: so
/// a checker that reads what is always there knows all the places before it runs.
public struct FieldCursor {
  @usableFromInline let fields: [TraceEvent.Field]
  /// Where the next field is looked for first; of a type that cannot be below 0, which spares asking.
  @usableFromInline var index: UInt32 = 0

  /// Starts before the first field.
  @inlinable @inline(__always) public init(_ event: TraceEvent) { fields = event.fields }

  /// Whether the field at a place is the one of this key, as its bits tell; false says nothing.
  ///
  /// Nearly always so. The comparison of texts is kept for the search, so that no call stands where a field is read.
  @inlinable @inline(__always)
  func stands(_ key: String, at place: Int) -> Bool { place < fields.count && fields[place].key.isIdentical(to: key) }

  /// Steps on and returns where the next field usually stands.
  @inlinable @inline(__always)
  mutating func step() -> Int {
    defer { index &+= 1 }
    return Int(index)
  }

  /// Where the field of a key stands that is not where it usually is; nil where there is none.
  @inlinable @inline(__always)
  func seek(_ key: String, from usual: Int) -> Int? { Self.place(of: key, in: fields, from: usual) }

  /// Where the field of a key stands, from a place on and then from the first one; nil where there is none.
  @inlinable @inline(never)
  static func place(of key: String, in fields: [TraceEvent.Field], from usual: Int) -> Int? {
    let first = min(usual, fields.count)
    let length = key.utf8.count
    // Comparing lengths first spares most comparisons of text.
    for place in first..<fields.count where fields[place].key.utf8.count == length && fields[place].key == key {
      return place
    }
    for place in 0..<first where fields[place].key.utf8.count == length && fields[place].key == key { return place }
    return nil
  }

  /// Returns the value of a field; nil where the event has none.
  @inlinable @inline(__always)
  public mutating func value(_ key: String) -> TraceValue? {
    let usual = step()
    if stands(key, at: usual) { return fields[usual].value }
    return seek(key, from: usual).map { fields[$0].value }
  }

  /// Steps over a field that is not wanted, so that the one behind it is found at once.
  @inlinable @inline(__always)
  public mutating func skip(_ key: String) { _ = step() }

  /// Returns a whole number; nil where the event has none under this key.
  @inlinable @inline(__always)
  public mutating func integer(_ key: String) -> Int64? {
    let usual = step()
    // Twice the same, so that the way of nearly all is one without a place that is worked out.
    if stands(key, at: usual) {
      guard case .int(let value) = fields[usual].value else { return fields[usual].value.roundedInteger }
      return value
    }
    return seek(key, from: usual).flatMap { fields[$0].value.integer }
  }

  /// Returns a number; nil where the event has none under this key.
  ///
  /// One that the event does not have is not stepped over: the paces of a snapshot are there at times.
  @inlinable @inline(__always)
  public mutating func double(_ key: String) -> Double? {
    let usual = step()
    if stands(key, at: usual) {
      if case .rounded(let value, _) = fields[usual].value { return value }
      return fields[usual].value.double
    }
    guard let place = seek(key, from: usual) else {
      index &-= 1
      return nil
    }
    return fields[place].value.double
  }

  /// Whether the event has this text under a key.
  @inlinable @inline(__always)
  public mutating func says(_ key: String, _ text: String) -> Bool {
    let usual = step()
    if stands(key, at: usual) {
      guard case .string(let value) = fields[usual].value else { return false }
      return value.isIdentical(to: text) || value == text
    }
    guard let place = seek(key, from: usual), case .string(let value) = fields[place].value else { return false }
    return value == text
  }

  /// Whether the next field is the one of this key and has this text, as their bits tell; false says nothing.
  ///
  /// Steps past nothing.
  @inlinable @inline(__always)
  public func isIdentical(_ key: String, to text: String) -> Bool {
    let place = Int(index)
    guard stands(key, at: place), case .string(let value) = fields[place].value else { return false }
    return value.isIdentical(to: text)
  }

  /// Returns an identifier; nil where the event has none under this key.
  @inlinable @inline(__always)
  public mutating func identifier(_ key: String) -> Identifier? {
    let usual = step()
    if stands(key, at: usual) {
      guard case .uuid(let high, let low) = fields[usual].value else { return nil }
      return Identifier(high: high, low: low)
    }
    guard let place = seek(key, from: usual), case .uuid(let high, let low) = fields[place].value else { return nil }
    return Identifier(high: high, low: low)
  }

  /// Whether the event has this digest under a key.
  @inline(__always)
  mutating func isDigest(_ key: String, _ digest: TraceValue) -> Bool {
    let usual = step()
    if stands(key, at: usual) { return TraceValue.isSameDigest(fields[usual].value, digest) }
    return seek(key, from: usual).map { TraceValue.isSameDigest(fields[$0].value, digest) } ?? false
  }

  /// Returns the mark of a digest, taken where it stands; nil where the event has none under this key.
  @inline(__always)
  mutating func mark(_ key: String) -> PayloadMark? {
    let usual = step()
    if stands(key, at: usual) { return PayloadMark(fields[usual].value) }
    return seek(key, from: usual).flatMap { PayloadMark(fields[$0].value) }
  }

  /// Returns a text; nil where the event has none under this key.
  @inlinable @inline(__always)
  public mutating func text(_ key: String) -> String? {
    guard let value = value(key) else { return nil }
    if case .string(let text) = value { return text }
    return value.text
  }
}

extension String {
  /// Whether two texts are the same bits: then they are equal; false says nothing.
  ///
  /// True of most texts that are equal: those of up to 15 bytes, and those that come from one literal. It takes two
  /// comparisons of words, and no call.
  @inlinable @inline(__always)
  public func isIdentical(to other: String) -> Bool {
    unsafe unsafeBitCast(self, to: (UInt64, UInt64).self) == unsafeBitCast(other, to: (UInt64, UInt64).self)
  }
}
