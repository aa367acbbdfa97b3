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
    let time = event.time
    switch event.body {
    case .ingestionParsed(let parsed): addMeasures(parsed, time, into: &lines)
    case .ingestionStaged(let staged):
      let type = TerminalText.escape(staged.type)
      if refused.remove(type) != nil { lines.add(time, .phone, "gets \(type) from the store again", .relief) }
    case .ingestionFailed(let failure):
      let (type, day) = (TerminalText.escape(failure.type), TerminalText.escape(failure.day))
      let why = TerminalText.escape(failure.why)
      lines.add(time, .phone, "cannot parse \(type) of \(day): \(why); the raw data stays", .trouble)
    case .ingestionPurged(let purge):
      guard purgedAt != time else { return }
      purgedAt = time
      let what = purge.why == "asked" ? "the parsed raw data, as the user asked" : "parsed raw data that is due"
      lines.add(time, .phone, "deletes \(what)", .quiet)
    case .healthSlept(let slept):
      let minutes = Int64(min(max(slept.hours, 0), 99) * 60 + 0.5)
      let length = "\(minutes / 60):\(minutes % 60 < 10 ? "0" : "")\(minutes % 60) h"
      lines.add(time, .phone, "the night of \(TerminalText.escape(slept.day)) is over: \(length) asleep", .quiet)
    case .ingestionRefused(let refusal):
      let type = TerminalText.escape(refusal.type)
      guard refused.insert(type).inserted else { return }
      lines.add(time, .phone, "gets no \(type) from the store: \(Self.reason(refusal.why))", .trouble)
    case .ingestionUpdated: lines.add(time, .phone, "is updated, and parses again what it could not read")
    case .other(let other):
      switch other.kind {
      case let order as IngestionSwitched:
        let type = TerminalText.escape(order.type)
        lines.add(time, .phone, "the user switches \(type) \(order.on ? "on" : "off")", .quiet)
      case let access as IngestionAccess where access.status == "granted":
        lines.add(time, .phone, "gets \(TerminalText.escape(access.type)) from the store again")
      default: break
      }
    default: break
    }
  }

  /// Of the measures, a new night is worth a line, and a past day that is not what it was.
  private mutating func addMeasures(_ parsed: IngestionParsed, _ time: VirtualTime, into lines: inout [StoryLine]) {
    guard let node = parsed.measures.node else { return }
    let (type, day) = (TerminalText.escape(parsed.type), parsed.day)
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
      let list = StoryText.list(changes)
      return lines.add(time, .phone, "finds \(type) of \(TerminalText.escape(day)) changed: \(list)")
    }
    guard type == "sleep", let hours = node["sleep_hours"]?.double, hours > 0,
      hours != before?["sleep_hours"]?.double
    else { return }
    let minutes = Int64((min(hours, 48) * 60).rounded())
    let length = "\(minutes / 60) h \(minutes % 60) min"
    lines.add(time, .phone, "knows the night of \(TerminalText.escape(day)): \(length) asleep")
  }

  /// The measures of which a change is reported, with their units.
  private static let shown = [
    ("sleep_hours", "h asleep"), ("calories_burned", "kcal"), ("exercise_minutes", "min"),
    ("mindfulness_minutes", "min"),
    ("meeting_hours", "h of meetings"), ("tasks_completed", "tasks done"),
  ]

  private static func number(_ value: Double) -> String {
    TraceValue.number(min(max(value, -1e9), 1e9), places: 1).jsonText
  }

  private static func reason(_ why: String) -> String {
    switch why {
    case "denied": "access is denied"
    case "diskFull": "the disk is full"
    default: "it is unavailable"
    }
  }
}
