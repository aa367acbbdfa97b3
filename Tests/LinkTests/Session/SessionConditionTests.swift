import LinkTestSupport
import Testing

@testable import Link

@Suite struct `A session's device and counterpart` {
  private static func connected() throws -> Pair {
    var pair = Pair()
    try pair.drive()
    return pair
  }

  // MARK: The peer's app

  @Test func `while the peer's app is gone nothing is sent, and transfers wait for it`() throws {
    var pair = try Self.connected()
    pair.stop(.phone)
    pair.condition(.peer(isRunning: false), .watch)
    #expect(!pair.session(.watch).isReachable)
    #expect(pair.message([1], from: .watch).error == .notReachable)
    try pair.userInfo([2], from: .watch)
    try pair.context([3], from: .watch)
    try pair.file([4], from: .watch)
    let frames = pair.watch.sent.count
    try pair.drive(for: .seconds(600))
    #expect(pair.watch.sent.count == frames)
    #expect(pair.session(.watch).nextDeadline == nil)
    pair.restart(.phone)
    pair.condition(.peer(isRunning: true), .watch)
    try pair.drive()
    #expect(pair.phone.effects == [[2]] && pair.phone.contexts == [[3]] && pair.phone.files.count == 1)
    let lines = pair.watch.lines("reachability").map { $0["cause"] }
    #expect(lines.prefix(3) == [.string("hello"), .string("peer"), .string("peer")])
  }

  @Test func `a hello of the peer's next start shows that it runs, a late one of the old start does not`() throws {
    var pair = try Self.connected()
    let old = try #require(pair.phone.sent(.hello, .message).first?.frame)
    pair.condition(.peer(isRunning: false), .watch)
    pair.inject(old, to: .watch)
    #expect(!pair.session(.watch).isReachable)
    pair.restart(.phone)
    try pair.drive()
    #expect(pair.session(.watch).isReachable && pair.session(.phone).isReachable)
    #expect(pair.message([1], from: .watch).error == nil)
  }

  @Test func `a side without a hello from the other sends its own when the other runs`() throws {
    var pair = Pair()
    pair.stop(.phone)
    pair.condition(.peer(isRunning: false), .watch)
    try pair.drive()
    #expect(pair.watch.sent.isEmpty)
    pair.restart(.phone)
    try pair.drive(for: .seconds(1))
    #expect(pair.session(.watch).isReachable, "by the phone's hello only")
    #expect(pair.session(.phone).isReachable)
  }

  @Test(arguments: [NodeRole.watch, .phone])
  func `without the peer's app every send fails at the call, before any other check`(role: NodeRole) throws {
    var pair = try Self.connected()
    try pair.userInfo([0], from: role)
    pair.condition(.peerInstalled(false), role)
    let large = [UInt8](repeating: 0, count: 300_000)
    #expect(pair.message([1], from: role).error == .peerNotInstalled)
    #expect(pair.message(large, from: role).error == .peerNotInstalled)
    #expect(throws: SessionError.peerNotInstalled) { try pair.userInfo([2], from: role) }
    #expect(throws: SessionError.peerNotInstalled) { try pair.userInfo(large, from: role) }
    #expect(throws: SessionError.peerNotInstalled) { try pair.complication([3], from: role) }
    #expect(throws: SessionError.peerNotInstalled) { try pair.context([4], from: role) }
    #expect(throws: SessionError.peerNotInstalled) { try pair.file([5], from: role) }
    let text = role == .watch ? "companionAppNotInstalled" : "watchAppNotInstalled"
    #expect(pair.log(role).lines("message.refused").map { $0["error"] } == [.string(text), .string(text)])
    #expect(pair.session(role).outstandingCount(in: .userInfo) == 1, "queued entries wait")
    #expect(pair.session(role).outstandingCount(in: .file) == 0)
    try pair.drive(for: .seconds(60))
    pair.condition(.peerInstalled(true), role)
    try pair.userInfo([2], from: role)
    try pair.drive()
    #expect(pair.log(role.peer).effects == [[0], [2]])
    let causes = pair.log(role).lines("reachability").compactMap { $0["cause"] }
    #expect(causes == [.string("hello"), .string("notInstalled"), .string("installed")])
  }

  // MARK: A full disk

  @Test func `on a full disk nothing is queued, and no number is used up`() throws {
    var pair = try Self.connected()
    pair.condition(.disk(isFull: true), .watch)
    #expect(throws: SessionError.insufficientSpace) { try pair.userInfo([1], from: .watch) }
    #expect(throws: SessionError.insufficientSpace) { try pair.complication([1], from: .watch) }
    #expect(throws: SessionError.insufficientSpace) { try pair.context([1], from: .watch) }
    #expect(throws: SessionError.insufficientSpace) {
      try pair.file(.generated(key: 1, byteCount: 10), from: .watch)
    }
    #expect(pair.files(.watch).outgoing.isEmpty, "no file is made")
    #expect(pair.message([1], from: .watch).error == nil, "a message needs no room")
    #expect(pair.session(.watch).remainingComplicationTransfers(clock: 0) == 50)
    pair.condition(.disk(isFull: false), .watch)
    try pair.userInfo([2], from: .watch)
    try pair.drive()
    #expect(pair.phone.effects == [[2]])
    #expect(pair.watch.lines("transfer.queued").map { $0["seq"] } == [.int(1)])
  }

  @Test func `on a full disk nothing new is stored or acknowledged, and it arrives when there is room`() throws {
    var pair = try Self.connected()
    try pair.userInfo([0], from: .watch)
    try pair.drive()
    pair.condition(.disk(isFull: true), .phone)
    for number: UInt8 in 1...3 { try pair.userInfo([number], from: .watch) }
    try pair.complication([9], from: .watch)
    try pair.context([4], from: .watch)
    let acks = pair.phone.sent.count
    try pair.drive(for: .seconds(100))
    #expect(pair.phone.sent.count == acks)
    #expect(pair.phone.effects == [[0]] && pair.phone.contexts.isEmpty && pair.phone.complications.isEmpty)
    #expect(pair.phone.lines("context.received").isEmpty)
    // Over a restart, with the disk as the first input.
    pair.restart(.phone)
    try pair.drive(for: .seconds(100))
    #expect(pair.phone.effects == [[0]])
    pair.condition(.disk(isFull: false), .phone)
    try pair.drive()
    #expect(pair.phone.effects == [[0], [1], [2], [3]] && pair.phone.contexts == [[4]])
    #expect(pair.phone.complications == [[9]])
  }

  @Test func `on a full disk acknowledged entries are still removed, and copies still acknowledged`() throws {
    let deaf = PlannedFault(
      id: "deaf", end: .start + .seconds(3), direction: .phoneToWatch, channels: [.userInfo, .applicationContext],
      LossFault(.independent(.always)))
    var pair = Pair(faults: [deaf])
    try pair.userInfo([1], from: .watch)
    try pair.context([2], from: .watch)
    try pair.drive(until: .start + .seconds(2))
    #expect(pair.phone.effects == [[1]] && pair.session(.watch).outstandingCount(in: .userInfo) == 1)
    pair.condition(.disk(isFull: true), .watch)
    pair.condition(.disk(isFull: true), .phone)
    try pair.drive()
    #expect(pair.session(.watch).outstandingCount(in: .userInfo) == 0)
    #expect(pair.session(.watch).contexts.isAcknowledged)
    #expect(pair.phone.effects == [[1]] && pair.phone.contexts == [[2]])
  }

  // MARK: A suspended app

  @Test func `a suspended app gets nothing, its session continues, and deliveries wait in order`() throws {
    var pair = try Self.connected()
    pair.condition(.suspended, .phone)
    #expect(pair.session(.phone).isSuspended)
    let before = pair.phone.deliveries.count
    try pair.userInfo([1], from: .watch)
    try pair.complication([2], from: .watch)
    try pair.context([3], from: .watch)
    try pair.context([4], from: .watch)
    try pair.file([5], from: .watch)
    pair.message([6], from: .watch)
    try pair.drive()
    pair.restart(.watch)
    try pair.drive()
    #expect(pair.phone.deliveries.count == before)
    for lane in Lane.allCases { #expect(pair.session(.watch).outstandingCount(in: lane) == 0) }
    pair.condition(.resumed, .phone)
    let names = pair.phone.deliveries.dropFirst(before).map { delivery in
      switch delivery {
      case .peerStarted(let epoch, _): "epoch \(epoch.rawValue)"
      case .reachability(let isReachable): "reachable \(isReachable)"
      case .context(let payload, _): "context \(payload)"
      case .userInfo(let entry): "\(entry.lane) \(entry.payload)"
      case .file(_, let offer): "file \(offer.byteCount)"
      default: "\(delivery)"
      }
    }
    #expect(
      names == ["epoch 2", "reachable true", "context [4]", "complication [2]", "userInfo [1]", "file 1"])
    #expect(pair.phone.messages.isEmpty, "a message does not reach a suspended app")
    #expect(pair.phone.effects == [[1]] && pair.phone.complications == [[2]])
  }

  @Test func `a suspended app's own transfers continue, and it gets the reports when it wakes`() throws {
    var pair = try Self.connected()
    pair.cut()
    for number: UInt8 in 0..<3 { try pair.userInfo([number], from: .phone) }
    try pair.file([UInt8](repeating: 1, count: 50_000), from: .phone)
    pair.condition(.suspended, .phone)
    pair.restore()
    try pair.drive()
    #expect(pair.watch.effects.count == 3 && pair.watch.files.count == 1)
    #expect(pair.phone.finished.isEmpty && pair.phone.progress.isEmpty)
    pair.condition(.resumed, .phone)
    #expect(pair.phone.finishedTransfers.map(\.lane) == [.userInfo, .userInfo, .userInfo, .file])
    #expect(pair.phone.progress.map(\.received) == [50_000], "only the last progress")
    #expect(pair.phone.lines("transfer.progress").count >= 3)
  }

  @Test func `a suspended app's deadlines do not fire, and an overdue reply fails when it wakes`() throws {
    var pair = try Self.connected()
    pair.answer = { _ in nil }
    let seq = pair.message([1], from: .phone, wantsReply: true).seq
    pair.condition(.suspended, .phone)
    #expect(pair.session(.phone).nextDeadline == nil)
    try pair.drive(for: .seconds(60))
    #expect(pair.phone.failures.isEmpty)
    pair.condition(.resumed, .phone)
    #expect(pair.phone.failures.map(\.seq) == [seq] && pair.phone.failures.map(\.error) == [.messageReplyTimedOut])
    #expect(pair.phone.lines("message.failed").map(\.time) == [pair.now])
  }

  @Test func `a starting app gets the context and the inbox once, whatever the link does then`() throws {
    var pair = try Self.connected()
    try pair.context([1], from: .watch)
    pair.crash(.phone, at: "inbox.acked")
    try pair.userInfo([2], from: .watch)
    try pair.drive()
    #expect(pair.phone.contexts == [[1], [1]] && pair.phone.effects == [[2]])
    for _ in 0..<3 {
      pair.cut()
      try pair.drive(for: .seconds(10))
      pair.restore()
      try pair.drive()
    }
    #expect(pair.phone.contexts == [[1], [1]])
  }

  @Test func `a context that was committed and not delivered is delivered at the start, with one line`() throws {
    var pair = try Self.connected()
    pair.crash(.phone, at: "context.committed")
    try pair.context([1], from: .watch)
    try pair.drive()
    #expect(pair.crashes(.phone) == 1)
    #expect(pair.phone.contexts == [[1], [1]], "the first delivery was lost with the process")
    #expect(pair.phone.lines("context.received").count == 1)
    #expect(pair.session(.watch).contexts.isAcknowledged)
  }
}
