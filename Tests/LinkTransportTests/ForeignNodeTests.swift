import Foundation
import Link
import LinkTransport
import Testing

/// A node in another language, written from `docs/protocol.md` alone, in a process of its own.
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

  @Test func `a node in Python joins, says hello until it is confirmed, and writes lines`() throws {
    guard FileManager.default.isExecutableFile(atPath: Self.python) else {
      print("skipped: \(Self.python) is missing")
      return
    }
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Nodes/node.py").path
    let listener = try NodeListener(timeout: 60)
    let child = try ChildProcess([Self.python, script], environment: listener.environment(for: .watch))
    let node = try listener.accept([.watch]) { child.poll().map { NodeFailure(.watch, .ended($0.description)) } }[0]
    #expect(node.name == "node.py 1")
    var answer = NodeAnswer()
    try node.welcome("{\"role\":\"watch\"}", into: &answer)
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
}
