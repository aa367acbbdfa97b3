public import Link

/// The body of a `/chat-reply` request: asks for a reply to the athlete.
public struct ChatReplyRequest: EdgeShape {
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

  public static let schema = ObjectSchema<Self>(
    "ChatReplyRequest", "Asks for a reply to the athlete.",
    Self(
      runContextSnapshot: RunContext(state: .preparing, elapsed: 0, distance: nil), voiceNoteTranscript: "",
      personality: "", recentMessagesPlayed: []),
    [
      Field("runContextSnapshot", \.runContextSnapshot, .shape, "the run as the phone knows it", .required),
      Field("voiceNoteTranscript", \.voiceNoteTranscript, .string, "what the athlete said", .required),
      Field("personality", \.personality, .string, "the coach's name", .required),
      Field("recentMessagesPlayed", \.recentMessagesPlayed, .strings(countMax: 100), "oldest first", .required),
    ])
}

/// The state of a run as the phone knows it.
public struct RunContext: EdgeShape {
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

  public static let schema = ObjectSchema<Self>(
    "RunContext", "The state of a run.", Self(state: .preparing, elapsed: 0, distance: nil),
    [
      Field("state", \.state, .choice(WorkoutState.allCases.map { ($0.text, $0) }), "of the workout", .required),
      Field("elapsed", \.elapsed, .number(0...1e9, unit: "seconds"), "without pauses", .required),
      Field("distance", \.distance, .number(0...1e9, unit: "metres"), "absent if the phone tracks the run"),
      Field("currentPaceSecPerKm", \.currentPaceSecPerKm, .number(0...1e9), "over the last seconds"),
      Field("avgPaceSecPerKm", \.avgPaceSecPerKm, .number(0...1e9), "over the whole run"),
      Field("currentHR", \.currentHR, .integer(0...1_000), "beats a minute"),
      Field("distanceKm", \.distanceKm, .number(0...1e6), "the planned distance"),
      Field("targetPaceSecPerKm", \.targetPaceSecPerKm, .number(0...1e9), "the planned pace"),
    ])
}

/// The body of a `/chat-reply` response.
public struct ChatReplyResponse: EdgeShape {
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

  public static let schema = ObjectSchema<Self>(
    "ChatReplyResponse", "A reply to the athlete.", Self(replyText: "-"),
    [
      Field(
        "replyText", \.replyText,
        .string.map(
          reading: { text, reader in
            if text.utf8.contains(where: { $0 > 0x20 }) { return text }
            reader.error("found an empty text, expected something to say")
            return nil
          }, writing: { $0 }), "the reply", .required),
      Field("suggestedTriggerHint", \.suggestedTriggerHint, .string, "when to say it"),
      Field("usage", \.usage, .shape, "what it cost"),
    ])
}

/// A message that the user wrote in the chat.
public struct ChatMessage: EdgeShape {
  /// Counts the messages of the chat from 1, without gaps.
  public var number: Int
  public var text: String

  public init(number: Int, text: String) {
    self.number = number
    self.text = text
  }

  /// Limit of the messages in a request.
  public static let countMax = 50
  /// Limit of a text in bytes.
  public static let bytesMax = 300
  /// What a text must be, for errors.
  public static let expected = "a text of 1 to \(bytesMax) bytes without control characters"

  /// Whether a text can be a message.
  public static func isText(_ text: String) -> Bool {
    (1...bytesMax).contains(text.utf8.count) && text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
  }

  public static let schema = ObjectSchema<Self>(
    "ChatMessage", "A message of the chat.", Self(number: 1, text: "-"),
    [
      Field("number", \.number, .integer(1...Int64(Int32.max)), "counts from 1", .required),
      Field("text", \.text, .string.satisfying(expected, isText), "what the user wrote", .required),
    ])
}
