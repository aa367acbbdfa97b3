/// The records of an answer in a journal, without gaps.
public enum JournaledAnswer {
  /// Passes each record with its head to `body`, in order; the bytes come from ``RecordWriter``.
  ///
  /// - Throws: The error if the bytes are not records.
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
