import Link
import Testing

@testable import Simulator

@Suite struct `Events of frames` {
  private static func log() -> RunLog { RunLog(TraceSink(level: .judged), isDigesting: true) }

  @Test func `the event of a frame has the fields that the frame needs`() {
    var log = Self.log()
    var events: [TraceEvent] = []
    var chunk = Frame(
      kind: .chunk, channel: .file, flags: .wantsReply, attempt: 2, epoch: Epoch(3), seq: SequenceNumber(4), offset: 5,
      transfer: Identifier(high: 6, low: 7), payload: [8])
    var plain = Frame(kind: .ack, channel: .message, epoch: Epoch(1), seq: SequenceNumber(2))
    let always = ["id", "to", "kind", "channel", "epoch", "seq", "bytes", "digest"]
    log.sink.onEvent = { event, _ in events.append(event) }
    #expect(log.recordSent(&chunk, from: .phone, to: .watch) == 1)
    #expect(log.recordSent(&plain, from: .watch, to: .phone) == 2)
    #expect(events.map { $0.fields.map(\.key) } == [always + ["attempt", "transfer", "offset", "wantsReply"], always])
    #expect(
      events.last?.fields.map(\.value) == [
        .int(2), .string("phone"), .string("ack"), .string("message"), .int(1), .int(2), .int(0),
        .hex(Digest.prefix([])),
      ])
    #expect(events.map(\.place) == [.phone, .watch])
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
    let sent = run.run().lines("frame.sent")
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
        if event.name == FrameSent.name || event.name == MessageReceived.name { box.lines.append(event) }
      }
      #expect(try ScenarioRun.run(scenario, options).status == 0)
      return box.lines
    }
    let (judged, written) = (try lines(.judged), try lines(.written))
    #expect(judged.count > 1_000 && judged.allSatisfy(Self.isOpen) && !written.contains(where: Self.isOpen))
    #expect(judged == written)
  }
}
