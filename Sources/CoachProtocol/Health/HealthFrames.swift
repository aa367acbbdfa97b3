public import Link

/// Messages to and from the health store: frames of the channel `health`, which no link carries.
///
/// The platform itself syncs workouts between devices; an app neither sends nor sees this. So these frames pass only
/// between a node and the simulated platform, are not in the trace, and are exempt from faults.
///
/// A message that exceeds a frame is split: `seq` counts the parts from 1, `offset` is their number.
public enum HealthFrames {
  /// Limit of one part.
  static let partBytes = 200_000

  /// Splits a message into frames, at least one.
  public static func make(
    _ kind: Frame.Kind, about name: Identifier, epoch: Epoch, _ bytes: [UInt8]
  ) -> [Frame] {
    let count = max(1, (bytes.count + partBytes - 1) / partBytes)
    return (0..<count).map { part in
      Frame(
        kind: kind, channel: .health, epoch: epoch, seq: SequenceNumber(UInt64(part + 1)), offset: UInt64(count),
        transfer: name,
        payload: Array(bytes[min(part * partBytes, bytes.count)..<min((part + 1) * partBytes, bytes.count)]))
    }
  }

  /// A query of the phone's app, in one frame.
  public static func query(_ query: HealthQuery, epoch: Epoch) -> Frame {
    make(.data, about: Identifier(high: 0, low: 0), epoch: epoch, query.bytes)[0]
  }

  /// Reassembles messages from their parts.
  public struct Assembly: Sendable, Equatable {
    private var name: Identifier?
    private var parts: UInt64 = 0
    private var bytes: [UInt8] = []

    public init() {}

    /// Adds the next part.
    ///
    /// - Returns: The whole message with its last part; nil before, and for a part out of order.
    public mutating func append(_ frame: Frame) -> [UInt8]? {
      if frame.seq.rawValue == 1 {
        name = frame.transfer
        parts = 0
        bytes = []
      }
      guard name == frame.transfer, frame.seq.rawValue == parts + 1 else {
        self = Assembly()
        return nil
      }
      parts += 1
      bytes += frame.payload
      guard parts >= frame.offset else { return nil }
      defer { self = Assembly() }
      return bytes
    }
  }
}

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
