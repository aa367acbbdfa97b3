@testable import CoachProtocol
@testable import Link

/// The checksum is made right first, since no mutation finds one.
enum FrameTarget: FuzzTarget {
  static let name = "frames"
  static let about = "frames; encoding a decoded frame gives the same bytes"

  static let example = Frame(
    kind: .data, channel: .message, flags: [], attempt: 1, epoch: Epoch(1), peerEpoch: Epoch(1),
    seq: SequenceNumber(7), offset: 0, transfer: Identifier(high: 1, low: 2),
    payload: AppMessage.Kind.allCases[0].example.encoded)

  static func seeds(_ tree: SourceTree) -> [[UInt8]] { [FrameCodec.encode(example)] }

  static func run(_ bytes: [UInt8]) {
    _ = try? FrameCodec.decode(bytes)
    guard bytes.count >= Frame.headerBytes else { return }
    var header = bytes
    header[0...2] = [0x57, 0x57, FrameCodec.version]
    let length = UInt32(bytes.count - Frame.headerBytes)
    for index in 0..<4 { header[12 + index] = UInt8(truncatingIfNeeded: length >> (8 * index)) }
    let sum = checksum(header)
    for index in 0..<4 { header[52 + index] = UInt8(truncatingIfNeeded: sum >> (8 * index)) }
    guard let frame = try? FrameCodec.decode(header) else { return }
    precondition(FrameCodec.encode(frame) == header, "another frame")
    _ = Hello(frame.payload)
    _ = FileOffer(frame.payload)
  }

  /// CRC-32C bit by bit, of a frame without its checksum.
  private static func checksum(_ frame: [UInt8]) -> UInt32 {
    var value: UInt32 = .max
    for byte in frame[..<52] + frame[Frame.headerBytes...] {
      value ^= UInt32(byte)
      for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0x82F6_3B78 : value >> 1 }
    }
    return ~value
  }
}
