/// One message in the Protocol Buffers wire format, field by field.
struct ProtobufWriter {
  private(set) var bytes: [UInt8] = []

  /// Appends a number of up to 64 bits as a varint.
  mutating func add(_ field: Int, _ value: UInt64) {
    varint(UInt64(field) << 3)
    varint(value)
  }

  /// Appends a signed number as `int64` has it.
  mutating func add(_ field: Int, signed value: Int64) { add(field, UInt64(bitPattern: value)) }

  /// Appends a number of eight bytes.
  mutating func add(_ field: Int, fixed value: UInt64) {
    varint(UInt64(field) << 3 | 1)
    for shift in stride(from: UInt64(0), to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: value >> shift)) }
  }

  mutating func add(_ field: Int, _ value: Double) { add(field, fixed: value.bitPattern) }

  mutating func add(_ field: Int, _ text: String) { add(field, Array(text.utf8)) }

  mutating func add(_ field: Int, _ message: ProtobufWriter) { add(field, message.bytes) }

  /// Appends bytes with their length before them: a text or a message.
  mutating func add(_ field: Int, _ content: [UInt8]) {
    varint(UInt64(field) << 3 | 2)
    varint(UInt64(content.count))
    bytes += content
  }

  private mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}
