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

/// The bytes of a described file.
extension FileContent {
  /// The size of the file.
  public var byteCount: UInt64 {
    switch self {
    case .generated(_, let byteCount), .recording(_, _, let byteCount): byteCount
    }
  }

  /// Returns `count` bytes of the file, or fewer at its end.
  ///
  /// - Parameters:
  ///   - offset: The offset of the first one.
  ///   - count: The maximum number of bytes.
  public func bytes(offset: UInt64, count: Int) -> [UInt8] {
    guard offset < byteCount else { return [] }
    var bytes = [UInt8](repeating: 0, count: Int(min(UInt64(count), byteCount - offset)))
    var target = bytes.mutableSpan
    fill(&target, from: offset, container)
    return bytes
  }

  /// The SHA-256 of the file, 32 bytes, in constant memory.
  public var digest: [UInt8] {
    let container = container
    var stream = SHA256Stream()
    var piece = [UInt8](repeating: 0, count: 1 << 14)
    var offset: UInt64 = 0
    while offset < byteCount {
      let count = Int(min(UInt64(piece.count), byteCount - offset))
      var target = piece.mutableSpan
      fill(&target, from: offset, container)
      stream.append(piece[..<count])
      offset += UInt64(count)
    }
    return stream.finish()
  }

  /// The form of a recording; nil for other files.
  private var container: M4AContainer? {
    guard case .recording(_, let milliseconds, let byteCount) = self else { return nil }
    return M4AContainer(milliseconds: milliseconds, byteCount: byteCount)
  }

  /// Fills a buffer with the bytes from an offset of the endless sequence that the file is the beginning of.
  private func fill(_ buffer: inout MutableSpan<UInt8>, from offset: UInt64, _ container: M4AContainer?) {
    switch self {
    case .generated(let key, _), .recording(let key, _, _):
      let random = RandomStream(seed: key, name: "file")
      // Each draw gives eight bytes, keyed by their offset: any part can be generated without the part before it.
      let head = min(buffer.count, Int((8 - offset & 7) & 7))
      if head > 0 { put(random.bits(for: offset >> 3) >> ((offset & 7) * 8), head, &buffer, at: 0) }
      var place = head
      var word = (offset + UInt64(head)) >> 3
      while place + 8 <= buffer.count {
        buffer.store(random.bits(for: word).littleEndian, at: place)
        place += 8
        word += 1
      }
      if place < buffer.count { put(random.bits(for: word), buffer.count - place, &buffer, at: place) }
      container?.overlay(&buffer, from: offset)
    }
  }

  /// Writes the low bytes of a word to a buffer, lowest first.
  private func put(_ word: UInt64, _ count: Int, _ buffer: inout MutableSpan<UInt8>, at place: Int) {
    for index in 0..<count { buffer[place + index] = UInt8(truncatingIfNeeded: word >> UInt64(8 * index)) }
  }
}

/// A receiver's answer to an offer or a chunk: the payload of an acknowledgement on channel `file`.
///
/// Layout, little-endian: status u8, received bytes u64. Further bytes are ignored.
struct FileAnswer: Sendable, Equatable {
  /// The state of the transfer at the receiver.
  enum Status: UInt8, Sendable, CaseIterable {
    /// To an offer: accepted; the receiver has this many bytes.
    case ready = 0
    /// To a chunk: the receiver has this many bytes, whether this chunk was expected or not.
    case received = 1
    /// The whole file is in the inbox, or its number is skipped.
    case complete = 2
    /// There is no room.
    case full = 3
    /// The receiver refuses it.
    case cancelled = 4
    /// All bytes arrived, but they differ from the offer: send them again from the beginning.
    case digestMismatch = 5
  }

  var status: Status
  /// The number of bytes received from the beginning without a gap.
  var receivedBytes: UInt64

  init(_ status: Status, _ receivedBytes: UInt64 = 0) {
    self.status = status
    self.receivedBytes = receivedBytes
  }

  /// Decodes a payload; nil if it is not an answer.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 9, let status = Status(rawValue: bytes[0]) else { return nil }
    self.status = status
    receivedBytes = bytes.littleEndian(UInt64.self, at: 1)
  }

  /// The payload of the frame.
  var encoded: [UInt8] {
    var bytes = [status.rawValue]
    bytes.appendLittleEndian(receivedBytes)
    return bytes
  }
}
