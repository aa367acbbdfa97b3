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

  package mutating func snapshotFresh(_ snapshot: SnapshotFresh, at event: Occurrence, into report: inout Report) {
    settle(before: event.time, event.line, &report)
    // Fast path: in nearly every run the phone tracks nothing itself.
    guard !own.isEmpty, let place = index(of: snapshot.metrics.workoutId) else { return }
    if snapshot.metrics.hasEnded { own[place].hasEnded = true }
    guard !own[place].hasEnded else { return }
    word = Due(run: snapshot.metrics.workoutId, time: event.time, line: event.line)
    updateOverlap(at: event.time)
  }

  package mutating func messageReceived(_ message: MessageReceived, at event: Occurrence, into report: inout Report) {
    settle(before: event.time, event.line, &report)
    guard !own.isEmpty, event.place == .watch, message.kind == "cancelStart", let run = message.workoutId else {
      return
    }
    received = Due(run: run, time: event.time, line: event.line)
    updateOverlap(at: event.time)
  }

  package mutating func transferDelivered(
    _ transfer: TransferDelivered, at event: Occurrence, into report: inout Report
  ) {
    settle(before: event.time, event.line, &report)
    guard event.place == .phone, transfer.details.kind == "workoutEnded", let run = transfer.details.workoutId,
      let place = index(of: run)
    else { return }
    own[place].hasEnded = true
    updateOverlap(at: event.time)
  }

  package mutating func runOpened(_ run: RunOpened, at event: Occurrence, into report: inout Report) {
    settle(before: event.time, event.line, &report)
    if !isFed(run.workoutId, event, &report) { rememberAnswer(of: run.workoutId, event.line) }
    updateOverlap(at: event.time)
  }

  package mutating func runState(_ run: RunStateChanged, at event: Occurrence, into report: inout Report) {
    settle(before: event.time, event.line, &report)
    if run.cause != "command" { _ = isFed(run.workoutId, event, &report) }
    updateOverlap(at: event.time)
  }

  package mutating func trackerStarted(_ tracker: TrackerStarted, at event: Occurrence, into report: inout Report) {
    settle(before: event.time, event.line, &report)
    if tracker.by == "phone" { observeTracker(of: tracker.workoutId, event, &report) }
    updateOverlap(at: event.time)
  }

  package mutating func trackerEnded(_ tracker: TrackerEnded, at event: Occurrence, into report: inout Report) {
    settle(before: event.time, event.line, &report)
    if tracker.by == "phone", let place = index(of: tracker.workoutId) { own[place].isLive = false }
    updateOverlap(at: event.time)
  }

  package mutating func startAcked(_ start: StartAcked, at event: Occurrence, into report: inout Report) {
    settle(before: event.time, event.line, &report)
    rememberAnswer(of: start.runId, event.line)
    updateOverlap(at: event.time)
  }

  package mutating func startLate(_ start: StartLate, at event: Occurrence, into report: inout Report) {
    settle(before: event.time, event.line, &report)
    if let place = index(of: start.runId) { own[place].toldAt = event.time }
    updateOverlap(at: event.time)
  }

  package mutating func end(_: TraceEnd, at event: Occurrence, into report: inout Report) {
    settle(before: event.time, event.line, &report)
  }

  package mutating func nodeChanged(_ change: NodeChange, at event: Occurrence, into report: inout Report) {
    settle(before: event.time, event.line, &report)
    if let isUp = change.isUp(.watch) {
      self.isUp[0] = isUp
      if !isUp { received = nil }
    }
    if let isUp = change.isUp(.phone) {
      self.isUp[1] = isUp
      if !isUp { word = nil }
    }
    updateOverlap(at: event.time)
  }

  package mutating func workoutState(_ state: WorkoutStateChanged, at event: Occurrence, into report: inout Report) {
    settle(before: event.time, event.line, &report)
    onWatch = state.to == "ended" ? nil : (state.workoutId, event.line)
    updateOverlap(at: event.time)
  }

  package mutating func reachability(_ change: ReachabilityChanged, at event: Occurrence, into report: inout Report) {
    settle(before: event.time, event.line, &report)
    isReachable[event.place == .watch ? 0 : 1] = change.reachable
    updateOverlap(at: event.time)
  }

  package mutating func faultBegin(_: FaultBegan, at event: Occurrence, into report: inout Report) {
    settle(before: event.time, event.line, &report)
    faults += 1
    updateOverlap(at: event.time)
  }

  package mutating func faultEnd(_: FaultEnded, at event: Occurrence, into report: inout Report) {
    settle(before: event.time, event.line, &report)
    faults = max(0, faults - 1)
    updateOverlap(at: event.time)
  }

  private func index(of run: Identifier) -> Int? { own.firstIndex { $0.run == run } }

  private mutating func rememberAnswer(of run: Identifier, _ line: Int) {
    if answered.count == Self.runsMax { answered.removeFirst() }
    answered.append((run, line))
  }

  // MARK: What happens

  private mutating func observeTracker(
    of run: Identifier, _ event: Occurrence, _ report: inout Report
  ) {
    if let other = own.first(where: { $0.isLive }) {
      report.add(
        "the phone began to track a run while it tracked one", at: event.time, lines: [other.line, event.line])
    }
    if let answer = answered.last(where: { $0.run == run }) {
      report.add(
        "the phone began to track run \(run.text), which the watch has", at: event.time,
        lines: [answer.line, event.line])
    }
    own.removeAll { $0.run == run }
    if own.count == Self.runsMax { own.removeFirst() }
    own.append(Own(run: run, line: event.line))
  }

  /// Reports a run that the phone tracks itself and that a watch message changed; false for any other run.
  private func isFed(
    _ run: Identifier, _ event: Occurrence, _ report: inout Report
  ) -> Bool {
    guard let place = index(of: run) else { return false }
    report.add(
      "a message of the watch changed run \(run.text), which the phone tracks itself", at: event.time,
      lines: [own[place].line, event.line])
    return true
  }

  private mutating func updateOverlap(at time: VirtualTime) {
    let isOverlap = onWatch.map { on in own.contains { $0.run == on.run && $0.isLive } } ?? false
    guard isOverlap, faults == 0, isUp == [true, true], isReachable == [true, true] else { return overlapSince = nil }
    if overlapSince == nil { overlapSince = time }
  }

  // MARK: Judging

  private mutating func settle(before time: VirtualTime, _ line: Int, _ report: inout Report) {
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
      report.add(
        "watch and phone both track run \(onWatch.run.text), though both could reach each other for a minute",
        at: time,
        lines: [onWatch.line, line])
    }
  }

  private mutating func judge(_ word: Due, _ report: inout Report) {
    guard let place = index(of: word.run) else { return }
    if let toldAt = own[place].toldAt, word.time < toldAt + Self.patience { return }
    report.add(
      "the watch tracks run \(word.run.text) too, but the phone did not send it a stop", at: word.time,
      lines: [own[place].line, word.line])
  }

  private func judge(received: Due, _ report: inout Report) {
    guard let onWatch, onWatch.run == received.run else { return }
    report.add(
      "the watch received a stop for run \(received.run.text), but continued it", at: received.time,
      lines: [onWatch.line, received.line])
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout Report) {
    guard ending.isComplete else { return }
    settle(before: .distantFuture, ending.line, &report)
  }
}
