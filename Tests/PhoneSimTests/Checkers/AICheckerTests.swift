@testable import CoachCheckers
import Link
import PhoneSim
import Testing

private let one = Identifier(high: 5, low: 1)
private let two = Identifier(high: 5, low: 2)

extension CoachTrace {
  fileprivate mutating func ai(
    _ what: String, _ seconds: Double, _ id: Identifier = one, kind: String = "chatReply",
    _ more: [TraceEvent.Field] = []
  ) {
    add("ai.\(what)", seconds, [.init("id", id.traceValue), .init("kind", .string(kind))] + more)
  }

  fileprivate mutating func reply(_ what: String, _ seconds: Double, _ id: Identifier = one) {
    ai(what, seconds, id, [.init("speaks", .bool(true))])
  }

  fileprivate mutating func memory(_ key: String, _ source: String, _ confidence: Double) {
    add(
      "memory.updated", 1,
      [
        .init("key", .string(key)), .init("confidence", .number(confidence, places: 3)),
        .init("source", .string(source)),
      ])
  }
}

@Suite struct `the coach's answers, judged` {
  private func found(
    _ invariant: String, memory: String = "{}", endsAt: Double = 1_000, ends: Bool = true,
    _ write: (inout CoachTrace) -> Void
  ) throws -> [String] {
    var trace = CoachTrace()
    write(&trace)
    return try trace.judge(memory: memory, only: [invariant], ends: ends, endsAt: endsAt).violations
      .map { "\($0.detail) \($0.lines)" }
  }

  // MARK: ai-answers

  @Test func `a reply until 8 s, or a stock line exactly then`() throws {
    #expect(
      try found("ai-answers") {
        $0.ai("requested", 10)
        $0.ai("reply", 18)
        $0.ai("requested", 20, two)
        $0.ai("failed", 21, two)
        $0.ai("fallback", 28, two)
        $0.ai("late", 30, two)
        $0.ai("requested", 40, kind: "generateScript")
      } == [])
  }

  @Test func `a reply costs what its tokens cost`() throws {
    func judge(_ cost: Double?) throws -> [String] {
      try found("ai-answers") {
        $0.ai("requested", 10)
        $0.add(
          "edge.model", 11, on: .edge,
          [
            .init("id", one.traceValue), .init("model", .string("claude-haiku-4-5")), .init("input", .int(112)),
            .init("cacheWritten", .int(110)), .init("cacheRead", .int(7)), .init("output", .int(15)),
          ])
        $0.ai("reply", 12, one, cost.map { [.init("costUsd", .fixed(Int64(($0 * 1e7).rounded()), places: 7))] } ?? [])
      }
    }
    #expect(try judge(0.0004077) == [])
    #expect(try judge(0.0004076) == ["the reply cost 0.0004076 dollars, and its tokens cost 0.0004077 [3, 4]"])
    #expect(try judge(nil) == ["the reply has no price, and its tokens cost 0.0004077 [3, 4]"])
    #expect(try judge(1e9).count == 1)
  }

  @Test func `no answer, a late one, and a stock line too soon`() throws {
    #expect(try found("ai-answers") { $0.ai("requested", 10) } == ["the question of 0:10 was never answered [2, 3]"])
    #expect(try found("ai-answers", endsAt: 18) { $0.ai("requested", 10) } == [], "it ended before")
    #expect(try found("ai-answers", ends: false) { $0.ai("requested", 10) } == [], "truncated")
    let late = try found("ai-answers") {
      $0.ai("requested", 10)
      $0.ai("reply", 18.001)
    }
    #expect(late == ["the question of 0:10 was answered after 8.001 s [2, 3]"])
    let stock = try found("ai-answers") {
      $0.ai("requested", 10)
      $0.ai("fallback", 18.5)
    }
    #expect(stock == ["the question of 0:10 was answered after 8.5 s [2, 3]"])
    let soon = try found("ai-answers") {
      $0.ai("requested", 10)
      $0.ai("fallback", 17.999)
    }
    #expect(soon == ["the coach gave a stock line after 7.999 s, though a reply was still in time [2, 3]"])
    #expect(
      try found("ai-answers") { $0.ai("fallback", 10) } == ["the coach gave a stock line, but no question was open [2]"]
    )
  }

  @Test func `a phone that was away answers when it is back, and one that stays away not at all`() throws {
    #expect(
      try found("ai-answers") {
        $0.ai("requested", 10)
        $0.runner("node.killed", 12, target: "phone")
        $0.runner("node.started", 25, target: "phone")
        $0.ai("fallback", 25)
      } == [])
    let slow = try found("ai-answers") {
      $0.ai("requested", 10)
      $0.runner("node.suspended", 12, target: "phone")
      $0.runner("node.resumed", 25, target: "phone")
      $0.ai("fallback", 26)
    }
    #expect(slow.count == 1)
    #expect(
      try found("ai-answers") {
        $0.ai("requested", 10)
        $0.runner("node.killed", 12, target: "phone")
      } == [])
  }

  // MARK: reply-spoken-once

  @Test func `a reply is spoken or let go, once`() throws {
    #expect(
      try found("reply-spoken-once") {
        $0.reply("reply", 10)
        $0.script("dispatch", 130, one.text, "ai_reply")
        $0.reply("fallback", 20, two)
        $0.script("expired", 140.001, two.text, "ai_reply")
      } == [])
    let twice = try found("reply-spoken-once") {
      $0.reply("reply", 10)
      $0.script("dispatch", 11, one.text, "ai_reply")
      $0.script("dispatch", 50, one.text, "ai_reply")
    }
    #expect(twice == ["a reply was dispatched that had been dispatched or expired before [3, 4]"])
    let late = try found("reply-spoken-once") {
      $0.reply("reply", 10)
      $0.script("dispatch", 130.001, one.text, "ai_reply")
    }
    #expect(late == ["a reply was dispatched 120.001 s after it arrived, more than 120 s [2, 3]"])
    let soon = try found("reply-spoken-once") {
      $0.reply("reply", 10)
      $0.script("expired", 130, one.text, "ai_reply")
    }
    #expect(soon == ["a reply was expired 120 s after it arrived, while it could be spoken [2, 3]"])
  }

  @Test func `what never came, came too late, or belongs to another run is not spoken`() throws {
    #expect(try found("reply-spoken-once") { $0.script("dispatch", 11, one.text, "ai_reply") }.count == 1)
    let late = try found("reply-spoken-once") {
      $0.ai("late", 10, two, [.init("reply", one.traceValue)])
      $0.script("dispatch", 11, one.text, "ai_reply")
    }
    #expect(late == ["an answer was dispatched that had arrived too late [2, 3]"])
    let other = try found("reply-spoken-once") {
      $0.state(1, "running")
      $0.reply("reply", 10)
      $0.state(20, "running", workout: CoachTrace.other)
      $0.script("dispatch", 21, one.text, "ai_reply")
    }
    #expect(other.count == 1)
  }

  // MARK: memory-user-wins

  @Test func `what the athlete stated is kept`() throws {
    #expect(
      try found("memory-user-wins", memory: "{\"hr.max\":188}") {
        $0.memory("hr.max", "user", 1)
        $0.memory("hr.rest", "system_default", 0.5)
        $0.memory("hr.rest", "ai_inferred", 0.99)
      } == [])
    #expect(
      try found("memory-user-wins", memory: "{\"hr.max\":188}") { $0.memory("hr.max", "ai_inferred", 0.5) }.count == 1)
    let said = try found("memory-user-wins") {
      $0.memory("a", "user", 1)
      $0.memory("a", "system_default", 0.5)
    }
    #expect(said.count == 1)
    #expect(try found("memory-user-wins") { $0.memory("a", "ai_inferred", 1) }.count == 1)
  }

  // MARK: no-network-in-race-mode

  @Test(arguments: [("race", 1), ("training", 0)])
  func `a race sends no requests`(mode: String, count: Int) throws {
    var header = TraceHeader(
      scenario: "s", seed: 1, startedAt: "2026-04-12T06:30:00Z", timeZone: "UTC", utcOffsets: [],
      duration: .seconds(60))
    header.extras = [JSONMember("workout", .object([JSONMember("mode", .string(mode))]))]
    var trace = CoachTrace()
    trace.ai("requested", 0, two, kind: "postRunSummary")
    trace.state(1, "running")
    trace.ai("requested", 2, kind: "generateScript")
    trace.state(30, "ended", from: "running")
    trace.ai("requested", 31, two, kind: "postRunSummary")
    var judge = Judge(
      header: header, checkers: CoachCheckerCatalog.all.filter { $0.invariant == "no-network-in-race-mode" })
    for (line, event) in trace.events.enumerated() { judge.observe(event, line: line + 2) }
    let found = judge.finish().violations
    #expect(found.map(\.lines) == (count == 0 ? [] : [[3, 4]]))
  }

  // MARK: no-missed-dispatch

  private static let humble =
    #"{"id":"km","text":"a","priority":44,"triggerSpec":{"type":"distance","atMeters":100}}"#
  private static let ordinary = #"{"id":"km","text":"a","triggerSpec":{"type":"distance","atMeters":100}}"#

  private func missed(_ script: String, _ write: (inout CoachTrace) -> Void) throws -> [String] {
    var trace = CoachTrace()
    trace.state(0, "running")
    write(&trace)
    return try trace.judge(script: script, only: ["no-missed-dispatch"]).violations.map(\.detail)
  }

  @Test func `a reply that is due is dispatched, before a humble line and after an ordinary one`() throws {
    let missing = try missed("") {
      $0.reply("reply", 1)
      $0.fresh(2, distance: 5)
    }
    #expect(missing == ["a reply is due, but was not dispatched"])
    #expect(
      try missed(Self.humble) {
        $0.reply("reply", 1)
        $0.fresh(2, distance: 100)
        $0.script("dispatch", 2, one.text, "ai_reply")
        $0.fresh(3, distance: 103)
      } == [])
    let outranked = try missed(Self.humble) {
      $0.reply("reply", 1)
      $0.fresh(2, distance: 100)
      $0.script("dispatch", 2, "km", "distance")
    }
    #expect(outranked == ["a reply ranks before \"km\", which was dispatched"])
    #expect(
      try missed(Self.ordinary) {
        $0.reply("reply", 1)
        $0.fresh(2, distance: 100)
        $0.script("dispatch", 2, "km", "distance")
        $0.fresh(3, distance: 103)
      } == [])
    let first = try missed(Self.ordinary) {
      $0.reply("reply", 1)
      $0.fresh(2, distance: 100)
      $0.script("dispatch", 2, one.text, "ai_reply")
    }
    #expect(first.count == 1)
  }

  @Test func `a reply that waited too long is expired`() throws {
    let missing = try missed("") {
      $0.reply("reply", 1)
      $0.script("dispatch", 100, two.text, "ai_reply")
      $0.fresh(121.5, distance: 5)
    }
    #expect(missing == ["a reply waited for more than 120 s, but was not expired"])
    #expect(
      try missed("") {
        $0.reply("reply", 1)
        $0.script("dispatch", 100, two.text, "ai_reply")
        $0.fresh(121.5, distance: 5)
        $0.script("expired", 121.5, one.text, "ai_reply")
        $0.fresh(140, distance: 8)
      } == [])
  }
}
