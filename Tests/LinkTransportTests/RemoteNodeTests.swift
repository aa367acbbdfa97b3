import Foundation
import Link
import LinkTransport
import Testing

@Suite struct RemoteNodeTests {
  private let frame = Frame(
    kind: .data, channel: .message, epoch: Epoch(1), seq: SequenceNumber(4), payload: Array("ab".utf8))

  private func text(_ answer: NodeAnswer) -> [String] {
    answer.items.map { item in
      switch item {
      case .frame(let frame): "frame \(String(decoding: frame.payload, as: UTF8.self))"
      case .line(let range): String(decoding: answer.line(range), as: UTF8.self)
      case .handled: "handled"
      }
    }
  }

  @Test func `a grant hands over inputs, then fires timers, and the answer is in order`() throws {
    let listener = try NodeListener(timeout: 30)
    let thread = EchoThread(.of(listener, .watch))
    let node = try listener.accept([.watch])[0]
    var answer = NodeAnswer()
    try node.welcome("{}", into: &answer)
    #expect(answer.items.isEmpty && answer.nextDeadline == .start)

    try node.grant(at: .start, inputs: [.link(isUp: true), .frame(frame)], into: &answer)
    #expect(
      text(answer) == [
        #"{"t":0,"node":"watch","event":"test","what":"up"}"#, "handled", "frame abab",
        #"{"t":0,"node":"watch","event":"test","what":"frame"}"#, "handled",
        #"{"t":0,"node":"watch","event":"test","what":"tick"}"#,
      ])
    #expect(answer.nextDeadline == VirtualTime(nanoseconds: 1_000_000_000))

    // Not yet due, then due but not to be fired, then fired.
    try node.grant(at: VirtualTime(nanoseconds: 7), inputs: [.command(NodeCommand("pause"))], into: &answer)
    #expect(text(answer) == [#"{"t":7,"node":"watch","event":"test","what":"pause"}"#, "handled"])
    let second = VirtualTime(nanoseconds: 1_000_000_000)
    try node.grant(at: second, firesTimers: false, into: &answer)
    #expect(answer.items.isEmpty && answer.nextDeadline == second)
    try node.grant(at: second, into: &answer)
    #expect(answer.items.count == 1 && answer.nextDeadline == second + .seconds(1))

    node.end()
    #expect(thread.end() == .success(.over))
    #expect(thread.committed == [[.handled(.userInfo, SequenceNumber(4))]])
  }

  @Test func `an answer ends at an armed crash point, with what is durable there and nothing behind it`() throws {
    let listener = try NodeListener(timeout: 30)
    let thread = EchoThread(.of(listener, .watch))
    let node = try listener.accept([.watch])[0]
    var answer = NodeAnswer()
    try node.welcome("{}", into: &answer)
    // One that is armed in vain, then one that is disarmed again: the node goes on past the point.
    try node.arm([.inboxAcked])
    try node.grant(at: .start, inputs: [.command(NodeCommand("point"))], firesTimers: false, into: &answer)
    #expect(answer.stoppedAt == nil && answer.handledCount == 1)
    try node.arm([.inboxAcked, .handlerCommitted])
    try node.arm([])
    try node.grant(at: .start, inputs: [.command(NodeCommand("point"))], firesTimers: false, into: &answer)
    #expect(answer.stoppedAt == nil && answer.handledCount == 1)

    try node.arm([.inboxAcked, .handlerCommitted])
    let inputs: [NodeInput] = [.frame(frame), .command(NodeCommand("point")), .link(isUp: true)]
    try node.grant(at: VirtualTime(nanoseconds: 5), inputs: inputs, into: &answer)
    #expect(answer.stoppedAt == "handler.committed")
    #expect(
      text(answer) == [
        "frame abab", #"{"t":5,"node":"watch","event":"test","what":"frame"}"#, "handled",
        #"{"t":5,"node":"watch","event":"test","what":"before"}"#,
      ])
    node.shutDown()
    #expect(thread.end() == .success(.disconnected))
    // One commit a grant; of the last grant everything before the point, and nothing after it.
    func handled(_ seqs: [UInt64]) -> [SessionChange] { seqs.map { .handled(.userInfo, SequenceNumber($0)) } }
    #expect(thread.committed == [handled([99, 100]), handled([99, 100]), handled([4, 99])])
  }

  @Test func `a node stops at armed crash points only`() throws {
    let found = try failure { try $0.send { $0.stopped(at: .inboxCommitted) } }
    #expect(found == NodeFailure(.phone, .protocolBroken(.unarmed("inbox.committed"))))
    #expect(found?.text == #"broke the protocol: a stop at "inbox.committed", which is not armed"#)
  }

  @Test func `a node receives the inputs about its device unchanged`() throws {
    let listener = try NodeListener(timeout: 30)
    let thread = EchoThread(.of(listener, .watch))
    let node = try listener.accept([.watch])[0]
    var answer = NodeAnswer()
    try node.welcome("{}", into: &answer)
    let conditions: [NodeCondition] = [
      .peer(isRunning: false), .peerInstalled(false), .clock(offset: -90_000_000_000, driftPPM: 0.1),
      .disk(isFull: true),
      .suspended, .resumed,
    ]
    try node.grant(at: .start, inputs: conditions.map { .condition($0) }, firesTimers: false, into: &answer)
    #expect(
      text(answer).filter { $0 != "handled" }
        == conditions.map { #"{"t":0,"node":"watch","event":"test","what":"\#($0)"}"# })
    node.end()
    _ = thread.end()
  }

  @Test func `more inputs than a grant can carry all arrive`() throws {
    let listener = try NodeListener(timeout: 60)
    let thread = EchoThread(.of(listener, .watch))
    let node = try listener.accept([.watch])[0]
    var answer = NodeAnswer()
    try node.welcome("{}", into: &answer)
    let count = NodeWire.inputsMax + 10
    try node.grant(at: .start, inputs: [NodeInput](repeating: .link(isUp: false), count: count), into: &answer)
    #expect(answer.items.count == 2 * count + 1)
    node.end()
    _ = thread.end()
  }

  @Test func `large frames go through whole`() throws {
    let listener = try NodeListener(timeout: 60)
    let thread = EchoThread(.of(listener, .phone))
    let node = try listener.accept([.phone])[0]
    var answer = NodeAnswer()
    try node.welcome("{}", into: &answer)
    var large = frame
    large.payload = [UInt8](repeating: 7, count: Frame.payloadBytesMax / 2)
    try node.grant(at: .start, inputs: [NodeInput](repeating: .frame(large), count: 60), into: &answer)
    let sizes = answer.items.compactMap { if case .frame(let frame) = $0 { frame.payload.count } else { nil } }
    #expect(sizes == [Int](repeating: Frame.payloadBytesMax, count: 60))
    node.end()
    _ = thread.end()
  }

  /// Joins as a peer that then says `bytes` after the grant it is given.
  private func failure(timeout: Double = 30, _ act: (borrowing RawPeer) throws -> Void) throws -> NodeFailure? {
    let listener = try NodeListener(timeout: timeout)
    let peer = try RawPeer(listener)
    try peer.join(listener, as: .phone)
    let node = try listener.accept([.phone])[0]
    try act(peer)
    var answer = NodeAnswer()
    do throws(NodeFailure) {
      try node.grant(at: VirtualTime(nanoseconds: 5), into: &answer)
      return nil
    } catch { return error }
  }

  @Test func `silence ends in time`() throws {
    #expect(try failure(timeout: 0.05) { _ in } == NodeFailure(.phone, .silent(seconds: 0.05)))
  }

  @Test func `an answer that never ends is silence too`() throws {
    let found = try failure(timeout: 0.05) { try $0.send([9, 0, 0, 0, 9, 1, 2]) }
    #expect(found == NodeFailure(.phone, .silent(seconds: 0.05)))
  }

  @Test func `garbage breaks the protocol`() throws {
    #expect(
      try failure { try $0.send([1, 0, 0, 0, 99]) } == NodeFailure(.phone, .protocolBroken(.unknownType(99))))
    #expect(
      try failure { try $0.send([0xFF, 0xFF, 0xFF, 0xFF, 4]) }
        == NodeFailure(.phone, .protocolBroken(.oversized(.frame, bytes: 0xFFFF_FFFE, max: 262_200))))
    var writer = RecordWriter()
    writer.frame(frame)
    var bytes = writer.bytes
    bytes[40] ^= 1
    guard case .protocolBroken(.frame(.badChecksum))? = try failure({ try $0.send(bytes) })?.cause else {
      Issue.record("a flipped bit passed")
      return
    }
  }

  @Test func `an answer covers every input, and no more`() throws {
    let found = try failure {
      try $0.send {
        $0.handled()
        $0.done(nextDeadline: nil)
      }
    }
    #expect(found == NodeFailure(.phone, .protocolBroken(.handledInputs(found: 1, granted: 0))))
  }

  @Test func `only an app in virtual time has timers of its own`() throws {
    let found = try failure { try $0.send { $0.done(nextDeadline: nil, appDeadline: .distantFuture) } }
    #expect(found == NodeFailure(.phone, .protocolBroken(.foreignAppDeadline)))
  }

  @Test func `a second join is not an answer`() throws {
    let found = try failure { try $0.send { $0.join(JoinRequest(role: .phone, token: [], name: "")) } }
    #expect(found == NodeFailure(.phone, .protocolBroken(.unexpected(.join))))
  }

  @Test func `a node may say why it gives up`() throws {
    let found = try failure { try $0.send { $0.failed("no disk") } }
    #expect(found == NodeFailure(.phone, .gaveUp("no disk")))
    #expect(found?.text == "gave up: no disk")
  }

  @Test func `a closed connection has its own error`() throws {
    #expect(try failure { $0.socket.shutDown() } == NodeFailure(.phone, .closed))
  }

  @Test func `a reader that takes nothing costs bounded memory and ends in time`() throws {
    let listener = try NodeListener(timeout: 0.1)
    let peer = try RawPeer(listener)
    try peer.join(listener, as: .phone)
    let node = try listener.accept([.phone])[0]
    var large = frame
    large.payload = [UInt8](repeating: 7, count: Frame.payloadBytesMax)
    var answer = NodeAnswer()
    #expect(throws: NodeFailure(.phone, .silent(seconds: 0.1))) {
      try node.grant(at: .start, inputs: [NodeInput](repeating: .frame(large), count: 2000), into: &answer)
    }
    _ = peer
  }

  @Test func `a conductor that vanishes ends the node`() throws {
    let listener = try NodeListener(timeout: 30)
    let thread = EchoThread(.of(listener, .watch))
    let node = try listener.accept([.watch])[0]
    var answer = NodeAnswer()
    try node.welcome("{}", into: &answer)
    node.shutDown()
    #expect(thread.end() == .success(.disconnected))
  }

  @Test func `a node refuses to go back in time`() throws {
    let listener = try NodeListener(timeout: 30)
    let thread = EchoThread(.of(listener, .watch))
    let node = try listener.accept([.watch])[0]
    var answer = NodeAnswer()
    try node.welcome("{}", into: &answer)
    try node.grant(at: VirtualTime(nanoseconds: 9), into: &answer)
    #expect(throws: NodeFailure.self) { try node.grant(at: VirtualTime(nanoseconds: 8), into: &answer) }
    #expect(thread.end() == .failure(.wire(.malformed(.grant, expected: "an instant of at least 9"))))
  }
}
