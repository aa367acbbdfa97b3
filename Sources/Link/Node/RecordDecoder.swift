/// Decodes records from a stream of bytes in arbitrary pieces.
///
/// A record is a length of four bytes, little-endian, which counts everything after it; a type of one byte; a body.
/// Nothing is trusted before it is checked: a length over the limit of its type, or a type that is not allowed now,
/// ends the stream before memory is reserved for it. So the decoder holds at most the largest allowed record and one
/// piece. After an error every call throws the same error.
public struct RecordDecoder: Sendable {
  /// The room offered to one read, in bytes: many times a batch of 64 frames of 256 bytes.
  static let pieceBytes = 65_536

  private var buffer: [UInt8] = []
  private var head = 0
  private var tail = 0
  private var failure: WireError?

  public init() {}

  /// How many bytes are waiting to be decoded.
  public var pendingBytes: Int { tail - head }

  /// Adds bytes.
  public mutating func feed(_ bytes: [UInt8]) { feed(bytes[...]) }

  /// Adds bytes.
  public mutating func feed(_ bytes: ArraySlice<UInt8>) {
    var rest = bytes
    while !rest.isEmpty {
      let count = fill { room in
        let count = min(room.count, rest.count)
        room.store(rest.span.extracting(first: count), at: 0)
        return count
      }
      rest = rest.dropFirst(count)
    }
  }

  /// Lets `read` write bytes directly after the waiting ones.
  ///
  /// - Parameter read: Writes bytes to the beginning of its buffer and returns their number.
  /// - Returns: The result of `read`.
  @discardableResult
  public mutating func fill<Failure>(
    _ read: (inout MutableSpan<UInt8>) throws(Failure) -> Int
  ) throws(Failure) -> Int {
    makeRoom()
    let used = tail
    var all = buffer.mutableSpan
    var free = all._mutatingExtracting(used...)
    let count = try read(&free)
    precondition(0...(buffer.count - tail) ~= count, "a read of \(count) bytes into \(buffer.count - tail)")
    tail += count
    return count
  }

  /// Makes sure that there is enough room after the waiting bytes.
  private mutating func makeRoom() {
    if head == tail {
      head = 0
      tail = 0
      // Releases the memory of an unusually large record.
      if buffer.count > 8 * Self.pieceBytes { buffer = [] }
    }
    guard buffer.count - tail < Self.pieceBytes / 2 else { return }
    let waiting = head..<tail
    guard buffer.count - waiting.count < Self.pieceBytes / 2 else {
      // The waiting bytes are part of one record: moving them costs less than another buffer.
      buffer.replaceSubrange(..<waiting.count, with: Array(buffer[waiting]))
      tail = waiting.count
      head = 0
      return
    }
    var larger = [UInt8](repeating: 0, count: max(Self.pieceBytes, 2 * buffer.count))
    larger.replaceSubrange(..<waiting.count, with: buffer[waiting])
    buffer = larger
    tail = waiting.count
    head = 0
  }

  /// Decodes the next record; nil if its bytes have not all arrived.
  ///
  /// - Parameters:
  ///   - accepted: The allowed types.
  ///   - text: The bytes of a line are appended here.
  public mutating func next(_ accepted: RecordSet, text: inout [UInt8]) throws(WireError) -> WireRecord? {
    if let failure { throw failure }
    do throws(WireError) {
      return try decodeRecord(accepted, text: &text)
    } catch {
      failure = error
      buffer = []
      head = 0
      tail = 0
      throw error
    }
  }

  /// Decodes the next record, of types without lines.
  public mutating func next(_ accepted: RecordSet) throws(WireError) -> WireRecord? {
    var text: [UInt8] = []
    return try next(accepted, text: &text)
  }

  private mutating func decodeRecord(_ accepted: RecordSet, text: inout [UInt8]) throws(WireError) -> WireRecord? {
    guard tail - head >= NodeWire.headBytes else { return nil }
    let length = Int(buffer.span.littleEndian(UInt32.self, at: head))
    guard length > 0 else { throw .emptyRecord }
    guard let type = RecordType(rawValue: buffer[head + 4]) else { throw .unknownType(buffer[head + 4]) }
    guard accepted.contains(type) else { throw .unexpected(type) }
    let size = length - 1
    guard size <= type.bodyBytesMax else { throw .oversized(type, bytes: size, max: type.bodyBytesMax) }
    guard size >= type.bodyBytesMin else {
      throw .malformed(type, expected: "at least \(type.bodyBytesMin) bytes, found \(size)")
    }
    let start = head + NodeWire.headBytes
    guard tail - start >= size else { return nil }
    let record = try RecordBody.read(type, buffer.span.extracting(start..<start + size), text: &text)
    head = start + size
    return record
  }
}
