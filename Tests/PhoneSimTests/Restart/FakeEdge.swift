import CoachProtocol
import Link

@testable import PhoneSim

/// An edge that answers each request after a while, the same way each time, and fails some.
struct FakeEdge {
  /// How long an answer takes; longer than a call's deadline for one in so many.
  var latency = VirtualTime.Span.milliseconds(1_500)
  /// What it answers to a request: a status and a body, nil for no answer.
  var answer: (UplinkRequest, Int) -> (status: Int, content: UplinkContent, after: VirtualTime.Span)? = { request, _ in
    (200, FakeEdge.content(request.path), .milliseconds(1_500))
  }

  private var server = UplinkServer()
  private var due: [(at: VirtualTime, id: Identifier, status: Int, content: UplinkContent)] = []
  /// Requests that were taken.
  private(set) var taken: [UplinkRequest] = []

  init() {}

  var nextDeadline: VirtualTime? { due.map(\.at).min() }

  mutating func receive(_ frame: Frame, at now: VirtualTime) -> [Frame] {
    var turn = Turn(at: now, isRecording: false)
    if let request = server.receive(frame, in: &turn) {
      taken.append(request)
      if let answer = answer(request, taken.count) {
        due.append((now + answer.after, request.id, answer.status, answer.content))
      }
    }
    return Self.frames(turn)
  }

  mutating func fire(at now: VirtualTime) -> [Frame] {
    var turn = Turn(at: now, isRecording: false)
    for answer in due where answer.at <= now {
      server.answer(answer.id, status: answer.status, answer.content, in: &turn)
    }
    due.removeAll { $0.at <= now }
    return Self.frames(turn)
  }

  private static func frames(_ turn: Turn) -> [Frame] {
    turn.items.compactMap { if case .frame(let frame) = $0 { frame } else { nil } }
  }

  /// A good answer to each call.
  static func content(_ path: String) -> UplinkContent {
    switch EdgeCall(path: path) {
    case .generateScript:
      let script = FallbackScript.make(personality: "calm", plan: Plan(distance: 1_200, time: 400))
      let lines = script.messages.map { message in
        GenerateScriptResponse.Line(
          id: "edge-\(message.id)", triggerSpec: message.trigger.specification, text: message.text,
          priority: message.priority)
      }
      return .body(GenerateScriptResponse(scriptId: "edge", messages: lines).bytes)
    case .chatReply: return .body(ChatReplyResponse(replyText: "Not far any more.").bytes)
    case .postRunSummary:
      let facts = [
        ExtractedFact(kind: .fact, value: .object([JSONMember("hr.max", .integer(191))]), confidence: 0.7),
        ExtractedFact(kind: .preference, value: .string("likes hills"), confidence: 0.6),
      ]
      return .body(PostRunSummaryResponse(summaryText: "Well run.", extractedFacts: facts).bytes)
    case .transcribe: return .body(TranscribeResponse(transcript: "how far is it").bytes)
    case .insightsSync: return .body(InsightsSyncResponse(store: Identifier(high: 8, low: 8), dayCount: 0).bytes)
    case nil: return .text("nothing")
    }
  }
}
