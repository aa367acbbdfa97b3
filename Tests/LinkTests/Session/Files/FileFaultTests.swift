import LinkTestSupport
import Testing

@testable import Link

@Suite struct `Files over a bad link` {
  private static func bytes(_ count: Int, key: UInt64) -> [UInt8] {
    FileContent.generated(key: key, byteCount: UInt64(count)).bytes(offset: 0, count: count)
  }

  private static func kept(_ pair: Pair, _ role: NodeRole) -> [[UInt8]] {
    pair.log(role).files.compactMap { $0.keptAs.flatMap { pair.files(role).kept[$0] } }
  }

  enum Trouble: String, CaseIterable, Sendable {
    case loss, reorder, duplicate, corrupt, bandwidth, flapping, delay, everything

    var faults: [PlannedFault] {
      let probability = { (value: Double) in Probability(value) ?? .never }
      return switch self {
      case .loss: [PlannedFault(id: "l", LossFault(.independent(probability(0.3))))]
      case .reorder: [PlannedFault(id: "r", ReorderFault(probability: probability(0.3), by: .milliseconds(700)))]
      case .duplicate: [PlannedFault(id: "d", DuplicateFault(probability: probability(0.5), copies: 2))]
      case .corrupt: [PlannedFault(id: "c", CorruptFault(probability: probability(0.3)))]
      case .bandwidth: [PlannedFault(id: "b", BandwidthFault(bytesPerSecond: 20_000))]
      case .flapping: []
      case .delay:
        [
          PlannedFault(
            id: "s", DelayFault(mean: .milliseconds(300), jitter: .milliseconds(200), distribution: .uniform))
        ]
      case .everything:
        [
          PlannedFault(id: "l", LossFault(.independent(probability(0.1)))),
          PlannedFault(id: "r", ReorderFault(probability: probability(0.1), by: .milliseconds(400))),
          PlannedFault(id: "d", DuplicateFault(probability: probability(0.2), copies: 1)),
          PlannedFault(id: "b", BandwidthFault(bytesPerSecond: 50_000)),
        ]
      }
    }
  }

  /// Each kind of trouble, with restarts of either side at drawn instants, while both sides send.
  @Test(arguments: Trouble.allCases, 0..<8)
  func `files arrive complete, once and in order`(trouble: Trouble, seed: Int) throws {
    let random = RandomStream(seed: UInt64(seed), name: "test.\(trouble.rawValue)")
    var pair = Pair(faults: trouble.faults, seed: UInt64(seed))
    var sent: (watch: [[UInt8]], phone: [[UInt8]]) = ([], [])
    for number: UInt64 in 0..<4 {
      let size = [0, 5_000, 70_000, 300_000][Int(random.number(below: 4, for: number))]
      let file = Self.bytes(size, key: number)
      if number % 3 == 2 {
        try pair.file(file, from: .phone)
        sent.phone.append(file)
      } else {
        try pair.file(file, from: .watch)
        sent.watch.append(file)
      }
    }
    for step: UInt64 in 0..<40 {
      switch random.number(below: 12, for: step, draw: 1) {
      case 0: pair.restart(.watch)
      case 1: pair.restart(.phone)
      case 2: try pair.userInfo([UInt8(step)], from: .watch)
      default: break
      }
      if trouble == .flapping { step % 2 == 0 ? pair.cut() : pair.restore() }
      try pair.drive(for: .milliseconds(Int64(random.number(below: 4_000, for: step, draw: 2))), stepsMax: 200_000)
    }
    pair.restore()
    try pair.drive(stepsMax: 400_000)
    #expect(Self.kept(pair, .phone) == sent.watch)
    #expect(Self.kept(pair, .watch) == sent.phone)
    for role in [NodeRole.watch, .phone] {
      #expect(pair.log(role).lines("transfer.failed").isEmpty)
      let refused = pair.log(role).lines("frame.refused").compactMap { $0["why"] }
      // A restarted app refuses frames that arrive before its peer's hello.
      let expected = TraceValue.string("of an epoch that no hello announced")
      #expect(refused.allSatisfy { $0 == expected }, "no other correct frame is refused")
      let files = pair.files(role)
      #expect(files.outgoing.isEmpty && files.incoming.isEmpty && files.placed.isEmpty)
      #expect(pair.session(role).nextDeadline == nil)
    }
  }

  @Test func `a large file uses the whole link if it is alone and answers are prompt`() throws {
    var pair = Pair()
    try pair.drive()
    pair.isRecording = false
    let start = pair.now
    let content = FileContent.generated(key: 1, byteCount: 8 << 20)
    try pair.file(content, from: .watch)
    try pair.drive()
    #expect(Self.kept(pair, .phone).map { Digest.sha256($0) } == [content.digest])
    #expect(pair.now - start < .milliseconds(400), "8 round trips of growth, then a MiB in each 10 ms")
    #expect(pair.watch.sent(.chunk, .file).map(\.frame.payload.count).max() == 131_072)
  }

  @Test func `on a narrow link a message waits for one small chunk at most`() throws {
    var pair = Pair(faults: Trouble.bandwidth.faults)
    try pair.drive()
    try pair.file(Self.bytes(400_000, key: 1), from: .watch)
    try pair.drive(for: .seconds(5))
    var sentAt: [VirtualTime] = []
    for number: UInt8 in 0..<20 {
      sentAt.append(pair.now)
      pair.message([number], from: .watch)
      try pair.drive(for: .milliseconds(700))
    }
    let arrivals = pair.fates.compactMap { fate -> VirtualTime? in
      guard case .delivered(_, _, let frame, .phone) = fate.fate, frame.kind == .data, frame.channel == .message else {
        return nil
      }
      return fate.at
    }
    #expect(arrivals.count == 20)
    // A chunk of 4 KiB takes 208 ms at 20 KB/s.
    for (sent, arrived) in zip(sentAt, arrivals) { #expect(arrived - sent < .milliseconds(230)) }
    #expect(pair.session(.watch).outstandingCount(in: .file) == 1, "the file was under way all the time")
  }

  enum Waiting: String, CaseIterable, Sendable { case userInfo, complication, context, reply }

  /// With an unanswered item waiting, each chunk is small and sent only when nothing else is in flight.
  @Test(arguments: Waiting.allCases)
  func `while other traffic waits, one chunk of 4 KiB is in flight`(waiting: Waiting) throws {
    let begin = VirtualTime.start + .milliseconds(150)
    let channels: [Channel] = waiting == .context ? [.applicationContext] : [.userInfo]
    let deaf = PlannedFault(
      id: "deaf", begin: begin, end: begin + .seconds(5), direction: .phoneToWatch, channels: channels,
      LossFault(.independent(.always)))
    var pair = Pair(faults: [deaf])
    pair.answer = { _ in nil }
    try pair.file(.generated(key: 1, byteCount: 40 << 20), from: .watch)
    try pair.drive(until: begin)
    #expect(pair.watch.sent(.chunk, .file).last?.frame.payload.count == 131_072)
    switch waiting {
    case .userInfo: try pair.userInfo([1], from: .watch)
    case .complication: try pair.complication([1], from: .watch)
    case .context: try pair.context([1], from: .watch)
    case .reply: pair.message([1], from: .watch, wantsReply: true)
    }
    let until = begin + .seconds(4)
    try pair.drive(until: until)
    let chunks = pair.watch.sent(.chunk, .file).filter { $0.at > begin }
    #expect(chunks.count > 300, "the file continues")
    #expect(chunks.allSatisfy { $0.frame.payload.count <= 4_096 })
    // With 10 ms between a chunk and its answer, two of them less than that apart would be in flight together.
    for (before, after) in zip(chunks, chunks.dropFirst()) { #expect(after.at - before.at >= .milliseconds(10)) }
    guard waiting != .reply else { return }
    try pair.drive(until: begin + .seconds(12))
    #expect(pair.watch.sent(.chunk, .file).last?.frame.payload.count ?? 0 > 4_096, "afterwards it grows again")
  }

  @Test func `a file delays an event by no more than the bytes in flight`() throws {
    var pair = Pair(faults: [PlannedFault(id: "b", BandwidthFault(bytesPerSecond: 100_000))])
    try pair.drive()
    try pair.file(Self.bytes(2_000_000, key: 1), from: .watch)
    try pair.drive(for: .seconds(2))
    for number: UInt8 in 0..<10 {
      let sent = pair.now
      try pair.userInfo([number], from: .watch)
      while pair.phone.effects.last != [number] { try pair.drive(for: .milliseconds(5)) }
      #expect(pair.now - sent <= .milliseconds(150))
    }
  }
}

@Suite struct `Hostile file frames` {
  private static let transfer = Identifier(high: 5, low: 5)
  private static let bytes = [UInt8](repeating: 3, count: 10_000)
  private static let offer = FileOffer(name: "a", byteCount: 10_000, digest: Digest.sha256(bytes))

  private static func frame(
    _ kind: Frame.Kind, seq: UInt64 = 1, epoch: UInt32 = 1, offset: UInt64 = 0, transfer: Identifier = transfer,
    flags: Frame.Flags = [], _ payload: [UInt8]
  ) -> Frame {
    Frame(
      kind: kind, channel: .file, flags: flags, epoch: Epoch(epoch), peerEpoch: Epoch(1), seq: SequenceNumber(seq),
      offset: offset, transfer: transfer, payload: payload)
  }

  private static func refusals(_ pair: Pair) -> [String] {
    pair.phone.lines("frame.refused").compactMap { if case .string(let why) = $0["why"] { why } else { nil } }
  }

  @Test func `frames that no correct session sends are refused with a line and change nothing`() throws {
    var pair = Pair()
    try pair.drive()
    let before = pair.store(.phone)
    let frames = pair.phone.sent.count
    var slash = Self.offer
    slash.name = "../etc/passwd"
    var huge = Self.offer
    huge.byteCount = .max
    for payload in [[], [1, 2, 3], slash.encoded, huge.encoded, Array(Self.offer.encoded.dropLast())] {
      pair.inject(Self.frame(.data, payload), to: .phone)
    }
    pair.inject(Self.frame(.data, seq: 0, Self.offer.encoded), to: .phone)
    pair.inject(Self.frame(.data, seq: 2, Self.offer.encoded), to: .phone)
    pair.inject(Self.frame(.data, seq: .max, Self.offer.encoded), to: .phone)
    pair.inject(Self.frame(.data, epoch: 9, Self.offer.encoded), to: .phone)
    pair.inject(Self.frame(.chunk, [1]), to: .phone)
    pair.inject(Self.frame(.chunk, epoch: 9, [1]), to: .phone)
    pair.inject(Self.frame(.ack, [1]), to: .phone)
    var wrong = Self.frame(.chunk, [1])
    wrong.channel = .message
    pair.inject(wrong, to: .phone)
    #expect(
      Self.refusals(pair) == [String](repeating: "no offer of a file", count: 5) + [
        "without a number", "a file ahead of its turn", "a file ahead of its turn",
        "of an epoch that no hello announced", "a chunk of a file that was not offered",
        "of an epoch that no hello announced", "no answer to a file", "a chunk of no file",
      ])
    #expect(pair.store(.phone) == before && pair.phone.sent.count == frames)
    #expect(pair.files(.phone) == WholeFiles())
  }

  @Test func `chunks outside a file or of another one, and a second offer for its number, are refused`() throws {
    var pair = Pair()
    try pair.drive()
    pair.inject(Self.frame(.data, Self.offer.encoded), to: .phone)
    #expect(pair.session(.phone).incomingFile?.offer == Self.offer)
    let other = Identifier(high: 6, low: 6)
    pair.inject(Self.frame(.chunk, transfer: other, [1]), to: .phone)
    pair.inject(Self.frame(.chunk, seq: 2, [1]), to: .phone)
    for (offset, count) in [(UInt64(0), 10_001), (9_999, 2), (10_000, 1), (.max, 1), (0, 0)] {
      pair.inject(Self.frame(.chunk, offset: offset, [UInt8](repeating: 1, count: count)), to: .phone)
    }
    pair.inject(Self.frame(.data, transfer: other, Self.offer.encoded), to: .phone)
    #expect(
      Self.refusals(pair) == [String](repeating: "a chunk of a file that was not offered", count: 2)
        + [String](repeating: "a chunk outside its file", count: 5) + ["another file in the place of one"])
    #expect(pair.session(.phone).incomingFile?.receivedBytes == 0)
    // The file itself continues.
    for offset in stride(from: 0, to: 10_000, by: 1_000) {
      pair.inject(Self.frame(.chunk, offset: UInt64(offset), Array(Self.bytes[offset..<offset + 1_000])), to: .phone)
    }
    #expect(pair.files(.phone).kept.values.map { $0 } == [Self.bytes])
  }

  /// Whatever frames a peer sends, neither side traps or stores more than one file of it.
  @Test(arguments: 0..<16)
  func `any file frames in any order end in a bounded state`(seed: Int) throws {
    let random = RandomStream(seed: UInt64(seed), name: "hostile")
    var pair = Pair(seed: UInt64(seed))
    try pair.drive()
    pair.isRecording = false
    let own = try pair.file(Self.bytes, from: .phone)
    let numbers: [UInt64] = [0, 1, 2, 3, 4_096, 8_192, 9_999, 10_000, 10_001, 1 << 40, .max]
    for step: UInt64 in 0..<3_000 {
      func pick<T>(_ list: [T], _ draw: UInt64) -> T {
        list[Int(random.number(below: UInt64(list.count), for: step, draw: draw))]
      }
      let payload: [UInt8] =
        switch pick(Array(0..<6), 0) {
        case 0: Self.offer.encoded
        case 1: FileAnswer(pick(FileAnswer.Status.allCases, 1), pick(numbers, 2)).encoded
        case 2: []
        case 3: FileOffer(name: "b", byteCount: pick(numbers, 3), digest: Digest.sha256([])).encoded
        default: [UInt8](repeating: 3, count: Int(min(pick(numbers, 4), 10_001)))
        }
      var frame = Self.frame(
        pick([.data, .chunk, .ack, .chunk], 5), seq: pick([0, 1, 1, 1, 2, 3, .max], 6),
        epoch: pick([0, 1, 1, 1, 2], 7),
        offset: pick(numbers, 8), transfer: pick([Self.transfer, own, Identifier(high: 0, low: 0)], 9),
        flags: pick([[], [], [], .void, .complication, Frame.Flags(rawValue: 255)], 10), payload)
      frame.attempt = UInt16(truncatingIfNeeded: pick(numbers, 11))
      frame.peerEpoch = Epoch(pick([0, 1, 1, 2], 12))
      pair.inject(frame, to: .phone)
      switch pick(Array(0..<60), 13) {
      case 0: pair.condition(.disk(isFull: true), .phone)
      case 1, 2: pair.condition(.disk(isFull: false), .phone)
      case 3: pair.condition(.suspended, .phone)
      case 4, 5: pair.condition(.resumed, .phone)
      case 6: pair.restart(.phone)
      case 7: pair.cancelIncoming(Self.transfer, at: .phone)
      default: break
      }
      if step % 10 == 0 { try pair.drive(for: .milliseconds(20)) }
      #expect(pair.files(.phone).incoming.count <= 1 && pair.files(.phone).outgoing.count <= 1)
    }
    pair.condition(.resumed, .phone)
    #expect(pair.files(.phone).placed.isEmpty)
  }
}
