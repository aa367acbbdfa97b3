/// A value of a property list.
///
/// The types are those of Apple's binary format `bplist00`, without integers past 64 bits, sets and the references of
/// the keyed archiver.
public indirect enum PropertyListValue: Sendable, Equatable {
  case string(String)
  case integer(Int64)
  case real(Double)
  case bool(Bool)
  case data([UInt8])
  /// Seconds since 2001-01-01T00:00:00Z.
  case date(Double)
  case array([PropertyListValue])
  /// The entries in their order; keys are unique.
  case dictionary([PropertyListEntry])

  /// The value of a key; nil if the dictionary lacks it, or if this is not a dictionary.
  public subscript(key: String) -> PropertyListValue? {
    guard case .dictionary(let entries) = self else { return nil }
    return entries.first { $0.key == key }?.value
  }
}

/// One key with its value.
public struct PropertyListEntry: Sendable, Equatable {
  /// The key.
  public var key: String
  public var value: PropertyListValue

  public init(_ key: String, _ value: PropertyListValue) {
    self.key = key
    self.value = value
  }
}

/// Why bytes are not a readable property list, or a value cannot be written.
public struct PropertyListError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The offset of the byte at fault; 0 if there is none.
  public var offset: Int
  /// What was found.
  public var found: String
  /// What was expected.
  public var expected: String

  public init(at offset: Int, found: String, expected: String) {
    self.offset = offset
    self.found = found
    self.expected = expected
  }

  /// `byte N: found X, expected Y`.
  public var description: String { "byte \(offset): found \(found), expected \(expected)" }
}

/// Constants of the format `bplist00` that reader and writer share.
enum PropertyListFormat {
  /// `bplist00`, read as a big-endian number.
  static let magic: UInt64 = 0x6270_6C69_7374_3030
  static let headerBytes = 8
  static let trailerBytes = 32

  /// The upper half of an object's first byte; the lower half is a length, or the size of the number.
  static let falseMarker: UInt8 = 0x08
  static let trueMarker: UInt8 = 0x09
  static let integer: UInt8 = 0x10
  static let real: UInt8 = 0x20
  static let dateMarker: UInt8 = 0x33
  static let data: UInt8 = 0x40
  static let ascii: UInt8 = 0x50
  static let utf16: UInt8 = 0x60
  static let array: UInt8 = 0xA0
  static let dictionary: UInt8 = 0xD0

  /// The deepest nesting of containers, for reading and writing.
  static let depthMax = 128
}

/// Reads any binary property list into values.
///
/// For untrusted bytes: checks every offset, reference and count, and bounds depth and memory. Objects may be shared,
/// as Apple's writer shares equal ones; each use becomes a separate value, and a small list in which shared containers
/// multiply is refused.
public struct PropertyListReader {
  /// Reads the value.
  ///
  /// - Throws: The first error, with its offset.
  public static func read(_ bytes: [UInt8]) throws(PropertyListError) -> PropertyListValue {
    var reader = PropertyListReader(table: try PropertyListTable(bytes))
    return try reader.value(at: try reader.table.offset(of: reader.table.top, from: bytes.count - 16), depth: 0)
  }

  private let table: PropertyListTable
  /// The remaining budget for values.
  ///
  /// A value costs 32 plus its length. A list without sharing costs at most 33 per byte, so only sharing can exhaust
  /// the budget.
  private var budget: Int

  private init(table: PropertyListTable) {
    self.table = table
    budget = max(16 << 20, table.bytes.count * 64)
  }

  private mutating func value(at offset: Int, depth: Int) throws(PropertyListError) -> PropertyListValue {
    let marker = table.bytes[offset]
    switch marker {
    case PropertyListFormat.falseMarker, PropertyListFormat.trueMarker:
      try spend(0, at: offset)
      return .bool(marker == PropertyListFormat.trueMarker)
    case 0x10...0x1F:
      try spend(0, at: offset)
      return .integer(try table.integer(at: offset))
    case PropertyListFormat.dateMarker:
      try spend(0, at: offset)
      return .date(try table.real(at: offset))
    case 0x20...0x2F:
      try spend(0, at: offset)
      return .real(try table.real(at: offset))
    case 0x40...0x4F:
      let (start, count) = try table.contents(at: offset, size: 1)
      try spend(count, at: offset)
      return .data(Array(table.bytes[start..<start + count]))
    case 0x50...0x6F: return .string(try string(at: offset))
    case 0xA0...0xAF: return .array(try elements(at: offset, depth: depth))
    case 0xD0...0xDF: return .dictionary(try entries(at: offset, depth: depth))
    default:
      throw PropertyListError(at: offset, found: table.kind(at: offset), expected: "a property list's value")
    }
  }

  private mutating func string(at offset: Int) throws(PropertyListError) -> String {
    let marker = table.bytes[offset]
    guard (0x50...0x6F).contains(marker) else {
      throw PropertyListError(at: offset, found: table.kind(at: offset), expected: "a string as key")
    }
    let size = marker & 0xF0 == PropertyListFormat.ascii ? 1 : 2
    try spend(try table.contents(at: offset, size: size).count * size, at: offset)
    return try table.string(at: offset)
  }

  private mutating func elements(at offset: Int, depth: Int) throws(PropertyListError) -> [PropertyListValue] {
    try checkDepth(depth, at: offset)
    let (start, count) = try table.contents(at: offset, size: table.referenceSize)
    try spend(0, at: offset)
    var elements: [PropertyListValue] = []
    for index in 0..<count {
      elements.append(try value(at: try table.target(of: start + index * table.referenceSize), depth: depth + 1))
    }
    return elements
  }

  private mutating func entries(at offset: Int, depth: Int) throws(PropertyListError) -> [PropertyListEntry] {
    try checkDepth(depth, at: offset)
    let (start, count) = try table.contents(at: offset, size: 2 * table.referenceSize)
    try spend(0, at: offset)
    var entries: [PropertyListEntry] = []
    var keys = PropertyListKeys()
    for index in 0..<count {
      let place = start + index * table.referenceSize
      let keyOffset = try table.target(of: place)
      let key = try string(at: keyOffset)
      try keys.insert(key, at: keyOffset)
      let target = try table.target(of: place + count * table.referenceSize)
      entries.append(PropertyListEntry(key, try value(at: target, depth: depth + 1)))
    }
    return entries
  }

  private func checkDepth(_ depth: Int, at offset: Int) throws(PropertyListError) {
    guard depth < PropertyListFormat.depthMax else {
      throw PropertyListError(
        at: offset, found: "a container that contains itself, or one more",
        expected: "at most \(PropertyListFormat.depthMax) nested containers")
    }
  }

  private mutating func spend(_ length: Int, at offset: Int) throws(PropertyListError) {
    budget -= 32 + length
    guard budget >= 0 else {
      throw PropertyListError(at: offset, found: "shared objects without end", expected: "a list of usual size")
    }
  }
}

/// The keys of one dictionary, to find duplicates; never iterated.
struct PropertyListKeys {
  private var keys: Set<String> = []

  mutating func insert(_ key: String, at offset: Int) throws(PropertyListError) {
    guard keys.insert(key).inserted else {
      throw PropertyListError(at: offset, found: "the key \(quoted(key)) again", expected: "unique keys")
    }
  }
}

/// Writes values as binary property lists.
///
/// Equal values give equal bytes. The format is Apple's `bplist00` (CoreFoundation's CFBinaryPList.c): header, objects,
/// the table of their offsets, trailer. Equal objects are written repeatedly, which Apple's readers accept.
public struct PropertyListWriter {
  /// Returns any value as a binary property list.
  ///
  /// - Throws: If containers are nested more than 128 deep, or a dictionary repeats a key.
  public static func bytes(of value: PropertyListValue) throws(PropertyListError) -> [UInt8] {
    let count = try objectCount(value, depth: 0)
    // Apple's reader needs one spare value of a reference.
    var writer = PropertyListWriter(referenceSize: count < 1 << 8 ? 1 : count < 1 << 16 ? 2 : 4)
    writer.put(value)
    return writer.finish()
  }

  private var bytes: [UInt8] = []
  /// The offset of each object.
  private var offsets: [UInt64] = []
  /// Bytes of one reference.
  private let referenceSize: Int

  private init(referenceSize: Int) {
    self.referenceSize = referenceSize
    put(PropertyListFormat.magic, size: 8)
  }

  /// The number of objects that a value is written as.
  private static func objectCount(_ value: PropertyListValue, depth: Int) throws(PropertyListError) -> Int {
    let elements: [PropertyListValue]
    var count = 1
    switch value {
    case .array(let values): elements = values
    case .dictionary(let entries):
      var keys = PropertyListKeys()
      for entry in entries { try keys.insert(entry.key, at: 0) }
      elements = entries.map(\.value)
      count += entries.count
    default: return 1
    }
    guard depth < PropertyListFormat.depthMax else {
      throw PropertyListError(
        at: 0, found: "one more container", expected: "at most \(PropertyListFormat.depthMax) nested containers")
    }
    for element in elements { count += try objectCount(element, depth: depth + 1) }
    return count
  }

  private mutating func put(_ value: PropertyListValue) {
    offsets.append(UInt64(bytes.count))
    switch value {
    case .string(let text):
      if text.utf8.allSatisfy({ $0 < 0x80 }) {
        putMarker(PropertyListFormat.ascii, count: text.utf8.count)
        bytes += text.utf8
      } else {
        putMarker(PropertyListFormat.utf16, count: text.utf16.count)
        for unit in text.utf16 { put(UInt64(unit), size: 2) }
      }
    case .integer(let number): putInteger(number)
    case .real(let number): putReal(number, marker: PropertyListFormat.real | 3)
    case .date(let seconds): putReal(seconds, marker: PropertyListFormat.dateMarker)
    case .data(let data):
      putMarker(PropertyListFormat.data, count: data.count)
      bytes += data
    case .bool(let flag): bytes.append(flag ? PropertyListFormat.trueMarker : PropertyListFormat.falseMarker)
    case .array(let elements): putContainer(PropertyListFormat.array, keys: [], elements)
    case .dictionary(let entries):
      putContainer(PropertyListFormat.dictionary, keys: entries.map(\.key), entries.map(\.value))
    }
  }

  /// Writes a container: the references to its keys and values, then each key with its value.
  private mutating func putContainer(_ marker: UInt8, keys: [String], _ values: [PropertyListValue]) {
    putMarker(marker, count: values.count)
    let references = bytes.count
    bytes += [UInt8](repeating: 0, count: (keys.count + values.count) * referenceSize)
    for (index, value) in values.enumerated() {
      if !keys.isEmpty {
        putReference(at: references + index * referenceSize)
        put(.string(keys[index]))
      }
      putReference(at: references + (keys.count + index) * referenceSize)
      put(value)
    }
  }

  /// Fills in the reference to the next object.
  private mutating func putReference(at place: Int) {
    for index in 0..<referenceSize {
      bytes[place + index] = UInt8(truncatingIfNeeded: offsets.count >> (8 * (referenceSize - 1 - index)))
    }
  }

  /// Writes an object's first byte and its count, which follows as an integer if it is 15 or more.
  private mutating func putMarker(_ marker: UInt8, count: Int) {
    bytes.append(marker | UInt8(min(count, 15)))
    if count >= 15 { putInteger(Int64(count)) }
  }

  /// Writes an integer in 1, 2, 4 or, always if negative, 8 bytes.
  private mutating func putInteger(_ value: Int64) {
    let exponent = value < 0 ? 3 : value < 1 << 8 ? 0 : value < 1 << 16 ? 1 : value < 1 << 32 ? 2 : 3
    bytes.append(PropertyListFormat.integer | UInt8(exponent))
    put(UInt64(bitPattern: value), size: 1 << exponent)
  }

  private mutating func putReal(_ value: Double, marker: UInt8) {
    bytes.append(marker)
    put(value.bitPattern, size: 8)
  }

  /// Writes the last bytes of a number, the most significant first.
  private mutating func put(_ number: UInt64, size: Int) {
    for index in (0..<size).reversed() { bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(8 * index))) }
  }

  /// Writes the table of offsets and the trailer.
  private mutating func finish() -> [UInt8] {
    let table = UInt64(bytes.count)
    let offsetSize = table < 1 << 8 ? 1 : table < 1 << 16 ? 2 : 4
    for offset in offsets { put(offset, size: offsetSize) }
    // Six unused bytes, the two sizes, the number of objects, the top object, the table.
    for number in [UInt64(offsetSize << 8 | referenceSize), UInt64(offsets.count), 0, table] { put(number, size: 8) }
    return bytes
  }
}
