import CoachProtocol
import Console
import Link

/// The thread of the ingestion: nights that are known, days that were changed afterwards, what the user orders, stores that
/// refuse, rows that do not parse, raw data that is deleted.
struct IngestionChapter: StoryChapter {
  /// Types whose store refused; each is reported once until it answers.
  private var refused: Set<String> = []
  /// When rows were last deleted: those of one instant become one line.
  private var purgedAt: VirtualTime?
  /// The measures of each type and day, at most ``daysMax``; for lookup only.
  private var measured: [String: JSONNode] = [:]
  private static let daysMax = 10_000
  /// The newest day that has measures.
  private var newestDay = ""

  mutating func observe(_ event: TraceEvent, into lines: inout [StoryLine]) {
    let type = TerminalText.escape(event["type"]?.text ?? "")
    switch event.name {
    case IngestionParsed.name: addMeasures(event, type, into: &lines)
    case IngestionStaged.name:
      if refused.remove(type) != nil { add(event, "gets \(type) from the store again", .relief, into: &lines) }
    case IngestionSwitched.name:
      let isOn = event["on"] == .bool(true)
      add(event, "the user switches \(type) \(isOn ? "on" : "off")", .quiet, into: &lines)
    case IngestionFailed.name:
      let why = TerminalText.escape(event["why"]?.text ?? "")
      add(event, "cannot parse \(type) of \(Self.day(event)): \(why); the raw data stays", .trouble, into: &lines)
    case IngestionRefused.name:
      guard refused.insert(type).inserted else { return }
      add(event, "gets no \(type) from the store: \(Self.why(event))", .trouble, into: &lines)
    case IngestionPurged.name:
      guard purgedAt != event.time else { return }
      purgedAt = event.time
      let what =
        event["why"]?.text == "asked" ? "the parsed raw data, as the user asked" : "parsed raw data that is due"
      add(event, "deletes \(what)", .quiet, into: &lines)
    case IngestionUpdated.name: add(event, "is updated, and parses again what it could not read", .plain, into: &lines)
    default: break
    }
  }

  /// Of the measures, a new night is worth a line, and a past day that is not what it was.
  private mutating func addMeasures(_ event: TraceEvent, _ type: String, into lines: inout [StoryLine]) {
    guard case .json(let text)? = event["measures"], let node = try? JSONParser.parse(text, dialect: .json) else {
      return
    }
    let day = event["day"]?.text ?? ""
    let before = measured["\(type) \(day)"]
    if before != nil || measured.count < Self.daysMax { measured["\(type) \(day)"] = node }
    // The newest day is not over, and grows with every fetch.
    let isPast = day < newestDay
    newestDay = max(newestDay, day)
    if isPast, let before {
      let changes = Self.shown.compactMap { measure, unit -> String? in
        guard let old = before[measure]?.double, let new = node[measure]?.double, old != new else {
          return nil
        }
        return "\(Self.number(new)) \(unit) instead of \(Self.number(old))"
      }
      guard !changes.isEmpty else { return }
      add(event, "finds \(type) of \(Self.day(event)) changed: \(StoryText.list(changes))", .plain, into: &lines)
      return
    }
    guard type == "sleep", let hours = node["sleep_hours"]?.double, hours > 0,
      hours != before?["sleep_hours"]?.double
    else { return }
    let minutes = Int64((min(hours, 48) * 60).rounded())
    let length = "\(minutes / 60) h \(minutes % 60) min"
    add(event, "knows the night of \(Self.day(event)): \(length) asleep", .plain, into: &lines)
  }

  /// The measures of which a change is reported, with their units.
  private static let shown = [
    ("sleep_hours", "h asleep"), ("calories_burned", "kcal"), ("exercise_minutes", "min"),
    ("mindfulness_minutes", "min"),
    ("meeting_hours", "h of meetings"), ("tasks_completed", "tasks done"),
  ]

  private static func number(_ value: Double) -> String {
    var text = ""
    TraceValue.number(min(max(value, -1e9), 1e9), places: 1).append(to: &text)
    return text
  }

  private static func day(_ event: TraceEvent) -> String { TerminalText.escape(event["day"]?.text ?? "") }

  private static func why(_ event: TraceEvent) -> String {
    switch event["why"]?.text {
    case "denied": "access is denied"
    case "diskFull": "the disk is full"
    default: "it is unavailable"
    }
  }

  private func add(_ event: TraceEvent, _ text: String, _ tone: StoryLine.Tone, into lines: inout [StoryLine]) {
    lines.append(StoryLine(time: event.time, voice: .phone, text: text, tone: tone))
  }
}
