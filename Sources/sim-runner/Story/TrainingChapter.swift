import Link

/// The thread of training sessions: what is stored, what the athlete changes, and what a competition shows.
struct TrainingChapter: StoryChapter {
  private static let stored = TraceEvent.Name("training.stored").code
  private static let edited = TraceEvent.Name("training.edited").code
  private static let refused = TraceEvent.Name("training.refused").code
  private static let drill = TraceEvent.Name("training.drill").code
  private static let competition = TraceEvent.Name("training.competition").code

  mutating func observe(_ event: TraceEvent, into lines: inout [StoryLine]) {
    let discipline = TerminalText.escape(event["discipline"]?.text ?? "")
    switch event.name.code {
    case Self.stored:
      let rows = event["rows"]?.integer ?? 0
      add(event, "stores the session of \(discipline): \(rows) rows", .plain, into: &lines)
    case Self.edited:
      let what = event["what"]?.text == "shot" ? "a shot is corrected" : "the judge's score is entered"
      add(event, "\(what), \(discipline) counts \(Self.result(event))", .plain, into: &lines)
    case Self.refused:
      let why = TerminalText.escape(event["why"]?.text ?? "")
      add(event, "drops a part of a session's report: \(why)", .trouble, into: &lines)
    case Self.drill:
      let type = TerminalText.escape(event["drillType"]?.text ?? "")
      add(event, "stores an exercise of \(discipline): \(type)", .quiet, into: &lines)
    case Self.competition:
      add(event, "the competition shows \(Self.result(event)) for \(discipline)", .quiet, into: &lines)
    default: break
    }
  }

  private static func result(_ event: TraceEvent) -> String {
    guard let value = event["result"]?.integer else { return "no result" }
    var text = ""
    TraceValue.fixed(value, places: 3).append(to: &text)
    return text
  }

  private func add(_ event: TraceEvent, _ text: String, _ tone: StoryLine.Tone, into lines: inout [StoryLine]) {
    lines.append(StoryLine(time: event.time, voice: .phone, text: text, tone: tone))
  }
}
