import Link
import PhoneSim
import Testing

/// `script-in-force`: three failed attempts, and something must be there to speak from.
@Suite struct ScriptInForceTests {
  private static let run = Identifier(high: 1, low: 1)

  private func found(_ write: (inout CoachTrace) -> Void) throws -> [String] {
    var trace = CoachTrace()
    write(&trace)
    return try trace.judge(only: ["script-in-force"]).violations.map { "\($0.detail) \($0.lines)" }
  }

  private func ask(_ trace: inout CoachTrace, _ seconds: Double, attempt: Int64, kind: String = "generateScript") {
    var fields: [TraceEvent.Field] = [
      .init("id", Identifier(high: 2, low: UInt64(attempt)).traceValue), .init("kind", .string(kind)),
      .init("digest", .string("d")), .init("runId", Self.run.traceValue),
    ]
    if attempt > 1 { fields.append(.init("attempt", .int(attempt))) }
    trace.add("ai.requested", seconds, fields)
    trace.add(
      "ai.failed", seconds + 1,
      [fields[0], fields[1], .init("why", .string("status 502")), .init("retryAt", .int(0))])
  }

  @Test func `a script that is loaded at the instant of the third failure is in force, and so is an earlier one`()
    throws
  {
    #expect(
      try found {
        for attempt in 1...3 { ask(&$0, Double(attempt) * 10, attempt: Int64(attempt)) }
        $0.add("script.loaded", 31, [.init("source", .string("fallback"))])
        for attempt in 4...9 { ask(&$0, Double(attempt) * 10, attempt: Int64(attempt)) }
      } == [])
    #expect(
      try found {
        ask(&$0, 10, attempt: 1)
        $0.add("script.loaded", 12, [.init("source", .string("fallback"))])
        ask(&$0, 20, attempt: 2)
        ask(&$0, 30, attempt: 3)
      } == [])
    #expect(try found { for attempt in 1...2 { ask(&$0, Double(attempt) * 10, attempt: Int64(attempt)) } } == [])
    #expect(
      try found { for attempt in 1...5 { ask(&$0, Double(attempt), attempt: Int64(attempt), kind: "postRunSummary") } }
        == [])
  }

  @Test func `one that comes later, or that was loaded before the run asked, is not`() throws {
    let words = "the third attempt at the script of run 00000000 failed, but no script is in force"
    #expect(
      try found {
        $0.add("script.loaded", 1, [.init("source", .string("edge"))])
        for attempt in 1...4 { ask(&$0, Double(attempt) * 10, attempt: Int64(attempt)) }
        $0.add("script.loaded", 50, [.init("source", .string("fallback"))])
      } == ["\(words) [3, 8]"])
    // Of another run.
    #expect(try asksAgain(after: Identifier(high: 1, low: 9)) == ["\(words) [3, 8]"])
    #expect(
      try found { for attempt in 1...3 { ask(&$0, Double(attempt) * 10, attempt: Int64(attempt)) } }
        == ["\(words) [2, 7]"])
  }

  private func asksAgain(after run: Identifier) throws -> [String] {
    try found {
      $0.add(
        "script.loaded", 1,
        [.init("source", .string("fallback")), .init("script", .json("{\"runId\":\"\(run.text)\",\"messages\":[]}"))])
      for attempt in 1...4 { ask(&$0, Double(attempt) * 10, attempt: Int64(attempt)) }
    }
  }

  @Test func `a coach that asks again, for other inputs, still has the script of that run`() throws {
    #expect(try asksAgain(after: Self.run) == [])
  }
}
