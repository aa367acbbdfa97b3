import CoachProtocol
package import Link

/// `session-once`: every workout is in the training history, and is there once.
package struct SessionOnceChecker: Checker {
  package static let invariant = "session-once"
  package static let about =
    "With `phone.training` every saved workout of a discipline is stored once as a session, before its end is handled, with the watch's figures."

  private struct Saved {
    var distance: Double
    var duration: Double
    var line: Int
  }

  private let isOn: Bool
  /// Workouts of a sport that is no discipline.
  private var others: Set<Identifier> = []
  private var saved: [Identifier: Saved] = [:]
  /// Workouts of which a report was queued.
  private var reported: Set<Identifier> = []
  private var stored: [Identifier: Int] = [:]

  package init(header: TraceHeader) {
    isOn = header.extra("phone")?["training"] != nil
  }

  package mutating func workoutState(_ state: WorkoutStateChanged, at event: Occurrence, into report: inout Report) {
    guard isOn else { return }
    if state.from == nil, let sport = state.sport, Self.isOther(sport) { others.insert(state.workoutId) }
  }

  package mutating func healthSaved(_ workout: HealthSaved, at event: Occurrence, into report: inout Report) {
    guard isOn else { return }
    saved[workout.aarcRunId] = Saved(distance: workout.distance, duration: workout.duration, line: event.line)
  }

  package mutating func transferQueued(_ transfer: TransferQueued, at event: Occurrence, into report: inout Report) {
    guard isOn else { return }
    if transfer.details.report != nil, let workout = transfer.details.workoutId { reported.insert(workout) }
  }

  package mutating func transferDelivered(
    _ transfer: TransferDelivered, at event: Occurrence, into report: inout Report
  ) {
    guard isOn else { return }
    guard event.place == .phone, transfer.details.healthKitWorkoutUUID != nil,
      let workout = transfer.details.workoutId, let known = saved[workout], !others.contains(workout),
      stored[workout] == nil
    else { return }
    report.add(
      "the phone handled the end of the workout \(workout.text) and stored no session of it", at: event.time,
      lines: [known.line, event.line])
  }

  package mutating func trainingStored(_ session: TrainingStored, at event: Occurrence, into report: inout Report) {
    guard isOn else { return }
    observe(session, event, &report)
  }

  private mutating func observe(
    _ session: TrainingStored, _ event: Occurrence, _ report: inout Report
  ) {
    let workout = session.workoutId
    if let before = stored[workout] {
      report.add("the workout \(workout.text) was stored a second time", at: event.time, lines: [before, event.line])
    }
    stored[workout] = event.line
    guard let known = saved[workout], reported.contains(workout) else { return }
    let (distance, duration) = (Double(session.distance) / 1_000, Double(session.duration) / 1_000)
    if abs(distance - known.distance) > 0.011 || abs(duration - known.duration) > 0.001 {
      report.add(
        "the session of the workout \(workout.text) has another distance or duration than the watch saved",
        at: event.time, lines: [known.line, event.line])
    }
  }

  private static func isOther(_ sport: String) -> Bool {
    sport != "unknown" && sport != TrainingDiscipline.shooting.rawValue && TrainingDiscipline(sport: sport) == nil
  }
}

/// `session-adds-up`: the parts of a session make the session.
package struct SessionAddsUpChecker: Checker {
  package static let invariant = "session-adds-up"
  package static let about =
    "The lengths of a swim are its distance, but for one that was not finished; the gaits and the reins of a ride follow one another without a gap, to its end, pauses included; none of them changes, and no shot falls, in a pause; the intervals of a run or a ride are no more than the session, and as many of a plan are done as the watch reported."

  private struct Sums {
    var splits: Int64 = 0
    var longest: Int64 = 0
    /// Where the last stretch of a gait, and of a rein, ended.
    var gaitEnd: Int64 = 0
    var reinEnd: Int64 = 0
    var hasGap = false
    var nextPart: Int64 = 1
    /// Of intervals.
    var way: Int64 = 0
    var time: Int64 = 0
    var completed: Int64 = 0
    /// Whether an interval is done before its target, or not done at it.
    var isMisjudged = false
    /// When gaits and reins changed and shots fell.
    var instants: [Int64] = []
  }

  /// The pauses of a workout.
  private struct Pauses {
    var startedAt: VirtualTime
    /// Nil while it runs.
    var pausedAt: VirtualTime?
    /// In milliseconds since its start.
    var all: [ClosedRange<Int64>] = []

    mutating func add(_ from: VirtualTime, to end: VirtualTime) {
      func milliseconds(_ time: VirtualTime) -> Int64 { (time - startedAt).nanoseconds / 1_000_000 }
      pausedAt = nil
      // A node may write any times.
      let (from, end) = (milliseconds(from), milliseconds(end))
      if from <= end { all.append(from...end) }
    }
  }

  /// Stretches end with a second of the model, the timer with the command.
  private static let slackMilliseconds: Int64 = 1_000
  /// Reports round to centimetres, and recorded laps to metres.
  private static let slackMillimetres: Int64 = 10_000

  private var sums: [Identifier: Sums] = [:]
  private var pauses: [Identifier: Pauses] = [:]
  /// How many intervals of a workout are done, until its session is stored, and the line that says so.
  private var completed: [Identifier: (count: Int64, line: Int)] = [:]
  /// Whether a clock was wrong, or a watch was away from its workout: then the trace does not tell when it was paused.
  private var isUnknown = false

  package init(header: TraceHeader) {}

  package mutating func faultBegin(_ fault: FaultBegan, at event: Occurrence, into report: inout Report) {
    isUnknown = isUnknown || ["clockSkew", "kill", "reboot", "suspend", "appUpdate"].contains(fault.kind)
  }

  package mutating func workoutState(_ state: WorkoutStateChanged, at event: Occurrence, into report: inout Report) {
    observeState(state, at: event.time)
  }

  package mutating func transferQueued(_ transfer: TransferQueued, at event: Occurrence, into report: inout Report) {
    observe(transfer, event, &report)
  }

  package mutating func trainingStored(_ session: TrainingStored, at event: Occurrence, into report: inout Report) {
    guard let known = completed.removeValue(forKey: session.workoutId), let count = session.completed,
      count != known.count
    else { return }
    report.add(
      "a session has \(count) intervals of its plan that are done, and the watch reported \(known.count)",
      at: event.time, lines: [known.line, event.line])
  }

  private mutating func observeState(_ state: WorkoutStateChanged, at time: VirtualTime) {
    let id = state.workoutId
    switch state.to {
    case "running":
      guard var known = pauses[id] else { return pauses[id] = Pauses(startedAt: time) }
      guard let from = known.pausedAt else { return }
      known.add(from, to: time)
      pauses[id] = known
    case "paused": pauses[id]?.pausedAt = time
    case "ended":
      if let from = pauses[id]?.pausedAt { pauses[id]?.add(from, to: time) }
    default: break
    }
  }

  private mutating func observe(_ transfer: TransferQueued, _ event: Occurrence, _ report: inout Report) {
    guard let text = transfer.details.report?.text,
      let workout = transfer.details.workoutId, let session = SessionReport(workoutId: workout, traceText: text)
    else { return }
    // A watch that was killed between two parts sends all of them again.
    if session.part == 1 { sums[workout] = Sums() }
    guard var sum = sums[workout], sum.nextPart == session.part else { return }
    sum.nextPart += 1
    for unit in session.units { Self.add(unit, to: &sum) }
    sums[workout] = session.part == session.parts ? nil : sum
    guard session.part == session.parts else { return }
    let known = pauses.removeValue(forKey: workout)
    if sum.time > 0 { completed[workout] = (sum.completed, event.line) }
    guard let why = Self.flaw(session, sum) ?? (isUnknown ? nil : Self.misplaced(session, sum, known?.all ?? []))
    else { return }
    report.add("\(why) in the report of \(workout.text)", at: event.time, lines: [event.line])
  }

  private static func add(_ unit: SessionUnit, to sum: inout Sums) {
    switch unit.kind {
    case .split:
      sum.splits = sum.splits +| unit["distance"]
      sum.longest = max(sum.longest, unit["distance"])
    case .gait:
      if unit["from"] != sum.gaitEnd || unit["to"] < unit["from"] { sum.hasGap = true }
      sum.gaitEnd = unit["to"]
      sum.instants.append(unit["from"])
    case .rein:
      if unit["from"] != sum.reinEnd || unit["to"] < unit["from"] { sum.hasGap = true }
      sum.reinEnd = unit["to"]
      sum.instants.append(unit["from"])
    case .shot: sum.instants.append(unit["at"])
    case .interval:
      // Laps of recordings have no target, and claim what the device says. The intervals of a ride have a time.
      let isTimed = unit["targetDistance"] == 0
      guard !isTimed || unit["targetDuration"] > 0 else { return }
      sum.way = sum.way +| unit["distance"]
      sum.time = sum.time +| unit["duration"]
      sum.completed += unit["isCompleted"]
      let isReached =
        isTimed
        ? unit["duration"] >= unit["targetDuration"] : unit["distance"] >= unit["targetDistance"]
      if isReached != (unit["isCompleted"] == 1) { sum.isMisjudged = true }
    case .point, .heartRate: break
    }
  }

  /// What has the timer's time instead of the clock's; nil if nothing has.
  private static func misplaced(_ session: SessionReport, _ sum: Sums, _ pauses: [ClosedRange<Int64>]) -> String? {
    for instant in sum.instants {
      guard
        let pause = pauses.first(where: {
          $0.lowerBound + slackMilliseconds < instant && instant < $0.upperBound - slackMilliseconds
        })
      else { continue }
      return
        "a gait, a rein or a shot has the time \(instant / 1_000) s, in the pause from \(pause.lowerBound / 1_000) s to \(pause.upperBound / 1_000) s,"
    }
    let length = (session.endedAt.nanoseconds - session.startedAt.nanoseconds) / 1_000_000
    let ends = [sum.gaitEnd, sum.reinEnd]
    // A recorded ride has neither gaits nor reins.
    guard session.discipline == .riding, ends.contains(where: { $0 > 0 }),
      ends.contains(where: { abs($0 - length) > slackMilliseconds })
    else { return nil }
    return
      "the gaits end at \(sum.gaitEnd / 1_000) s, the reins at \(sum.reinEnd / 1_000) s, and the ride at \(length / 1_000) s,"
  }

  /// What does not add up; nil if all does.
  private static func flaw(_ session: SessionReport, _ sum: Sums) -> String? {
    switch session.discipline {
    case .swimming:
      // Without a finished length nothing is known of the pool.
      guard sum.longest > 0 else { return nil }
      let rest = session.distanceMillimetres - sum.splits
      guard rest < 0 || rest >= sum.longest else { return nil }
      return "the lengths have \(sum.splits / 1_000) m of \(session.distanceMillimetres / 1_000) m"
    case .riding:
      if let why = flawOfIntervals(session, sum) { return why }
      if sum.hasGap { return "the stretches of gaits or reins have a gap" }
      // With pauses it lasts longer than its timer runs; a recorded ride has neither gaits nor reins.
      let ends = [sum.gaitEnd, sum.reinEnd]
      guard ends.contains(where: { $0 > 0 }),
        ends.contains(where: { $0 < session.activeMilliseconds - slackMilliseconds })
      else { return nil }
      return
        "the gaits end at \(sum.gaitEnd / 1_000) s, the reins at \(sum.reinEnd / 1_000) s, and the ride lasts \(session.activeMilliseconds / 1_000) s at least,"
    case .running: return flawOfIntervals(session, sum)
    case .shooting: return nil
    }
  }

  /// What is wrong with the intervals; nil if nothing is.
  private static func flawOfIntervals(_ session: SessionReport, _ sum: Sums) -> String? {
    if sum.isMisjudged { return "an interval is done before its target, or not done at it," }
    guard
      sum.way > session.distanceMillimetres +| slackMillimetres
        || sum.time > session.activeMilliseconds +| slackMilliseconds
    else { return nil }
    return
      "the intervals have \(sum.way / 1_000) m and \(sum.time / 1_000) s of \(session.distanceMillimetres / 1_000) m and \(session.activeMilliseconds / 1_000) s"
  }
}

/// `score-follows-session`: a competition is a container, and its sessions are the truth.
package struct ScoreFollowsSessionChecker: Checker {
  package static let invariant = "score-follows-session"
  package static let about =
    "A competition's cached result is that of the session it refers to, also after the session was changed."

  private struct Result {
    var value: Int64?
    var line: Int
    var time: VirtualTime
  }

  /// A session, as one of the phones has it.
  private struct Session: Hashable {
    var id: Identifier
    var phone: Int64
  }

  /// A competition's result of a discipline, as one of the phones shows it.
  private struct Place: Hashable, Comparable {
    var phone: Int64
    var discipline: String

    static func < (lhs: Self, rhs: Self) -> Bool { (lhs.phone, lhs.discipline) < (rhs.phone, rhs.discipline) }
  }

  /// What the sessions say; nothing for one that was removed.
  private var sessions: [Session: Result] = [:]
  /// What competitions say: the session and its cached result.
  private var cached: [Place: (session: Session, result: Result)] = [:]

  package init(header: TraceHeader) {}

  package mutating func trainingStored(_ stored: TrainingStored, at event: Occurrence, into report: inout Report) {
    // The cache is refreshed at the instant of the change.
    compare(before: event.time, into: &report)
    sessions[Session(id: stored.sessionId, phone: 1)] = Result(value: stored.result, line: event.line, time: event.time)
  }

  package mutating func trainingEdited(_ edited: TrainingEdited, at event: Occurrence, into report: inout Report) {
    // The cache is refreshed at the instant of the change.
    compare(before: event.time, into: &report)
    let session = Session(id: edited.sessionId, phone: edited.phone ?? 1)
    sessions[session] = Result(value: edited.result, line: event.line, time: event.time)
  }

  package mutating func trainingRemoved(_ removed: TrainingRemoved, at event: Occurrence, into report: inout Report) {
    // The cache is refreshed at the instant of the change.
    compare(before: event.time, into: &report)
    let session = Session(id: removed.sessionId, phone: removed.phone ?? 1)
    sessions[session] = Result(value: nil, line: event.line, time: event.time)
  }

  package mutating func competitionUpdated(
    _ update: CompetitionUpdated, at event: Occurrence, into report: inout Report
  ) {
    // The cache is refreshed at the instant of the change.
    compare(before: event.time, into: &report)
    let session = Session(id: update.sessionId, phone: update.phone ?? 1)
    cached[Place(phone: session.phone, discipline: update.discipline)] = (
      session, Result(value: update.result, line: event.line, time: event.time)
    )
  }

  private mutating func compare(before now: VirtualTime?, into report: inout Report) {
    for place in cached.keys.sorted() {
      guard let (session, result) = cached[place], let truth = sessions[session], truth.value != result.value
      else { continue }
      if let now, max(truth.time, result.time) >= now { continue }
      report.add(
        "the competition\(place.phone == 2 ? " on the second phone" : "") shows \(Self.text(result.value)) for \(place.discipline), and its session says \(Self.text(truth.value))",
        at: max(truth.time, result.time), lines: [result.line, truth.line].sorted())
      // Each change is reported once.
      cached[place]?.result.value = truth.value
    }
  }

  private static func text(_ value: Int64?) -> String {
    guard let value else { return "no result" }
    var text = ""
    TraceValue.fixed(value, places: 3).append(to: &text)
    return text
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout Report) {
    // Without its end the trace may stop between a change and its refresh.
    compare(before: ending.isComplete ? nil : ending.time, into: &report)
  }
}
