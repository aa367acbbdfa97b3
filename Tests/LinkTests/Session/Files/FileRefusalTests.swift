import LinkTestSupport
import Testing

@testable import Link

@Suite struct `Refused files` {
  private typealias Files = `Files under way`

  @Test(arguments: [0, 1, 10]) func `a receiver without room ends the transfer, and the next one continues`(after: Int)
    throws
  {
    var pair = try Files.connected(LinkProfile(latency: .milliseconds(80)))
    let transfer = try pair.file(Files.bytes(100_000), from: .watch)
    try pair.file([7], from: .watch)
    try pair.drive(for: .milliseconds(Int64(after) * 400))
    pair.condition(.disk(isFull: true), .phone)
    try pair.drive(for: .seconds(5))
    #expect(Files.failures(pair).first == "insufficientSpace")
    #expect(pair.watch.failedTransfers.first?.transfer == transfer)
    #expect(pair.files(.watch).outgoing[transfer] == nil && pair.files(.phone).incoming[transfer] == nil)
    #expect(pair.phone.files.isEmpty)
    pair.condition(.disk(isFull: false), .phone)
    let last = Files.bytes(5_000, key: 3)
    try pair.file(last, from: .watch)
    try pair.drive()
    #expect(Files.kept(pair) == [last], "the second one found the disk full, too")
    #expect(Files.failures(pair).count == 2)
    Files.expectClean(pair)
  }

  @Test(arguments: [NodeRole?.none, .watch, .phone])
  func `a file refused for lack of room is not completed when there is room again`(restarted: NodeRole?) throws {
    let deaf = PlannedFault(
      id: "deaf", begin: .start + .seconds(1), end: .start + .seconds(4), direction: .phoneToWatch, channels: [.file],
      LossFault(.independent(.always)))
    var pair = Pair(profile: LinkProfile(latency: .milliseconds(80)), faults: [deaf])
    let transfer = try pair.file(Files.bytes(100_000), from: .watch)
    try pair.drive(until: .start + .seconds(1))
    pair.condition(.disk(isFull: true), .phone)
    try pair.drive(until: .start + .seconds(3))
    #expect(pair.session(.phone).files.refused?.transfer == transfer)
    #expect(pair.files(.phone).incoming.isEmpty)
    pair.condition(.disk(isFull: false), .phone)
    if let restarted { pair.restart(restarted) }
    try pair.file([7], from: .watch)
    try pair.drive()
    #expect(Files.failures(pair) == ["insufficientSpace"], "not reported as cancelled by the receiver")
    #expect(Files.kept(pair) == [[7]], "the next one continues")
    Files.expectClean(pair)
  }

  @Test(arguments: [1, 3, 6]) func `a late chunk does not complete a file that its sender lost to a full disk`(
    held: Int
  ) throws {
    var pair = try Files.connected(LinkProfile(latency: .milliseconds(80)))
    try pair.file(Files.bytes(20_000), from: .watch)
    try pair.drive(for: .milliseconds(500))
    pair.condition(.disk(isFull: true), .phone)
    try pair.drive(for: .milliseconds(200 * Int64(held)))
    pair.condition(.disk(isFull: false), .phone)
    let chunks = pair.watch.sent(.chunk, .file).map(\.frame)
    for chunk in chunks { pair.inject(chunk, to: .phone) }
    for chunk in Self.chunks(of: try #require(chunks.first), Files.bytes(20_000)) { pair.inject(chunk, to: .phone) }
    try pair.drive()
    #expect(Files.failures(pair) == ["insufficientSpace"])
    #expect(pair.phone.files.isEmpty)
    Files.expectClean(pair)
  }

  /// All chunks that a file could have, with the header of one of them.
  private static func chunks(of chunk: Frame, _ bytes: [UInt8]) -> [Frame] {
    stride(from: 0, to: bytes.count, by: 4_096).map {
      var frame = chunk
      frame.offset = UInt64($0)
      frame.payload = Array(bytes[$0..<min($0 + 4_096, bytes.count)])
      return frame
    }
  }

  @Test func `a file with another digest is refused permanently on the third attempt`() throws {
    let deaf = PlannedFault(
      id: "deaf", begin: .start + .milliseconds(700), end: .start + .seconds(60), direction: .phoneToWatch,
      channels: [.file], LossFault(.independent(.always)))
    var pair = Pair(profile: LinkProfile(latency: .milliseconds(80)), faults: [deaf])
    let bytes = Files.bytes(4_000)
    try pair.file([UInt8](repeating: 7, count: 4_000), digest: Digest.sha256(bytes), from: .watch)
    try pair.drive(until: .start + .seconds(50))
    #expect(pair.session(.phone).files.refused?.reason == .digestMismatch)
    pair.restart(.phone)
    // The correct bytes arrive too late.
    let chunk = try #require(pair.watch.sent(.chunk, .file).first?.frame)
    for chunk in Self.chunks(of: chunk, bytes) { pair.inject(chunk, to: .phone) }
    try pair.drive()
    #expect(pair.phone.files.isEmpty && Files.failures(pair) == ["digestMismatch"])
    Files.expectClean(pair)
  }

  @Test(arguments: [false, true], [false, true])
  func `a receiver refuses the rest of a file, and its sender is notified`(isDeaf: Bool, restarts: Bool) throws {
    let deaf = PlannedFault(
      id: "deaf", begin: .start + .seconds(1), end: .start + .seconds(isDeaf ? 3 : 1), direction: .phoneToWatch,
      channels: [.file], LossFault(.independent(.always)))
    var pair = Pair(profile: LinkProfile(latency: .milliseconds(80)), faults: [deaf])
    let first = try pair.file(Files.bytes(60_000), from: .watch)
    try pair.file([7], from: .watch)
    try pair.drive(until: .start + .seconds(1))
    #expect(pair.cancelIncoming(Identifier(high: 1, low: 1), at: .phone) == false)
    #expect(pair.cancelIncoming(first, at: .phone) == true)
    #expect(pair.cancelIncoming(first, at: .phone) == false)
    #expect(pair.files(.phone).incoming.isEmpty)
    if restarts { pair.restart(.phone) }
    try pair.drive()
    #expect(Files.kept(pair) == [[7]])
    let line = try #require(pair.watch.lines("transfer.cancelled").first)
    #expect(line["by"] == .string("receiver") && line["transfer"] == first.traceValue)
    #expect(pair.watch.cancelledTransfers == [first])
    #expect(pair.phone.lines("transfer.cancelled").isEmpty)
    Files.expectClean(pair)
  }
}
