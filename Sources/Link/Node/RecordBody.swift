/// Reads the bodies of records; the decoder has checked their length against the limits of their type.
enum RecordBody {
  static func read(
    _ type: RecordType, _ body: Span<UInt8>, text: inout [UInt8]
  ) throws(WireError) -> WireRecord {
    switch type {
    case .join: return .join(try join(body))
    case .welcome: return .welcome(try string(body, of: type))
    case .grant: return .grant(try grant(body))
    case .frame:
      do throws(FrameError) {
        return .frame(try FrameCodec.decode(body))
      } catch {
        throw .frame(error)
      }
    case .link, .uplink:
      guard body[0] <= 1 else { throw .malformed(type, expected: "0 or 1, found \(body[0])") }
      return type == .link ? .link(isUp: body[0] == 1) : .uplink(isUp: body[0] == 1)
    case .command: return .command(try command(body))
    case .end: return .end
    case .handled: return .handled
    case .line: return .line(try line(body, text: &text))
    case .done:
      guard body.count == 8 || body.count == 16 else {
        throw .malformed(type, expected: "one deadline or two, in 8 or 16 bytes, found \(body.count)")
      }
      let deadline = try deadline(body, at: 0)
      return .done(nextDeadline: deadline, appDeadline: body.count == 8 ? nil : try self.deadline(body, at: 8))
    case .failed: return .failed(try string(body, of: type))
    case .condition: return .condition(try ConditionBody.read(body))
    case .arm: return .arm(try points(body))
    case .stopped: return .stopped(at: try string(body, of: type))
    case .began:
      return .began(Epoch(body.littleEndian(UInt32.self, at: 0)), answered: body.littleEndian(UInt64.self, at: 4))
    }
  }

  private static func deadline(_ body: Span<UInt8>, at offset: Int) throws(WireError) -> VirtualTime? {
    let deadline = Int64(bitPattern: body.littleEndian(UInt64.self, at: offset))
    guard deadline >= -1 else { throw .malformed(.done, expected: "a deadline of at least -1, found \(deadline)") }
    return deadline < 0 ? nil : VirtualTime(nanoseconds: deadline)
  }

  private static func points(_ body: Span<UInt8>) throws(WireError) -> [String] {
    var points: [String] = []
    var at = 0
    while at < body.count {
      guard body.count - at >= 2 else { throw .malformed(.arm, expected: "a length of two bytes") }
      let size = Int(body.littleEndian(UInt16.self, at: at))
      guard body.count - at - 2 >= size else { throw .malformed(.arm, expected: "a name of \(size) bytes") }
      points.append(try string(body.extracting(at + 2..<at + 2 + size), of: .arm))
      at += 2 + size
    }
    return points
  }

  private static func join(_ body: Span<UInt8>) throws(WireError) -> JoinRequest {
    let tokenBytes = Int(body.littleEndian(UInt16.self, at: 4))
    guard body.count >= 8 + tokenBytes else {
      throw .malformed(.join, expected: "a token of \(tokenBytes) bytes and a name")
    }
    let nameBytes = Int(body.littleEndian(UInt16.self, at: 6 + tokenBytes))
    guard body.count == 8 + tokenBytes + nameBytes else {
      throw .malformed(.join, expected: "a name of \(nameBytes) bytes at the end")
    }
    var token: [UInt8] = []
    for index in 6..<6 + tokenBytes { token.append(body[index]) }
    return JoinRequest(
      version: body.littleEndian(UInt16.self, at: 0), roleNumber: body[2], flags: JoinRequest.Flags(rawValue: body[3]),
      token: token, name: try string(body.extracting((8 + tokenBytes)...), of: .join))
  }

  private static func grant(_ body: Span<UInt8>) throws(WireError) -> Grant {
    let nanoseconds = Int64(bitPattern: body.littleEndian(UInt64.self, at: 0))
    guard nanoseconds >= 0 else { throw .malformed(.grant, expected: "an instant of at least 0, found \(nanoseconds)") }
    guard body[8] <= 1 else { throw .malformed(.grant, expected: "flags 0 or 1, found \(body[8])") }
    return Grant(
      at: VirtualTime(nanoseconds: nanoseconds), firesTimers: body[8] == 1,
      inputs: Int(body.littleEndian(UInt16.self, at: 9)))
  }

  private static func command(_ body: Span<UInt8>) throws(WireError) -> NodeCommand {
    let nameBytes = Int(body.littleEndian(UInt16.self, at: 0))
    guard body.count >= 6 + nameBytes else {
      throw .malformed(.command, expected: "a name of \(nameBytes) bytes and arguments")
    }
    let argumentBytes = Int(body.littleEndian(UInt32.self, at: 2 + nameBytes))
    guard body.count == 6 + nameBytes + argumentBytes else {
      throw .malformed(.command, expected: "arguments of \(argumentBytes) bytes at the end")
    }
    return NodeCommand(
      try string(body.extracting(2..<2 + nameBytes), of: .command),
      arguments: try string(body.extracting((6 + nameBytes)...), of: .command))
  }

  /// Copies a line: one JSON object in UTF-8 without control characters.
  private static func line(_ body: Span<UInt8>, text: inout [UInt8]) throws(WireError) -> Range<Int> {
    guard body[0] == UInt8(ascii: "{"), body[body.count - 1] == UInt8(ascii: "}") else {
      throw .malformed(.line, expected: "one JSON object")
    }
    let start = text.count
    var hasControls = false
    var isASCII = true
    for index in body.indices {
      let byte = body[index]
      hasControls = hasControls || byte < 0x20
      isASCII = isASCII && byte < 0x80
    }
    body.append(to: &text)
    guard !hasControls else { throw .malformed(.line, expected: "no control character and no newline") }
    if !isASCII {
      do { _ = try UTF8Span(validating: body) } catch { throw .malformed(.line, expected: "UTF-8 text") }
    }
    return start..<text.count
  }

  private static func string(_ bytes: Span<UInt8>, of type: RecordType) throws(WireError) -> String {
    do { return String(copying: try UTF8Span(validating: bytes)) } catch {
      throw .malformed(type, expected: "UTF-8 text")
    }
  }
}
