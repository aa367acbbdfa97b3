import Link
import Testing

@Suite struct RecordDecoderTests {
  /// All record types at once.
  static let everything = RecordSet(rawValue: .max)

  static let conditions: [NodeCondition] =
    [
      .peer(isRunning: false), .peer(isRunning: true), .peerInstalled(false), .peerInstalled(true),
      .clock(offset: -90_000_000_000, driftPPM: 40.5), .clock(offset: .max, driftPPM: -499_999.75), .disk(isFull: true),
      .disk(isFull: false), .suspended, .resumed, .peerLocked(true), .peerLocked(false), .runEnds,
      .messagesLaunchPeer(true), .messagesLaunchPeer(false), .launchedByMessage, .sendsFail(nil),
      .sendsFail(
        SendFailures(error: .transferTimedOut, perMillion: 300_000, channels: [.message, .file], moment: .later)),
      .quirk(.phantomReachable, isOn: true, error: .transferTimedOut), .unknown(23), .unknown(.max),
    ] + SessionQuirk.all.flatMap { [.quirk($0, isOn: true), .quirk($0, isOn: false)] }

  static func sample() throws -> (bytes: [UInt8], records: [WireRecord]) {
    let join = JoinRequest(role: .phone, flags: .freeRunning, token: [1, 2, 3], name: "tést 1")
    let frame = FrameCodecTests.example
    let command = NodeCommand("pause", arguments: "{\"seconds\":3}")
    let text = "{\"t\":5,\"node\":\"phone\",\"event\":\"ü\"}"
    var writer = RecordWriter()
    writer.join(join)
    try writer.welcome("{\"role\":\"phone\"}")
    writer.grant(Grant(at: VirtualTime(nanoseconds: 1 << 40), firesTimers: true, inputs: 3))
    try writer.input(.frame(frame))
    try writer.input(.link(isUp: true))
    try writer.input(.uplink(isUp: false))
    try writer.input(.command(command))
    try writer.line { $0.append(contentsOf: text.utf8) }
    writer.done(nextDeadline: nil)
    writer.done(nextDeadline: VirtualTime(nanoseconds: .max))
    writer.failed("no disk")
    writer.handled()
    for condition in conditions { try writer.input(.condition(condition)) }
    try writer.arm([.inboxCommitted, CrashPoint("tést", "")])
    try writer.arm([])
    writer.stopped(at: .fileChunk)
    writer.end()
    let records: [WireRecord] =
      [
        .join(join), .welcome("{\"role\":\"phone\"}"),
        .grant(Grant(at: VirtualTime(nanoseconds: 1 << 40), firesTimers: true, inputs: 3)), .frame(frame),
        .link(isUp: true), .uplink(isUp: false), .command(command), .line(0..<text.utf8.count),
        .done(nextDeadline: nil),
        .done(nextDeadline: VirtualTime(nanoseconds: .max)), .failed("no disk"), .handled,
      ] + conditions.map { .condition($0) } + [
        .arm(["inbox.committed", "tést"]), .arm([]), .stopped(at: "file.chunk"), .end,
      ]
    return (writer.bytes, records)
  }

  /// Feeds bytes in pieces of a size and decodes all records.
  static func decode(_ bytes: [UInt8], piece: Int) -> ([WireRecord], WireError?) {
    var decoder = RecordDecoder()
    var records: [WireRecord] = []
    var rest = bytes[...]
    var text: [UInt8] = []
    while !rest.isEmpty {
      decoder.feed(rest.prefix(piece))
      rest = rest.dropFirst(piece)
      do throws(WireError) {
        while let record = try decoder.next(everything, text: &text) { records.append(record) }
      } catch { return (records, error) }
    }
    return (records, nil)
  }

  static func error(_ bytes: [UInt8], _ accepted: RecordSet = everything) -> WireError? {
    var decoder = RecordDecoder()
    decoder.feed(bytes)
    do throws(WireError) {
      while try decoder.next(accepted) != nil {}
      return nil
    } catch { return error }
  }

  @Test(arguments: [1, 2, 3, 5, 7, 64, 1000, 1 << 20])
  func `any pieces give the same records`(piece: Int) throws {
    let sample = try Self.sample()
    let (records, error) = Self.decode(sample.bytes, piece: piece)
    #expect(error == nil)
    #expect(records == sample.records)
  }

  @Test func `a long stream is decoded without buffering it`() throws {
    let sample = try Self.sample()
    var decoder = RecordDecoder()
    var count = 0
    for _ in 0..<2000 {
      decoder.feed(sample.bytes)
      var text: [UInt8] = []
      while try decoder.next(Self.everything, text: &text) != nil { count += 1 }
      #expect(decoder.pendingBytes == 0)
    }
    #expect(count == 2000 * sample.records.count)
  }

  @Test func `a record larger than a piece arrives complete`() throws {
    let setup = String(repeating: "x", count: 5 << 20)
    var writer = RecordWriter()
    try writer.welcome(setup)
    var decoder = RecordDecoder()
    for chunk in stride(from: 0, to: writer.bytes.count, by: 60_000) {
      decoder.feed(writer.bytes[chunk..<min(chunk + 60_000, writer.bytes.count)])
    }
    #expect(try decoder.next(.welcome) == .welcome(setup))
  }

  @Test(arguments: RecordType.allCases)
  func `a length over the limit of its type ends the stream at once`(type: RecordType) {
    for length in [UInt32(type.bodyBytesMax + 2), .max] {
      let head = (0..<4).map { UInt8(truncatingIfNeeded: length >> UInt32(8 * $0)) } + [type.rawValue]
      #expect(Self.error(head) == .oversized(type, bytes: Int(length) - 1, max: type.bodyBytesMax))
    }
  }

  @Test func `an error is permanent`() {
    var decoder = RecordDecoder()
    decoder.feed([0, 0, 0, 0, 0])
    for _ in 0..<2 {
      #expect(throws: WireError.emptyRecord) { try decoder.next(Self.everything) }
      decoder.feed([1, 0, 0, 0, 7])
    }
  }

  @Test(arguments: [
    ([12, 5, 2] as [UInt8], "0 or 1, found 2"), ([12, 0, 2], "0 or 1, found 2"),
    ([12, 3, 1, 0], "2 bytes, found 3"), ([12, 2, 0], "17 bytes, found 2"),
    ([12, 2] + [UInt8](repeating: 0, count: 8) + [0, 0, 0, 0, 0, 0, 0xF0, 0x7F], "a finite drift, found inf"),
  ])
  func `an invalid condition is refused`(body: [UInt8], expected: String) {
    let found = Self.error([UInt8(body.count), 0, 0, 0] + body)
    #expect(found == .malformed(.condition, expected: expected), "\(String(describing: found))")
  }

  @Test(arguments: [
    ([13, 5] as [UInt8], "a length of two bytes"), ([13, 5, 0, 65], "a name of 5 bytes"),
    ([13, 1, 0, 0xFF], "UTF-8 text"), ([13, 1, 0, 65, 1], "a length of two bytes"),
  ])
  func `invalid crash points are refused`(body: [UInt8], expected: String) {
    let found = Self.error([UInt8(body.count), 0, 0, 0] + body)
    #expect(found == .malformed(.arm, expected: expected), "\(String(describing: found))")
  }

  @Test func `a type that is not allowed is refused before its body arrives`() {
    #expect(Self.error([100, 0, 0, 0, 1], .answer) == .unexpected(.join))
    #expect(Self.error([12, 0, 0, 0, 3], .input) == .unexpected(.grant))
    #expect(Self.error([1, 0, 0, 0, 99]) == .unknownType(99))
    #expect(Self.error([1, 0, 0, 0, 0]) == .unknownType(0))
  }

  @Test(arguments: [
    [UInt8]([2, 0, 0, 0, 5, 2]),  // a link neither up nor down
    [9, 0, 0, 0, 9, 0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],  // a deadline of -2
    [12, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0x80, 1, 0, 0],  // an instant before the start
    [12, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0],  // an unknown flag
    [3, 0, 0, 0, 10, 0xC3, 0x28],  // not UTF-8
    [9, 0, 0, 0, 1, 1, 0, 0, 0, 9, 0, 0, 0],  // a token longer than the record
    [7, 0, 0, 0, 6, 0, 0, 9, 0, 0, 0],  // arguments longer than the record
    [3, 0, 0, 0, 8, 0x5B, 0x5D],  // a line that is not an object
    [4, 0, 0, 0, 8, 0x7B, 0x0A, 0x7D],  // a newline in a line
    [4, 0, 0, 0, 8, 0x7B, 0xFF, 0x7D],  // a line that is not UTF-8
    [2, 0, 0, 0, 8, 0x7B],  // a line of one character
  ])
  func `an invalid body is refused`(bytes: [UInt8]) {
    guard case .malformed? = Self.error(bytes) else {
      Issue.record("\(bytes) gave \(String(describing: Self.error(bytes)))")
      return
    }
  }

  @Test func `a flipped bit in a frame is detected`() throws {
    var writer = RecordWriter()
    writer.frame(FrameCodecTests.example)
    var bytes = writer.bytes
    bytes[bytes.count - 1] ^= 1
    guard case .frame(.badChecksum)? = Self.error(bytes) else {
      Issue.record("\(String(describing: Self.error(bytes)))")
      return
    }
  }

  @Test func `changed bytes never crash, and give the same result in any pieces`() throws {
    let sample = try Self.sample()
    var random = SplitMix(state: 2)
    for _ in 0..<1500 {
      var bytes = sample.bytes
      for _ in 0...random.next() % 3 {
        bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
      }
      let whole = Self.decode(bytes, piece: bytes.count)
      let pieces = Self.decode(bytes, piece: 1 + Int(random.next() % 40))
      #expect(whole.0 == pieces.0)
      #expect(whole.1 == pieces.1)
    }
  }

  @Test func `random bytes never crash`() {
    var random = SplitMix(state: 3)
    for _ in 0..<2000 {
      var bytes = (0..<Int(random.next() % 300)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      if bytes.count > 5 { bytes.replaceSubrange(0..<5, with: [bytes[0], 0, 0, 0, UInt8(random.next() % 12)]) }
      _ = Self.decode(bytes, piece: 9)
    }
  }

  @Test func `a line over the limit is not written`() throws {
    var writer = RecordWriter()
    writer.done(nextDeadline: nil)
    let before = writer.bytes
    #expect(throws: WireError.oversized(.line, bytes: (1 << 20) + 1, max: 1 << 20)) {
      try writer.line { $0.append(contentsOf: repeatElement(0x61, count: (1 << 20) + 1)) }
    }
    #expect(writer.bytes == before)
  }

  @Test func `a long reason is truncated to valid text`() throws {
    var writer = RecordWriter()
    writer.failed(String(repeating: "ü", count: 5000))
    var decoder = RecordDecoder()
    decoder.feed(writer.bytes)
    guard case .failed(let why)? = try decoder.next(.answer) else {
      Issue.record("no reason")
      return
    }
    #expect(why.utf8.count <= 1024 && why.allSatisfy { $0 == "ü" } && !why.isEmpty)
  }
}
