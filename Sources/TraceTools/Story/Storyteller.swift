import Console
package import Link

/// Turns the events of a run, as they happen, into a story for people.
///
/// Each chapter follows one thread: the run, its start by the phone, the link, the devices, the
/// coach, the health store, the daily totals, training sessions, Apple's data, local time, items that could not be sent. Their
/// counts are in ``tally``.
package struct Storyteller {
  /// The counts for the summary.
  package private(set) var tally = StoryTally()
  private var run: RunChapter
  private var link: LinkChapter
  private var start = StartChapter()
  private var device = DeviceChapter()
  private var traffic = TrafficChapter()
  private var answers = AnswerChapter()
  private var coach = CoachChapter()
  private var health = HealthChapter()
  private var daily = DailyChapter()
  private var training = TrainingChapter()
  private var ingestion = IngestionChapter()
  private var localTime: LocalTimeChapter
  private var control = ControlChapter()
  private var apps = AppChapter()
  /// What apps send; nil for a run without one.
  private var messages: MessageChapter?

  /// - Parameter header: The first line of the trace.
  package init(header: TraceHeader) {
    run = RunChapter(startedAt: header.unixStart ?? 0, isInMiles: header.extra("units")?.text == "miles")
    link = LinkChapter(faults: header.faults)
    localTime = LocalTimeChapter(offsets: header.utcOffsets)
    tally.hasAppAsPhone = ProgramsHeader.hasAppAsPhone(header)
    if tally.hasAppAsPhone || ProgramsHeader.isApp(.watch, in: header) { messages = MessageChapter() }
    tally.hasAppAsWatch = ProgramsHeader.isApp(.watch, in: header)
  }

  /// The lowest level of log lines that the story shows.
  package var logLevel: AppLogLevel {
    get { apps.logLevel }
    set { apps.logLevel = newValue }
  }

  /// Observes the next event, on line `line` of the trace.
  ///
  /// - Returns: The sentences about it; usually none.
  package mutating func observe(_ event: TraceEvent, line: Int) -> [StoryLine] {
    var lines: [StoryLine] = []
    tally.observe(event)
    localTime.observe(event, into: &lines)
    control.observe(event, into: &lines)
    run.observe(event, into: &lines)
    start.observe(event, into: &lines)
    link.observe(event, into: &lines)
    device.observe(event, into: &lines)
    traffic.observe(event, into: &lines)
    answers.observe(event, into: &lines)
    coach.observe(event, into: &lines)
    health.observe(event, into: &lines)
    daily.observe(event, into: &lines)
    training.observe(event, into: &lines)
    ingestion.observe(event, into: &lines)
    apps.observe(event, into: &lines)
    messages?.observe(event, into: &lines)
    for index in lines.indices { lines[index].traceLine = line }
    return lines
  }

  /// The current situation in a few words, for a progress line.
  package var situation: String {
    var parts = [run.situation]
    if let trouble = link.situation { parts.append(trouble) }
    return parts.joined(separator: ", ")
  }
}

/// One thread of a story.
protocol StoryChapter {
  /// Observes the next event, and appends the sentences about it.
  mutating func observe(_ event: TraceEvent, into lines: inout [StoryLine])
}
