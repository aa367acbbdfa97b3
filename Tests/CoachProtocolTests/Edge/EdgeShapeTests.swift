import CoachProtocol
import Link
import Testing

/// One of every shape, each field set.
private enum Example {
  static let memory = [
    MemoryFact(kind: .fact, key: "hr.max", value: .integer(188), confidence: 1, source: .user),
    MemoryFact(
      kind: .preference, key: "music", value: .array([JSONNode(.string("slow")), JSONNode(.null)]), confidence: 0.5,
      source: .aiInferred),
  ]
  static let script = GenerateScriptRequest(
    goal: "10 km in 55:00", distanceKm: 10, targetPaceSecPerKm: 330.5, personality: "calm",
    settings: CoachSettings(runType: .outdoor, mode: .training, refusals: ["messages[0].text: found an empty text"]),
    userMemory: memory, recentRunSummaries: ["It went \"well\"."])
  static let scriptAnswer = GenerateScriptResponse(
    scriptId: "s1",
    messages: [
      .init(
        id: "km", triggerSpec: .object([JSONMember("type", .string("halfway"))]), text: "Half of it.",
        branchKey: "slow", priority: 60),
      .init(id: "two", triggerSpec: .integer(5), text: "x"),
    ])
  static let chat = ChatReplyRequest(
    runContextSnapshot: RunContext(
      state: .paused, elapsed: 600.125, distance: 1800.5, currentPaceSecPerKm: 330, avgPaceSecPerKm: 333.25,
      currentHR: 151, distanceKm: 10, targetPaceSecPerKm: 330),
    voiceNoteTranscript: "How far?", personality: "calm", recentMessagesPlayed: ["One kilometre."])
  static let chatAnswer = ChatReplyResponse(replyText: "Eight to go.", suggestedTriggerHint: "now")
  static let summary = PostRunSummaryRequest(
    run: SummarisedRun(
      id: Identifier(high: 1, low: 2), runType: .treadmill, mode: .race, distanceMeters: 5000, durationSeconds: 1500.5),
    scriptUsed: UsedScript(id: "s1", played: ["km", "finish"]),
    voiceNotes: [SummarisedNote(transcript: "How far?", reply: nil), SummarisedNote(transcript: nil, reply: "Hm.")],
    personality: "calm", userMemory: memory)
  static let summaryAnswer = PostRunSummaryResponse(
    summaryText: "Even splits.",
    extractedFacts: [
      ExtractedFact(kind: .fact, value: .object([JSONMember("hr.max", .integer(191))]), confidence: 0.75),
      ExtractedFact(kind: .dislike, value: .string("hills"), confidence: 0.5),
    ])
}

/// What a body comes back as, or what is wrong with it.
private func read<Shape: EdgeShape>(_ text: String, as _: Shape.Type) -> Result<Shape, Diagnostics> {
  do throws(Diagnostics) { return .success(try Shape.reading(Array(text.utf8))) } catch { return .failure(error) }
}

private func expectRoundTrip<Shape: EdgeShape>(_ shape: Shape) {
  let text = String(decoding: shape.bytes, as: UTF8.self)
  #expect(read(text, as: Shape.self) == .success(shape), "\(text)")
  // Each member that is given must be read, and each that is required missed.
  guard case .object(let members) = shape.json else { return #expect(Bool(false), "no object") }
  for (index, member) in members.enumerated() {
    var others = members
    others.remove(at: index)
    others.append(JSONMember(member.key + "x", member.node.value))
    let text = String(decoding: JSONWriter.compact(JSONNode(.object(others))), as: UTF8.self)
    guard case .failure(let wrong) = read(text, as: Shape.self) else {
      #expect(Bool(false), "read without \(member.key): \(text)")
      continue
    }
    #expect(wrong.description.contains("unknown key \"\(member.key)x\""), "\(wrong)")
  }
}

@Suite struct `Shapes of the edge` {
  @Test func `every shape survives encoding and decoding, and no key can be misspelt`() {
    expectRoundTrip(Example.script)
    expectRoundTrip(Example.scriptAnswer)
    expectRoundTrip(Example.chat)
    expectRoundTrip(Example.chatAnswer)
    expectRoundTrip(Example.summary)
    expectRoundTrip(Example.summaryAnswer)
  }

  @Test func `what is nil is left out, and keys are in the documented order`() {
    let chat = ChatReplyRequest(
      runContextSnapshot: RunContext(state: .running, elapsed: 60, distance: 180.25), voiceNoteTranscript: "Hm",
      personality: "calm", recentMessagesPlayed: [])
    #expect(
      String(decoding: chat.bytes, as: UTF8.self) == """
        {"runContextSnapshot":{"state":"running","elapsed":60,"distance":180.25},"voiceNoteTranscript":"Hm",\
        "personality":"calm","recentMessagesPlayed":[]}
        """)
    expectRoundTrip(ChatReplyResponse(replyText: "Yes."))
    let usage = ModelUsage(
      model: "m", inputTokens: 1, cacheCreationInputTokens: 2, cacheReadInputTokens: 3, outputTokens: 4, costUsd: 0.0005
    )
    expectRoundTrip(ChatReplyResponse(replyText: "Yes.", usage: usage))
    expectRoundTrip(TranscribeRequest(noteId: Identifier(high: 1, low: 2), hears: "How far?"))
    expectRoundTrip(TranscribeResponse(transcript: ""))
  }

  @Test(arguments: [
    ("{}", "the key \"scriptId\" is missing"),
    (
      "{\"scriptId\":\"a\",\"messages\":[{\"id\":\"b\",\"text\":\"c\"}]}",
      "messages[0]: the key \"triggerSpec\" is missing"
    ),
    (
      "{\"scriptId\":\"a\",\"messages\":[{\"id\":\"b\",\"text\":\"c\",\"triggerSpec\":1,\"playOnce\":true}]}",
      "messages[0]: unknown key \"playOnce\""
    ),
    ("{\"scriptId\":5,\"messages\":[]}", "scriptId: found number 5, expected a string"),
    ("{\"scriptId\":", "1:13"), ("[]", "found an empty array, expected an object"), ("", "1:1"),
  ])
  func `a wrong script is refused with the path`(text: String, says: String) {
    guard case .failure(let wrong) = read(text, as: GenerateScriptResponse.self) else {
      return #expect(Bool(false), "\(text) was read")
    }
    #expect(wrong.description.contains(says), "\(wrong)")
  }

  @Test func `an empty reply, and a fact of two keys, are refused`() {
    for text in ["{\"replyText\":\"\"}", "{\"replyText\":\" \\n\"}"] {
      #expect(throws: Diagnostics.self) { try ChatReplyResponse.reading(Array(text.utf8)) }
    }
    let text = #"{"summaryText":"a","extractedFacts":[{"kind":"fact","value":{"a":1,"b":2},"confidence":0.5}]}"#
    guard case .failure(let wrong) = read(text, as: PostRunSummaryResponse.self) else {
      return #expect(Bool(false), "two keys were read")
    }
    #expect(wrong.description.contains("extractedFacts[0].value"), "\(wrong)")
  }

  @Test func `a sync carries a page of the chat, and its answer how far it was read`() {
    let page = (7...9).map { ChatMessage(number: $0, text: "My name is \($0).") }
    let request = InsightsSyncRequest(store: Identifier(high: 1, low: 2), days: [], chat: page)
    expectRoundTrip(request)
    expectRoundTrip(InsightsSyncRequest(store: nil, days: [], chat: []))
    expectRoundTrip(InsightsSyncResponse(store: Identifier(high: 1, low: 2), dayCount: 3, readMessage: 9))
    // An app without a chat posts what it always did.
    let plain = InsightsSyncRequest(store: nil, days: [])
    #expect(String(decoding: plain.bytes, as: UTF8.self) == "{\"days\":[]}")
    let answer = InsightsSyncResponse(store: Identifier(high: 1, low: 2), dayCount: 3)
    #expect(!String(decoding: answer.bytes, as: UTF8.self).contains("chat"))
  }

  @Test(arguments: [
    ("[{\"number\":2,\"text\":\"a\"},{\"number\":4,\"text\":\"b\"}]", "chat: found message 4 after 2, expected 3"),
    ("[{\"number\":2,\"text\":\"a\"},{\"number\":2,\"text\":\"b\"}]", "chat: found message 2 after 2, expected 3"),
    ("[{\"number\":0,\"text\":\"a\"}]", "chat[0].number"), ("[{\"number\":1,\"text\":\"\"}]", "chat[0].text"),
    ("[{\"number\":1,\"text\":\"a\\u0007\"}]", "without control characters"),
    ("[{\"number\":1,\"text\":\"\(String(repeating: "x", count: 301))\"}]", "1 to 300 bytes"),
    ("[{\"number\":1,\"text\":\"a\",\"calories\":1}]", "unknown key \"calories\""),
    (
      "[\((1...51).map { "{\"number\":\($0),\"text\":\"a\"}" }.joined(separator: ","))]",
      "chat"
    ),
  ])
  func `a chat with gaps, of another size or with more than text is refused`(chat: String, says: String) {
    guard case .failure(let wrong) = read("{\"days\":[],\"chat\":\(chat)}", as: InsightsSyncRequest.self) else {
      return #expect(Bool(false), "\(chat) was read")
    }
    #expect(wrong.description.contains(says), "\(wrong)")
  }

  @Test func `calls have the documented paths and deadlines`() {
    #expect(
      EdgeCall.allCases.map(\.path) == [
        "/generate-script", "/chat-reply", "/post-run-summary", "/transcribe", "/insights/sync",
      ])
    #expect(EdgeCall.allCases.map(\.deadline) == [.seconds(30), .seconds(8), .seconds(60), .seconds(30), .seconds(30)])
    for call in EdgeCall.allCases { #expect(EdgeCall(path: call.path) == call) }
    #expect(EdgeCall(path: "/chat") == nil)
  }
}
