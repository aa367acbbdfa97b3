import Link

/// Writes integers, least significant byte first.
struct ByteWriter {
  private(set) var bytes: [UInt8] = []

  mutating func append<T: FixedWidthInteger>(_ value: T) {
    for shift in stride(from: 0, to: T.bitWidth, by: 8) { bytes.append(UInt8(truncatingIfNeeded: value >> T(shift))) }
  }

  mutating func append(_ identifier: Identifier) {
    append(identifier.high)
    append(identifier.low)
  }
}

/// Reads the output of a ``ByteWriter`` from untrusted bytes.
struct ByteReader {
  private let bytes: [UInt8]
  private let name: String
  private var offset = 0

  /// Creates a reader.
  ///
  /// - Parameter name: The name of the bytes in errors.
  init(_ bytes: [UInt8], _ name: String) {
    self.bytes = bytes
    self.name = name
  }

  mutating func integer<T: FixedWidthInteger>(in bounds: ClosedRange<T> = T.min...T.max) throws(StoreError) -> T {
    let count = T.bitWidth / 8
    guard bytes.count - offset >= count else {
      throw error("\(bytes.count) bytes", expected: "\(offset + count) or more")
    }
    var value: T = 0
    for index in 0..<count { value |= T(truncatingIfNeeded: bytes[offset + index]) << T(index * 8) }
    guard bounds.contains(value) else {
      throw error("\(value) at byte \(offset)", expected: "\(bounds.lowerBound) to \(bounds.upperBound)")
    }
    offset += count
    return value
  }

  mutating func identifier() throws(StoreError) -> Identifier {
    Identifier(high: try integer(), low: try integer())
  }

  /// All remaining bytes.
  mutating func rest() -> [UInt8] {
    defer { offset = bytes.count }
    return Array(bytes[offset...])
  }

  /// Checks that no bytes remain.
  func end() throws(StoreError) {
    guard offset == bytes.count else { throw error("\(bytes.count) bytes", expected: "\(offset)") }
  }

  func error(_ found: String, expected: String) -> StoreError {
    StoreError(.corrupt, "the watch's \(name): found \(found), expected \(expected)")
  }
}
