package import Link

/// Writes integers, least significant byte first.
package struct ByteWriter {
  package var bytes: [UInt8] = []

  package init() {}

  @inlinable package mutating func append<T: FixedWidthInteger>(_ value: T) {
    for shift in stride(from: 0, to: T.bitWidth, by: 8) { bytes.append(UInt8(truncatingIfNeeded: value >> T(shift))) }
  }

  @inlinable package mutating func append(_ identifier: Identifier) {
    append(identifier.high)
    append(identifier.low)
  }

  mutating func append(_ number: Double) { append(number.bitPattern) }
}

/// Reads the output of a ``ByteWriter`` from untrusted bytes.
package struct ByteReader {
  private let bytes: [UInt8]
  private let name: String
  private var offset = 0

  /// Creates a reader.
  ///
  /// - Parameter name: The name of the bytes in errors.
  package init(_ bytes: [UInt8], _ name: String) {
    self.bytes = bytes
    self.name = name
  }

  package mutating func integer<T: FixedWidthInteger>(
    in bounds: ClosedRange<T> = T.min...T.max
  ) throws(StoreError) -> T {
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

  package mutating func identifier() throws(StoreError) -> Identifier {
    Identifier(high: try integer(), low: try integer())
  }

  mutating func double() throws(StoreError) -> Double { Double(bitPattern: try integer()) }

  /// The number of following elements, of which each has at least `size` bytes.
  mutating func count(of size: Int) throws(StoreError) -> Int {
    Int(try integer(in: 0...UInt32(clamping: max(bytes.count - offset - 4, 0) / size)))
  }

  var isAtEnd: Bool { offset == bytes.count }

  /// All remaining bytes.
  package mutating func rest() -> [UInt8] {
    defer { offset = bytes.count }
    return Array(bytes[offset...])
  }

  /// Checks that no bytes remain.
  package func end() throws(StoreError) {
    guard offset == bytes.count else { throw error("\(bytes.count) bytes", expected: "\(offset)") }
  }

  package func error(_ found: String, expected: String) -> StoreError {
    StoreError(.corrupt, "the watch's \(name): found \(found), expected \(expected)")
  }
}
