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

/// Checks what the phone does about an unanswered start: it must ask again after exactly 10 s, and report the failure
/// 10 s later.
///
/// A phone that is away at one of these instants does it as soon as it is back, but does not ask again once 20 s have
/// passed since the first request. Test traffic that requests a run has no attempts, and no deadline.
struct StartDeadlines: Sendable {
  /// What is wrong.
  struct Objection {
    let detail: String
    let time: VirtualTime
    let lines: [Int]
  }

  private struct Asking: Sendable {
    let run: Identifier
    let first: VirtualTime
    var last: VirtualTime
    var attempt: Int64
    var line: Int
  }

  private static let patience = VirtualTime.Span.seconds(10)

  private var asking: Asking?
  private var isPhoneUp = true
  private var upSince = VirtualTime.start

  /// The next deadline; nil if nothing is awaited, or the phone is away.
  private var due: VirtualTime? {
    guard isPhoneUp, let asking else { return nil }
    return max(asking.last + Self.patience, upSince)
  }

  /// Whether it is too late to ask again at an instant.
  private func isLate(_ time: VirtualTime, _ asking: Asking) -> Bool {
    time >= asking.first + Self.patience + Self.patience
  }

  /// Advances to an instant, by which everything due earlier must have happened.
  mutating func pass(to time: VirtualTime) -> Objection? {
    guard let asking, let due, time > due else { return nil }
    self.asking = nil
    let what = asking.attempt == 1 && !isLate(due, asking) ? "did not ask again" : "did not report the failure"
    return Objection(
      detail: "the phone got no answer to its start, but \(what) at \(due.text)", time: due, lines: [asking.line])
  }

  mutating func observe(_ change: NodeChange, at event: Occurrence) {
    guard let isUp = change.isUp(.phone) else { return }
    isPhoneUp = isUp
    if isUp { upSince = event.time }
  }

  mutating func observe(_ start: StartAsked, at event: Occurrence) -> Objection? {
    guard event.place == .phone, let attempt = start.attempt else { return nil }
    return observeAsked(attempt: attempt, of: start.runId, event)
  }

  mutating func observe(_ start: StartFailed, at event: Occurrence) -> Objection? {
    event.place == .phone ? observeFailed(start.runId, event) : nil
  }

  /// Observes that a start was answered or taken back.
  mutating func observeEnd(of run: Identifier, at event: Occurrence) {
    if event.place == .phone { settle(run) }
  }

  private mutating func settle(_ run: Identifier) {
    if asking?.run == run { asking = nil }
  }

  private mutating func observeAsked(
    attempt: Int64, of run: Identifier, _ event: Occurrence
  ) -> Objection? {
    guard attempt > 1 else {
      asking = Asking(run: run, first: event.time, last: event.time, attempt: 1, line: event.line)
      return nil
    }
    guard let before = asking, before.run == run else { return nil }
    asking?.last = event.time
    asking?.attempt = attempt
    asking?.line = event.line
    let lines = [before.line, event.line]
    if before.attempt > 1 {
      return Objection(detail: "the phone asked for a start a third time", time: event.time, lines: lines)
    }
    if isLate(event.time, before) {
      return Objection(
        detail: "the phone asked for a start again \((event.time - before.first).text) after the first time",
        time: event.time, lines: lines)
    }
    return early(event, before, lines)
  }

  private mutating func observeFailed(_ run: Identifier, _ event: Occurrence) -> Objection? {
    guard let before = asking, before.run == run else { return nil }
    asking = nil
    let lines = [before.line, event.line]
    if before.attempt == 1, !isLate(event.time, before) {
      return Objection(
        detail: "the phone gave up a start that it had asked for only once", time: event.time, lines: lines)
    }
    return early(event, before, lines)
  }

  private func early(_ event: Occurrence, _ before: Asking, _ lines: [Int]) -> Objection? {
    guard event.time < before.last + Self.patience else { return nil }
    return Objection(
      detail: "the phone waited \((event.time - before.last).text) for an answer, not 10 s", time: event.time,
      lines: lines)
  }
}
