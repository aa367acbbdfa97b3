/// The records of an answer as a journal keeps them, one behind the other.
public enum JournaledAnswer {
  /// Hands over each record with its head, in order; the bytes were written by ``RecordWriter``.
  ///
  /// - Throws: What is wrong with bytes that are no records.
  public static func forEachRecord(
    _ bytes: [UInt8], _ body: (RecordType, ArraySlice<UInt8>) -> Void
  ) throws(WireError) {
    var at = 0
    while at < bytes.count {
      guard bytes.count - at >= NodeWire.headBytes else { throw .emptyRecord }
      let length = Int(bytes.span.littleEndian(UInt32.self, at: at))
      guard length > 0 else { throw .emptyRecord }
      guard let type = RecordType(rawValue: bytes[at + 4]) else { throw .unknownType(bytes[at + 4]) }
      guard bytes.count - at - 4 >= length else {
        throw .malformed(type, expected: "\(length) bytes, found \(bytes.count - at - 4)")
      }
      body(type, bytes[at..<at + 4 + length])
      at += 4 + length
    }
  }
}
