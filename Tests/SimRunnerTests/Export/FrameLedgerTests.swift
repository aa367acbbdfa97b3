import Link
import Testing

@testable import TraceTools

@Suite struct FrameLedgerTests {
  private func sent(_ id: Int64, at seconds: Int64) -> TraceEvent {
    StoryEvents.event(
      "frame.sent", Double(seconds), .watch,
      ["id": .int(id), "to": .string("phone"), "kind": .string("data"), "seq": .int(id)])
  }

  private func fate(_ id: Int64, at seconds: Int64, copy: Int64 = 0, cause: String? = nil) -> TraceEvent {
    let name: TraceEvent.Name = cause == nil ? "frame.delivered" : "frame.dropped"
    return StoryEvents.event(
      name, Double(seconds), .link, ["id": .int(id), "copy": .int(copy), "cause": .string(cause ?? "")])
  }

  @Test func `frames come out in the order of their sending, each with its fate`() throws {
    var ledger = FrameLedger()
    ledger.observe(sent(1, at: 0), line: 2)
    ledger.observe(sent(2, at: 1), line: 3)
    ledger.observe(fate(2, at: 2), line: 4)
    // The second is settled and still waits for the first.
    let none1 = ledger.next()
    #expect(none1 == nil)
    ledger.observe(fate(1, at: 3, cause: "loss"), line: 5)
    let next = ledger.next()
    let first = try #require(next)
    #expect(first.id == 1 && first.fates.map(\.cause) == ["loss"])
    let last = ledger.next()
    let second = try #require(last)
    #expect(second.id == 2 && second.fates.map(\.line) == [4] && second.fates[0].cause == nil)
    let none2 = ledger.next()
    #expect(none2 == nil)
  }

  @Test func `a frame with copies waits for the fate of each`() {
    var ledger = FrameLedger()
    ledger.observe(sent(1, at: 0), line: 2)
    let copied = TraceEvent(
      "frame.duplicated", at: .start, on: .link, [.init("id", .int(1)), .init("copies", .int(2))])
    ledger.observe(copied, line: 3)
    ledger.observe(fate(1, at: 1), line: 4)
    ledger.observe(fate(1, at: 1, copy: 1), line: 5)
    let none3 = ledger.next()
    #expect(none3 == nil)
    ledger.observe(fate(1, at: 2, copy: 2, cause: "loss"), line: 6)
    let whole = ledger.next()
    #expect(whole?.fates.count == 3)
  }

  @Test func `frames have the names of what they carry`() {
    var ledger = FrameLedger()
    for seq in 1...3 {
      ledger.observe(
        StoryEvents.event(
          "frame.sent", 1, .watch,
          [
            "id": .int(Int64(seq)), "kind": .string("data"), "channel": .string("message"), "epoch": .int(1),
            "seq": .int(Int64(seq)),
          ]),
        line: seq)
    }
    ledger.observe(
      StoryEvents.event("message.sent", 1, .watch, ["kind": .string("lap"), "epoch": .int(1), "seq": .int(2)]), line: 4)
    // The same number of the other device is another message.
    ledger.observe(
      StoryEvents.event("message.sent", 1, .phone, ["kind": .string("stop"), "epoch": .int(1), "seq": .int(3)]), line: 5
    )
    var titles: [String] = []
    while let frame = ledger.next(isOver: true) { titles.append(frame.title) }
    #expect(titles == ["data message 1", "lap (message 2)", "data message 3"])
  }

  @Test func `invented values in a foreign trace disturb nothing`() {
    var ledger = FrameLedger()
    ledger.observe(fate(9, at: 0), line: 2)
    ledger.observe(sent(1, at: 0), line: 3)
    // The same number again: its fate goes to the later one.
    ledger.observe(sent(1, at: 1), line: 4)
    for line in 5..<3_000 { ledger.observe(fate(1, at: 2), line: line) }
    ledger.observe(TraceEvent("frame.sent", at: .start + .seconds(3), on: .runner), line: 3_000)
    let none4 = ledger.next()
    #expect(none4 == nil)
    var frames: [ExportedFrame] = []
    while let frame = ledger.next(isOver: true) { frames.append(frame) }
    // The last line is not a frame: it has none of the fields of one.
    #expect(frames.map(\.line) == [3, 4])
    #expect(frames[1].fates.count <= 1_001)
  }

  @Test func `many frames pass in little memory`() {
    var ledger = FrameLedger()
    var count: Int64 = 0
    for id in Int64(1)...10_000 {
      ledger.observe(sent(id, at: id), line: Int(id) * 2)
      ledger.observe(fate(id, at: id), line: Int(id) * 2 + 1)
      while let frame = ledger.next() {
        count += 1
        #expect(frame.id == count)
      }
    }
    #expect(count == 10_000)
  }
}
