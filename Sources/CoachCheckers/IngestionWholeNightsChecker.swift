import CoachProtocol
package import Link

/// `ingestion-whole-nights`: no night stays as it was when it was half over.
package struct IngestionWholeNightsChecker: Checker {
  package static let invariant = "ingestion-whole-nights"
  package static let about =
    "A night that was fetched before its noon, while it may have lasted, is fetched again by the first sync after it: every night slept is stored with its true length. Not judged once a clock was wrong."
  package static let interests: [TraceEvent.Name] = [
    "ingestion.began", "ingestion.requested", "ingestion.staged", "fault.begin",
  ]

  private struct Night {
    /// The line that staged it while it lasted.
    var line: Int
    /// The sync that asked for it last.
    var sync: Int
    /// When it is over wherever the user is, in seconds since 1970.
    var end: Int64
  }

  /// A clock may be off by less than a fault makes it, and an answer takes a moment.
  private static let slackSeconds: Int64 = 600

  /// The start, in seconds since 1970; nil for a header without.
  private let start: Int64?
  /// What local time adds to UTC, in seconds, at least and at most.
  private let offsets: ClosedRange<Int64>
  /// Nights that were staged while they lasted.
  private var open: [LocalDay: Night] = [:]
  /// The sync that asked for each day last.
  private var asked: [LocalDay: Int] = [:]
  /// Days whose last query brought nothing, and may be repeated.
  private var unanswered: Set<LocalDay> = []
  private var sync = 0
  private var last: LocalDay?
  private var isUnknown = false

  package init(header: TraceHeader) {
    start = TraceHeader.unixStart(header.startedAt).map { $0 / 1_000_000_000 }
    let seconds = header.utcOffsets.map { Int64($0.seconds) }
    offsets = (seconds.min() ?? 0)...(seconds.max() ?? 0)
  }

  package mutating func observe(_ event: TypedEvent, line: Int, into report: inout [Violation]) {
    guard !isUnknown, let start else { return }
    let now = start &+ event.time.nanoseconds / 1_000_000_000
    switch event.body {
    case .faultBegin(let fault): isUnknown = fault.kind == "clockSkew"
    case .ingestionBegan: unanswered = []
    case .ingestionRequested(let requested):
      guard requested.type == "sleep", let day = Self.day(requested.day) else { return }
      observeRequest(of: day, event, at: now, line, &report)
    case .ingestionStaged(let staged):
      guard staged.type == "sleep", let day = Self.day(staged.day) else { return }
      unanswered.remove(day)
      let noon = (day.number + 1) * 86_400 + 43_200
      // Between both, it depends on where the user is whether the night is over.
      if now &+ Self.slackSeconds < noon - offsets.upperBound {
        open[day] = Night(line: line, sync: asked[day] ?? sync, end: noon - offsets.lowerBound + Self.slackSeconds)
      } else {
        open[day] = nil
      }
    default: break
    }
  }

  private mutating func observeRequest(
    of day: LocalDay, _ event: TypedEvent, at now: Int64, _ line: Int, _ report: inout [Violation]
  ) {
    // A repeated query belongs to the sync before.
    guard unanswered.insert(day).inserted else { return }
    // A sync asks for days in their order, so an earlier day begins the next sync.
    if let last, day <= last { sync += 1 }
    last = day
    asked[day] = sync
    open[day]?.sync = sync
    for (earlier, night) in open.sorted(by: { $0.key < $1.key })
    where earlier < day && night.sync < sync && night.end <= now {
      open[earlier] = nil
      report.append(
        Self.violation(
          "the night of \(earlier.text) was fetched while it lasted, and a later sync does not fetch it again",
          at: event.time, lines: [night.line, line]))
    }
  }

  private static func day(_ text: String) -> LocalDay? {
    TraceHeader.unixStart(text + "T00:00:00Z").map { LocalDay(clock: $0, offset: 0) }
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout [Violation]) {}
}
