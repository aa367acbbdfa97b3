import Link

/// Writes whole numbers, lowest byte first.
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

/// Reads what a ``ByteWriter`` wrote, whatever the bytes are.
struct ByteReader {
  private let bytes: [UInt8]
  private let name: String
  private var place = 0

  /// Begins to read.
  ///
  /// - Parameter name: What the bytes are called in an error.
  init(_ bytes: [UInt8], _ name: String) {
    self.bytes = bytes
    self.name = name
  }

  mutating func integer<T: FixedWidthInteger>(in bounds: ClosedRange<T> = T.min...T.max) throws(StoreError) -> T {
    let count = T.bitWidth / 8
    guard bytes.count - place >= count else {
      throw error("\(bytes.count) bytes", expected: "\(place + count) or more")
    }
    var value: T = 0
    for index in 0..<count { value |= T(truncatingIfNeeded: bytes[place + index]) << T(index * 8) }
    guard bounds.contains(value) else {
      throw error("\(value) at byte \(place)", expected: "\(bounds.lowerBound) to \(bounds.upperBound)")
    }
    place += count
    return value
  }

  mutating func identifier() throws(StoreError) -> Identifier {
    Identifier(high: try integer(), low: try integer())
  }

  /// Everything that is left.
  mutating func rest() -> [UInt8] {
    defer { place = bytes.count }
    return Array(bytes[place...])
  }

  /// Checks that nothing is left.
  func end() throws(StoreError) {
    guard place == bytes.count else { throw error("\(bytes.count) bytes", expected: "\(place)") }
  }

  func error(_ found: String, expected: String) -> StoreError {
    StoreError(.corrupt, "the watch's \(name): found \(found), expected \(expected)")
  }
}
