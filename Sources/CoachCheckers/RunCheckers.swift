import CoachProtocol
package import Link

/// `run-has-row`: no run that the watch reported is missing in the phone's list.
package struct RunHasRowChecker: Checker {
  package static let invariant = "run-has-row"
  package static let about =
    "A delivered `workoutStarted` or `workoutEnded` leaves a row of its workout at the same instant, unless there is one: the phone opens the run, or records it; a workout that never ran is discarded instead."

  /// Workouts whose rows are remembered; a phone that forgets one records it again.
  private static let rowsMax = 256

  private var rows: [Identifier] = []
  /// A start or end that was delivered, and has no row yet.
  private var pending: (workoutId: Identifier, kind: String, time: VirtualTime, line: Int)?
  /// Whether the phone writes what it believes; another program's does not, and is not judged.
  private var speaks = false

  package init(header: TraceHeader) {}

  package mutating func trackerStarted(_ run: TrackerStarted, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    if event.place == .phone { addRow(of: run.workoutId) }
  }

  package mutating func runOpened(_ run: RunOpened, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    addRow(of: run.workoutId)
  }

  package mutating func runRecorded(_ run: RunRecorded, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    addRow(of: run.workoutId)
  }

  package mutating func runDiscarded(_ run: RunDiscarded, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    // A workout that never ran needs none.
    addRow(of: run.workoutId)
  }

  package mutating func runState(_: RunStateChanged, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    speaks = true
  }

  package mutating func transferDelivered(
    _ transfer: TransferDelivered, at event: Occurrence, into report: inout Report
  ) {
    pass(to: event, &report)
    expectRow(transfer.details.kind, of: transfer.details.workoutId, event, &report)
  }

  package mutating func messageReceived(_ message: MessageReceived, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    expectRow(message.kind, of: message.workoutId, event, &report)
  }

  package mutating func nodeChanged(_ change: NodeChange, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    // A phone that dies before it has stored the row gets the message again.
    if change.isUp(.phone) == false { pending = nil }
  }

  package mutating func end(_: TraceEnd, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
  }

  /// Judges what had to happen before the instant of an event.
  private mutating func pass(to event: Occurrence, _ report: inout Report) {
    if let pending, event.time > pending.time { judge(&report) }
  }

  private mutating func expectRow(
    _ kind: String?, of workoutId: Identifier?, _ event: Occurrence, _ report: inout Report
  ) {
    guard event.place == .phone, let workoutId, let kind, kind == "workoutStarted" || kind == "workoutEnded" else {
      return
    }
    if pending != nil { judge(&report) }
    if !rows.contains(workoutId) { pending = (workoutId, kind, event.time, event.line) }
  }

  private mutating func addRow(of workoutId: Identifier) {
    speaks = true
    if pending?.workoutId == workoutId { pending = nil }
    guard !rows.contains(workoutId) else { return }
    if rows.count == Self.rowsMax { rows.removeFirst() }
    rows.append(workoutId)
  }

  private mutating func judge(_ report: inout Report) {
    guard let pending else { return }
    self.pending = nil
    guard speaks else { return }
    report.add(
      "the \(pending.kind) of workout \(pending.workoutId.text) was delivered, and left no row", at: pending.time,
      lines: [pending.line])
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout Report) {
    if ending.isComplete { judge(&report) }
  }
}

/// `run-survives-disconnect`: the watch's workout is complete, whatever the link did.
package struct RunSurvivesChecker: Checker {
  package static let invariant = "run-survives-disconnect"
  package static let about =
    "The watch publishes a snapshot at every whole second of a workout up to its end, and queues the end; no workout is without snapshots."

  /// The observed state of a workout.
  private struct Workout {
    /// Whether the watch published a snapshot of it.
    var hasSnapshot = false
    /// The line of its first fresh snapshot, if none was published before it.
    var freshLine: Int?
    var startedLine: Int?
    /// When it first appeared.
    var shownTime: VirtualTime
    var hasEndEvent = false
    var endedLine: Int?
    var endedTime = VirtualTime.start
  }

  private var workouts: [Identifier: Workout] = [:]
  private var order: [Identifier] = []
  /// The workout that is being published.
  private var current: Identifier?
  private var isCurrentOver = true
  /// The beginning of the workout's first second; nil after the watch was down, because its seconds may then restart.
  private var anchor: VirtualTime?
  private var last = VirtualTime.start
  private var lastLine = 0
  private var isWatchUp = true
  /// Whether the watch was down since the previous snapshot, so that snapshots may be missing.
  private var wasDown = false
  /// The last workout that began since the watch was down: its first snapshot is that of its beginning.
  private var begun: Identifier?

  package init(header: TraceHeader) {}

  package mutating func snapshot(_ snapshot: SnapshotPublished, at event: Occurrence, into report: inout Report) {
    observeSnapshot(snapshot.metrics, event, &report)
  }

  package mutating func snapshotFresh(_ snapshot: SnapshotFresh, at event: Occurrence, into report: inout Report) {
    observeFresh(snapshot.metrics.workoutId, event)
  }

  package mutating func transferQueued(_ queued: TransferQueued, at event: Occurrence, into report: inout Report) {
    observeQueued(queued.details, event)
  }

  package mutating func workoutState(_ change: WorkoutStateChanged, at event: Occurrence, into report: inout Report) {
    if change.from == nil { begun = change.workoutId }
  }

  package mutating func ghostSnapshot(
    _ snapshot: GhostSnapshotPublished, at event: Occurrence, into report: inout Report
  ) {
    // A ghost has no athlete, so nothing can be missing.
    update(snapshot.metrics.workoutId, at: event.time) { $0.hasSnapshot = true }
  }

  package mutating func nodeChanged(_ change: NodeChange, at event: Occurrence, into report: inout Report) {
    guard let isUp = change.isUp(.watch) else { return }
    if !isUp {
      wasDown = true
      anchor = nil
      begun = nil
    }
    isWatchUp = isUp
  }

  private mutating func observeSnapshot(
    _ metrics: SnapshotMetrics, _ event: Occurrence, _ report: inout Report
  ) {
    let workout = metrics.workoutId
    if workout == current {
      judgeGap(event, &report)
    } else {
      if let current, !isCurrentOver, !wasDown {
        report.add(
          "workout \(current.text) had not ended when another one began", at: event.time, lines: [lastLine, event.line])
      }
      current = workout
      isCurrentOver = false
      anchor = !wasDown || begun == workout ? event.time : nil
      update(workout, at: event.time) { $0.hasSnapshot = true }
    }
    wasDown = false
    last = event.time
    lastLine = event.line
    if metrics.hasEnded {
      isCurrentOver = true
      update(workout, at: event.time) {
        $0.endedLine = event.line; $0.endedTime = event.time
      }
    }
  }

  private mutating func judgeGap(_ event: Occurrence, _ report: inout Report) {
    guard !wasDown, !isCurrentOver else { return }
    let second = VirtualTime.Span.seconds(1)
    var next = last + second
    if let anchor {
      let passed = (last - anchor).nanoseconds % second.nanoseconds
      next = last + VirtualTime.Span(nanoseconds: second.nanoseconds - passed)
    }
    guard event.time > next else { return }
    report.add(
      "the watch published no snapshot at \(next.text), a whole second of the workout", at: next,
      lines: [lastLine, event.line])
  }

  private mutating func observeQueued(_ details: TransferDetails, _ event: Occurrence) {
    guard event.place == .watch, let workout = details.workoutId else { return }
    switch details.kind {
    case "workoutStarted": update(workout, at: event.time) { $0.startedLine = event.line }
    case "workoutEnded": update(workout, at: event.time) { $0.hasEndEvent = true }
    default: break
    }
  }

  private mutating func observeFresh(_ workout: Identifier, _ event: Occurrence) {
    guard workout != current else { return }
    update(workout, at: event.time) { if !$0.hasSnapshot, $0.freshLine == nil { $0.freshLine = event.line } }
  }

  private mutating func update(_ workout: Identifier, at time: VirtualTime, _ change: (inout Workout) -> Void) {
    if workouts[workout] == nil { order.append(workout) }
    change(&workouts[workout, default: Workout(shownTime: time)])
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout Report) {
    // Received snapshots must have been published before, even if the trace is truncated or the watch died.
    let isWhole = ending.isComplete && isWatchUp
    for identifier in order {
      guard let workout = workouts[identifier], !workout.hasSnapshot,
        let line = workout.freshLine ?? (isWhole ? workout.startedLine : nil)
      else { continue }
      report.add(
        "the watch published no snapshot of workout \(identifier.text)", at: workout.shownTime, lines: [line])
    }
    guard isWhole else { return }
    if let current, !isCurrentOver {
      report.add("workout \(current.text) never ended", at: last, lines: [lastLine, ending.line])
    }
    for identifier in order {
      guard let workout = workouts[identifier], let started = workout.startedLine, let ended = workout.endedLine,
        !workout.hasEndEvent
      else { continue }
      report.add(
        "workout \(identifier.text) ended, but the watch queued no workoutEnded", at: workout.endedTime,
        lines: [started, ended])
    }
  }
}

extension SnapshotMetrics {
  /// Whether the snapshot is of a workout that has ended.
  @inline(__always) var hasEnded: Bool { state == .ended }
}

/// `no-route-indoors`: satellites cannot be received under a roof.
package struct NoRouteIndoorsChecker: Checker {
  package static let invariant = "no-route-indoors"
  package static let about =
    "What is indoors has no route: neither does the watch report a point of shooting or of a swim that is not in open water, nor does the phone store one."

  /// The swims in open water.
  private var openWater: Set<Identifier> = []

  package init(header: TraceHeader) {}

  package mutating func workoutState(
    _ state: WorkoutStateChanged, at event: Occurrence, into report: inout Report
  ) {
    if state.openWater == true { openWater.insert(state.workoutId) }
  }

  package mutating func transferQueued(_ transfer: TransferQueued, at event: Occurrence, into report: inout Report) {
    guard let text = transfer.details.report?.text, let workout = transfer.details.workoutId,
      let session = SessionReport(workoutId: workout, traceText: text)
    else { return }
    judge(workout, session.discipline.rawValue, Int64(session.units.count { $0.kind == .point }), event, &report)
  }

  package mutating func trainingStored(_ session: TrainingStored, at event: Occurrence, into report: inout Report) {
    judge(session.sessionId, session.discipline, session.points, event, &report)
  }

  private func judge(
    _ id: Identifier, _ discipline: String, _ points: Int64, _ event: Occurrence, _ report: inout Report
  ) {
    guard points > 0, TrainingDiscipline(rawValue: discipline)?.hasRoute == false, !openWater.contains(id) else {
      return
    }
    report.add("a session of \(discipline) has a route of \(points) points", at: event.time, lines: [event.line])
  }
}

/// `speed-possible`: no workout covers ground faster than its sport allows.
package struct SpeedPossibleChecker: Checker {
  package static let invariant = "speed-possible"
  package static let about =
    "The distance that the watch publishes grows no faster than its sport allows: 12 m/s on a run."

  /// How many seconds of distance may come at once, because the watch's pauses begin and end on whole seconds, and the
  /// recording's do not.
  private static let slackSeconds = 2.0

  private var workout: Identifier?
  private var speedMax = Sport.running.speedMax
  /// Elapsed seconds, distance in metres and line of the last snapshot; 0 before the first.
  private var last = (elapsed: 0.0, distance: 0.0, line: 0)
  /// Metres in excess of the sport's limit; passing time reduces them.
  private var excess = 0.0

  package init(header: TraceHeader) {}

  package mutating func workoutState(_ state: WorkoutStateChanged, at event: Occurrence, into report: inout Report) {
    guard event.place == .watch else { return }
    if state.from == nil { begin(state.workoutId, Sport(named: state.sport ?? Sport.running.rawValue)) }
  }

  package mutating func snapshot(_ snapshot: SnapshotPublished, at event: Occurrence, into report: inout Report) {
    guard event.place == .watch else { return }
    observeSnapshot(snapshot.metrics, event, &report)
  }

  private mutating func observeSnapshot(
    _ metrics: SnapshotMetrics, _ event: Occurrence, _ report: inout Report
  ) {
    let (workout, elapsed, distance) = (metrics.workoutId, metrics.elapsed, metrics.distance)
    if workout != self.workout { begin(workout, .running) }
    let way = distance - last.distance
    let seconds = max(0, elapsed - last.elapsed)
    excess = max(0, excess + way - speedMax * seconds)
    if excess > speedMax * Self.slackSeconds {
      report.add(
        "the watch published \(Self.text(way)) m in \(Self.text(seconds)) s, but at most \(Int(speedMax)) m/s are possible",
        at: event.time,
        lines: last.line == 0 ? [event.line] : [last.line, event.line])
      excess = 0
    }
    last = (elapsed, distance, event.line)
  }

  private mutating func begin(_ workout: Identifier?, _ sport: Sport) {
    self.workout = workout
    speedMax = sport.speedMax
    last = (0, 0, 0)
    excess = 0
  }

  /// One decimal.
  private static func text(_ value: Double) -> String {
    guard abs(value) < 1e11 else { return "\(value)" }
    var text = ""
    TraceValue.number((value * 10).rounded() / 10, places: 1).append(to: &text)
    return text
  }
}
