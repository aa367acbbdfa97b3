import CoachProtocol
package import Link

/// `ingestion-whole-nights`: every night is in the store as it was slept, one sync after waking.
package struct IngestionWholeNightsChecker: Checker {
  package static let invariant = "ingestion-whole-nights"
  package static let about =
    "The first sync after a night fetches it, and what is stored of it then are the hours that were slept. Not judged once a clock was wrong."

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
  private var firstStaged: LocalDay?
  private var wasRefused = false
  private var isUnknown = false
  private let conditions: TruthConditions

  package init(header: TraceHeader) { conditions = TruthConditions(header: header) }

  package mutating func faultBegin(_ fault: FaultBegan, at event: Occurrence, into report: inout Report) {
    guard !isUnknown else { return }
    isUnknown = fault.kind == "clockSkew"
  }

  package mutating func ingestionBegan(_: IngestionBegan, at event: Occurrence, into report: inout Report) {
    guard !isUnknown else { return }
    unanswered = []
    refused = []
    last = nil
  }

  package mutating func healthSlept(_ slept: HealthSlept, at event: Occurrence, into report: inout Report) {
    guard !isUnknown else { return }
    guard let day = LocalDay(text: slept.day) else { return }
    if nights[day] == nil {
      nights[day] = Night(hours: slept.hours, end: event.time, line: event.line)
      nights = nights.filter { $0.key.number > day.number - Self.daysMax }
      parsed = parsed.filter { $0.key.number > day.number - Self.daysMax }
      asked = asked.filter { $0.key.number > day.number - Self.daysMax }
      refused = refused.filter { $0.number > day.number - Self.daysMax }
    } else {
      nights[day]?.hours = slept.hours
      nights[day]?.line = event.line
    }
  }

  package mutating func ingestionRequested(
    _ requested: IngestionRequested, at event: Occurrence, into report: inout Report
  ) {
    guard !isUnknown else { return }
    guard requested.type == "sleep", let day = LocalDay(text: requested.day) else { return }
    observeRequest(of: day, event, &report)
  }

  package mutating func ingestionRefused(_ query: IngestionRefused, at event: Occurrence, into report: inout Report) {
    guard !isUnknown else { return }
    guard query.type == "sleep", let day = LocalDay(text: query.day) else { return }
    refused.insert(day)
    wasRefused = true
  }

  package mutating func ingestionStaged(_ staged: IngestionStaged, at event: Occurrence, into report: inout Report) {
    guard !isUnknown else { return }
    guard staged.type == "sleep", let day = LocalDay(text: staged.day) else { return }
    firstStaged = min(firstStaged ?? day, day)
    unanswered.remove(day)
    refused.remove(day)
    stagings[day] = nil
    guard let night = nights[day] else { return }
    nights[day]?.isStaged = true
    let staging = Staging(raw: staged.raw, hours: night.hours, lines: [night.line, event.line])
    // The same JSON is not parsed again.
    if let known = parsed[day], known.raw == staged.raw {
      compare(known.hours, with: staging, of: day, at: event.time, known.line, &report)
    } else {
      stagings[day] = staging
    }
  }

  package mutating func ingestionParsed(_ parsed: IngestionParsed, at event: Occurrence, into report: inout Report) {
    guard !isUnknown else { return }
    guard parsed.type == "sleep", let day = LocalDay(text: parsed.day) else { return }
    let node = try? JSONParser.parse(parsed.measures.text, dialect: .json)
    let hours = node?["sleep_hours"]?.double ?? 0
    self.parsed[day] = (parsed.raw, hours, event.line)
    guard let staging = stagings[day], staging.raw == parsed.raw else { return }
    stagings[day] = nil
    compare(hours, with: staging, of: day, at: event.time, event.line, &report)
  }

  private func compare(
    _ hours: Double, with staging: Staging, of day: LocalDay, at time: VirtualTime, _ line: Int,
    _ report: inout Report
  ) {
    guard abs(hours - staging.hours) > 1e-4 else { return }
    let (stored, slept) = (Self.text(hours), Self.text(staging.hours))
    report.add(
      "the night of \(day.text) is stored with \(stored) h, and \(slept) h were slept", at: time,
      lines: (staging.lines + [line]).sorted())
  }

  /// Hours with two decimals.
  private static func text(_ hours: Double) -> String { JSONValue.plain((hours * 100).rounded() / 100).compactText }

  private mutating func observeRequest(
    of day: LocalDay, _ event: Occurrence, _ report: inout Report
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
    // What the first sync that may read wants of the days before it, truth-days judges.
    if firstStaged == nil, wasRefused { return }
    let first = firstStaged ?? LocalDay(.min)
    for (earlier, night) in nights.sorted(by: { $0.key < $1.key })
    where earlier >= first && earlier < day && !night.isStaged && night.end < syncBegin && asked[earlier] != sync
      && !refused.contains(earlier) && !conditions.mayFail("sleep", since: night.end)
    {
      nights[earlier]?.isStaged = true
      report.add(
        "the night of \(earlier.text) was over, and the next sync does not fetch it", at: event.time,
        lines: [night.line, event.line])
    }
  }
}
