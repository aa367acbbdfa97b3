/// The structure of a binary property list: the offsets of its objects, checked so that no read goes outside.
struct PropertyListTable: Sendable {
  let bytes: [UInt8]
  /// Where the objects end and the table of their offsets starts.
  let end: Int
  let offsetSize: Int
  let referenceSize: Int
  let objectCount: Int
  let top: Int

  /// Reads the header and the trailer.
  init(_ bytes: [UInt8]) throws(PropertyListError) {
    let trailer = bytes.count - PropertyListFormat.trailerBytes
    guard trailer > PropertyListFormat.headerBytes else {
      throw PropertyListError(at: 0, found: "\(bytes.count) bytes", expected: "a binary property list")
    }
    guard Self.bigEndian(bytes, at: 0) == PropertyListFormat.magic else {
      throw PropertyListError(at: 0, found: "something else", expected: "\"bplist00\"")
    }
    offsetSize = Int(bytes[trailer + 6])
    referenceSize = Int(bytes[trailer + 7])
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize) else {
      throw PropertyListError(
        at: trailer + 6, found: "offsets of \(offsetSize) and references of \(referenceSize) bytes",
        expected: "1 to 8 for each")
    }
    let (count, top, table) = (
      Self.bigEndian(bytes, at: trailer + 8), Self.bigEndian(bytes, at: trailer + 16),
      Self.bigEndian(bytes, at: trailer + 24)
    )
    guard table > UInt64(PropertyListFormat.headerBytes), table <= UInt64(trailer) else {
      throw PropertyListError(at: trailer + 24, found: "a table of offsets at \(table)", expected: "one in the bytes")
    }
    guard count > 0, count <= (UInt64(trailer) - table) / UInt64(offsetSize) else {
      throw PropertyListError(at: trailer + 8, found: "\(count) objects", expected: "as many as there are offsets")
    }
    guard top < count else {
      throw PropertyListError(at: trailer + 16, found: "the top object \(top)", expected: "one below \(count)")
    }
    self.bytes = bytes
    end = Int(table)
    objectCount = Int(count)
    self.top = Int(top)
  }

  /// The offset of an object.
  ///
  /// - Parameter reference: The offset of the reference, for the error.
  @inline(__always)
  func offset(of object: Int, from reference: Int) throws(PropertyListError) -> Int {
    guard object < objectCount else {
      throw PropertyListError(at: reference, found: "object \(object)", expected: "one below \(objectCount)")
    }
    let place = end + object * offsetSize
    let offset = number(at: place, size: offsetSize)
    guard offset >= UInt64(PropertyListFormat.headerBytes), offset < UInt64(end) else {
      throw PropertyListError(at: place, found: "the offset \(offset)", expected: "one among the objects")
    }
    return Int(truncatingIfNeeded: offset)
  }

  /// The number of the object that a reference names.
  @inline(__always)
  func object(at reference: Int) throws(PropertyListError) -> Int {
    let object = number(at: reference, size: referenceSize)
    guard object < UInt64(objectCount) else {
      throw PropertyListError(at: reference, found: "object \(object)", expected: "one below \(objectCount)")
    }
    return Int(truncatingIfNeeded: object)
  }

  /// The offset of the object that a reference names.
  @inline(__always)
  func target(of reference: Int) throws(PropertyListError) -> Int {
    try offset(of: try object(at: reference), from: reference)
  }

  /// The count of an object, and the offset of its contents, which end before the table.
  ///
  /// - Parameter size: Bytes of one item.
  @inline(__always)
  func contents(at offset: Int, size: Int) throws(PropertyListError) -> (start: Int, count: Int) {
    let short = Int(bytes[offset] & 15)
    if short < 15 {
      guard short * size <= end - offset - 1 else { throw tooLong(short, at: offset) }
      return (offset + 1, short)
    }
    return try longContents(at: offset, size: size)
  }

  private func longContents(at offset: Int, size: Int) throws(PropertyListError) -> (start: Int, count: Int) {
    guard offset + 1 < end, bytes[offset + 1] & 0xF0 == PropertyListFormat.integer, bytes[offset + 1] & 15 <= 3 else {
      throw PropertyListError(at: offset + 1, found: "something else", expected: "the object's count as an integer")
    }
    let bytesOfCount = 1 << Int(bytes[offset + 1] & 15)
    let start = offset + 2 + bytesOfCount
    guard start <= end else { throw tooLong(bytesOfCount, at: offset + 1) }
    let count = number(at: offset + 2, size: bytesOfCount)
    guard count <= UInt64(end - start) / UInt64(size) else { throw tooLong(count, at: offset) }
    return (start, Int(truncatingIfNeeded: count))
  }

  private func tooLong(_ count: some BinaryInteger, at offset: Int) -> PropertyListError {
    PropertyListError(at: offset, found: "a count of \(count)", expected: "one that fits before byte \(end)")
  }

  /// The value of an integer object: 1, 2 or 4 bytes unsigned, 8 signed, 16 if the value fits in 64 bits.
  @inline(__always)
  func integer(at offset: Int) throws(PropertyListError) -> Int64 {
    let exponent = Int(bytes[offset] & 15)
    guard exponent <= 4, (1 << exponent) <= end - offset - 1 else {
      throw PropertyListError(
        at: offset, found: "an integer of 2^\(exponent) bytes", expected: "at most 16, inside the list")
    }
    guard exponent == 4 else {
      return Int64(truncatingIfNeeded: number(at: offset + 1, size: 1 << exponent))
    }
    let high = Int64(truncatingIfNeeded: Self.bigEndian(bytes, at: offset + 1))
    let low = Int64(truncatingIfNeeded: Self.bigEndian(bytes, at: offset + 9))
    guard high == (low < 0 ? -1 : 0) else {
      throw PropertyListError(at: offset, found: "an integer past 64 bits", expected: "at most 64, signed")
    }
    return low
  }

  /// The value of a real or date object of 4 or 8 bytes.
  @inline(__always)
  func real(at offset: Int) throws(PropertyListError) -> Double {
    switch bytes[offset] & 15 {
    case 3 where end - offset > 8: return Double(bitPattern: Self.bigEndian(bytes, at: offset + 1))
    case 2 where end - offset > 4:
      return Double(Float(bitPattern: UInt32(truncatingIfNeeded: number(at: offset + 1, size: 4))))
    default:
      throw PropertyListError(at: offset, found: "a number of another size", expected: "4 or 8 bytes, inside the list")
    }
  }

  /// The text of a string object.
  func string(at offset: Int) throws(PropertyListError) -> String {
    if bytes[offset] & 0xF0 == PropertyListFormat.ascii {
      let (start, count) = try contents(at: offset, size: 1)
      let text = bytes[start..<start + count]
      if let bad = text.firstIndex(where: { $0 >= 0x80 }) {
        throw PropertyListError(at: bad, found: "the byte \(bytes[bad])", expected: "ASCII")
      }
      return String(decoding: text, as: UTF8.self)
    }
    let (start, count) = try contents(at: offset, size: 2)
    let units = (0..<count).map { UInt16(bytes[start + 2 * $0]) << 8 | UInt16(bytes[start + 2 * $0 + 1]) }
    guard let text = String(validating: units, as: UTF16.self) else {
      throw PropertyListError(at: offset, found: "a lone surrogate", expected: "UTF-16")
    }
    return text
  }

  /// Describes the type of an object, for an error.
  func kind(at offset: Int) -> String {
    switch bytes[offset] {
    case PropertyListFormat.falseMarker, PropertyListFormat.trueMarker: "a Boolean"
    case PropertyListFormat.dateMarker: "a date"
    case 0x10...0x1F: "an integer"
    case 0x20...0x2F: "a real"
    case 0x40...0x4F: "data"
    case 0x50...0x6F: "a string"
    case 0xA0...0xAF: "an array"
    case 0xD0...0xDF: "a dictionary"
    default: "an object of another kind (\(bytes[offset]))"
    }
  }

  /// The big-endian number of `size` bytes.
  @inline(__always)
  func number(at place: Int, size: Int) -> UInt64 {
    switch size {
    case 1: return UInt64(bytes[place])
    case 2: return UInt64(bytes.span.bigEndian(UInt16.self, at: place))
    case 8: return bytes.span.bigEndian(UInt64.self, at: place)
    default: return bytes[place..<place + size].reduce(0) { $0 << 8 | UInt64($1) }
    }
  }

  @inline(__always)
  static func bigEndian(_ bytes: [UInt8], at place: Int) -> UInt64 { bytes.span.bigEndian(UInt64.self, at: place) }
}
