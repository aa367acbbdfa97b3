import CoachProtocol
import Link

/// Replies to the athlete.
extension Coach {
  /// Replies to a voice note by the first word that the coach knows.
  func reply(_ request: ChatReplyRequest, digest: UInt64) -> ChatReplyResponse {
    let voice = CoachVoice.named(request.personality)
    let words = Self.words(request.voiceNoteTranscript)
    for topic in Topic.allCases where words.contains(where: { topic.words.contains($0) }) {
      let text = answer(topic, request.runContextSnapshot, voice, digest)
      return ChatReplyResponse(
        replyText: "\(pick(voice.agree, digest, 20)) \(text)", suggestedTriggerHint: topic == .pain ? "now" : nil)
    }
    return ChatReplyResponse(replyText: "\(pick(voice.agree, digest, 20)) \(pick(Self.generic, digest, 21))")
  }

  /// Topics that a runner may mention, most urgent first.
  enum Topic: CaseIterable {
    case pain, distance, pace, tired, drink, thanks

    /// The words that identify it.
    var words: [String] {
      switch self {
      case .pain: ["hurt", "hurts", "pain", "ache", "aches", "knee", "ankle", "shin", "cramp", "stitch"]
      case .distance: ["far", "left", "remaining", "distance", "finish", "long"]
      case .pace: ["pace", "speed", "fast", "slow", "time"]
      case .tired: ["tired", "exhausted", "heavy", "hard", "breath", "breathe", "stop", "quit", "walk"]
      case .drink: ["drink", "water", "thirsty", "hot", "gel"]
      case .thanks: ["thanks", "thank", "great", "good", "love"]
      }
    }
  }

  private static let generic = [
    "Stay with it, one minute at a time.", "Keep it smooth and tell me more when you like.",
    "Let us get to the next kilometre first.",
  ]

  private func answer(
    _ topic: Topic, _ run: RunContext, _ voice: CoachVoice, _ digest: UInt64
  ) -> String {
    switch topic {
    case .pain: return "Slow down for a minute. If it does not fade, walk, and call it a day."
    case .distance:
      guard let distance = run.distance else { return "I cannot measure how far you are without your watch." }
      guard let planned = run.distanceKm, planned > 0 else {
        return "You have \(Spoken.kilometres(distance)) so far."
      }
      let left = planned * 1_000 - distance
      return left > 0 ? "\(Spoken.kilometres(left)) to go." : "You have all of it. The rest is a bonus."
    case .pace:
      guard let pace = run.avgPaceSecPerKm.flatMap({ Spoken.clock($0) }) else { return "I do not know your pace yet." }
      guard let target = run.targetPaceSecPerKm, let average = run.avgPaceSecPerKm else {
        return "You run \(pace) a kilometre."
      }
      let gap = average - target
      if abs(gap) < 5 { return "You run \(pace) a kilometre, right on plan." }
      let seconds = Spoken.count(Int(min(abs(gap), 100_000).rounded()))
      return "You run \(pace) a kilometre, \(seconds) seconds \(gap > 0 ? "over" : "under") plan."
    case .tired: return pick(voice.heart, digest, 22)
    case .drink: return "A few small sips at the next chance, and go on."
    case .thanks: return pick(voice.kilometre, digest, 23).replacing("{km}", with: "That stretch is")
    }
  }

  /// The words of a text, in lower case.
  static func words(_ text: String) -> [String] {
    text.prefix(4_000).lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
  }
}
