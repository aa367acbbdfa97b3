import Console
import Link

/// The thread of training sessions: what is stored, what the athlete changes, and what a competition shows.
struct TrainingChapter: StoryChapter {
  mutating func observe(_ event: TraceEvent, into lines: inout [StoryLine]) {
    let time = event.time
    switch event.body {
    case .trainingStored(let session):
      let (noun, rows) = (StoryText.session(ofDiscipline: session.discipline), Self.count(session.rows))
      add(time, "stores the \(noun): \(Self.figures(session)), \(rows)", .plain, into: &lines)
    case .trainingEdited(let edit):
      let what =
        switch edit.what {
        case "shot": "a shot is corrected"
        case "merge": "rows of the other phone arrive"
        default: "the judge's score is entered"
        }
      let noun = StoryText.session(ofDiscipline: edit.discipline)
      let result = Self.result(edit.result, edit.discipline)
      add(time, "\(what): the \(noun) has \(result)", .plain, phone: edit.phone, into: &lines)
    case .trainingDrill(let drill):
      let (type, discipline) = (TerminalText.escape(drill.drillType), TerminalText.escape(drill.discipline))
      add(time, "stores an exercise of \(discipline): \(type)", .quiet, phone: drill.phone, into: &lines)
    case .competitionUpdated(let update):
      let noun = StoryText.session(ofDiscipline: update.discipline)
      let result = Self.result(update.result, update.discipline)
      add(time, "the competition shows \(result) for the \(noun)", .quiet, phone: update.phone, into: &lines)
    case .trainingRowChanged(let row):
      let text =
        switch row.what {
        case "completed": "a task is done"
        case "weather": "the weather is entered"
        case "summary": "the coach's summary is stored with the session"
        default: "stores \(Self.noun(ofTable: row.table))"
        }
      add(time, text, .quiet, phone: row.phone, into: &lines)
    case .trainingShown(let row):
      let noun = Self.noun(ofTable: row.table)
      add(time, "shows \(noun) from the other phone", .quiet, phone: row.phone, into: &lines)
    case .trainingSettled(let settled):
      guard settled.phone == 2 else { return }
      let rows = Self.count(settled.rows)
      add(time, "waits for nothing more of the other phone: \(rows)", .quiet, phone: 2, into: &lines)
    case .trainingRemoved(let session):
      let (noun, rows) = (StoryText.session(ofDiscipline: session.discipline), Self.count(session.rows))
      add(time, "removes the \(noun): \(rows)", .plain, phone: session.phone, into: &lines)
    case .other(let other):
      guard let refusal = other.kind as? TrainingRefused else { return }
      add(time, "drops a part of a session's report: \(TerminalText.escape(refusal.why))", .trouble, into: &lines)
    default: break
    }
  }

  private static let nouns = [
    "RidePhoto": "a photo of the ride", "TargetScanAnalysis": "the scan of a target",
    "CompetitionTask": "a task of the competition", "WorkoutTemplate": "a planned workout",
    "Ride": "the ride", "RunningSession": "the running session", "SwimmingSession": "the swim",
    "ShootingSession": "the shooting session", "RideScore": "the judge's score", "DrillSession": "an exercise",
    "AthleteProfile": "the athlete", "Horse": "the horse", "Competition": "the competition",
  ]

  private static func noun(ofTable table: String) -> String {
    nouns[table] ?? "a row of \(TerminalText.escape(table))"
  }

  private static func count(_ rows: Int64) -> String { StoryText.count(Int(clamping: rows), "row") }

  /// What a stored session is: its points on a range, its distance elsewhere, and its time.
  private static func figures(_ session: TrainingStored) -> String {
    let time = StoryText.clock(seconds: max(0, session.duration) / 1_000)
    guard session.discipline != "shooting" else { return "\(result(session.result, session.discipline)) in \(time)" }
    return "\(StoryText.kilometres(Double(session.distance) / 1_000)) in \(time)"
  }

  /// Points of shots and of a ride, the time of a run and of a swim.
  private static func result(_ value: Int64?, _ discipline: String) -> String {
    guard let value else { return "no result" }
    switch discipline {
    case "running", "swimming": return StoryText.clock(seconds: max(0, value) / 1_000)
    default:
      let text = TraceValue.fixed(value, places: 3).jsonText
      return text == "1" ? "1 point" : "\(text) points"
    }
  }

  private func add(
    _ time: VirtualTime, _ text: String, _ tone: StoryLine.Tone, phone: Int64? = nil, into lines: inout [StoryLine]
  ) {
    lines.add(time, .phone, (phone == 2 ? "second phone: " : "") + text, tone)
  }
}
