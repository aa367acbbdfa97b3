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
