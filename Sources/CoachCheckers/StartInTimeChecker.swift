package import Link

/// `start-in-time`: a run begins soon after it is requested, or not at all.
package struct StartInTimeChecker: Checker {
  package static let invariant = "start-in-time"
  package static let about =
    "A run that the phone requested begins within 30 seconds of the request by the watch's estimate, unless it is already on; without an answer the phone asks again after exactly 10 seconds, and reports the failure 10 seconds later."
  package static let interests: [TraceEvent.Name] =
    CommandAge.interests + StartDeadlines.interests + ["workout.state", "end"]

  /// How long a start may be obeyed.
  private static let life = VirtualTime.Span.seconds(30)
  /// The number of remembered starts; older ones are not judged.
  private static let startsMax = 256

  private var age = CommandAge()
  private var deadlines = StartDeadlines()
  private var asked: [(run: Identifier, time: VirtualTime, line: Int)] = []

  package init(header: TraceHeader) {}

  package mutating func observe(_ event: TypedEvent, line: Int, into report: inout [Violation]) {
    if let objection = deadlines.pass(to: event.time) { add(objection, &report) }
    if age.observe(event) { return }
    if let objection = deadlines.observe(event, line: line) { add(objection, &report) }
    if case .startAsked(let start) = event.body {
      if asked.count == Self.startsMax { asked.removeFirst() }
      asked.append((start.runId, event.time, line))
      return
    }
    guard !asked.isEmpty, case .workoutState(let state) = event.body, state.to == "preparing", !age.isUnknown,
      let start = asked.last(where: { $0.run == state.workoutId })
    else { return }
    guard event.time - start.time > age.limit(for: Self.life) else { return }
    report.append(
      Self.violation(
        "the watch began a run \((event.time - start.time).text) after the phone asked for it", at: event.time,
        lines: [start.line, line]))
  }

  private func add(_ objection: StartDeadlines.Objection, _ report: inout [Violation]) {
    report.append(Self.violation(objection.detail, at: objection.time, lines: objection.lines))
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout [Violation]) {
    if let objection = deadlines.pass(to: ending.time) { add(objection, &report) }
  }
}
