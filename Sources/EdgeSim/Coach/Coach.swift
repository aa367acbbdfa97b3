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

/// The phrases of one personality.
///
/// `{km}` is replaced by a count of kilometres, `{time}` by a clock time.
struct CoachVoice: Sendable {
  /// The personality's name.
  var name: String
  /// For the first line.
  var opening: [String]
  /// At a kilometre.
  var kilometre: [String]
  /// At a kilometre, if a target pace is known.
  var kilometreWithTime: [String]
  var halfway: [String]
  var finish: [String]
  /// When the last minutes were slower, or faster, than the target.
  var slow: [String]
  var fast: [String]
  /// When the heart rate is at its limit.
  var heart: [String]
  /// When the cadence is low.
  var cadence: [String]
  /// Openings of a reply, by what follows.
  var agree: [String]
  /// Endings of a summary.
  var farewell: [String]

  /// The voice of a personality; unknown ones get the first.
  static func named(_ name: String) -> Self { all.first { $0.name == name } ?? encouraging }

  static let all = [encouraging, calm, drillSergeant, roastCoach]

  private static let encouraging = Self(
    name: "encouraging",
    opening: ["Here we go. Start a little slower than you feel like.", "Good to have you out here. Settle in first."],
    kilometre: [
      "{km} done, and you look good doing it.", "That makes {km}. Keep this rhythm.",
      "{km} already. Every one of them counts.",
    ],
    kilometreWithTime: [
      "{km} done. The plan says {time} here; listen to your legs and carry on.",
      "{km}, and {time} would be right on plan. Nicely steady.",
    ],
    halfway: ["Half of it is yours. Shake out your arms and go on.", "Halfway there. The second half is the fun one."],
    finish: ["Five hundred metres left. Lift your head and enjoy it.", "Nearly home. One last bit of courage."],
    slow: [
      "A little behind the plan. Short steps, quick feet, no hurry.", "You have slowed down. Breathe, then pick it up.",
    ],
    fast: ["That is faster than planned. Save some of it for later.", "Lovely pace, but a touch too quick. Ease off."],
    heart: [
      "Your heart works hard. Ease off until you could say a sentence.", "Take a little pressure off, just a minute.",
    ],
    cadence: [
      "Try shorter steps for a while. Quick and light.", "Quicker feet, smaller steps. Your knees will thank you.",
    ],
    agree: ["I hear you.", "Good that you say so.", "Got it."],
    farewell: ["You can be proud of that one.", "Well run. Rest now."])

  private static let calm = Self(
    name: "calm",
    opening: [
      "Begin quietly. Nothing has to happen in the first minutes.", "Breathe in, breathe out, and let it begin.",
    ],
    kilometre: ["{km}. Let the shoulders drop.", "{km} behind you. Stay with the breath.", "That was {km}. Easy."],
    kilometreWithTime: [
      "{km}. On plan this is {time}. No need to force it.", "{km}. {time} would be even. Stay soft.",
    ],
    halfway: ["Half of the way. Nothing to change, only to continue.", "The middle. Notice how you run now."],
    finish: ["The last five hundred metres. Let them come to you.", "Almost done. Stay loose until the end."],
    slow: [
      "You are a little slower now. If it feels right, lengthen the breath and go on.",
      "Slower. That may be all right.",
    ],
    fast: ["A little fast. Let the pace come back to you.", "Quick feet today. Let them calm down."],
    heart: ["The heart is high. Soften the effort until it settles.", "Let go of some effort. The pulse will follow."],
    cadence: ["Let the steps become smaller, and a little quicker.", "Smaller steps. Quiet feet."],
    agree: ["Yes.", "I understand.", "All right."],
    farewell: ["Let it settle before the next one.", "A quiet, good run."])

  private static let drillSergeant = Self(
    name: "drill_sergeant",
    opening: [
      "Move out! Easy pace first, that is an order!", "Boots tied? Then run! No heroics in the first kilometre!",
    ],
    kilometre: ["{km} down! Eyes front!", "{km}! Did I say you could rest? Next one!", "That is {km}! Knees up!"],
    kilometreWithTime: [
      "{km}! The plan says {time}! Report late and you explain it!", "{km} at {time}, that is the order!",
    ],
    halfway: ["Halfway! Nobody told you to slow down!", "Half done is not done! Go!"],
    finish: ["Five hundred metres! Empty the tank, now!", "I can see the line! Sprint when I say! Now!"],
    slow: ["You are falling back! Close the gap!", "Slower than ordered! Quick march!"],
    fast: ["Hold the line! You are ahead of the column!", "Too fast! Discipline beats enthusiasm!"],
    heart: ["Pulse at the limit! Stand down one gear!", "Ease off! A broken runner is no use to me!"],
    cadence: ["Quick feet! This is no hiking trip!", "Shorten that stride! Left, right, left, right!"],
    agree: ["Heard!", "Understood!", "Noted!"],
    farewell: ["Dismissed! Drink something!", "Not bad, recruit. Do not let it go to your head!"])

  private static let roastCoach = Self(
    name: "roast_coach",
    opening: [
      "Oh good, you found the shoes. Start slow, that should come naturally.",
      "Off we go. The pigeons are laughing already.",
    ],
    kilometre: [
      "{km}. I have seen parked cars with more urgency.", "{km} done. Somebody alert the press, slowly.",
      "That was {km}. My grandmother sends her regards, from ahead.",
    ],
    kilometreWithTime: [
      "{km}. The plan said {time}. The plan was an optimist.", "{km}. At {time} you would be on plan. Imagine that.",
    ],
    halfway: ["Halfway. Your couch called, it misses you.", "Half done. The easy half, obviously."],
    finish: ["Five hundred metres. Try to look like you meant it.", "Nearly there. Smile, somebody may be filming."],
    slow: ["Slower than planned. Are we sightseeing?", "A snail just asked me to let it pass."],
    fast: ["Faster than planned. Who is chasing you?", "That pace is a lie and your legs know it."],
    heart: ["Your heart would like a word. Slow down before it files a complaint.", "Ease off. I do not do funerals."],
    cadence: ["Shorter steps. You run, you do not measure carpets.", "Quicker feet. This is not a moon landing."],
    agree: ["Noted, with sympathy.", "Oh dear.", "Tell me more. Or do not."],
    farewell: ["I have seen worse. Not often.", "Do not make me say something nice again."])
}
