/// A sender's description of a file before its first byte: the payload of an entry of lane `file`.
///
/// Layout, little-endian: version u16, byte count u64, SHA-256 of 32 bytes, name u16 length and UTF-8, metadata u32
/// length and bytes. Further bytes are ignored.
public struct FileOffer: Sendable, Equatable {
  /// The version of this layout.
  static let version: UInt16 = 1
  /// The largest file, in bytes, inclusive.
  public static let byteCountMax: UInt64 = 1 << 40
  /// The longest name, in bytes of UTF-8, inclusive.
  public static let nameBytesMax = 255
  /// The largest metadata, in bytes, inclusive.
  public static let metadataBytesMax = 65_536

  /// The file's name at the sender: one path component, for information; the receiver must not store the file by it.
  public var name: String
  /// The size of the file in bytes.
  public var byteCount: UInt64
  /// The SHA-256 of its bytes, 32 bytes.
  public var digest: [UInt8]
  /// A binary property list with one dictionary; empty for none.
  public var metadata: [UInt8]

  /// Creates an offer; ``problem`` says whether it is valid.
  public init(name: String, byteCount: UInt64, digest: [UInt8], metadata: [UInt8] = []) {
    self.name = name
    self.byteCount = byteCount
    self.digest = digest
    self.metadata = metadata
  }

  /// Why the offer is invalid; nil if it is valid.
  public var problem: SessionError? {
    guard digest.count == 32, byteCount <= Self.byteCountMax, Self.isName(name) else { return .invalidParameter }
    guard metadata.count <= Self.metadataBytesMax else { return .payloadTooLarge }
    guard metadata.isEmpty || Self.isDictionary(metadata) else { return .payloadUnsupportedTypes }
    return nil
  }

  /// The payload of the entry.
  public var encoded: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(48 + name.utf8.count + metadata.count)
    bytes.appendLittleEndian(Self.version)
    bytes.appendLittleEndian(byteCount)
    bytes.append(contentsOf: digest)
    bytes.appendLittleEndian(UInt16(name.utf8.count))
    bytes.append(contentsOf: name.utf8)
    bytes.appendLittleEndian(UInt32(metadata.count))
    bytes.append(contentsOf: metadata)
    return bytes
  }

  /// Decodes an offer; nil for other bytes, and for an offer that no session makes.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count >= 44, bytes.littleEndian(UInt16.self, at: 0) >= 1 else { return nil }
    byteCount = bytes.littleEndian(UInt64.self, at: 2)
    digest = Array(bytes[10..<42])
    let nameEnd = 44 + Int(bytes.littleEndian(UInt16.self, at: 42))
    guard bytes.count >= nameEnd + 4, let name = String(validating: bytes[44..<nameEnd], as: UTF8.self) else {
      return nil
    }
    self.name = name
    let metadataCount = Int(bytes.littleEndian(UInt32.self, at: nameEnd))
    guard metadataCount <= Self.metadataBytesMax, bytes.count >= nameEnd + 4 + metadataCount else { return nil }
    metadata = Array(bytes[nameEnd + 4..<nameEnd + 4 + metadataCount])
    guard problem == nil else { return nil }
  }

  /// Whether a name is one path component and can name a file.
  private static func isName(_ name: String) -> Bool {
    let bytes = name.utf8
    guard !bytes.isEmpty, bytes.count <= nameBytesMax, name != ".", name != ".." else { return false }
    return !bytes.contains { $0 == 0 || $0 == UInt8(ascii: "/") }
  }

  private static func isDictionary(_ bytes: [UInt8]) -> Bool {
    guard case .dictionary = try? PropertyListReader.read(bytes) else { return false }
    return true
  }
}
