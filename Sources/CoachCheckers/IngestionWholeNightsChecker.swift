import CoachProtocol
package import Link

/// `ingestion-whole-nights`: every night is in the store as it was slept, one sync after waking.
package struct IngestionWholeNightsChecker: Checker {
  package static let invariant = "ingestion-whole-nights"
  package static let about =
    "The first sync after a night fetches it, and what is stored of it then are the hours that were slept. Not judged once a clock was wrong."
  package static let interests: [TraceEvent.Name] = [
    "ingestion.began", "ingestion.requested", "ingestion.refused", "ingestion.staged", "ingestion.parsed",
    "fault.begin", "health.slept",
  ]

  /// A night that is over.
  private struct Night {
    var hours: Double
    /// When it was over, and the line that says how long it was.
    var end: VirtualTime
    var line: Int
    /// Whether it was staged since.
    var isStaged = false
  }

  /// A staged night, until it is parsed.
  private struct Staging {
    var raw: String
    /// What was slept, with its line.
    var hours: Double
    var lines: [Int]
  }

  /// Nights older than this are settled, in days.
  private static let daysMax: Int64 = 40

  private var nights: [LocalDay: Night] = [:]
  private var stagings: [LocalDay: Staging] = [:]
  /// What was parsed of each night last, with its line.
  private var parsed: [LocalDay: (raw: String, hours: Double, line: Int)] = [:]
  /// The sync that asked for each day last.
  private var asked: [LocalDay: Int] = [:]
  /// Days whose last query brought nothing, and may be repeated.
  private var unanswered: Set<LocalDay> = []
  /// Days whose last query the store refused; it is repeated later, perhaps after queries of the next sync.
  private var refused: Set<LocalDay> = []
  private var sync = 0
  private var syncBegin = VirtualTime.start
  private var last: LocalDay?
  private var isUnknown = false

  package init(header: TraceHeader) {}

  package mutating func observe(_ event: TypedEvent, line: Int, into report: inout [Violation]) {
    guard !isUnknown else { return }
    switch event.body {
    case .faultBegin(let fault): isUnknown = fault.kind == "clockSkew"
    case .ingestionBegan:
      unanswered = []
      refused = []
      last = nil
    case .healthSlept(let slept):
      guard let day = LocalDay(text: slept.day) else { return }
      if nights[day] == nil {
        nights[day] = Night(hours: slept.hours, end: event.time, line: line)
        nights = nights.filter { $0.key.number > day.number - Self.daysMax }
        parsed = parsed.filter { $0.key.number > day.number - Self.daysMax }
        asked = asked.filter { $0.key.number > day.number - Self.daysMax }
        refused = refused.filter { $0.number > day.number - Self.daysMax }
      } else {
        nights[day]?.hours = slept.hours
        nights[day]?.line = line
      }
    case .ingestionRequested(let requested):
      guard requested.type == "sleep", let day = LocalDay(text: requested.day) else { return }
      observeRequest(of: day, event, line, &report)
    case .ingestionRefused(let query):
      guard query.type == "sleep", let day = LocalDay(text: query.day) else { return }
      refused.insert(day)
    case .ingestionStaged(let staged):
      guard staged.type == "sleep", let day = LocalDay(text: staged.day) else { return }
      unanswered.remove(day)
      refused.remove(day)
      stagings[day] = nil
      guard let night = nights[day] else { return }
      nights[day]?.isStaged = true
      let staging = Staging(raw: staged.raw, hours: night.hours, lines: [night.line, line])
      // The same JSON is not parsed again.
      if let known = parsed[day], known.raw == staged.raw {
        compare(known.hours, with: staging, of: day, at: event.time, known.line, &report)
      } else {
        stagings[day] = staging
      }
    case .ingestionParsed(let parsed):
      guard parsed.type == "sleep", let day = LocalDay(text: parsed.day) else { return }
      let node = try? JSONParser.parse(parsed.measures.text, dialect: .json)
      let hours = node?["sleep_hours"]?.double ?? 0
      self.parsed[day] = (parsed.raw, hours, line)
      guard let staging = stagings[day], staging.raw == parsed.raw else { return }
      stagings[day] = nil
      compare(hours, with: staging, of: day, at: event.time, line, &report)
    default: break
    }
  }

  private func compare(
    _ hours: Double, with staging: Staging, of day: LocalDay, at time: VirtualTime, _ line: Int,
    _ report: inout [Violation]
  ) {
    guard abs(hours - staging.hours) > 1e-4 else { return }
    let (stored, slept) = (JSONValue.plain(hours).compactText, JSONValue.plain(staging.hours).compactText)
    report.append(
      Self.violation(
        "the night of \(day.text) is stored with \(stored) h, and \(slept) h were slept", at: time,
        lines: (staging.lines + [line]).sorted()))
  }

  private mutating func observeRequest(
    of day: LocalDay, _ event: TypedEvent, _ line: Int, _ report: inout [Violation]
  ) {
    // A repeated query belongs to the sync before.
    guard unanswered.insert(day).inserted else { return }
    // A sync asks for days in their order, so an earlier day begins the next sync.
    if last.map({ day <= $0 }) ?? true {
      sync += 1
      syncBegin = event.time
    }
    last = day
    asked[day] = sync
    for (earlier, night) in nights.sorted(by: { $0.key < $1.key })
    where earlier < day && !night.isStaged && night.end < syncBegin && asked[earlier] != sync
      && !refused.contains(earlier)
    {
      nights[earlier]?.isStaged = true
      report.append(
        Self.violation(
          "the night of \(earlier.text) was over, and the next sync does not fetch it", at: event.time,
          lines: [night.line, line]))
    }
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout [Violation]) {}
}
