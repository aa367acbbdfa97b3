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
