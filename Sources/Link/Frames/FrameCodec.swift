/// Converts frames to bytes and back: a header of 56 bytes, little-endian, then the payload.
///
/// | offset | bytes | what |
/// | --- | --- | --- |
/// | 0 | 2 | magic, 0x5757 |
/// | 2 | 1 | version, 1 |
/// | 3 | 1 | kind |
/// | 4 | 1 | channel |
/// | 5 | 1 | flags |
/// | 6 | 2 | attempt |
/// | 8 | 4 | epoch |
/// | 12 | 4 | payload length |
/// | 16 | 8 | seq |
/// | 24 | 8 | offset |
/// | 32 | 16 | transfer, in the order of the UUID's digits (big-endian) |
/// | 48 | 4 | peer's epoch |
/// | 52 | 4 | CRC-32C (Castagnoli) of bytes 0..<52 and the payload |
///
/// Decoding any bytes gives a frame or a ``FrameError``. Encoding a decoded frame gives the same bytes.
public enum FrameCodec {
  /// `WW`.
  public static let magic: UInt16 = 0x5757
  /// The version of this layout.
  public static let version: UInt8 = 1
  /// The length of the header without the checksum, in bytes.
  static let checkedBytes = 52

  private static let blankHeader = [UInt8](repeating: 0, count: Frame.headerBytes)

  /// Returns a frame's bytes.
  public static func encode(_ frame: Frame) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(frame.wireBytes)
    append(frame, to: &bytes)
    return bytes
  }

  /// Appends a frame's bytes.
  ///
  /// - Parameters:
  ///   - frame: Its payload is at most ``Frame/payloadBytesMax``: the session refuses larger ones.
  ///   - bytes: The bytes so far.
  public static func append(_ frame: Frame, to bytes: inout [UInt8]) {
    precondition(frame.payload.count <= Frame.payloadBytesMax, "a payload of \(frame.payload.count) bytes")
    let start = bytes.count
    bytes.append(contentsOf: blankHeader)
    bytes.append(contentsOf: frame.payload)
    var target = bytes.mutableSpan
    target.store(magic.littleEndian, at: start)
    target[start + 2] = version
    target[start + 3] = frame.kind.rawValue
    target[start + 4] = frame.channel.rawValue
    target[start + 5] = frame.flags.rawValue
    target.store(frame.attempt.littleEndian, at: start + 6)
    target.store(frame.epoch.rawValue.littleEndian, at: start + 8)
    target.store(UInt32(frame.payload.count).littleEndian, at: start + 12)
    target.store(frame.seq.rawValue.littleEndian, at: start + 16)
    target.store(frame.offset.littleEndian, at: start + 24)
    target.store(frame.transfer.high.bigEndian, at: start + 32)
    target.store(frame.transfer.low.bigEndian, at: start + 40)
    target.store(frame.peerEpoch.rawValue.littleEndian, at: start + 48)
    let checksum = checksum(of: bytes.span.extracting(start...))
    var checked = bytes.mutableSpan
    checked.store(checksum.littleEndian, at: start + checkedBytes)
  }

  /// Reads one frame that fills `bytes` exactly.
  public static func decode(_ bytes: [UInt8]) throws(FrameError) -> Frame { try decode(bytes.span) }

  /// Reads one frame that fills `bytes` exactly.
  public static func decode(_ bytes: Span<UInt8>) throws(FrameError) -> Frame {
    guard bytes.count >= Frame.headerBytes else {
      throw .truncated(found: bytes.count, expected: Frame.headerBytes)
    }
    let magic = bytes.littleEndian(UInt16.self, at: 0)
    guard magic == Self.magic else { throw .badMagic(found: magic) }
    guard bytes[2] == version else { throw .badVersion(found: bytes[2]) }
    let length = Int(bytes.littleEndian(UInt32.self, at: 12))
    guard length <= Frame.payloadBytesMax else { throw .oversized(bytes: length, max: Frame.payloadBytesMax) }
    let whole = Frame.headerBytes + length
    guard bytes.count >= whole else { throw .truncated(found: bytes.count, expected: whole) }
    guard bytes.count == whole else { throw .trailing(bytes: bytes.count - whole) }
    let found = bytes.littleEndian(UInt32.self, at: 52)
    let expected = checksum(of: bytes)
    guard found == expected else { throw .badChecksum(found: found, expected: expected) }
    // After the checksum, so that a flipped bit in the kind is reported as a bad checksum.
    guard let kind = Frame.Kind(rawValue: bytes[3]) else { throw .unknownKind(bytes[3]) }
    guard let channel = Channel(rawValue: bytes[4]) else { throw .unknownChannel(bytes[4]) }
    let high = bytes.littleEndian(UInt64.self, at: 32).byteSwapped
    let low = bytes.littleEndian(UInt64.self, at: 40).byteSwapped
    var payload: [UInt8] = []
    bytes.extracting(Frame.headerBytes...).append(to: &payload)
    return Frame(
      kind: kind, channel: channel, flags: Frame.Flags(rawValue: bytes[5]),
      attempt: bytes.littleEndian(UInt16.self, at: 6),
      epoch: Epoch(bytes.littleEndian(UInt32.self, at: 8)),
      peerEpoch: Epoch(bytes.littleEndian(UInt32.self, at: 48)),
      seq: SequenceNumber(
        bytes.littleEndian(UInt64.self, at: 16)),
      offset: bytes.littleEndian(UInt64.self, at: 24),
      transfer: Identifier(high: high, low: low),
      payload: payload)
  }

  /// The checksum of a whole frame without its own four bytes.
  private static func checksum(of frame: Span<UInt8>) -> UInt32 {
    let header = Checksum.crc32c(frame.extracting(first: checkedBytes))
    return Checksum.crc32c(frame.extracting(Frame.headerBytes...), continuing: header)
  }
}
