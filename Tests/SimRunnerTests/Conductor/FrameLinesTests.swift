import Link
import Testing

@testable import sim_runner

@Suite struct `Lines of frames` {
  private static func keys(_ event: TraceEvent) -> [String] { event.fields.map(\.key) }

  @Test func `a line has nothing of the frame before`() {
    var lines = FrameLines(isDigesting: true)
    var chunk = Frame(
      kind: .chunk, channel: .file, flags: .wantsReply, attempt: 2, epoch: Epoch(3), seq: SequenceNumber(4), offset: 5,
      transfer: Identifier(high: 6, low: 7), payload: [8])
    var plain = Frame(kind: .ack, channel: .message, epoch: Epoch(1), seq: SequenceNumber(2))
    let always = ["id", "to", "kind", "channel", "epoch", "seq", "bytes", "digest"]
    lines.sent(digesting: &chunk, id: 1, from: .phone, to: .watch, at: .start)
    #expect(Self.keys(lines.sent) == always + ["attempt", "transfer", "offset", "wantsReply"])
    lines.sent(digesting: &plain, id: 2, from: .watch, to: .phone, at: .start + .seconds(1))
    #expect(Self.keys(lines.sent) == always)
    #expect(
      lines.sent.fields.map(\.value) == [
        .int(2), .string("phone"), .string("ack"), .string("message"), .int(1), .int(2), .int(0),
        .hex(Digest.prefix([])),
      ])
    #expect(lines.sent.place == .watch && lines.sent.time == .start + .seconds(1))
  }

  @Test func `a line that is still referenced does not change`() {
    var lines = FrameLines(isDigesting: true)
    lines.delivered(id: 1, copy: 0, on: .link, at: .start)
    let kept = lines.delivered
    lines.delivered(id: 2, copy: 1, on: .uplink, at: .start + .seconds(1))
    #expect(kept["id"] == .int(1) && kept.time == .start && kept.place == .link)
    #expect(lines.delivered["id"] == .int(2) && lines.delivered["copy"] == .int(1))
    #expect(lines.delivered.place == .uplink)
  }

  private static func isOpen(_ event: TraceEvent) -> Bool {
    if case .digest = event["digest"] { true } else { false }
  }

  @Test func `a node that may be another process receives digests that were computed`() {
    var run = StubRun()
    run.commands = [(.start + .seconds(1), .watch, "send")]
    run.watch.react = { _, input, _ in
      if case .command = input { [StubHost.frame(1, bytes: 3)] } else { [] }
    }
    let sent = run.run().lines(.frameSent)
    #expect(sent.first?["digest"] == .hex(Digest.prefix([0, 0, 0])))
    #expect(!sent.contains(where: Self.isOpen))
  }

  @Test func `digests are deferred where the text is not needed, and are the same ones`() throws {
    final class Box { var lines: [TraceEvent] = [] }
    let scenario = try Scenario.load(Tool.scenario("demo"))
    func lines(_ level: TraceSink.Level) throws -> [TraceEvent] {
      let box = Box()
      var options = RunOptions()
      options.level = level
      options.onEvent = { event, _ in
        if event.name == .frameSent || event.name == .messageReceived { box.lines.append(event) }
      }
      #expect(try ScenarioRun.run(scenario, options).status == 0)
      return box.lines
    }
    let (judged, written) = (try lines(.judged), try lines(.written))
    #expect(judged.count > 1_000 && judged.allSatisfy(Self.isOpen) && !written.contains(where: Self.isOpen))
    #expect(judged == written)
  }
}
