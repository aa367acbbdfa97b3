import Link
import Testing

@testable import TraceTools

/// What the story tells of an app's messages, contexts and transfers.
@Suite struct MessageChapterTests {
  private typealias S = StoryEvents
  private static let transfer = TraceValue.uuid(high: 1, low: 2)

  private func told(_ events: [TraceEvent]) -> [String] {
    var chapter = MessageChapter()
    var lines: [StoryLine] = []
    for event in events { chapter.observe(event, into: &lines) }
    return lines.map { "\($0.voice.rawValue) \($0.text)" }
  }

  /// A message that is sent, and arrives or is lost a tenth of a second later.
  private func message(_ seq: Int64, _ kind: String, at time: Double, arrives: Bool, copies: Int64 = 0) -> [TraceEvent]
  {
    var events = [
      S.event(
        "frame.sent", time, .watch,
        ["id": .int(seq), "kind": .string("data"), "channel": .string("message"), "epoch": .int(1), "seq": .int(seq)]),
      S.event("message.sent", time, .watch, ["kind": .string(kind), "epoch": .int(1), "seq": .int(seq)]),
    ]
    if copies > 0 {
      events.append(S.event("frame.duplicated", time, .link, ["id": .int(seq), "copies": .int(copies)]))
      events.append(S.event("frame.dropped", time, .link, ["id": .int(seq), "cause": .string("loss")]))
    }
    if arrives {
      events.append(
        S.event(
          "message.received", time + 0.1, .phone,
          ["from": .string("watch"), "kind": .string(kind), "epoch": .int(1), "seq": .int(seq)]))
    } else {
      events.append(S.event("frame.dropped", time + 0.1, .link, ["id": .int(seq), "cause": .string("disconnected")]))
    }
    return events
  }

  @Test func `a message is told when it is sent, arrives and is lost`() {
    #expect(
      told(message(1, "lap", at: 1, arrives: true) + message(2, "stop", at: 2, arrives: false)) == [
        "watch sends \"lap\"", "phone gets \"lap\", sent 0.1 s before", "watch sends \"stop\"",
        "link \"stop\" of the watch's app is lost to the cut link",
      ])
    // One copy is lost, and the other arrives.
    #expect(told(message(1, "lap", at: 1, arrives: true, copies: 1)).last == "phone gets \"lap\", sent 0.1 s before")
    #expect(told(message(1, "lap", at: 1, arrives: false, copies: 1)).last?.contains("lost") == true)
  }

  @Test func `of a stream what changes is told`() {
    let stream = (1...9).flatMap { (seq: Int64) -> [TraceEvent] in
      message(seq, "tick", at: Double(seq), arrives: !(4...6).contains(seq))
    }
    #expect(
      told(stream) == [
        "watch sends \"tick\"", "phone gets \"tick\", sent 0.1 s before",
        "link \"tick\" of the watch's app is lost to the cut link, after 2 more before",
        "phone gets \"tick\", sent 0.1 s before, after 2 more before",
      ])
  }

  @Test func `each transfer is told`() {
    let identity: KeyValuePairs<String, TraceValue> = [
      "transfer": Self.transfer, "channel": .string("userInfo"), "seq": .int(1), "kind": .string("summary"),
    ]
    #expect(
      told([S.event("transfer.queued", 1, .watch, identity), S.event("transfer.delivered", 8.5, .phone, identity)]) == [
        "watch queues the event \"summary\"", "phone gets the event \"summary\", sent 7.5 s before",
      ])
  }

  @Test func `a context is told with its name, if it has one`() {
    let events = [
      S.event("context.set", 1, .phone, ["seq": .int(1), "kind": .string("plan")]),
      S.event("context.received", 1.5, .watch, ["seq": .int(1), "kind": .string("plan")]),
      S.event("context.set", 2, .phone, ["seq": .int(2)]),
    ]
    #expect(
      told(events) == [
        "phone sets the context \"plan\"", "watch gets the context \"plan\", sent 0.5 s before",
        "phone sets the context",
      ])
  }

  @Test func `the summary counts what did not arrive`() {
    var tally = StoryTally()
    tally.hasAppAsPhone = true
    let events = message(1, "lap", at: 1, arrives: true) + message(2, "stop", at: 2, arrives: false)
    for event in events { tally.observe(event) }
    let row = StorySummary.rows(tally).first { $0.head == "messages" }
    #expect(row?.text == "1 received, 0 contexts, 1 sent that did not arrive: 1 stop; 0 failed")
  }
}
