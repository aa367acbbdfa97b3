/// Reads a dictionary's entries by key from a binary property list, without building values.
///
/// Fast if keys are read in the order in which they were written; correct in any order. Getters return nil if the key
/// is absent, and throw if its value has another type or lies outside the bytes. Only what is read is checked.
public struct PropertyListCursor: Sendable {
  /// The number of entries.
  public let count: Int

  private let table: PropertyListTable
  /// The offset of the references to keys; those to values follow.
  private let references: Int
  /// The dictionary's own offset, for errors.
  private let offset: Int
  /// The index of the entry to compare first.
  private var next = 0

  /// Opens a property list whose top is a dictionary.
  public init(_ bytes: [UInt8]) throws(PropertyListError) {
    let table = try PropertyListTable(bytes)
    try self.init(table, at: try table.offset(of: table.top, from: bytes.count - 16))
  }

  private init(_ table: PropertyListTable, at offset: Int) throws(PropertyListError) {
    guard table.bytes[offset] & 0xF0 == PropertyListFormat.dictionary else {
      throw PropertyListError(at: offset, found: table.kind(at: offset), expected: "a dictionary")
    }
    self.table = table
    self.offset = offset
    (references, count) = try table.contents(at: offset, size: 2 * table.referenceSize)
  }

  /// Whether an entry has this key; `index` must be below ``count``.
  public func key(at index: Int, is key: StaticString) throws(PropertyListError) -> Bool {
    precondition(index >= 0 && index < count, "the index is in range")
    let offset = try table.target(of: references + index * table.referenceSize)
    return try text(at: offset, is: key)
  }

  /// An entry's key as a string; `index` must be below ``count``.
  public func key(at index: Int) throws(PropertyListError) -> String {
    precondition(index >= 0 && index < count, "the index is in range")
    let offset = try table.target(of: references + index * table.referenceSize)
    guard (0x50...0x6F).contains(table.bytes[offset]) else {
      throw PropertyListError(at: offset, found: table.kind(at: offset), expected: "a string as key")
    }
    return try table.string(at: offset)
  }

  /// Whether the key is present.
  public mutating func has(_ key: StaticString) throws(PropertyListError) -> Bool { try find(key) != nil }

  /// A string.
  public mutating func string(_ key: StaticString) throws(PropertyListError) -> String? {
    guard let offset = try find(key) else { return nil }
    let kind = table.bytes[offset] & 0xF0
    guard kind == PropertyListFormat.ascii || kind == PropertyListFormat.utf16 else {
      throw wrong(key, offset, "a string")
    }
    return try table.string(at: offset)
  }

  /// Whether a string equals this one, without building it; nil if the key is absent.
  public mutating func string(_ key: StaticString, is text: StaticString) throws(PropertyListError) -> Bool? {
    guard let offset = try find(key) else { return nil }
    return try self.text(at: offset, is: text)
  }

  /// A whole number.
  public mutating func integer(_ key: StaticString) throws(PropertyListError) -> Int64? {
    guard let offset = try find(key) else { return nil }
    guard table.bytes[offset] & 0xF0 == PropertyListFormat.integer else { throw wrong(key, offset, "an integer") }
    return try table.integer(at: offset)
  }

  /// A number; an integer counts as one.
  public mutating func real(_ key: StaticString) throws(PropertyListError) -> Double? {
    guard let offset = try find(key) else { return nil }
    switch table.bytes[offset] & 0xF0 {
    case PropertyListFormat.real: return try table.real(at: offset)
    case PropertyListFormat.integer: return Double(try table.integer(at: offset))
    default: throw wrong(key, offset, "a number")
    }
  }

  /// A Boolean.
  public mutating func bool(_ key: StaticString) throws(PropertyListError) -> Bool? {
    guard let offset = try find(key) else { return nil }
    switch table.bytes[offset] {
    case PropertyListFormat.trueMarker: return true
    case PropertyListFormat.falseMarker: return false
    default: throw wrong(key, offset, "a Boolean")
    }
  }

  /// Bytes.
  public mutating func data(_ key: StaticString) throws(PropertyListError) -> [UInt8]? {
    guard let offset = try find(key) else { return nil }
    guard table.bytes[offset] & 0xF0 == PropertyListFormat.data else { throw wrong(key, offset, "data") }
    let (start, count) = try table.contents(at: offset, size: 1)
    return Array(table.bytes[start..<start + count])
  }

  /// A date, in seconds since 2001-01-01T00:00:00Z.
  public mutating func date(_ key: StaticString) throws(PropertyListError) -> Double? {
    guard let offset = try find(key) else { return nil }
    guard table.bytes[offset] == PropertyListFormat.dateMarker else { throw wrong(key, offset, "a date") }
    return try table.real(at: offset)
  }

  /// An identifier, written as a string of 36 characters.
  public mutating func identifier(_ key: StaticString) throws(PropertyListError) -> Identifier? {
    guard let offset = try find(key) else { return nil }
    guard table.bytes[offset] & 0xF0 == PropertyListFormat.ascii else { throw wrong(key, offset, "an identifier") }
    let (start, count) = try table.contents(at: offset, size: 1)
    guard count == 36, let identifier = identifier(at: start) else { throw wrong(key, offset, "an identifier") }
    return identifier
  }

  /// A nested dictionary.
  public mutating func nested(_ key: StaticString) throws(PropertyListError) -> PropertyListCursor? {
    guard let offset = try find(key) else { return nil }
    guard table.bytes[offset] & 0xF0 == PropertyListFormat.dictionary else { throw wrong(key, offset, "a dictionary") }
    return try PropertyListCursor(table, at: offset)
  }

  /// The dictionaries in an array.
  public mutating func elements(_ key: StaticString) throws(PropertyListError) -> [PropertyListCursor]? {
    guard let offset = try find(key) else { return nil }
    guard table.bytes[offset] & 0xF0 == PropertyListFormat.array else { throw wrong(key, offset, "an array") }
    let (start, count) = try table.contents(at: offset, size: table.referenceSize)
    var elements: [PropertyListCursor] = []
    for index in 0..<count {
      elements.append(try PropertyListCursor(table, at: try table.target(of: start + index * table.referenceSize)))
    }
    return elements
  }

  /// The error for a missing key.
  public func missing(_ key: StaticString) -> PropertyListError {
    PropertyListError(at: offset, found: "no key \"\(key)\"", expected: "one")
  }

  /// The offset of a key's value; nil if the key is absent.
  ///
  /// The next search begins with the entry after it.
  private mutating func find(_ key: StaticString) throws(PropertyListError) -> Int? {
    let place = next < count ? expected(key) : 0
    if place > 0 {
      next &+= 1
      return place
    }
    return try search(key)
  }

  /// The offset of the next entry's value, if it has this key and the list is small.
  ///
  /// Returns 0 otherwise, whether the entry is unusual or invalid; `search` distinguishes them.
  @inline(__always)
  private func expected(_ key: StaticString) -> Int {
    let (end, objectCount, tableOffsetSize) = (table.end, table.objectCount, table.offsetSize)
    guard table.referenceSize == 1, tableOffsetSize <= 2 else { return 0 }
    let (keyReference, valueReference) = (references &+ next, references &+ count &+ next)
    let length = key.utf8CodeUnitCount
    let bytes = table.bytes.span
    /// The offset of a referenced object; 0 if it lies outside.
    @inline(__always) func offset(_ reference: Int, _ bytes: Span<UInt8>) -> Int {
      let object = Int(bytes[reference])
      guard object < objectCount else { return 0 }
      let offset =
        tableOffsetSize == 2
        ? Int(bytes.bigEndian(UInt16.self, at: end &+ 2 &* object)) : Int(bytes[end &+ object])
      return offset >= PropertyListFormat.headerBytes && offset < end ? offset : 0
    }
    let keyOffset = offset(keyReference, bytes)
    let header = length < 15 ? 1 : 3
    guard keyOffset > 0, keyOffset &+ header &+ length <= end else { return 0 }
    let marker = Int(bytes[keyOffset])
    if length < 15 {
      guard marker == Int(PropertyListFormat.ascii) &+ length else { return 0 }
    } else {
      guard marker == Int(PropertyListFormat.ascii) &+ 15, Int(bytes[keyOffset &+ 2]) == length,
        bytes[keyOffset &+ 1] == PropertyListFormat.integer
      else { return 0 }
    }
    return bytes.matches(key, at: keyOffset &+ header) ? offset(valueReference, bytes) : 0
  }

  @inline(never)
  private mutating func search(_ key: StaticString) throws(PropertyListError) -> Int? {
    for index in 0..<count where try self.key(at: index, is: key) {
      next = index + 1
      return try table.target(of: references + (count + index) * table.referenceSize)
    }
    return nil
  }

  private func text(at offset: Int, is text: StaticString) throws(PropertyListError) -> Bool {
    guard table.bytes[offset] & 0xF0 == PropertyListFormat.ascii else { return false }
    let (start, count) = try table.contents(at: offset, size: 1)
    guard count == text.utf8CodeUnitCount else { return false }
    return table.bytes.span.matches(text, at: start)
  }

  /// Reads 36 characters; nil if they are not an identifier.
  private func identifier(at start: Int) -> Identifier? {
    let bytes = table.bytes
    func word(_ offset: Int) -> UInt64 { PropertyListTable.bigEndian(bytes, at: start + offset) }
    let groups = (word(9), word(14), word(19), word(24))
    // A word that starts with a group of four digits has the following hyphen as its fifth byte.
    let hyphens = (groups.0 >> 24 & 0xFF, groups.1 >> 24 & 0xFF, groups.2 >> 24 & 0xFF)
    let hyphen = UInt64(UInt8(ascii: "-"))
    guard bytes[start + 8] == UInt8(ascii: "-"), hyphens == (hyphen, hyphen, hyphen),
      let a = HexadecimalWord.value(word(0)),
      let b = HexadecimalWord.value(groups.0 & 0xFFFF_FFFF_0000_0000 | groups.1 >> 32),
      let c = HexadecimalWord.value(groups.2 & 0xFFFF_FFFF_0000_0000 | groups.3 >> 32),
      let d = HexadecimalWord.value(word(28))
    else { return nil }
    return Identifier(high: UInt64(a) << 32 | UInt64(b), low: UInt64(c) << 32 | UInt64(d))
  }

  private func wrong(_ key: StaticString, _ offset: Int, _ expected: String) -> PropertyListError {
    PropertyListError(at: offset, found: "\(table.kind(at: offset)) for \"\(key)\"", expected: expected)
  }
}
