import Console
import Link

/// The thread of training sessions: what is stored, what the athlete changes, and what a competition shows.
struct TrainingChapter: StoryChapter {
  mutating func observe(_ event: TraceEvent, into lines: inout [StoryLine]) {
    let discipline = TerminalText.escape(event["discipline"]?.text ?? "")
    let noun = StoryText.noun(ofSport: event["discipline"]?.text)
    switch event.name {
    case TrainingStored.name:
      add(event, "stores the \(noun): \(Self.figures(event)), \(Self.rows(event))", .plain, into: &lines)
    case TrainingEdited.name:
      let what =
        switch event["what"]?.text {
        case "shot": "a shot is corrected"
        case "merge": "rows of the other phone arrive"
        default: "the judge's score is entered"
        }
      add(event, "\(what): the \(noun) has \(Self.result(event))", .plain, into: &lines)
    case TrainingRefused.name:
      let why = TerminalText.escape(event["why"]?.text ?? "")
      add(event, "drops a part of a session's report: \(why)", .trouble, into: &lines)
    case TrainingDrill.name:
      let type = TerminalText.escape(event["drillType"]?.text ?? "")
      add(event, "stores an exercise of \(discipline): \(type)", .quiet, into: &lines)
    case CompetitionUpdated.name:
      add(event, "the competition shows \(Self.result(event)) for the \(noun)", .quiet, into: &lines)
    case TrainingRowChanged.name:
      let table = TerminalText.escape(event["table"]?.text ?? "")
      let text =
        switch event["what"]?.text {
        case "completed": "a task is done"
        case "weather": "the weather is entered"
        default: "stores \(Self.nouns[table] ?? "a row of \(table)")"
        }
      add(event, text, .quiet, into: &lines)
    case TrainingShown.name:
      let table = TerminalText.escape(event["table"]?.text ?? "")
      add(event, "shows \(Self.nouns[table] ?? "a row of \(table)") from the other phone", .quiet, into: &lines)
    case TrainingSettled.name where event["phone"]?.integer == 2:
      add(event, "waits for nothing more of the other phone: \(Self.rows(event))", .quiet, into: &lines)
    case TrainingRemoved.name:
      add(event, "removes the \(noun): \(Self.rows(event))", .plain, into: &lines)
    default: break
    }
  }

  private static let nouns = [
    "RidePhoto": "a photo of the ride", "TargetScanAnalysis": "the scan of a target",
    "CompetitionTask": "a task of the competition", "WorkoutTemplate": "a planned workout",
    "Ride": "the ride", "RunningSession": "the run", "SwimmingSession": "the swim",
    "ShootingSession": "the shooting session", "RideScore": "the judge's score", "DrillSession": "an exercise",
    "AthleteProfile": "the athlete", "Horse": "the horse", "Competition": "the competition",
  ]

  private static func rows(_ event: TraceEvent) -> String {
    StoryText.count(Int(clamping: event["rows"]?.integer ?? 0), "row")
  }

  /// What a stored session is: its points on a range, its distance elsewhere, and its time.
  private static func figures(_ event: TraceEvent) -> String {
    let time = StoryText.clock(seconds: max(0, event["duration"]?.integer ?? 0) / 1_000)
    guard event["discipline"]?.text != "shooting" else { return "\(result(event)) in \(time)" }
    return "\(StoryText.kilometres(Double(event["distance"]?.integer ?? 0) / 1_000)) in \(time)"
  }

  /// Points of shots and of a ride, the time of a run and of a swim.
  private static func result(_ event: TraceEvent) -> String {
    guard let value = event["result"]?.integer else { return "no result" }
    var text = ""
    TraceValue.fixed(value, places: 3).append(to: &text)
    switch event["discipline"]?.text {
    case "running", "swimming": return StoryText.clock(seconds: max(0, value) / 1_000)
    default: return text == "1" ? "1 point" : "\(text) points"
    }
  }

  private func add(_ event: TraceEvent, _ text: String, _ tone: StoryLine.Tone, into lines: inout [StoryLine]) {
    let second = event["phone"]?.integer == 2 ? "second phone: " : ""
    lines.append(StoryLine(time: event.time, voice: .phone, text: second + text, tone: tone))
  }
}
