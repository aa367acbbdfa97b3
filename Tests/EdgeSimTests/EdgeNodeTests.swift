import CoachProtocol
import Link
import Testing

@testable import EdgeSim

@Suite struct `The edge` {
  private static func failing(_ failures: EdgeFailure...) -> EdgeRig {
    EdgeRig(EdgeSetup(jitter: .zero, failures: failures))
  }

  @Test func `each call is answered in its shape, with a line for the request and one for the answer`() throws {
    var rig = EdgeRig()
    let script = rig.ask(.generateScript, Requests.script(), at: .seconds(0))
    rig.ask(.chatReply, Requests.reply("how far is it"), at: .seconds(10))
    rig.ask(.postRunSummary, Requests.summary([]), at: .seconds(20))
    rig.run()
    #expect(rig.answers.count == 3)
    #expect(try rig.body(0, GenerateScriptResponse.self)?.messages.isEmpty == false)
    #expect(try rig.body(1, ChatReplyResponse.self)?.replyText.contains("2.9 kilometres to go") == true)
    #expect(try rig.body(2, PostRunSummaryResponse.self)?.summaryText.hasPrefix("5 kilometres in 27:32, 5:30") == true)
    #expect(
      rig.lines.map(\.name) == [
        "edge.request", "edge.model", "edge.response", "edge.request", "edge.model", "edge.response", "edge.request",
        "edge.model", "edge.response",
      ])
    let request = rig.lines[0]
    let body = Requests.script().bytes
    #expect(request["id"] == script.traceValue && request["path"] == .string("/generate-script"))
    #expect(request["bytes"] == .int(Int64(body.count)) && request["digest"] == .hex(Digest.prefix(body)))
    #expect(rig.lines[2]["status"] == .int(200) && rig.lines[2]["id"] == script.traceValue)
  }

  @Test func `a stable prefix is paid once an hour, and each personality has its own`() throws {
    var rig = EdgeRig()
    func cached(_ request: some EdgeShape, _ call: EdgeCall, at now: VirtualTime) -> [TraceValue?] {
      let first = rig.lines.count
      rig.ask(call, request, at: now)
      let line = rig.lines[first...].first { $0.name == "edge.model" }
      return [line?["cacheWritten"], line?["cacheRead"]]
    }
    let first = cached(Requests.reply("how far is it"), .chatReply, at: .seconds(0))
    #expect(first[1] == .int(0) && first[0] != .int(0))
    #expect(cached(Requests.reply("my knee hurts"), .chatReply, at: .seconds(3_600)) == [.int(0), first[0]])
    // An hour from its last use.
    #expect(cached(Requests.reply("thanks"), .chatReply, at: .seconds(7_201)) == first)
    // Another model has another cache, and so has another personality.
    let scripts = ["calm", "calm", "roast_coach"].map {
      cached(Requests.script(personality: $0), .generateScript, at: .seconds(8_000))
    }
    #expect(scripts[0][1] == .int(0) && scripts[1] == [.int(0), scripts[0][0]] && scripts[2][1] == .int(0))
  }

  @Test func `the request to the model has its prompt in blocks that the provider caches`() throws {
    let fact = MemoryFact(kind: .fact, key: "hr.max", value: .integer(188), confidence: 1, source: .user)
    let request = Requests.script(memory: [fact]).modelRequest
    let blocks = JSONNode(request.json)["system"]?.elements ?? []
    #expect(blocks.count == 2 && blocks.allSatisfy { $0["cache_control"]?["type"]?.text == "ephemeral" })
    #expect(blocks[0]["text"]?.text?.contains("personality calm") == true)
    #expect(blocks[1]["text"]?.text?.contains("188") == true && !request.question.contains("188"))
  }

  @Test func `what is answered, and when, follows from seed and request alone`() {
    func answers(seed: UInt64, alone: Bool) -> [[UInt8]] {
      var rig = EdgeRig(EdgeSetup(), seed: seed)
      if !alone {
        for second in 1...5 as ClosedRange<Int64> {
          rig.ask(.chatReply, Requests.reply("\(second)"), at: .seconds(second))
        }
      }
      rig.ask(.generateScript, Requests.script(), at: .seconds(30))
      rig.run()
      let last = rig.answers[rig.answers.count - 1]
      return [
        Array("\(last.at.nanoseconds)".utf8),
        rig.value(rig.answers.count - 1, "body").map { JSONWriter.compact($0) } ?? [],
      ]
    }
    #expect(answers(seed: 1, alone: true) == answers(seed: 1, alone: false))
    let others = (1...20).map { answers(seed: $0, alone: true) }
    #expect(Set(others.map { $0[0] }).count > 15 && Set(others.map { $0[1] }).count > 15)
  }

  @Test func `an answer takes the latency, give or take the jitter`() {
    var rig = EdgeRig(EdgeSetup(latency: .milliseconds(500), jitter: .milliseconds(300)))
    var spans: [Int64] = []
    for number in 0..<200 as Range<Int64> {
      rig.ask(.chatReply, Requests.reply("note \(number)"), at: .seconds(number * 10))
      rig.run()
      spans.append((rig.answers[rig.answers.count - 1].at - .seconds(number * 10)).nanoseconds / 1_000_000)
    }
    #expect(spans.min() ?? 0 >= 200 && spans.min() ?? 0 < 230 && spans.max() ?? 0 <= 800 && spans.max() ?? 0 > 770)
    var quick = EdgeRig(EdgeSetup(latency: .zero, jitter: .zero))
    quick.ask(.chatReply, Requests.reply("x"), at: .seconds(1))
    quick.run()
    #expect(quick.answers.map(\.at) == [.seconds(1) + .milliseconds(1)])
  }

  @Test(arguments: [(.error500, 500), (.error502, 502)] as [(EdgeFailure.Effect, Int64)])
  func `a failing service says so with a status`(effect: EdgeFailure.Effect, status: Int64) {
    var rig = Self.failing(EdgeFailure(begin: .seconds(10), end: .seconds(20), effect))
    for second in [9, 10, 19, 20] as [Int64] { rig.ask(.chatReply, Requests.reply("\(second)"), at: .seconds(second)) }
    rig.run()
    #expect((0..<4).map { rig.status($0) } == [.integer(200), .integer(status), .integer(status), .integer(200)])
    #expect(rig.value(1, "body").flatMap { JSONWriter.compact($0) } != nil)
    #expect(
      rig.lines.filter { $0.name == "edge.request" }.map { $0["failure"] } == [
        nil, .string(effect.word), .string(effect.word), nil,
      ])
  }

  @Test func `a failure with a count hits the first requests of its call`() {
    var rig = Self.failing(EdgeFailure(call: .chatReply, begin: .seconds(1), times: 2, .error502))
    rig.ask(.chatReply, Requests.reply("0"), at: .seconds(0))
    rig.ask(.generateScript, Requests.script(), at: .seconds(1))
    for second in 2...4 as ClosedRange<Int64> { rig.ask(.chatReply, Requests.reply("\(second)"), at: .seconds(second)) }
    rig.run()
    #expect((0..<5).map { rig.status($0) } == [200, 200, 502, 502, 200].map { .integer($0) })
  }

  @Test func `of several failures the first that is left counts`() {
    var rig = Self.failing(EdgeFailure(times: 1, .error500), EdgeFailure(times: 1, .error502))
    for second in 0...2 as ClosedRange<Int64> { rig.ask(.chatReply, Requests.reply("\(second)"), at: .seconds(second)) }
    rig.run()
    #expect((0..<3).map { rig.status($0) } == [500, 502, 200].map { .integer($0) })
  }

  @Test func `a request that times out is never answered, until it is repeated`() {
    var rig = Self.failing(EdgeFailure(times: 1, .timeout))
    let body = Requests.reply("hello").bytes
    let id = rig.ask("/chat-reply", body, at: .seconds(0))
    rig.run()
    #expect(rig.answers.isEmpty && rig.lines.count == 2)
    rig.ask("/chat-reply", body, at: .seconds(30), as: id)
    rig.run()
    #expect(rig.answers.map(\.at) == [.seconds(30) + .milliseconds(800)])
  }

  @Test func `a late answer comes so much later`() {
    var rig = Self.failing(EdgeFailure(.late(by: .seconds(10))))
    rig.ask(.chatReply, Requests.reply("hello"), at: .seconds(0))
    rig.run()
    #expect(rig.answers.map(\.at) == [.start + .milliseconds(10_800)])
    #expect(rig.status(0) == .integer(200))
  }

  @Test func `a malformed answer is a text that is no JSON`() throws {
    var rig = Self.failing(EdgeFailure(.malformed))
    rig.ask(.chatReply, Requests.reply("hello"), at: .seconds(0))
    rig.run()
    #expect(rig.status(0) == .integer(200) && rig.value(0, "body") == nil)
    guard case .string(let text)? = rig.value(0, "text")?.value else {
      Issue.record("no text")
      return
    }
    #expect(throws: JSONError.self) { try JSONParser.parse(Array(text.utf8), dialect: .json) }
  }

  @Test func `a bad script has the shape of one, and concerns no other call`() throws {
    var rig = Self.failing(EdgeFailure(.badScript))
    rig.ask(.generateScript, Requests.script(), at: .seconds(0))
    rig.ask(.chatReply, Requests.reply("hello"), at: .seconds(5))
    rig.run()
    #expect(try rig.body(0, GenerateScriptResponse.self)?.messages.map(\.id) == ["mood", "summit"])
    #expect(try rig.body(1, ChatReplyResponse.self) != nil)
  }

  @Test func `an unknown path is answered with 404, an invalid body with 400`() {
    var rig = EdgeRig()
    rig.ask("/weather", Array("{}".utf8), at: .seconds(0))
    rig.ask("/chat-reply", Array("{\"voiceNoteTranscript\":3}".utf8), at: .seconds(5))
    rig.ask("/generate-script", Array("null".utf8), at: .seconds(10))
    rig.run()
    #expect((0..<3).map { rig.status($0) } == [404, 400, 400].map { .integer($0) })
  }

  @Test func `answers of one instant come in the order of their requests`() {
    var rig = EdgeRig(EdgeSetup(latency: .milliseconds(500), jitter: .zero))
    for number in 0..<10 { rig.ask(.chatReply, Requests.reply("note \(number)"), at: .seconds(1)) }
    rig.run()
    #expect(rig.answers.map(\.frame.transfer.low) == Array(1...10))
    #expect(rig.answers.map(\.frame.seq.rawValue) == Array(1...10))
  }
}
