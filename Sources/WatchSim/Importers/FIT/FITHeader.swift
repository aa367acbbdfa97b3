// The header in front of every part of a FIT file.

/// A FIT header: 12 bytes, or 14 with a checksum of its own, or more in a future version.
struct FITHeader: Sendable, Equatable {
  static let bytesMin = 12

  /// The header's own size in bytes.
  let byteCount: Int
  /// The size of the records after it; 0 if the recording was never finished.
  let dataByteCount: Int
  /// Whether its checksum is correct; nil if it has none.
  let isChecksumRight: Bool?

  /// Reads the header at `offset`; nil if there is none.
  init?(_ bytes: [UInt8], at offset: Int) {
    guard offset >= 0, bytes.count - offset >= Self.bytesMin else { return nil }
    let size = Int(bytes[offset])
    guard size >= Self.bytesMin, bytes.count - offset >= size,
      bytes[(offset + 8)..<(offset + 12)].elementsEqual(".FIT".utf8)
    else { return nil }
    byteCount = size
    dataByteCount = (0..<4).reduce(0) { $0 | Int(bytes[offset + 4 + $1]) << (8 * $1) }
    if size >= 14 {
      let stored = UInt16(bytes[offset + 12]) | UInt16(bytes[offset + 13]) << 8
      isChecksumRight =
        stored == 0 ? nil : stored == FITChecksum.compute(bytes[offset..<(offset + 12)])
    } else {
      isChecksumRight = nil
    }
  }
}
