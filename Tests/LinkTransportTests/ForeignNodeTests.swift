import Foundation
import Link
import LinkTransport
import Testing

/// A node in another language, written from `docs/internals/protocol.md` alone, in a process of its own.
@Suite struct ForeignNodeTests {
  private static let python = "/usr/bin/python3"

  private func texts(_ answer: NodeAnswer) -> [String] {
    answer.items.compactMap {
      if case .line(let range) = $0 { String(decoding: answer.line(range), as: UTF8.self) } else { nil }
    }
  }

  private func frames(_ answer: NodeAnswer) -> [Frame] {
    answer.items.compactMap { if case .frame(let frame) = $0 { frame } else { nil } }
  }

  private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Nodes/node.py").path

  private static func start(_ listener: NodeListener, state: String) throws -> (ChildProcess, RemoteNode) {
    let child = try ChildProcess([python, script], environment: listener.environment(for: .watch, state: state))
    return (
      child, try listener.accept([.watch]) { child.poll().map { NodeFailure(.watch, .ended($0.description)) } }[0]
    )
  }

  @Test func `a node in Python joins, says hello until it is confirmed, and writes lines`() throws {
    guard FileManager.default.isExecutableFile(atPath: Self.python) else {
      print("skipped: \(Self.python) is missing")
      return
    }
    let listener = try NodeListener(timeout: 60)
    let state = try TemporaryDirectory()
    let (child, node) = try Self.start(listener, state: state.path)
    #expect(node.name == "node.py 1")
    var answer = NodeAnswer()
    try node.welcome("{\"seed\":\"1\",\"now\":0,\"scenario\":{}}", into: &answer)
    #expect(answer.nextDeadline == nil)

    try node.grant(at: .start, inputs: [.link(isUp: true)], into: &answer)
    #expect(frames(answer).map(\.kind) == [.hello])
    let due = VirtualTime(nanoseconds: 500_000_000)
    #expect(answer.nextDeadline == due)
    try node.grant(at: due, into: &answer)
    #expect(frames(answer).map(\.attempt) == [2])

    let confirmation = Frame(
      kind: .ack, channel: .message, epoch: Epoch(3), peerEpoch: Epoch(1), seq: SequenceNumber(0))
    let data = Frame(
      kind: .data, channel: .message, epoch: Epoch(3), peerEpoch: Epoch(1), seq: SequenceNumber(1),
      payload: Array("abc".utf8))
    try node.grant(
      at: due, inputs: [.frame(confirmation), .frame(data), .command(NodeCommand("pause"))], into: &answer)
    #expect(
      texts(answer) == [
        #"{"t":500000000,"node":"watch","event":"foreign.confirmed","epoch":3}"#,
        #"{"t":500000000,"node":"watch","event":"foreign.message","epoch":3,"seq":1,"bytes":3}"#,
        #"{"t":500000000,"node":"watch","event":"foreign.command","name":"pause"}"#,
      ])
    #expect(answer.items.filter { $0 == .handled }.count == 3)
    #expect(answer.nextDeadline == nil)
    node.end()
    #expect(child.wait(seconds: 60) == .exited(0))
  }

  @Test func `a node in Python stops at a crash point, is killed, and continues in its next epoch`() throws {
    guard FileManager.default.isExecutableFile(atPath: Self.python) else {
      print("skipped: \(Self.python) is missing")
      return
    }
    let listener = try NodeListener(timeout: 60)
    let state = try TemporaryDirectory()
    let (child, node) = try Self.start(listener, state: state.path)
    var answer = NodeAnswer()
    try node.welcome("{\"seed\":\"1\",\"now\":0,\"scenario\":{}}", into: &answer)
    let point = CrashPoint("foreign.confirmed", "")
    try node.arm([.inboxCommitted, point])
    let confirmation = Frame(
      kind: .ack, channel: .message, epoch: Epoch(3), peerEpoch: Epoch(1), seq: SequenceNumber(0))
    let inputs: [NodeInput] = [.link(isUp: true), .frame(confirmation), .command(NodeCommand("pause"))]
    try node.grant(at: .start, inputs: inputs, into: &answer)
    #expect(answer.stoppedAt == point.name && answer.handledCount == 1)
    #expect(texts(answer) == [#"{"t":0,"node":"watch","event":"foreign.confirmed","epoch":3}"#])
    #expect(child.poll() == nil, "it waits to be killed")
    #expect(child.kill() == .signalled(SIGKILL))
    node.shutDown()
    listener.recordDeparture(of: .watch)

    let (second, again) = try Self.start(listener, state: state.path)
    let now = VirtualTime(nanoseconds: 7_000_000_000)
    try again.welcome("{\"seed\":\"1\",\"now\":7000000000,\"scenario\":{}}", at: now, into: &answer)
    let conditions: [NodeCondition] = [
      .clock(offset: -90_000_000_000, driftPPM: 0.5), .disk(isFull: true), .peerInstalled(false),
      .peer(isRunning: false), .suspended, .resumed,
    ]
    try again.grant(at: now, inputs: conditions.map { .condition($0) } + [.link(isUp: true)], into: &answer)
    let head = #"{"t":7000000000,"node":"watch","event":"foreign."#
    #expect(
      texts(answer) == [
        head + #"clock","offset":-90000000000,"driftPPM":0.5}"#, head + #"condition","what":"disk","value":true}"#,
        head + #"condition","what":"peerInstalled","value":false}"#, head + #"condition","what":"peer","value":false}"#,
        head + #"condition","what":"app","value":false}"#, head + #"condition","what":"app","value":true}"#,
      ])
    #expect(frames(answer).map(\.epoch) == [Epoch(2)])
    again.end()
    #expect(second.wait(seconds: 60) == .exited(0))
  }
}
