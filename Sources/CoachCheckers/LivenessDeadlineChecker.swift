import CoachProtocol
import CoachReference
package import Link

/// `liveness-deadline`: silence is reported after exactly ten seconds, and nothing else counts as silence.
package struct LivenessDeadlineChecker: Checker {
  package static let invariant = "liveness-deadline"
  package static let about =
    "The watch is reported as disconnected exactly 10 seconds after the last sign of life of a running run, and never otherwise."

  private static let patience = VirtualTime.Span.seconds(10)

  private var belief = ReferenceBelief()
  private var isPhoneUp = true
  private var isRaised = false
  /// The latest of the last fresh snapshot, the last becoming running, the phone's last start or resume.
  private var base = VirtualTime.start
  private var baseLine = 1
  private var lastFresh: (epoch: Int64, seq: Int64)?
  /// Whether the missed deadline of this base is already reported.
  private var isTold = false
  /// Whether the indicator was raised for this base; if it is cleared without a new base, it is not due again.
  private var isServed = false

  package init(header: TraceHeader) {}

  private var deadline: VirtualTime? {
    belief.isRunning && isPhoneUp && !isRaised && !isTold && !isServed ? base + Self.patience : nil
  }

  package mutating func snapshotFresh(_ fresh: SnapshotFresh, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    lastFresh = (fresh.metrics.epoch, fresh.metrics.seq)
    restart(event)
  }

  package mutating func runState(_ run: RunStateChanged, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    let wasRunning = belief.isRunning
    let isNew = belief.observe(run)
    if belief.isRunning, !wasRunning || isNew { restart(event) }
  }

  package mutating func livenessDisconnected(_ raised: LivenessLost, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    observeRaised(raised, event, &report)
  }

  package mutating func livenessReconnected(_: LivenessRegained, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    isRaised = false
  }

  package mutating func nodeChanged(_ change: NodeChange, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    guard let isUp = change.isUp(.phone) else { return }
    isPhoneUp = isUp
    if isUp { restart(event) }
  }

  package mutating func end(_: TraceEnd, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
  }

  /// Judges what had to happen before the instant of an event.
  private mutating func pass(to event: Occurrence, _ report: inout Report) {
    if let deadline, event.time > deadline { reportMissed(deadline, before: event.line, &report) }
  }

  private mutating func restart(_ event: Occurrence) {
    base = event.time
    baseLine = event.line
    isTold = false
    isServed = false
  }

  private mutating func observeRaised(
    _ raised: LivenessLost, _ event: Occurrence, _ report: inout Report
  ) {
    defer {
      isRaised = true
      isServed = true
    }
    // Raised late: the miss was reported when the deadline passed.
    if isTold { return }
    if let objection = objection(to: raised, at: event.time) {
      report.add(objection, at: event.time, lines: [baseLine, event.line])
    }
  }

  private func objection(to raised: LivenessLost, at time: VirtualTime) -> String? {
    if isRaised { return "the phone reported the watch as silent again, though it still was" }
    if isServed { return "the phone reported the watch as silent again without a sign of life in between" }
    guard let deadline else {
      return isPhoneUp
        ? "the phone reported the watch as silent while it believed that \(belief.state.map { "the run is \($0)" } ?? "there is no run")"
        : "the phone reported the watch as silent while its app was down"
    }
    if time < deadline {
      return "the phone reported the watch as silent \((time - base).text) after the last sign of life, not after 10 s"
    }
    guard let text = raised.lastFresh?.text else {
      return lastFresh == nil ? nil : "the phone's report of silence names no last fresh snapshot, though there was one"
    }
    guard let lastFresh else {
      return "the phone's report of silence names a last fresh snapshot, though there was none"
    }
    let node = try? JSONParser.parse(text, dialect: .json)
    guard node?["epoch"]?.value == .integer(lastFresh.epoch), node?["seq"]?.value == .integer(lastFresh.seq) else {
      return
        "the phone's report of silence names another last fresh snapshot than (\(lastFresh.epoch), \(lastFresh.seq))"
    }
    return nil
  }

  private mutating func reportMissed(_ deadline: VirtualTime, before line: Int, _ report: inout Report) {
    isTold = true
    report.add(
      "the watch was silent since \(base.text), but the phone did not report it at \(deadline.text)", at: deadline,
      lines: [baseLine, line])
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout Report) {
    // A deadline at the very last instant is not judged: the phone might still have met it.
    if let deadline, ending.time > deadline { reportMissed(deadline, before: ending.line, &report) }
  }
}
