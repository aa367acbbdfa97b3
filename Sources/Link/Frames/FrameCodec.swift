import CSystem

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
    unsafe bytes.withUnsafeMutableBytes { all in
      let at = unsafe UnsafeMutableRawBufferPointer(rebasing: all[start...])
      unsafe at.storeBytes(of: magic.littleEndian, toByteOffset: 0, as: UInt16.self)
      unsafe at[2] = version
      unsafe at[3] = frame.kind.rawValue
      unsafe at[4] = frame.channel.rawValue
      unsafe at[5] = frame.flags.rawValue
      unsafe at.storeBytes(of: frame.attempt.littleEndian, toByteOffset: 6, as: UInt16.self)
      unsafe at.storeBytes(of: frame.epoch.rawValue.littleEndian, toByteOffset: 8, as: UInt32.self)
      unsafe at.storeBytes(of: UInt32(frame.payload.count).littleEndian, toByteOffset: 12, as: UInt32.self)
      unsafe at.storeBytes(of: frame.seq.rawValue.littleEndian, toByteOffset: 16, as: UInt64.self)
      unsafe at.storeBytes(of: frame.offset.littleEndian, toByteOffset: 24, as: UInt64.self)
      unsafe at.storeBytes(of: frame.transfer.high.bigEndian, toByteOffset: 32, as: UInt64.self)
      unsafe at.storeBytes(of: frame.transfer.low.bigEndian, toByteOffset: 40, as: UInt64.self)
      unsafe at.storeBytes(of: frame.peerEpoch.rawValue.littleEndian, toByteOffset: 48, as: UInt32.self)
      let checksum = unsafe checksum(of: UnsafeRawBufferPointer(at))
      unsafe at.storeBytes(of: checksum.littleEndian, toByteOffset: 52, as: UInt32.self)
    }
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
    let expected = unsafe bytes.withUnsafeBytes { unsafe checksum(of: $0) }
    guard found == expected else { throw .badChecksum(found: found, expected: expected) }
    // After the checksum, so that a flipped bit in the kind is reported as a bad checksum.
    guard let kind = Frame.Kind(rawValue: bytes[3]) else { throw .unknownKind(bytes[3]) }
    guard let channel = Channel(rawValue: bytes[4]) else { throw .unknownChannel(bytes[4]) }
    let high = bytes.littleEndian(UInt64.self, at: 32).byteSwapped
    let low = bytes.littleEndian(UInt64.self, at: 40).byteSwapped
    return Frame(
      kind: kind, channel: channel, flags: Frame.Flags(rawValue: bytes[5]),
      attempt: bytes.littleEndian(UInt16.self, at: 6),
      epoch: Epoch(bytes.littleEndian(UInt32.self, at: 8)),
      peerEpoch: Epoch(bytes.littleEndian(UInt32.self, at: 48)),
      seq: SequenceNumber(
        bytes.littleEndian(UInt64.self, at: 16)),
      offset: bytes.littleEndian(UInt64.self, at: 24),
      transfer: Identifier(high: high, low: low),
      payload: unsafe bytes.withUnsafeBytes {
        unsafe [UInt8](UnsafeRawBufferPointer(rebasing: $0[Frame.headerBytes...]))
      })
  }

  /// The checksum of a whole frame without its own four bytes.
  private static func checksum(of frame: UnsafeRawBufferPointer) -> UInt32 {
    let header = unsafe cs_crc32c(0, frame.baseAddress, checkedBytes)
    let payload = unsafe UnsafeRawBufferPointer(rebasing: frame[Frame.headerBytes...])
    return unsafe cs_crc32c(header, payload.baseAddress, payload.count)
  }
}
