import CoachProtocol
import Link

/// Writes scripts, replies and summaries by rules, in a few voices.
///
/// Picks among phrases by the seed and the request's digest.
struct Coach: Sendable, Equatable {
  private let random: RandomStream

  init(seed: UInt64) { random = RandomStream(seed: seed, name: "edge.coach") }

  /// Picks one of several phrases.
  ///
  /// - Parameters:
  ///   - phrases: At least one.
  ///   - digest: The request's.
  ///   - choice: Tells apart several choices for one request.
  func pick(_ phrases: [String], _ digest: UInt64, _ choice: UInt64) -> String {
    phrases[Int(random.number(below: UInt64(phrases.count), for: digest, draw: choice))]
  }
}

/// Formats numbers as a coach says them.
enum Spoken {
  /// Seconds as `5:30`; nil for implausible values.
  static func clock(_ seconds: Double) -> String? {
    guard seconds.isFinite, seconds >= 0, seconds < 360_000 else { return nil }
    let whole = Int(seconds.rounded())
    let rest = whole % 60
    return "\(whole / 60):\(rest < 10 ? "0" : "")\(rest)"
  }

  /// Metres as `5.2 kilometres`, without a fraction if whole.
  static func kilometres(_ metres: Double) -> String {
    guard metres.isFinite, metres >= 0, metres < 1e9 else { return "0 kilometres" }
    let tenths = Int((metres / 100).rounded())
    let number = tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    return number + (tenths == 10 ? " kilometre" : " kilometres")
  }

  private static let numbers = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
  ]

  /// `three` up to twelve, `13` from there.
  static func count(_ number: Int) -> String {
    numbers.indices.contains(number) ? numbers[number] : String(number)
  }

  /// Capitalised for the beginning of a sentence.
  static func capitalised(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }

  /// Text of the athlete, shortened to one line for quoting.
  static func quote(_ text: String, max: Int = 40) -> String? {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      scalars.append(scalar.value < 0x20 || scalar.value == 0x7F ? " " : scalar)
    }
    let words = String(scalars).split(separator: " ")
    var line = ""
    for word in words {
      guard line.unicodeScalars.count + word.unicodeScalars.count < max else { break }
      line += (line.isEmpty ? "" : " ") + word
    }
    return line.isEmpty ? nil : line
  }
}

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

/// Summaries of finished runs.
extension Coach {
  func summary(_ request: PostRunSummaryRequest, digest: UInt64) -> PostRunSummaryResponse {
    let voice = CoachVoice.named(request.personality)
    var parts = [figures(request.run)]
    let notes = request.voiceNotes.count
    if notes > 0 { parts.append("We talked \(notes == 1 ? "once" : "\(Spoken.count(notes)) times").") }
    parts.append(pick(voice.farewell, digest, 30))
    return PostRunSummaryResponse(summaryText: parts.joined(separator: " "), extractedFacts: facts(request))
  }

  private func figures(_ run: SummarisedRun) -> String {
    guard let metres = run.distanceMeters, metres > 0 else { return "A run that I heard little of." }
    var text = Spoken.kilometres(metres)
    if let seconds = run.durationSeconds, let time = Spoken.clock(seconds) {
      text += " in \(time)"
      if metres >= 500, let pace = Spoken.clock(seconds / metres * 1_000) { text += ", \(pace) a kilometre" }
    }
    return text + "."
  }

  private func facts(_ request: PostRunSummaryRequest) -> [ExtractedFact] {
    var facts: [ExtractedFact] = []
    func learn(_ kind: MemoryKind, _ key: String, _ value: JSONValue, _ confidence: Double) {
      guard !facts.contains(where: { $0.isAbout(key) }) else { return }
      facts.append(ExtractedFact(kind: kind, value: .object([JSONMember(key, value)]), confidence: confidence))
    }
    if let metres = request.run.distanceMeters, metres >= 1_000, metres < 1e6 {
      learn(.fact, "run.last.distance", .integer(Int64(metres.rounded())), 0.9)
      if let seconds = request.run.durationSeconds, seconds > 0 {
        learn(.fact, "pace.typical", .integer(Int64(min(seconds / metres * 1_000, 1e6).rounded())), 0.5)
      }
    }
    for transcript in request.voiceNotes.compactMap(\.transcript) {
      let words = Self.words(transcript)
      for part in ["knee", "ankle", "shin", "hip", "back"] where words.contains(part) {
        learn(.personalReference, "body.\(part)", .string("spoke of it on a run"), 0.6)
      }
      let isDisliked = words.contains { ["hate", "dislike", "awful"].contains($0) }
      let isLiked = words.contains { ["love", "like", "enjoy"].contains($0) }
      for thing in ["hills", "intervals", "rain", "heat", "track", "trail"]
      where words.contains(thing) && isDisliked != isLiked {
        learn(isLiked ? .preference : .dislike, "likes.\(thing)", .bool(isLiked), 0.7)
      }
      if let index = words.firstIndex(of: "maximum") ?? words.firstIndex(of: "max"),
        let rate = words[index...].lazy.compactMap({ Int64($0) }).first, (100...240).contains(rate)
      {
        learn(.fact, "hr.max", .integer(rate), 0.6)
      }
    }
    return facts
  }
}

extension ExtractedFact {
  fileprivate func isAbout(_ key: String) -> Bool {
    guard case .object(let members) = value else { return false }
    return members.contains { $0.key == key }
  }
}
