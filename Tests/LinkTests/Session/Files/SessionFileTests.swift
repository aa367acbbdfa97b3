import LinkTestSupport
import Testing

@testable import Link

@Suite struct `Files under way` {
  static func bytes(_ count: Int, key: UInt64 = 1) -> [UInt8] {
    FileContent.generated(key: key, byteCount: UInt64(count)).bytes(offset: 0, count: count)
  }

  /// The files that the receiver's app kept, in order.
  static func kept(_ pair: Pair, _ role: NodeRole = .phone) -> [[UInt8]] {
    pair.log(role).files.compactMap { $0.keptAs.flatMap { pair.files(role).kept[$0] } }
  }

  /// Checks that nothing is left of any transfer except the files kept by the apps.
  static func expectClean(_ pair: Pair) {
    for role in [NodeRole.watch, .phone] {
      let files = pair.files(role)
      #expect(files.outgoing.isEmpty && files.incoming.isEmpty && files.placed.isEmpty)
      #expect(pair.session(role).outboxes[.file].count == 0)
      #expect(pair.session(role).inboxes[.file].isSettled)
      #expect(pair.session(role).files.receiver == nil && pair.session(role).files.refused == nil)
      #expect(pair.store(role).restarted.partial == nil)
      #expect(pair.session(role).nextDeadline == nil)
    }
  }

  static func connected(_ profile: LinkProfile = LinkProfile(latency: .milliseconds(5))) throws -> Pair {
    var pair = Pair(profile: profile)
    try pair.drive()
    return pair
  }

  static func failures(_ pair: Pair) -> [String] {
    pair.watch.lines("transfer.failed").compactMap { if case .string(let text) = $0["error"] { text } else { nil } }
  }

  // MARK: A transfer's life

  @Test(arguments: [0, 1, 4_095, 4_096, 4_097, 100_000, 1_048_579])
  func `a file of any size arrives complete`(count: Int) throws {
    var pair = try Self.connected()
    let bytes = Self.bytes(count)
    let transfer = try pair.file(bytes, name: "a.m4a", from: .watch)
    try pair.drive()
    #expect(Self.kept(pair) == [bytes])
    #expect(pair.phone.files.map(\.offer.name) == ["a.m4a"])
    #expect(pair.watch.finishedTransfers.map(\.transfer) == [transfer])
    Self.expectClean(pair)
    let queued = try #require(pair.watch.lines("transfer.queued").first)
    #expect(queued.fields.map(\.key) == ["transfer", "channel", "seq", "bytes", "digest", "name"])
    #expect(queued["bytes"] == .int(Int64(count)) && queued["channel"] == .string("file"))
    #expect(queued["digest"] == .string(Digest.text(Digest.sha256(bytes))))
    let progress = pair.watch.lines("transfer.progress").compactMap { $0["received"]?.integer }
    #expect(progress == progress.sorted() && progress.count <= 4)
    #expect(progress.last == (count == 0 ? nil : Int64(count)))
    #expect(pair.watch.progress.last?.received == (count == 0 ? nil : UInt64(count)))
  }

  @Test func `progress is reported at each quarter, in order`() throws {
    var pair = try Self.connected(LinkProfile(latency: .milliseconds(80)))
    try pair.file(Self.bytes(40 * 4_096), from: .watch)
    try pair.drive()
    let received = pair.watch.lines("transfer.progress").compactMap { $0["received"]?.integer }
    #expect(received == [10, 20, 30, 40].map { $0 * 4_096 })
    #expect(pair.watch.progress.map(\.received) == (1...40).map { UInt64($0) * 4_096 })
  }

  @Test func `a generated file is created before its commit, and sent`() throws {
    var pair = Pair()
    let content = FileContent.generated(key: 9, byteCount: 30_000)
    var session = pair.session(.watch)
    var turn = Turn(isRecording: true)
    let offer = FileOffer(name: "made.m4a", byteCount: 30_000, digest: content.digest)
    let transfer = try session.transferFile(offer, content: content, in: &turn)
    guard case .file(.create(transfer, content)) = turn.items[0], case .change(.enqueued) = turn.items[1],
      case .commit = turn.items[2], case .event = turn.items[3],
      case .crashPoint(.outboxCommitted) = turn.items[4]
    else {
      Issue.record("another order of orders: \(turn.items)")
      return
    }
    try pair.file(content, from: .watch)
    try pair.drive()
    #expect(Self.kept(pair) == [content.bytes(offset: 0, count: 30_000)])
  }

  @Test func `files are sent one at a time, in order, each once`() throws {
    var pair = try Self.connected()
    let all = (0..<6).map { Self.bytes(20_000 * ($0 + 1), key: UInt64($0)) }
    for bytes in all { try pair.file(bytes, from: .watch) }
    #expect(pair.session(.watch).outstandingCount(in: .file) == 6)
    try pair.drive()
    #expect(Self.kept(pair) == all)
    var last: UInt64 = 0
    for frame in pair.watch.sent.map(\.frame) where frame.channel == .file && frame.kind != .ack {
      #expect(frame.seq.rawValue >= last)
      last = frame.seq.rawValue
    }
    #expect(pair.watch.finishedTransfers.map(\.lane) == [Lane](repeating: .file, count: 6))
    Self.expectClean(pair)
  }

  @Test func `a file that the app does not keep is discarded, and metadata arrives with the file`() throws {
    var pair = try Self.connected()
    pair.keepsFile = { $0.name == "wanted" }
    let metadata = try PropertyListWriter.bytes(of: .dictionary([.init("kind", .string("note"))]))
    try pair.file([1, 2], name: "unwanted", metadata: metadata, from: .watch)
    try pair.file([3], name: "wanted", from: .watch)
    try pair.drive()
    #expect(pair.phone.files.map(\.offer.metadata) == [metadata, []])
    #expect(pair.files(.phone).kept.values.map { $0 } == [[3]])
    Self.expectClean(pair)
  }

  @Test func `a file that cannot be offered is refused at the call, and uses no number`() throws {
    var pair = try Self.connected()
    #expect(throws: SessionError.invalidParameter) { try pair.file([1], name: "a/b", from: .watch) }
    #expect(throws: SessionError.invalidParameter) { try pair.file([1], digest: [1], from: .watch) }
    #expect(throws: SessionError.payloadUnsupportedTypes) { try pair.file([1], metadata: [1], from: .watch) }
    #expect(throws: SessionError.payloadTooLarge) {
      try pair.file([1], metadata: [UInt8](repeating: 0, count: 65_537), from: .watch)
    }
    #expect(pair.session(.watch).nextSeq(in: .file) == SequenceNumber(1))
    #expect(pair.watch.lines("transfer.queued").isEmpty)
  }

  // MARK: Continuing

  /// The bytes of all chunks that one side sent.
  private static func chunkBytes(_ pair: Pair) -> Int {
    pair.watch.sent(.chunk, .file).map(\.frame.payload.count).reduce(0, +)
  }

  @Test func `after a cut the file continues where it stopped`() throws {
    var pair = try Self.connected(LinkProfile(latency: .milliseconds(80)))
    let bytes = Self.bytes(200_000)
    try pair.file(bytes, from: .watch)
    for _ in 0..<4 {
      try pair.drive(for: .seconds(2))
      pair.cut()
      try pair.drive(for: .seconds(20))
      let sent = Self.chunkBytes(pair)
      try pair.drive(for: .seconds(100))
      #expect(Self.chunkBytes(pair) == sent, "nothing is sent while unreachable")
      pair.restore()
    }
    try pair.drive()
    #expect(Self.kept(pair) == [bytes])
    #expect(Self.chunkBytes(pair) < 200_000 + 4 * 20 * 4_096, "received bytes are not sent again")
    Self.expectClean(pair)
  }

  @Test(arguments: [NodeRole.watch, .phone])
  func `after a restart of either side the file continues where it stopped`(role: NodeRole) throws {
    var pair = try Self.connected(LinkProfile(latency: .milliseconds(80)))
    let bytes = Self.bytes(200_000)
    try pair.file(bytes, from: .watch)
    try pair.drive(for: .seconds(3))
    let there = try #require(pair.session(.phone).incomingFile?.receivedBytes)
    #expect(there > 40_000 && there < 200_000)
    pair.restart(role)
    try pair.drive()
    #expect(Self.kept(pair) == [bytes])
    let again = pair.watch.sent(.chunk, .file).filter { $0.at > .start + .milliseconds(3_160) }
    #expect(again.allSatisfy { $0.frame.offset >= there }, "no received byte is sent again")
    #expect(again.reduce(0) { $0 + $1.frame.payload.count } <= 200_000 - Int(there) + 2 * 4_096)
    Self.expectClean(pair)
  }

  @Test func `no chunk is sent before the offer is confirmed, or acknowledged before it is committed`() throws {
    var pair = try Self.connected()
    pair.crash(.phone, at: "file.offered")
    try pair.file(Self.bytes(10_000), from: .watch)
    try pair.drive(for: .milliseconds(6))
    #expect(pair.crashes(.phone) == 1)
    #expect(pair.store(.phone).restarted.partial?.receivedBytes == 0)
    #expect(pair.watch.sent(.chunk, .file).isEmpty)
    try pair.drive()
    #expect(Self.kept(pair).count == 1)
  }

  // MARK: The digest

  @Test func `a file that differs from its offer is requested three times, then fails`() throws {
    var pair = try Self.connected()
    let transfer = try pair.file(Self.bytes(10_000), digest: [UInt8](repeating: 0, count: 32), from: .watch)
    try pair.file([1, 2, 3], from: .watch)
    try pair.drive()
    #expect(Self.failures(pair) == ["digestMismatch"])
    #expect(pair.watch.failedTransfers.map(\.transfer) == [transfer])
    #expect(pair.watch.failedTransfers.map(\.error) == [.digestMismatch])
    let chunks = pair.watch.sent(.chunk, .file).filter { $0.frame.seq.rawValue == 1 }
    #expect(chunks.count { $0.frame.offset == 0 } == 3)
    #expect(Self.kept(pair) == [[1, 2, 3]], "the next one continues")
    Self.expectClean(pair)
  }

  // MARK: Cancelling

  @Test(arguments: [0, 1, 500, 1_500])
  func `a sender cancels before, during and after a file's transfer`(after: Int) throws {
    var pair = try Self.connected(LinkProfile(latency: .milliseconds(80)))
    let first = try pair.file(Self.bytes(60_000), from: .watch)
    try pair.file([7], from: .watch)
    try pair.drive(for: .milliseconds(Int64(after)))
    let isCancelled = pair.cancel(.file, seq: 1, first, from: .watch)
    #expect(isCancelled)
    #expect(pair.session(.watch).outstanding(in: .file).map(\.seq.rawValue) == [2])
    #expect(pair.files(.watch).outgoing[first] == nil)
    try pair.drive()
    #expect(Self.kept(pair) == [[7]])
    let line = try #require(pair.watch.lines("transfer.cancelled").first)
    #expect(line["by"] == .string("sender") && line["channel"] == .string("file"))
    #expect(pair.watch.finishedTransfers.count == 1)
    Self.expectClean(pair)
    #expect(pair.cancel(.file, seq: 2, first, from: .watch) == false)
  }

  @Test func `a waiting file is cancelled without notifying the receiver's app`() throws {
    var pair = try Self.connected()
    try pair.file(Self.bytes(60_000), from: .watch)
    let second = try pair.file([1], from: .watch)
    try pair.file([2], from: .watch)
    pair.cancel(.file, seq: 2, second, from: .watch)
    try pair.drive()
    #expect(Self.kept(pair) == [Self.bytes(60_000), [2]])
    Self.expectClean(pair)
  }
}
