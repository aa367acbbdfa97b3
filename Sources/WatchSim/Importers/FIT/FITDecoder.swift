// Splits a FIT file into its data messages. Knows the framing of the format and nothing of running. Public facts about
// the format only: the layout was checked against files of a dozen manufacturers.
//
// Damage: a wrong checksum is a finding; an undefined local type or a truncated message ends the part, because the
// start of the next message is unknown. Several files may be chained, each with a header of its own.

/// Decodes the messages of a FIT file, part by part.
struct FITDecoder {
  /// Limit of data messages in one file.
  static let messagesMax = 1_000_000

  private let bytes: [UInt8]
  private(set) var findings = ImportFindings()
  /// Number of headers found.
  private(set) var partCount = 0
  private(set) var messageCount = 0
  private var misfits = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The limit was exceeded at `offset`.
  struct TooManyMessages: Error {
    let offset: Int
  }

  /// Passes every complete data message to `visit`, in the file's order; the first header must be readable.
  ///
  /// - Throws: `TooManyMessages` beyond `messagesMax`.
  mutating func decode(_ visit: (FITMessage) -> Void) throws(TooManyMessages) {
    var offset = 0
    while let header = FITHeader(bytes, at: offset) {
      partCount += 1
      if header.isChecksumRight == false { findings.add("the header's checksum is wrong") }
      let start = offset + header.byteCount
      let isUnfinished = header.dataByteCount == 0
      if isUnfinished { findings.add("the header gives no length: the recording was never finished") }
      let declaredEnd = isUnfinished ? bytes.count : start + header.dataByteCount
      let limit = min(declaredEnd, bytes.count)
      let stopped = try decodePart(from: start, to: limit, visit)
      reportEnd(of: offset, declaredEnd: declaredEnd, stopped: stopped, isUnfinished: isUnfinished)
      // An empty part would otherwise loop forever.
      offset = max(declaredEnd + 2, start)
      if isUnfinished { break }
    }
    if offset < bytes.count, partCount > 0 {
      findings.add(bytes.count - offset, "byte behind the end was left out", "bytes behind the end were left out")
    }
    findings.add(
      misfits, "field's length does not fit its type; left out", "fields' lengths do not fit their types; left out")
  }

  /// Where and why decoding of a part stopped early.
  private enum Stop {
    case undefinedType(UInt8, offset: Int)
    case cutMessage(offset: Int)
  }

  private mutating func decodePart(
    from start: Int, to limit: Int, _ visit: (FITMessage) -> Void
  ) throws(TooManyMessages) -> Stop? {
    var definitions = [FITDefinition?](repeating: nil, count: 16)
    var lastTime: UInt32?
    var cursor = start
    while cursor < limit {
      let first = bytes[cursor]
      if first & 0xC0 == 0x40 {
        guard
          let (definition, end) = FITDefinition.read(
            bytes, at: cursor, limit: limit, hasDeveloperFields: first & 0x20 != 0)
        else { return .cutMessage(offset: cursor) }
        definitions[Int(first & 0x0F)] = definition
        if definition.hasMisfits { misfits += 1 }
        cursor = end
        continue
      }
      let isCompressed = first & 0x80 != 0
      let local = isCompressed ? first >> 5 & 0x03 : first & 0x0F
      guard let definition = definitions[Int(local)] else { return .undefinedType(local, offset: cursor) }
      guard cursor + 1 + definition.byteCount <= limit else { return .cutMessage(offset: cursor) }
      messageCount += 1
      guard messageCount <= Self.messagesMax else { throw TooManyMessages(offset: cursor) }
      var compressedTime: UInt32?
      if isCompressed, let base = lastTime {
        // The five bits replace the lowest of the last time; a smaller value means that they rolled over.
        compressedTime = base &+ (UInt32(first & 0x1F) &- base) & 0x1F
      }
      let message = FITMessage(
        definition: definition, compressedTime: compressedTime, bytes: bytes, offset: cursor + 1)
      lastTime = message.time ?? lastTime
      visit(message)
      cursor += 1 + definition.byteCount
    }
    return nil
  }

  private mutating func reportEnd(of part: Int, declaredEnd: Int, stopped: Stop?, isUnfinished: Bool) {
    switch stopped {
    case .undefinedType(let type, let offset):
      findings.add("message of undefined type \(type) at byte \(offset); what came before was read")
    case .cutMessage(let offset):
      findings.add("message cut short at byte \(offset); what came before was read")
    case nil: break
    }
    guard !isUnfinished else { return }
    if declaredEnd > bytes.count {
      findings.add("the file is cut: \(declaredEnd - bytes.count) bytes of its data are missing")
      if isDamagedInTransfer(part: part, stopped: stopped) {
        findings.add("damaged in transfer: sent as text, it has lost its carriage returns")
      }
      return
    }
    guard declaredEnd + 2 <= bytes.count else {
      findings.add("the file's checksum is missing")
      return
    }
    let stored = UInt16(bytes[declaredEnd]) | UInt16(bytes[declaredEnd + 1]) << 8
    if stored != FITChecksum.compute(bytes[part..<declaredEnd]) { findings.add("the file's checksum is wrong") }
  }

  /// Whether a transfer in text mode replaced CR LF pairs by LF: the file is too short, contains no pair, and decoding
  /// fails in the middle.
  private func isDamagedInTransfer(part: Int, stopped: Stop?) -> Bool {
    guard case .undefinedType? = stopped else { return false }
    var previous: UInt8 = 0
    for byte in bytes[part...] {
      if previous == 0x0D, byte == 0x0A { return false }
      previous = byte
    }
    return true
  }
}

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

// The checksum of FIT files: CRC-16/ARC, reflected polynomial 0xA001, initial value 0, no final XOR; four bits at a
// time.

enum FITChecksum {
  private static let table: [UInt16] = [
    0x0000, 0xCC01, 0xD801, 0x1400, 0xF001, 0x3C00, 0x2800, 0xE401,
    0xA001, 0x6C00, 0x7800, 0xB401, 0x5000, 0x9C01, 0x8801, 0x4400,
  ]

  static func compute(_ bytes: ArraySlice<UInt8>) -> UInt16 {
    var checksum: UInt16 = 0
    for byte in bytes {
      checksum = (checksum >> 4) ^ table[Int((checksum ^ UInt16(byte)) & 0x0F)]
      checksum = (checksum >> 4) ^ table[Int((checksum ^ UInt16(byte >> 4)) & 0x0F)]
    }
    return checksum
  }
}
