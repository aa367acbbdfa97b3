import Link
import LinkTestSupport
import Testing

@Suite struct AnswerChapterTests {
  private typealias S = StoryEvents
  private static let id = TraceValue.uuid(high: 5, low: 1)
  private static let note = TraceValue.uuid(high: 6, low: 1)

  private static func chat(_ name: TraceEvent.Name, _ at: Double, _ more: [TraceEvent.Field] = []) -> TraceEvent {
    let event = S.event(name, at, .phone, ["id": id, "kind": .string("chatReply"), "note": note])
    return event.with(fields: event.fields + more)
  }

  private static let text = TraceEvent.Field("text", .string("Three to go."))
  private static let asked = [
    S.event(
      "voice.transcribed", 59, .phone, ["note": note, "status": .string("done"), "transcript": .string("How far?")]),
    chat("ai.requested", 60),
  ]

  @Test func `a question, its answer and how it is spoken`() throws {
    let lines = try S.tell(
      Self.asked + [
        Self.chat("ai.reply", 61, [Self.text, .init("speaks", .bool(true))]),
        S.event("script.dispatch", 62, .phone, ["message": Self.id, "trigger": .string("ai_reply")]),
        S.event("audio.start", 62, .phone, ["utterance": .int(1), "message": Self.id]),
      ])
    #expect(
      lines.suffix(3) == [
        #"    1:00  coach  is asked "How far?" and asks for an answer"#,
        #"    1:01  coach  has an answer: "Three to go.""#,
        #"    1:02  coach  "Three to go." (the answer)"#,
      ])
  }

  @Test func `a stock line, and the answer that came too late`() throws {
    let lines = try S.tell(
      Self.asked + [Self.chat("ai.fallback", 68, [Self.text]), Self.chat("ai.late", 70, [Self.text])])
    #expect(
      lines.suffix(2) == [
        #"    1:08  coach  has no answer within 8 s, and makes do: "Three to go.""#,
        #"    1:10  coach  an answer comes too late: "Three to go." stays unsaid"#,
      ])
  }

  @Test func `a script that fails is asked for again`() throws {
    let kind = TraceValue.string("generateScript")
    let lines = try S.tell([
      S.event("ai.requested", 0, .phone, ["id": Self.id, "kind": kind]),
      S.event(
        "ai.failed", 1, .phone,
        ["id": Self.id, "kind": kind, "why": .string("status 502"), "retryAt": .int(2_250_000_000)]),
      S.event("ai.requested", 2.25, .phone, ["id": Self.id, "kind": kind, "attempt": .int(2)]),
      S.event("ai.dropped", 9, .phone, ["id": Self.id, "kind": kind, "why": .string("the run is over")]),
    ])
    #expect(lines.count == 4)
    #expect(lines[0].hasSuffix("coach  asks for a script for this workout"))
    #expect(lines[1].contains("gets no script for this workout: status 502; asks again in"))
    #expect(lines[2].hasSuffix("asks again (attempt 2) for a script for this workout"))
    #expect(lines[3].hasSuffix("asks no more for a script for this workout: the workout is over"))
  }

  @Test func `a summary and what is learnt from it`() throws {
    let lines = try S.tell([
      S.event(
        "ai.reply", 100, .phone, ["id": Self.id, "kind": .string("postRunSummary"), "text": .string("Even splits.")]),
      S.event(
        "memory.updated", 100, .phone,
        ["kind": .string("fact"), "key": .string("hr.rest"), "value": .json("50"), "source": .string("ai_inferred")]),
      S.event("memory.refused", 100, .phone, ["key": .string("hr.max"), "why": .string("user")]),
      S.event("memory.updated", 100, .phone, ["key": .string("name"), "source": .string("user")]),
    ])
    #expect(
      lines == [
        #"    1:40  coach  sums the workout up: "Even splits.""#, "    1:40  coach  learns of the athlete: hr.rest 50",
        "    1:40  coach  keeps to what the athlete said about hr.max",
      ])
  }
}
