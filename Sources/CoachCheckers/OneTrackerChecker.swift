package import Link

/// `one-tracker`: a run has one live tracker.
///
/// The phone's tracker of a run is live from `tracker.started` to `tracker.ended`, the watch's from the `preparing` of its
/// workout to its end. They may overlap only until the watch can know: the phone sends a stop at the first message that
/// it receives, and again at the first one after 10 s, unless it has received that the watch ended the run; a watch that
/// receives the stop ends the workout at the same instant; and after a minute without obstacles on the link the overlap
/// is over.
package struct OneTrackerChecker: Checker {
  package static let invariant = "one-tracker"
  package static let about =
    "Watch messages do not change a run that the phone tracks itself; a watch that started it anyway gets a stop after its first message and every 10 seconds until the phone receives that it has ended, ends the run when the stop arrives, and does not continue through a minute in which both sides are reachable."
  package static let interests: [TraceEvent.Name] =
    NodeLines.interests + [
      "tracker.started", "tracker.ended", "workout.state", "snapshot.fresh", "run.opened", "run.state", "start.acked",
      "start.late", "message.received", "transfer.delivered", "reachability", "fault.begin", "fault.end", "end",
    ]

  /// The time after which the phone must repeat the stop.
  private static let patience = VirtualTime.Span.seconds(10)
  /// How long two trackers may be live without obstacles on the link.
  private static let overlapMax = VirtualTime.Span.seconds(60)
  /// The number of remembered runs; older ones are not judged.
  private static let runsMax = 64

  /// A run that the phone tracks, or tracked, itself.
  private struct Own {
    let run: Identifier
    let line: Int
    var isLive = true
    /// When the watch was last sent the stop.
    var toldAt: VirtualTime?
    /// Whether the phone has received that the watch ended it too; messages from before may arrive later.
    var hasEnded = false
  }

  /// Something that must happen by the end of an instant.
  private struct Due {
    let run: Identifier
    let time: VirtualTime
    let line: Int
  }

  private var own: [Own] = []
  /// The runs that the watch has answered for, and their lines.
  private var answered: [(run: Identifier, line: Int)] = []
  /// The active workout on the watch.
  private var onWatch: (run: Identifier, line: Int)?
  private var word: Due?
  private var received: Due?
  private var faults = 0
  private var isUp = [true, true]
  private var isReachable = [false, false]
  /// Since when both trackers are live without obstacles on the link; nil if they are not.
  private var overlapSince: VirtualTime?

  package init(header: TraceHeader) {}

  package mutating func observe(_ event: TypedEvent, line: Int, into report: inout [Violation]) {
    settle(before: event.time, line, &report)
    switch event.body {
    case .snapshotFresh(let snapshot):
      // Fast path: in nearly every run the phone tracks nothing itself.
      guard !own.isEmpty, let place = index(of: snapshot.metrics.workoutId) else { return }
      if snapshot.metrics.hasEnded { own[place].hasEnded = true }
      guard !own[place].hasEnded else { return }
      word = Due(run: snapshot.metrics.workoutId, time: event.time, line: line)
    case .messageReceived(let message):
      guard !own.isEmpty, event.place == .watch, message.kind == "cancelStart", let run = message.workoutId else {
        return
      }
      received = Due(run: run, time: event.time, line: line)
    case .transferDelivered(let transfer):
      guard event.place == .phone, transfer.details.kind == "workoutEnded", let run = transfer.details.workoutId,
        let place = index(of: run)
      else { return }
      own[place].hasEnded = true
    case .runOpened(let run):
      if !isFed(run.workoutId, event, line, &report) { rememberAnswer(of: run.workoutId, line) }
    case .runState(let run):
      if run.cause != "command" { _ = isFed(run.workoutId, event, line, &report) }
    case .trackerStarted(let tracker):
      if tracker.by == "phone" { observeTracker(of: tracker.workoutId, event, line, &report) }
    case .trackerEnded(let tracker):
      if tracker.by == "phone", let place = index(of: tracker.workoutId) { own[place].isLive = false }
    case .startAcked(let start): rememberAnswer(of: start.runId, line)
    case .startLate(let start): if let place = index(of: start.runId) { own[place].toldAt = event.time }
    case .end: return
    default: observeSituation(event, line)
    }
    updateOverlap(at: event.time)
  }

  private func index(of run: Identifier) -> Int? { own.firstIndex { $0.run == run } }

  private mutating func rememberAnswer(of run: Identifier, _ line: Int) {
    if answered.count == Self.runsMax { answered.removeFirst() }
    answered.append((run, line))
  }

  // MARK: What happens

  private mutating func observeTracker(
    of run: Identifier, _ event: TypedEvent, _ line: Int, _ report: inout [Violation]
  ) {
    if let other = own.first(where: { $0.isLive }) {
      report.append(
        Self.violation(
          "the phone began to track a run while it tracked one", at: event.time, lines: [other.line, line]))
    }
    if let answer = answered.last(where: { $0.run == run }) {
      report.append(
        Self.violation(
          "the phone began to track run \(run.text), which the watch has", at: event.time, lines: [answer.line, line]))
    }
    own.removeAll { $0.run == run }
    if own.count == Self.runsMax { own.removeFirst() }
    own.append(Own(run: run, line: line))
  }

  /// Reports a run that the phone tracks itself and that a watch message changed; false for any other run.
  private func isFed(
    _ run: Identifier, _ event: TypedEvent, _ line: Int, _ report: inout [Violation]
  ) -> Bool {
    guard let place = index(of: run) else { return false }
    report.append(
      Self.violation(
        "a message of the watch changed run \(run.text), which the phone tracks itself", at: event.time,
        lines: [own[place].line, line]))
    return true
  }

  private mutating func observeSituation(_ event: TypedEvent, _ line: Int) {
    switch event.body {
    case .workoutState(let state): onWatch = state.to == "ended" ? nil : (state.workoutId, line)
    case .reachability(let change): isReachable[event.place == .watch ? 0 : 1] = change.reachable
    case .faultBegin: faults += 1
    case .faultEnd: faults = max(0, faults - 1)
    default:
      if let isUp = NodeLines.isUp(.watch, after: event) {
        self.isUp[0] = isUp
        if !isUp { received = nil }
      }
      if let isUp = NodeLines.isUp(.phone, after: event) {
        self.isUp[1] = isUp
        if !isUp { word = nil }
      }
    }
  }

  private mutating func updateOverlap(at time: VirtualTime) {
    let isOverlap = onWatch.map { on in own.contains { $0.run == on.run && $0.isLive } } ?? false
    guard isOverlap, faults == 0, isUp == [true, true], isReachable == [true, true] else { return overlapSince = nil }
    if overlapSince == nil { overlapSince = time }
  }

  // MARK: Judging

  private mutating func settle(before time: VirtualTime, _ line: Int, _ report: inout [Violation]) {
    if let word, time > word.time {
      self.word = nil
      judge(word, &report)
    }
    if let received, time > received.time {
      self.received = nil
      judge(received: received, &report)
    }
    if let since = overlapSince, let onWatch, time > since + Self.overlapMax {
      overlapSince = .distantFuture
      report.append(
        Self.violation(
          "watch and phone both track run \(onWatch.run.text), though both could reach each other for a minute",
          at: time,
          lines: [onWatch.line, line]))
    }
  }

  private mutating func judge(_ word: Due, _ report: inout [Violation]) {
    guard let place = index(of: word.run) else { return }
    if let toldAt = own[place].toldAt, word.time < toldAt + Self.patience { return }
    report.append(
      Self.violation(
        "the watch tracks run \(word.run.text) too, but the phone did not send it a stop", at: word.time,
        lines: [own[place].line, word.line]))
  }

  private func judge(received: Due, _ report: inout [Violation]) {
    guard let onWatch, onWatch.run == received.run else { return }
    report.append(
      Self.violation(
        "the watch received a stop for run \(received.run.text), but continued it", at: received.time,
        lines: [onWatch.line, received.line]))
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout [Violation]) {
    guard ending.isComplete else { return }
    settle(before: .distantFuture, ending.line, &report)
  }
}
