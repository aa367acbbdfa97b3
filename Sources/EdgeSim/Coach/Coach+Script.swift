import CoachProtocol
import Link

/// Scripts: lines by distance, and lines by conditions.
extension Coach {
  /// Kilometres with a line each; beyond them one line repeats.
  private static let kilometresMax = 60
  /// Minimum metres between a kilometre's line and the lines for halfway and finish.
  private static let spacing = 200.0
  /// Metres before the finish at which its line is due.
  private static let finishMeters = 500.0

  /// Writes a script; after a refusal one with positional lines only.
  func script(_ request: GenerateScriptRequest, digest: UInt64) -> GenerateScriptResponse {
    let voice = CoachVoice.named(request.personality)
    var lines = [
      line("opening", Self.trigger("time", ["atSeconds": 20]), opening(voice, request, digest), priority: 55)
    ]
    let distance = request.distanceKm * 1_000
    lines += kilometres(voice, request, digest)
    if distance > 0 {
      lines.append(line("halfway", Self.trigger("halfway"), pick(voice.halfway, digest, 2), priority: 60))
    }
    if distance > 2 * Self.finishMeters {
      let near = Self.trigger("near_finish", ["remainingMeters": Self.finishMeters])
      lines.append(line("finish", near, pick(voice.finish, digest, 3), priority: 70))
    }
    if request.settings.refusals.isEmpty { lines += conditions(voice, request, digest) }
    return GenerateScriptResponse(scriptId: Self.name(digest), messages: lines)
  }

  /// A script that every phone refuses: an unknown variable and an unknown trigger.
  static func badScript(seed digest: UInt64) -> GenerateScriptResponse {
    GenerateScriptResponse(
      scriptId: name(digest),
      messages: [
        .init(
          id: "mood", triggerSpec: trigger("condition", ["expression": "mood > 3"]),
          text: "You seem to be in a good mood."),
        .init(
          id: "summit", triggerSpec: trigger("altitude", ["atMeters": 1_000]),
          text: "What a view from up here."),
      ])
  }

  private static func name(_ digest: UInt64) -> String { "edge-\(Digest.text(digest))" }

  private func opening(_ voice: CoachVoice, _ request: GenerateScriptRequest, _ digest: UInt64) -> String {
    var text = ""
    if let name = request.userMemory.text("name").flatMap({ Spoken.quote($0, max: 24) }) { text = "Hello \(name). " }
    text += pick(voice.opening, digest, 1)
    if request.distanceKm > 0 {
      text += " \(Spoken.kilometres(request.distanceKm * 1_000)) today"
      if let pace = request.targetPaceSecPerKm.flatMap({ Spoken.clock($0) }) { text += ", \(pace) each" }
      text += "."
    }
    return text
  }

  private func kilometres(
    _ voice: CoachVoice, _ request: GenerateScriptRequest, _ digest: UInt64
  ) -> [GenerateScriptResponse.Line] {
    let distance = request.distanceKm * 1_000
    guard request.distanceKm >= 1, request.distanceKm <= Double(Self.kilometresMax) else {
      let text = pick(voice.kilometre, digest, 4).replacing("{km}", with: "Another kilometre")
      return [line("kilometre", Self.trigger("distance", ["everyMeters": 1_000]), text)]
    }
    var lines: [GenerateScriptResponse.Line] = []
    for kilometre in 1...Int(request.distanceKm) {
      let at = Double(kilometre) * 1_000
      let isHalfway = abs(at - distance / 2) < Self.spacing
      guard !isHalfway, at < distance - Self.finishMeters - Self.spacing || distance <= 2 * Self.finishMeters,
        at < distance - Self.spacing
      else { continue }
      let count = kilometre == 1 ? "one kilometre" : "\(Spoken.count(kilometre)) kilometres"
      let time = request.targetPaceSecPerKm.flatMap { Spoken.clock($0 * Double(kilometre)) }
      let choice = UInt64(100 + kilometre)
      // Only some lines include the planned time; in every line it would be a speaking clock.
      let text: String
      if let time, kilometre % 3 == 1 {
        text = pick(voice.kilometreWithTime, digest, choice).replacing("{time}", with: time)
      } else {
        text = pick(voice.kilometre, digest, choice)
      }
      lines.append(
        line(
          "km\(kilometre)", Self.trigger("distance", ["atMeters": kilometre * 1_000]),
          Spoken.capitalised(text.replacing("{km}", with: text.hasPrefix("{km}") ? Spoken.capitalised(count) : count))))
    }
    return lines
  }

  private func conditions(
    _ voice: CoachVoice, _ request: GenerateScriptRequest, _ digest: UInt64
  ) -> [GenerateScriptResponse.Line] {
    var lines: [GenerateScriptResponse.Line] = []
    func add(_ id: String, _ type: String, _ expression: String, cooldown: Int64, _ text: String) {
      let specification = Self.trigger(type, ["expression": expression, "cooldownSeconds": cooldown])
      lines.append(line(id, specification, text, priority: 40))
    }
    if request.targetPaceSecPerKm != nil {
      add("slow", "condition", "pace_3min_ratio < 0.93", cooldown: 360, pick(voice.slow, digest, 5))
      add("fast", "condition", "pace_3min_ratio > 1.08", cooldown: 360, pick(voice.fast, digest, 6))
    }
    if !request.userMemory.dislikes("heart") {
      add(
        "heart", "fatigue_zone", "hr_zone >= 5 AND duration > 300", cooldown: 420,
        pick(voice.heart, digest, 7))
    }
    // With a known knee complaint the hint about steps comes sooner.
    let steps = request.userMemory.mentions("knee") ? 160 : 150
    add(
      "cadence", "condition", "cadence < \(steps) AND duration > 600", cooldown: 900,
      pick(voice.cadence, digest, 8))
    return lines
  }

  // MARK: Parts

  private func line(
    _ id: String, _ trigger: JSONValue, _ text: String, priority: Int? = nil
  ) -> GenerateScriptResponse.Line {
    .init(id: id, triggerSpec: trigger, text: text, priority: priority)
  }

  private static func trigger(
    _ type: String, _ members: KeyValuePairs<String, (any JSONConvertible)?> = [:]
  ) -> JSONValue {
    .object([JSONMember("type", .string(type))] + JSONMember.list(members))
  }
}

extension [MemoryFact] {
  /// The text of a fact; nil if there is none, or it is no text.
  func text(_ key: String) -> String? {
    guard case .string(let text)? = first(where: { $0.key == key })?.value else { return nil }
    return text
  }

  /// Whether a word occurs in any fact's key or text.
  func mentions(_ word: String) -> Bool { contains { $0.mentions(word) } }

  /// Whether the athlete dislikes something with this word in it.
  func dislikes(_ word: String) -> Bool { contains { $0.kind == .dislike && $0.mentions(word) } }
}

extension MemoryFact {
  fileprivate func mentions(_ word: String) -> Bool {
    if key.lowercased().split(whereSeparator: { !$0.isLetter }).contains(Substring(word)) { return true }
    guard case .string(let text) = value else { return false }
    return text.lowercased().split(whereSeparator: { !$0.isLetter }).contains(Substring(word))
  }
}

extension String {
  /// The text with every occurrence of a mark replaced.
  func replacing(_ mark: String, with text: String) -> String {
    var result = ""
    var rest = Substring(self)
    while let match = rest.range(ofMark: mark) {
      result += rest[..<match.lowerBound]
      result += text
      rest = rest[match.upperBound...]
    }
    return result + rest
  }
}

extension Substring {
  fileprivate func range(ofMark mark: String) -> Range<Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(mark) { return start..<index(start, offsetBy: mark.count) }
      start = index(after: start)
    }
    return nil
  }
}
