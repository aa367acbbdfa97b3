import CoachProtocol
import Link

@testable import EdgeSim

/// An edge that is asked directly, without a link between.
struct EdgeRig {
  var node: EdgeNode
  private(set) var answers: [(at: VirtualTime, frame: Frame)] = []
  private(set) var lines: [TraceEvent] = []
  private var turn = Turn(isRecording: true)
  private var asked: UInt64 = 0

  init(_ setup: EdgeSetup = EdgeSetup(), seed: UInt64 = 1) { node = EdgeNode(setup, seed: seed) }

  /// Asks something; returns the request's name.
  @discardableResult
  mutating func ask(_ path: String, _ body: [UInt8], at now: VirtualTime, as id: Identifier? = nil) -> Identifier {
    run(until: now)
    asked += 1
    let id = id ?? Identifier(high: 1, low: asked)
    let text = "{\"id\":\"\(id.text)\",\"path\":\"\(path)\",\"body\":\(String(decoding: body, as: UTF8.self))}"
    turn.now = now
    node.receive(
      .frame(
        Frame(
          kind: .data, channel: .http, epoch: Epoch(1), seq: SequenceNumber(asked), transfer: id,
          payload: Array(text.utf8))), in: &turn)
    collect(at: now)
    return id
  }

  @discardableResult
  mutating func ask(_ call: EdgeCall, _ shape: some EdgeShape, at now: VirtualTime) -> Identifier {
    ask(call.path, shape.bytes, at: now)
  }

  mutating func run(until end: VirtualTime = .distantFuture) {
    while let at = node.nextDeadline, at <= end {
      turn.now = at
      node.receive(nil, in: &turn)
      collect(at: at)
    }
  }

  private mutating func collect(at now: VirtualTime) {
    for item in turn.items {
      switch item {
      case .frame(let frame): answers.append((now, frame))
      case .event(let event): lines.append(event)
      default: break
      }
    }
    turn.items.removeAll()
  }

  /// What an answer's payload says under a key.
  func value(_ index: Int, _ key: String) -> JSONNode? {
    guard let node = try? JSONParser.parse(answers[index].frame.payload, dialect: .json),
      case .object(let members) = node.value
    else { return nil }
    return members.first { $0.key == key }?.node
  }

  func status(_ index: Int) -> JSONValue? { value(index, "status")?.value }

  func body<Shape: EdgeShape>(_ index: Int, _: Shape.Type = Shape.self) throws -> Shape? {
    try value(index, "body").map { try Shape.reading($0) }
  }
}

extension VirtualTime {
  static func seconds(_ count: Int64) -> Self { .start + .seconds(count) }
}

/// Requests as a phone would make them.
enum Requests {
  static func script(
    distanceKm: Double = 5, pace: Double? = 330, personality: String = "calm", memory: [MemoryFact] = [],
    refusals: [String] = []
  ) -> GenerateScriptRequest {
    GenerateScriptRequest(
      goal: "finish well", distanceKm: distanceKm, targetPaceSecPerKm: pace, personality: personality,
      settings: CoachSettings(runType: .outdoor, mode: .training, refusals: refusals), userMemory: memory)
  }

  static func reply(_ said: String, distance: Double? = 2_150, average: Double? = 341) -> ChatReplyRequest {
    ChatReplyRequest(
      runContextSnapshot: RunContext(
        state: .running, elapsed: 700, distance: distance, avgPaceSecPerKm: average, distanceKm: 5,
        targetPaceSecPerKm: 330),
      voiceNoteTranscript: said, personality: "encouraging", recentMessagesPlayed: [])
  }

  static func summary(_ said: [String?]) -> PostRunSummaryRequest {
    PostRunSummaryRequest(
      run: SummarisedRun(
        id: Identifier(high: 9, low: 9), runType: .outdoor, mode: .training, distanceMeters: 5_003.25,
        durationSeconds: 1_651.5),
      scriptUsed: UsedScript(id: "edge-1", played: ["km1"]),
      voiceNotes: said.map { SummarisedNote(transcript: $0, reply: nil) }, personality: "roast_coach", userMemory: [])
  }
}
