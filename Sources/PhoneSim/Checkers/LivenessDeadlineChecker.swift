package import Link

/// `liveness-deadline`: silence is noticed after ten seconds, not earlier, not later, and nothing else is
/// taken for silence.
package struct LivenessDeadlineChecker: Checker {
  package static let invariant = "liveness-deadline"
  package static let about =
    "The watch is reported as disconnected exactly 10 seconds after the last sign of life of a running run, and never otherwise."
  package static let interests: [TraceEvent.Name] =
    NodeLines.interests + ["snapshot.fresh", "run.state", "liveness.disconnected", "liveness.reconnected", "end"]

  private static let patience = VirtualTime.Span.seconds(10)

  private var belief = ReckonedBelief()
  private var isPhoneUp = true
  private var isRaised = false
  /// The latest of the last fresh snapshot, the last becoming running, the phone's last start or resume.
  private var base = VirtualTime.start
  private var baseLine = 1
  private var lastFresh: (epoch: Int64, seq: Int64)?
  /// Told that the deadline of this base was missed.
  private var isTold = false
  /// Raised for this base: cleared without a new one, it is not due again.
  private var isServed = false

  package init(header: TraceHeader) {}

  private var deadline: VirtualTime? {
    belief.isRunning && isPhoneUp && !isRaised && !isTold && !isServed ? base + Self.patience : nil
  }

  package mutating func observe(_ event: TraceEvent, line: Int, into report: inout [Violation]) {
    if let deadline, event.time > deadline { tellMissed(deadline, before: line, &report) }
    switch event.name.code {
    case TraceEvent.Name.Code.snapshotFresh:
      var fields = FieldCursor(event)
      if let epoch = fields.integer("epoch"), let seq = fields.integer("seq") { lastFresh = (epoch, seq) }
      restart(event, line)
    case TraceEvent.Name.Code.runState:
      let wasRunning = belief.isRunning
      let isNew = belief.observe(event)
      if belief.isRunning, !wasRunning || isNew { restart(event, line) }
    case TraceEvent.Name.Code.livenessDisconnected: observeRaised(event, line, &report)
    case TraceEvent.Name.Code.livenessReconnected: isRaised = false
    case TraceEvent.Name.Code.end: break
    default:
      guard let isUp = NodeLines.isPhoneUp(after: event) else { return }
      isPhoneUp = isUp
      if isUp { restart(event, line) }
    }
  }

  private mutating func restart(_ event: TraceEvent, _ line: Int) {
    base = event.time
    baseLine = line
    isTold = false
    isServed = false
  }

  private mutating func observeRaised(_ event: TraceEvent, _ line: Int, _ report: inout [Violation]) {
    defer {
      isRaised = true
      isServed = true
    }
    // Raised late: that it was missed was told when the deadline passed.
    if isTold { return }
    if let objection = objection(to: event) {
      report.append(Self.violation(objection, at: event.time, lines: [baseLine, line]))
    }
  }

  private func objection(to event: TraceEvent) -> String? {
    if isRaised { return "raised again without being cleared" }
    if isServed { return "raised again without a sign of life in between" }
    guard let deadline else {
      return isPhoneUp
        ? "raised while the run is believed \(belief.state ?? "not to exist")" : "raised while the phone does not run"
    }
    if event.time < deadline {
      return "raised \((event.time - base).seconds) s after the last sign of life, not after 10 s"
    }
    guard case .json(let text) = event["lastFresh"] else {
      return lastFresh == nil || event["lastFresh"] == nil ? nil : "names no last fresh snapshot, though there was one"
    }
    guard let lastFresh else { return "names a last fresh snapshot, though there was none" }
    let node = try? JSONParser.parse(text, dialect: .json)
    guard node?["epoch"]?.value == .integer(lastFresh.epoch), node?["seq"]?.value == .integer(lastFresh.seq) else {
      return "names another last fresh snapshot than (\(lastFresh.epoch), \(lastFresh.seq))"
    }
    return nil
  }

  private mutating func tellMissed(_ deadline: VirtualTime, before line: Int, _ report: inout [Violation]) {
    isTold = true
    report.append(
      Self.violation(
        "no sign of life since \(base.nanoseconds) ns, and not raised at \(deadline.nanoseconds) ns", at: deadline,
        lines: [baseLine, line]))
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout [Violation]) {
    // Of a deadline at the last instant itself it is not known whether it would still have been kept.
    if let deadline, ending.time > deadline { tellMissed(deadline, before: ending.line, &report) }
  }
}
