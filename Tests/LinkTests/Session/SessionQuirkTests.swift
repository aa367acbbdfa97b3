import LinkTestSupport
import Testing

@testable import Link

/// The quirks of a session, and the guarantees that hold under them.
@Suite struct `A session's quirks` {
  private static func connected() throws -> Pair {
    var pair = Pair()
    try pair.drive()
    return pair
  }

  private static func changes(_ pair: Pair, _ role: NodeRole) -> [String] {
    pair.log(role).lines("reachability").map { line in
      let isTold = line["told"] != .bool(false)
      return "\(line["reachable"] == .bool(true)) \(line["cause"]?.text ?? "")\(isTold ? "" : " untold")"
    }
  }

  @Test func `every quirk has its own bit`() {
    #expect(Set(SessionQuirk.all.map(\.number)).count == SessionQuirk.all.count)
    for quirk in SessionQuirk.all {
      // The numbers of other conditions, and the bits of a set.
      #expect(5...15 ~= quirk.number || 24...63 ~= quirk.number)
      var set = SessionQuirkSet()
      set[quirk] = true
      #expect(SessionQuirk.all.filter { set[$0] } == [quirk])
      set[quirk] = false
      #expect(set == SessionQuirkSet())
    }
  }

  // MARK: Reachability

  @Test func `stuck at unreachable, messages are refused and transfers follow the true state`() throws {
    var pair = try Self.connected()
    pair.cut()
    try pair.drive(for: .seconds(20))
    #expect(!pair.session(.watch).isReachable)
    pair.condition(.quirk(.reachabilityStuck, isOn: true), .watch)
    pair.restore()
    try pair.userInfo([1], from: .watch)
    try pair.context([2], from: .watch)
    try pair.drive(for: .seconds(20))
    #expect(!pair.session(.watch).isReachable && pair.session(.phone).isReachable)
    #expect(pair.message([3], from: .watch).error == .notReachable)
    #expect(pair.phone.effects == [[1]] && pair.phone.contexts == [[2]])
    pair.condition(.quirk(.reachabilityStuck, isOn: false), .watch)
    #expect(pair.session(.watch).isReachable)
    #expect(Self.changes(pair, .watch) == ["true hello", "false supervision", "true reachabilityStuck"])
    #expect(pair.watch.reachability == [true, false, true])
  }

  @Test func `a belief that is stuck at unreachable can let messages through`() throws {
    var pair = try Self.connected()
    pair.cut()
    try pair.drive(for: .seconds(20))
    pair.condition(.quirk(.reachabilityUntrue, isOn: true), .watch)
    #expect(pair.message([1], from: .watch).error == .notReachable)
    pair.restore()
    try pair.drive(for: .seconds(20))
    #expect(!pair.session(.watch).isReachable)
    #expect(pair.message([2], from: .watch).error == nil)
    try pair.drive(for: .seconds(5))
    #expect(pair.phone.messages == [[2]])
    pair.condition(.quirk(.reachabilityUntrue, isOn: false), .watch)
    #expect(pair.session(.watch).isReachable)
    #expect(Self.changes(pair, .watch) == ["true hello", "false supervision", "true reachabilityStuck"])
  }

  @Test func `stuck at reachable, messages are lost and transfers wait`() throws {
    var pair = try Self.connected()
    pair.condition(.quirk(.reachabilityStuck, isOn: true, error: .transferTimedOut), .watch)
    pair.cut()
    try pair.drive(for: .seconds(20))
    #expect(pair.message([1], from: .watch, wantsReply: true).error == nil)
    try pair.userInfo([2], from: .watch)
    try pair.drive(for: .seconds(20))
    #expect(pair.watch.failures.map(\.error) == [.messageReplyTimedOut])
    #expect(pair.watch.sent(.data, .userInfo).isEmpty)
    pair.restore()
    try pair.drive()
    pair.condition(.quirk(.reachabilityStuck, isOn: false), .watch)
    #expect(pair.phone.messages.isEmpty && pair.phone.effects == [[2]])
    #expect(Self.changes(pair, .watch) == ["true hello"])
  }

  @Test func `a change without a notification still takes effect`() throws {
    var pair = try Self.connected()
    pair.condition(.quirk(.reachabilityEdgeLost, isOn: true), .watch)
    pair.cut()
    try pair.drive(for: .seconds(20))
    #expect(pair.message([1], from: .watch).error == .notReachable)
    pair.condition(.quirk(.reachabilityEdgeLost, isOn: false), .watch)
    #expect(pair.watch.reachability == [true])
    pair.restore()
    try pair.drive()
    #expect(pair.watch.reachability == [true, true])
    #expect(Self.changes(pair, .watch) == ["true hello", "false supervision untold", "true reconnect"])
  }

  @Test func `messages to a phantom are lost and transfers wait for the peer`() throws {
    var pair = try Self.connected()
    pair.stop(.phone)
    pair.condition(.peer(isRunning: false), .watch)
    pair.condition(.quirk(.phantomReachable, isOn: true, error: .transferTimedOut), .watch)
    #expect(pair.session(.watch).isReachable)
    #expect(pair.message([1], from: .watch, wantsReply: true).error == nil)
    try pair.userInfo([2], from: .watch)
    try pair.drive(for: .seconds(30))
    #expect(pair.watch.failures.map(\.error) == [.messageReplyTimedOut])
    #expect(pair.watch.sent(.data, .userInfo).isEmpty)
    pair.condition(.quirk(.phantomReachable, isOn: false), .watch)
    #expect(!pair.session(.watch).isReachable)
    pair.restart(.phone)
    pair.condition(.peer(isRunning: true), .watch)
    try pair.drive()
    #expect(pair.phone.messages.isEmpty && pair.phone.effects == [[2]])
    let causes = ["true hello", "false peer", "true phantomReachable", "false phantomReachable"]
    #expect(Array(Self.changes(pair, .watch).prefix(4)) == causes)
    #expect(pair.session(.watch).isReachable)
  }

  @Test func `nothing is sent to a phantom without the app`() throws {
    var pair = try Self.connected()
    pair.condition(.peerInstalled(false), .watch)
    pair.condition(.quirk(.phantomReachable, isOn: true), .watch)
    #expect(pair.message([1], from: .watch).error == .peerNotInstalled)
  }

  // MARK: Queues

  @Test func `each new entry releases the oldest of a stalled queue, and the end of the stall all, in order`() throws {
    var pair = try Self.connected()
    pair.condition(.quirk(.queueStall, isOn: true), .watch)
    var arrived: [Int] = []
    for number: UInt8 in 1...4 {
      try pair.userInfo([number], from: .watch)
      try pair.drive(for: .seconds(60))
      arrived.append(pair.phone.effects.count)
    }
    #expect(arrived == [0, 1, 2, 3])
    try pair.complication([9], from: .watch)
    try pair.file([8], from: .watch)
    try pair.drive()
    #expect(pair.phone.complications == [[9]] && pair.phone.files.count == 1)
    #expect(pair.phone.effects.count == 3)
    pair.condition(.quirk(.queueStall, isOn: false), .watch)
    try pair.drive()
    #expect(pair.phone.effects == [[1], [2], [3], [4]])
  }

  @Test func `a stall also holds unconfirmed entries over a cut, and releases the oldest first`() throws {
    let deaf = PlannedFault(id: "deaf", end: .start + .seconds(2), LossFault(.independent(.always)))
    var pair = Pair(faults: [deaf])
    try pair.drive(until: .start + .seconds(10))
    pair.cut()
    try pair.userInfo([1], from: .watch)
    try pair.userInfo([2], from: .watch)
    try pair.drive(for: .milliseconds(100))
    #expect(pair.watch.sent(.data, .userInfo).count == 2, "sent, and lost")
    pair.condition(.quirk(.queueStall, isOn: true), .watch)
    try pair.drive(for: .seconds(20))
    pair.restore()
    try pair.drive(for: .seconds(60))
    #expect(pair.watch.sent(.data, .userInfo).count == 2)
    try pair.userInfo([3], from: .watch)
    try pair.drive(for: .seconds(60))
    #expect(pair.phone.effects == [[1]])
    try pair.userInfo([4], from: .watch)
    try pair.drive(for: .seconds(60))
    #expect(pair.phone.effects == [[1], [2]])
  }

  @Test func `the app's next start releases a stalled queue`() throws {
    var pair = try Self.connected()
    pair.condition(.quirk(.queueStall, isOn: true), .watch)
    try pair.userInfo([1], from: .watch)
    try pair.userInfo([2], from: .watch)
    try pair.userInfo([3], from: .watch)
    pair.restart(.watch)
    try pair.drive()
    #expect(pair.phone.effects == [[1], [2], [3]])
    try pair.userInfo([4], from: .watch)
    try pair.drive()
    #expect(pair.phone.effects.count == 3, "entries queued from then on are held again")
  }

  @Test func `a long stalled queue is paged`() throws {
    var pair = try Self.connected()
    pair.condition(.quirk(.queueStall, isOn: true), .watch)
    for number in 0..<300 { try pair.userInfo([UInt8(number & 255), UInt8(number >> 8)], from: .watch) }
    try pair.drive(stepsMax: 100_000)
    #expect(pair.phone.effects.count == 299)
    pair.condition(.quirk(.queueStall, isOn: false), .watch)
    try pair.drive(stepsMax: 100_000)
    #expect(pair.phone.effects == (0..<300).map { [UInt8($0 & 255), UInt8($0 >> 8)] })
  }

  @Test func `a lost finish is never reported, and nothing is sent again`() throws {
    var pair = try Self.connected()
    pair.condition(.quirk(.finishLost, isOn: true), .watch)
    let transfer = try pair.userInfo([1], from: .watch)
    let file = try pair.file([2], from: .watch)
    try pair.drive()
    let frames = pair.watch.sent.count
    pair.condition(.quirk(.finishLost, isOn: false), .watch)
    try pair.drive(for: .seconds(600))
    #expect(pair.phone.effects == [[1]] && pair.phone.files.count == 1)
    #expect(pair.watch.sent.count == frames)
    #expect(pair.watch.finished.isEmpty && pair.watch.lines("transfer.finished").isEmpty)
    #expect(pair.session(.watch).outstanding(in: .userInfo).map(\.transfer) == [transfer])
    #expect(pair.session(.watch).outstanding(in: .file).map(\.transfer) == [file])
    #expect(pair.session(.watch).outstandingCount(in: .userInfo) == 1)
    try pair.userInfo([3], from: .watch)
    try pair.drive()
    #expect(pair.watch.finished == [SequenceNumber(2)])
    pair.restart(.watch)
    try pair.drive()
    #expect(pair.session(.watch).outstandingCount(in: .userInfo) == 0, "the store owes nothing")
    #expect(pair.phone.effects == [[1], [3]])
  }

  @Test func `the last handled items are recorded again at each start, without effect`() throws {
    var pair = try Self.connected()
    try pair.userInfo([0], from: .watch)
    try pair.drive()
    pair.condition(.quirk(.deliveredTwice, isOn: true), .phone)
    pair.restart(.phone)
    try pair.drive()
    #expect(pair.phone.lines("transfer.redelivered").isEmpty, "handled before the quirk was on")
    let transfers = [try pair.userInfo([1], from: .watch), try pair.userInfo([2], from: .watch)]
    let other = try pair.complication([3], from: .watch).transfer
    try pair.drive()
    for _ in 0..<2 {
      pair.restart(.phone)
      try pair.drive()
    }
    let again = pair.phone.lines("transfer.redelivered").map { $0["transfer"] }
    #expect(again == [other, transfers[1], other, transfers[1]].map(\.traceValue))
    #expect(pair.phone.effects == [[0], [1], [2]] && pair.phone.complications == [[3]])
    pair.condition(.quirk(.deliveredTwice, isOn: false), .phone)
    try pair.userInfo([4], from: .watch)
    try pair.drive()
    pair.restart(.phone)
    try pair.drive()
    #expect(pair.phone.lines("transfer.redelivered").count == 4)
    #expect(pair.phone.effects == [[0], [1], [2], [4]])
  }

  // MARK: Contexts

  @Test func `a waking app gets earlier contexts again, in order, the latest last`() throws {
    var pair = try Self.connected()
    pair.condition(.quirk(.contextBurst, isOn: true), .phone)
    pair.condition(.suspended, .phone)
    for number: UInt8 in 1...12 {
      try pair.context([number], from: .watch)
      try pair.drive()
    }
    #expect(pair.phone.contexts.isEmpty)
    pair.condition(.resumed, .phone)
    let burst = pair.phone.contexts
    #expect(burst.last == [12] && burst.count > 8 && burst.count <= 24)
    #expect(burst.map { $0[0] } == burst.map { $0[0] }.sorted() && Set(burst) == Set((5...12).map { [$0] }))
    #expect(pair.phone.lines("context.repeated").count == burst.count - 1, "the latest is new, once")
    #expect(pair.phone.lines("context.received").count == 12)
    pair.restart(.phone)
    try pair.drive()
    #expect(pair.phone.contexts.dropFirst(burst.count).allSatisfy { $0 == [12] })
    #expect(pair.session(.phone).receivedApplicationContext == [12])
  }

  @Test func `a starting app is notified once more of a context that it has had`() throws {
    var pair = try Self.connected()
    try pair.context([1], from: .watch)
    try pair.drive()
    pair.condition(.quirk(.contextRepeated, isOn: true), .phone)
    let before = pair.phone.contexts
    pair.restart(.phone)
    try pair.drive()
    #expect(pair.phone.contexts == before + [[1]])
    #expect(pair.phone.lines("context.repeated").count == 1 && pair.phone.lines("context.received").count == 1)
  }

  @Test func `a starting app is not notified of a context that is there already, but of later ones`() throws {
    var pair = try Self.connected()
    try pair.context([1], from: .watch)
    try pair.drive()
    pair.condition(.quirk(.contextUnannounced, isOn: true), .phone)
    let before = pair.phone.contexts
    #expect(before.last == [1])
    pair.restart(.phone)
    try pair.drive()
    #expect(pair.phone.contexts == before)
    #expect(pair.session(.phone).receivedApplicationContext == [1])
    try pair.context([2], from: .watch)
    try pair.drive()
    #expect(pair.phone.contexts == before + [[2]])
    pair.condition(.quirk(.contextUnannounced, isOn: false), .phone)
    pair.restart(.phone)
    try pair.drive()
    #expect(pair.phone.contexts == before + [[2], [2]])
  }
}
