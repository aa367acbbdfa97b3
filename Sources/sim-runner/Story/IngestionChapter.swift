import Link

/// The thread of the ingestion: nights that are known, stores that refuse, rows that do not parse, raw data that is deleted.
struct IngestionChapter: StoryChapter {
  /// Types whose store refused; each is reported once until it answers.
  private var refused: Set<String> = []
  /// Deleted rows of one instant, which become one line.
  private var purged: (time: VirtualTime, isAsked: Bool)?

  private static let parsed = TraceEvent.Name("ingestion.parsed").code
  private static let staged = TraceEvent.Name("ingestion.staged").code
  private static let failed = TraceEvent.Name("ingestion.failed").code
  private static let refusal = TraceEvent.Name("ingestion.refused").code
  private static let purge = TraceEvent.Name("ingestion.purged").code
  private static let updated = TraceEvent.Name("ingestion.updated").code

  mutating func observe(_ event: TraceEvent, into lines: inout [StoryLine]) {
    let type = TerminalText.escape(event["type"]?.text ?? "")
    switch event.name.code {
    case Self.parsed: addNight(event, type, into: &lines)
    case Self.staged: refused.remove(type)
    case Self.failed:
      let why = TerminalText.escape(event["why"]?.text ?? "")
      add(event, "cannot parse \(type) of \(Self.day(event)): \(why); the raw data stays", .trouble, into: &lines)
    case Self.refusal:
      guard refused.insert(type).inserted else { return }
      add(event, "gets no \(type) from the store: \(Self.why(event))", .trouble, into: &lines)
    case Self.purge:
      guard purged?.time != event.time else { return }
      purged = (event.time, event["why"]?.text == "asked")
      let who = purged?.isAsked == true ? "as the user asked" : "that is due"
      add(event, "deletes parsed raw data, \(who)", .quiet, into: &lines)
    case Self.updated: add(event, "is updated, and parses again what it could not read", .plain, into: &lines)
    default: break
    }
  }

  /// Of the measures, a night is worth a line.
  private func addNight(_ event: TraceEvent, _ type: String, into lines: inout [StoryLine]) {
    guard type == "sleep", case .json(let text)? = event["measures"],
      let node = try? JSONParser.parse(text, dialect: .json), let hours = node.member("sleep_hours")?.double, hours > 0
    else { return }
    let minutes = Int64((min(hours, 48) * 60).rounded())
    let length = "\(minutes / 60) h \(minutes % 60) min"
    add(event, "knows the night of \(Self.day(event)): \(length) asleep", .plain, into: &lines)
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
