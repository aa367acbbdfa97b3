/// Why bytes are not a frame.
public enum FrameError: Error, Sendable, Equatable {
  /// The first two bytes are not those of a frame.
  case badMagic(found: UInt16)
  /// An unknown version of the layout.
  case badVersion(found: UInt8)
  /// The header is intact, but has an unknown kind.
  case unknownKind(UInt8)
  /// The header is intact, but has an unknown channel.
  case unknownChannel(UInt8)
  /// The length of the payload exceeds the limit; both in bytes.
  case oversized(bytes: Int, max: Int)
  /// A bit was flipped during the transmission.
  case badChecksum(found: UInt32, expected: UInt32)
  /// There are fewer bytes than the frame has, header included.
  case truncated(found: Int, expected: Int)
  /// Bytes follow the frame.
  case trailing(bytes: Int)
}

extension FrameError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .badMagic(let found):
      "a frame begins with 0x\(hexText(UInt64(found), digits: 4)), expected 0x\(hexText(UInt64(FrameCodec.magic), digits: 4))"
    case .badVersion(let found): "a frame of version \(found), expected \(FrameCodec.version)"
    case .unknownKind(let found): "a frame of kind \(found), expected 0...\(Frame.Kind.allCases.count - 1)"
    case .unknownChannel(let found): "a frame of channel \(found), expected 0...\(Channel.allCases.count - 1)"
    case .oversized(let bytes, let max): "a payload of \(bytes) bytes, expected at most \(max)"
    case .badChecksum(let found, let expected):
      "a frame with checksum 0x\(hexText(UInt64(found), digits: 8)), expected 0x\(hexText(UInt64(expected), digits: 8))"
    case .truncated(let found, let expected): "a frame of \(found) bytes, expected \(expected)"
    case .trailing(let bytes): "\(bytes) bytes after the end of a frame, expected none"
    }
  }
}
