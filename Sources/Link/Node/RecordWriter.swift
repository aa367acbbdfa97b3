/// Appends records to a buffer that is sent in one write, and reused.
public struct RecordWriter: Sendable {
  /// The bytes since the last ``removeAll()``.
  public private(set) var bytes: [UInt8] = []

  public init() {}

  /// The largest capacity that is kept, in bytes: twice a window of chunks.
  private static let roomMax = 4 << 20

  /// Empties the buffer and keeps its capacity, up to 4 MiB.
  public mutating func removeAll() {
    if bytes.capacity <= Self.roomMax { bytes.removeAll(keepingCapacity: true) } else { bytes = [] }
  }

  /// Writes a join.
  public mutating func join(_ request: JoinRequest) {
    precondition(
      request.token.count <= 256 && request.name.utf8.count <= 1024, "token and name are within their limits")
    record(.join) { bytes in
      bytes.appendLittleEndian(request.version)
      bytes.append(request.roleNumber)
      bytes.append(request.flags.rawValue)
      bytes.appendLittleEndian(UInt16(request.token.count))
      bytes.append(contentsOf: request.token)
      bytes.appendLittleEndian(UInt16(request.name.utf8.count))
      bytes.append(contentsOf: request.name.utf8)
    }
  }

  /// Writes the setup of a node, a JSON text.
  public mutating func welcome(_ setup: String) throws(WireError) {
    try checkSize(setup.utf8.count, of: .welcome)
    record(.welcome) { $0.append(contentsOf: setup.utf8) }
  }

  /// Writes a grant; its inputs must follow.
  public mutating func grant(_ grant: Grant) {
    precondition(grant.time.nanoseconds >= 0 && 0...NodeWire.inputsMax ~= grant.inputs, "\(grant)")
    record(.grant) { bytes in
      bytes.appendLittleEndian(UInt64(bitPattern: grant.time.nanoseconds))
      bytes.append(grant.firesTimers ? 1 : 0)
      bytes.appendLittleEndian(UInt16(grant.inputs))
    }
  }

  /// Writes an input of a grant.
  public mutating func input(_ input: NodeInput) throws(WireError) {
    switch input {
    case .frame(let frame): self.frame(frame)
    case .link(let isUp): record(.link) { $0.append(isUp ? 1 : 0) }
    case .uplink(let isUp): record(.uplink) { $0.append(isUp ? 1 : 0) }
    case .condition(let condition): record(.condition) { ConditionBody.append(condition, to: &$0) }
    case .page: preconditionFailure("a page is not sent as a record")
    case .command(let command):
      guard command.name.utf8.count <= Int(UInt16.max) else {
        throw .oversized(.command, bytes: command.name.utf8.count, max: Int(UInt16.max))
      }
      try checkSize(6 + command.name.utf8.count + command.arguments.utf8.count, of: .command)
      record(.command) { bytes in
        bytes.appendLittleEndian(UInt16(command.name.utf8.count))
        bytes.append(contentsOf: command.name.utf8)
        bytes.appendLittleEndian(UInt32(command.arguments.utf8.count))
        bytes.append(contentsOf: command.arguments.utf8)
      }
    }
  }

  /// Writes a frame.
  public mutating func frame(_ frame: Frame) { record(.frame) { FrameCodec.append(frame, to: &$0) } }

  /// Writes a line of the trace.
  ///
  /// - Parameter append: Appends the line's text, without its newline.
  /// - Throws: `oversized` if the text is over the limit; the buffer is then unchanged.
  public mutating func line(_ append: (inout [UInt8]) -> Void) throws(WireError) {
    let start = bytes.count
    record(.line, append)
    let size = bytes.count - start - NodeWire.headBytes
    guard size <= RecordType.line.bodyBytesMax else {
      bytes.removeSubrange(start...)
      throw .oversized(.line, bytes: size, max: RecordType.line.bodyBytesMax)
    }
  }

  /// Writes the end of an answer.
  public mutating func done(nextDeadline: VirtualTime?) {
    record(.done) { $0.appendLittleEndian(UInt64(bitPattern: nextDeadline?.nanoseconds ?? -1)) }
  }

  /// Writes the end of an answer of an app in virtual time.
  ///
  /// - Parameters:
  ///   - nextDeadline: The session's deadline; nil if not before the next input.
  ///   - appDeadline: The deadline of the app's own timers, which do not count once the run has reached its end.
  public mutating func done(nextDeadline: VirtualTime?, appDeadline: VirtualTime?) {
    record(.done) {
      $0.appendLittleEndian(UInt64(bitPattern: nextDeadline?.nanoseconds ?? -1))
      $0.appendLittleEndian(UInt64(bitPattern: appDeadline?.nanoseconds ?? -1))
    }
  }

  /// Writes the crash points at which the node must stop; none to disarm all.
  public mutating func arm(_ points: [CrashPoint]) throws(WireError) {
    try checkSize(points.reduce(0) { $0 + 2 + $1.name.utf8.count }, of: .arm)
    record(.arm) { bytes in
      for point in points {
        bytes.appendLittleEndian(UInt16(point.name.utf8.count))
        bytes.append(contentsOf: point.name.utf8)
      }
    }
  }

  /// Writes the end of an answer at a crash point.
  public mutating func stopped(at point: CrashPoint) {
    precondition(1...RecordType.stopped.bodyBytesMax ~= point.name.utf8.count, "the name is within its limits")
    record(.stopped) { $0.append(contentsOf: point.name.utf8) }
  }

  /// Writes the new epoch, and the number of the last fully reported grant.
  public mutating func began(_ epoch: Epoch, answered: UInt64) {
    record(.began) { bytes in
      bytes.appendLittleEndian(epoch.rawValue)
      bytes.appendLittleEndian(answered)
    }
  }

  /// Writes the records of an earlier answer.
  public mutating func append(_ records: ArraySlice<UInt8>) { bytes.append(contentsOf: records) }

  /// Writes why the connection ends; a text over the limit is truncated.
  public mutating func failed(_ why: String) {
    record(.failed) { bytes in
      var text = why
      // By scalars, which have at most four bytes.
      while text.utf8.count > 1024 { text.unicodeScalars.removeLast(max(1, (text.utf8.count - 1024) / 4)) }
      bytes.append(contentsOf: text.utf8)
    }
  }

  /// Writes the end of the run.
  public mutating func end() { record(.end) { _ in } }

  /// Writes the end of the output for one input.
  public mutating func handled() { record(.handled) { _ in } }

  private func checkSize(_ size: Int, of type: RecordType) throws(WireError) {
    guard size <= type.bodyBytesMax else { throw .oversized(type, bytes: size, max: type.bodyBytesMax) }
  }

  private static let blankHead = [UInt8](repeating: 0, count: NodeWire.headBytes)

  /// Writes a record whose length is known only after its body.
  @inline(__always)
  private mutating func record(_ type: RecordType, _ body: (inout [UInt8]) -> Void) {
    let start = bytes.count
    bytes.append(contentsOf: Self.blankHead)
    body(&bytes)
    let length = UInt32(bytes.count - start - 4)
    var head = bytes.mutableSpan
    head.store(length.littleEndian, at: start)
    head[start + 4] = type.rawValue
  }
}

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
