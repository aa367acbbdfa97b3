package import Link

/// `start-in-time`: a run is begun when it is asked for, or not at all.
package struct StartInTimeChecker: Checker {
  package static let invariant = "start-in-time"
  package static let about =
    "A run that the phone asked for is begun within 30 seconds of its asking by the watch's estimate, or is on already; without an answer the phone asks once more after exactly 10 seconds, and reports after 10 more that it failed."
  package static let interests: [TraceEvent.Name] =
    CommandAge.interests + StartDeadlines.interests + ["workout.state", "end"]

  /// How long a start can be obeyed.
  private static let life = VirtualTime.Span.seconds(30)
  /// Starts that are remembered; of older ones nothing is said.
  private static let startsMax = 256

  private var age = CommandAge()
  private var deadlines = StartDeadlines()
  private var asked: [(run: Identifier, time: VirtualTime, line: Int)] = []

  package init(header: TraceHeader) {}

  package mutating func observe(_ event: TypedEvent, line: Int, into report: inout [Violation]) {
    if let objection = deadlines.pass(to: event.time) { tell(objection, &report) }
    if age.observe(event) { return }
    if let objection = deadlines.observe(event, line: line) { tell(objection, &report) }
    if case .startAsked(let start) = event.body {
      if asked.count == Self.startsMax { asked.removeFirst() }
      asked.append((start.runId, event.time, line))
      return
    }
    guard !asked.isEmpty, case .workoutState(let state) = event.body, state.to == "preparing", !age.isUnknown,
      let start = asked.last(where: { $0.run == state.workoutId })
    else { return }
    guard event.time - start.time > age.most(Self.life) else { return }
    report.append(
      Self.violation(
        "the watch began a run \((event.time - start.time).text) after the phone asked for it", at: event.time,
        lines: [start.line, line]))
  }

  private func tell(_ objection: StartDeadlines.Objection, _ report: inout [Violation]) {
    report.append(Self.violation(objection.detail, at: objection.time, lines: objection.lines))
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout [Violation]) {
    if let objection = deadlines.pass(to: ending.time) { tell(objection, &report) }
  }
}
