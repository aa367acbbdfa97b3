package import Link

/// `start-in-time`: a run begins soon after it is requested, or not at all.
package struct StartInTimeChecker: Checker {
  package static let invariant = "start-in-time"
  package static let about =
    "A run that the phone requested begins within 30 seconds of the request by the watch's estimate, unless it is already on; without an answer the phone asks again after exactly 10 seconds, and reports the failure 10 seconds later."

  /// How long a start may be obeyed.
  private static let life = VirtualTime.Span.seconds(30)
  /// The number of remembered starts; older ones are not judged.
  private static let startsMax = 256

  private var age = CommandAge()
  private var deadlines = StartDeadlines()
  private var asked: [(run: Identifier, time: VirtualTime, line: Int)] = []

  package init(header: TraceHeader) {}

  package mutating func frameSent(_ frame: FrameSent, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    age.observe(frame, at: event)
  }

  package mutating func frameDelivered(_ frame: FrameDelivered, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    age.observe(frame, at: event)
  }

  package mutating func faultBegin(_ fault: FaultBegan, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    age.observe(fault)
  }

  package mutating func nodeChanged(_ change: NodeChange, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    deadlines.observe(change, at: event)
  }

  package mutating func startAsked(_ start: StartAsked, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    if let objection = deadlines.observe(start, at: event) { add(objection, &report) }
    if asked.count == Self.startsMax { asked.removeFirst() }
    asked.append((start.runId, event.time, event.line))
  }

  package mutating func startFailed(_ start: StartFailed, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    if let objection = deadlines.observe(start, at: event) { add(objection, &report) }
  }

  package mutating func startAcked(_ start: StartAcked, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    deadlines.observeEnd(of: start.runId, at: event)
  }

  package mutating func startDeclined(_ start: StartRejected, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    deadlines.observeEnd(of: start.runId, at: event)
  }

  package mutating func startCancelled(_ start: StartCancelled, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    deadlines.observeEnd(of: start.runId, at: event)
  }

  package mutating func workoutState(_ state: WorkoutStateChanged, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    guard !asked.isEmpty, state.to == "preparing", !age.isUnknown,
      let start = asked.last(where: { $0.run == state.workoutId }), event.time - start.time > age.limit(for: Self.life)
    else { return }
    report.add(
      "the watch began a run \((event.time - start.time).text) after the phone asked for it", at: event.time,
      lines: [start.line, event.line])
  }

  package mutating func end(_: TraceEnd, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
  }

  /// Judges what had to happen before the instant of an event.
  private mutating func pass(to event: Occurrence, _ report: inout Report) {
    if let objection = deadlines.pass(to: event.time) { add(objection, &report) }
  }

  private func add(_ objection: StartDeadlines.Objection, _ report: inout Report) {
    report.add(objection.detail, at: objection.time, lines: objection.lines)
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout Report) {
    if let objection = deadlines.pass(to: ending.time) { add(objection, &report) }
  }
}
