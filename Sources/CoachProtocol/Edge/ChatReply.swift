public import Link

/// The body of a `/chat-reply` request: asks for a reply to the athlete.
public struct ChatReplyRequest: Sendable, Equatable {
  public var runContextSnapshot: RunContext
  public var voiceNoteTranscript: String
  /// The coach's name.
  public var personality: String
  /// Texts of the last spoken lines, oldest first.
  public var recentMessagesPlayed: [String]

  public init(
    runContextSnapshot: RunContext, voiceNoteTranscript: String, personality: String, recentMessagesPlayed: [String]
  ) {
    self.runContextSnapshot = runContextSnapshot
    self.voiceNoteTranscript = voiceNoteTranscript
    self.personality = personality
    self.recentMessagesPlayed = recentMessagesPlayed
  }
}

extension ChatReplyRequest: EdgeShape {
  public init?(_ value: JSONValueReader) {
    guard let reader = value.object() else { return nil }
    let context = reader.object("runContextSnapshot", required: true) { RunContext($0) }
    let transcript = reader.string("voiceNoteTranscript", required: true)
    let personality = reader.string("personality", required: true)
    let played = reader.strings("recentMessagesPlayed", countMax: 100, required: true)
    reader.finish()
    guard let context, let transcript, let personality, let played else { return nil }
    self.init(
      runContextSnapshot: context, voiceNoteTranscript: transcript, personality: personality,
      recentMessagesPlayed: played)
  }

  public var json: JSONValue {
    .object(of: [
      "runContextSnapshot": runContextSnapshot, "voiceNoteTranscript": voiceNoteTranscript,
      "personality": personality, "recentMessagesPlayed": recentMessagesPlayed,
    ])
  }
}

/// The state of a run as the phone knows it.
public struct RunContext: Sendable, Equatable, JSONConvertible {
  public var state: WorkoutState
  /// Seconds of the run, three decimals.
  public var elapsed: Double
  /// Metres, two decimals; nil for a run that the phone tracks itself, which measures none.
  public var distance: Double?
  /// Seconds per kilometre over the last seconds; nil if unknown.
  public var currentPaceSecPerKm: Double?
  /// Seconds per kilometre over the whole run; nil if unknown.
  public var avgPaceSecPerKm: Double?
  /// Beats per minute; nil if unknown.
  public var currentHR: Int?
  /// Planned kilometres; nil without a plan.
  public var distanceKm: Double?
  /// Planned pace in seconds per kilometre; nil without a plan.
  public var targetPaceSecPerKm: Double?

  public init(
    state: WorkoutState, elapsed: Double, distance: Double?, currentPaceSecPerKm: Double? = nil,
    avgPaceSecPerKm: Double? = nil, currentHR: Int? = nil, distanceKm: Double? = nil,
    targetPaceSecPerKm: Double? = nil
  ) {
    self.state = state
    self.elapsed = elapsed
    self.distance = distance
    self.currentPaceSecPerKm = currentPaceSecPerKm
    self.avgPaceSecPerKm = avgPaceSecPerKm
    self.currentHR = currentHR
    self.distanceKm = distanceKm
    self.targetPaceSecPerKm = targetPaceSecPerKm
  }

  init?(_ reader: JSONObjectReader) {
    let state = reader.oneOf("state", WorkoutState.allCases.map { ($0.text, $0) }, required: true)
    let elapsed = reader.number("elapsed", in: 0...1e9, required: true)
    let distance = reader.number("distance", in: 0...1e9)
    let currentPace = reader.number("currentPaceSecPerKm", in: 0...1e9)
    let avgPace = reader.number("avgPaceSecPerKm", in: 0...1e9)
    let currentHR = reader.integer("currentHR", in: 0...1000)
    let distanceKm = reader.number("distanceKm", in: 0...1e6)
    let targetPace = reader.number("targetPaceSecPerKm", in: 0...1e9)
    guard let state, let elapsed else { return nil }
    self.init(
      state: state, elapsed: elapsed, distance: distance, currentPaceSecPerKm: currentPace, avgPaceSecPerKm: avgPace,
      currentHR: currentHR.map { Int($0) }, distanceKm: distanceKm, targetPaceSecPerKm: targetPace)
  }

  package var json: JSONValue {
    .object(of: [
      "state": state.text, "elapsed": elapsed, "distance": distance, "currentPaceSecPerKm": currentPaceSecPerKm,
      "avgPaceSecPerKm": avgPaceSecPerKm, "currentHR": currentHR, "distanceKm": distanceKm,
      "targetPaceSecPerKm": targetPaceSecPerKm,
    ])
  }
}

/// The body of a `/chat-reply` response.
public struct ChatReplyResponse: Sendable, Equatable {
  /// The reply; at least one word.
  public var replyText: String
  /// A hint when to say it, if any.
  ///
  /// The phone decides by its own rules.
  public var suggestedTriggerHint: String?
  /// What the reply cost; nil if the proxy does not say.
  public var usage: ModelUsage?

  public init(replyText: String, suggestedTriggerHint: String? = nil, usage: ModelUsage? = nil) {
    self.replyText = replyText
    self.suggestedTriggerHint = suggestedTriggerHint
    self.usage = usage
  }
}

extension ChatReplyResponse: EdgeShape {
  public init?(_ value: JSONValueReader) {
    guard let reader = value.object() else { return nil }
    let text = reader.string("replyText", required: true)
    if let text, text.utf8.allSatisfy({ $0 <= 0x20 }) {
      reader.value("replyText")?.error("found an empty text, expected something to say")
    }
    let hint = reader.string("suggestedTriggerHint")
    let usage = reader.object("usage") { ModelUsage($0) }
    reader.finish()
    guard let text else { return nil }
    self.init(replyText: text, suggestedTriggerHint: hint, usage: usage)
  }

  public var json: JSONValue {
    .object(of: ["replyText": replyText, "suggestedTriggerHint": suggestedTriggerHint, "usage": usage])
  }
}
