import CoachProtocol
import Link

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
