import CoachProtocol
package import Link

/// `truth-runs`: what the phone has of workouts is what the athlete did.
package struct TruthRunsChecker: Checker {
  package static let invariant = "truth-runs"
  package static let about =
    "Once the queues have drained, every workout that the athlete did has one row of a run and, with `phone.training`, one session, with its true start, end, time, distance, parts, rings and skill; nothing else has one; no workout ends on the watch or the phone before its athlete ended it."

  /// A workout of the athlete.
  private struct Done {
    var line: Int
    var time: VirtualTime
    var ended: TrueWorkoutEnded?
    var endedAt = VirtualTime.start
    /// Whether the watch's app died while it took the end, which its athlete pressed again once it was back.
    var isPressedAgain = false

    /// How much later than the athlete's a device's end may be, in seconds: the watch ends at a whole second.
    var slack: Int64 { isPressedAgain ? 10 : 1 }

    /// Whether a device's start or end is near enough to the true one.
    func allows(_ found: Int64, _ truth: Int64, _ what: String) -> Bool {
      let late: Int64 = what == "end" ? slack : 1
      return -1_000_000_000...late *| 1_000_000_000 ~= found -| truth
    }
  }

  /// A workout of the watch that began to run.
  private struct Recorded {
    var id: Identifier
    var line: Int
  }

  /// A workout that ended by a device's word.
  private struct End {
    var workout: Int
    var who: String
    var time: VirtualTime
    var line: Int
  }

  /// How much earlier than the athlete's line a device's end may be.
  private static let slack = VirtualTime.Span.seconds(1)

  private let isOn: Bool
  /// Whether the scenario asks for truth: then an athlete without a line of it did nothing.
  private let asksForTruth: Bool
  private var done: [Done] = []
  private var recorded: [Recorded] = []
  /// Ends that are earlier than the athlete's so far.
  private var early: [End] = []
  /// Lines of each workout's sessions.
  private var sessions: [Identifier: [(session: TrainingStored, line: Int)]] = [:]
  /// Lines that gave a workout its row, and that finished it.
  private var rows: [Identifier: Int] = [:]
  private var finished: Set<Identifier> = []
  private var discarded: Set<Identifier> = []
  /// When a row's run started and ended, in nanoseconds since 1970.
  private var starts: [Identifier: Int64] = [:]
  private var ends: [Identifier: Int64] = [:]
  /// Whether a device lost what it had committed, or the phone tracked a run itself: then the athlete is not all there is.
  private var isUnknown = false
  /// Whether the watch's clock was wrong; stamps may be late long after it is right again.
  private var hasWrongClock = false
  private var isPhoneUp = true
  private var isWatchUp = true

  package init(header: TraceHeader) {
    isOn = header.extra("phone")?["training"] != nil
    asksForTruth = header.extra("truth")?.value == .bool(true)
  }

  package mutating func trueWorkoutBegan(_: TrueWorkoutBegan, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    done.append(Done(line: event.line, time: event.time))
  }

  package mutating func trueWorkoutEnded(_ ended: TrueWorkoutEnded, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    guard let index = Int(exactly: ended.workout -| 1), done.indices.contains(index) else { return }
    done[index].ended = ended
    done[index].endedAt = event.time
  }

  package mutating func workoutState(_ state: WorkoutStateChanged, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    observe(state, event)
  }

  package mutating func runOpened(_ run: RunOpened, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    rows[run.workoutId] = rows[run.workoutId] ?? event.line
  }

  package mutating func runNamed(_ run: RunNamed, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    starts[run.workoutId] = run.sentAt
  }

  package mutating func runRecorded(_ run: RunRecorded, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    rows[run.workoutId] = rows[run.workoutId] ?? event.line
    if run.kind == "workoutEnded" {
      finished.insert(run.workoutId)
      ends[run.workoutId] = run.sentAt
    } else {
      starts[run.workoutId] = run.sentAt
    }
  }

  package mutating func runDiscarded(_ run: RunDiscarded, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    rows[run.workoutId] = nil
    discarded.insert(run.workoutId)
  }

  package mutating func runFinished(_ run: RunFinished, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    finished.insert(run.workoutId)
  }

  package mutating func runState(_ state: RunStateChanged, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    if state.to == "ended", let sentAt = state.sentAt { ends[state.workoutId] = sentAt }
    if state.to == "ended", state.cause != "command" {
      noteEnd(of: state.workoutId, "the phone believes that", event)
    }
  }

  package mutating func trackerStarted(_: TrackerStarted, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    isUnknown = true
  }

  package mutating func trainingStored(_ session: TrainingStored, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    sessions[session.workoutId, default: []].append((session, event.line))
  }

  package mutating func faultBegin(_ fault: FaultBegan, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    if fault.kind == "reboot", fault.params.text.contains("\"power\":true") { isUnknown = true }
    if fault.kind == "clockSkew", JSONNode.names("watch", in: fault.params.text) { hasWrongClock = true }
  }

  package mutating func nodeChanged(_ change: NodeChange, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    if let isUp = change.isUp(.phone) { isPhoneUp = isUp }
    if let isUp = change.isUp(.watch) {
      isWatchUp = isUp
      if !isUp, let last = done.indices.last, done[last].ended != nil, done[last].endedAt == event.time {
        done[last].isPressedAgain = true
      }
    }
  }

  package mutating func end(_: TraceEnd, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
  }

  /// Judges what had to happen before the instant of an event.
  private mutating func pass(to event: Occurrence, _ report: inout Report) {
    if let first = early.first, first.time + Self.slack < event.time { judgeEnds(before: event.time, &report) }
  }

  private mutating func observe(_ state: WorkoutStateChanged, _ event: Occurrence) {
    if state.from == "preparing", state.to == "running" {
      recorded.append(Recorded(id: state.workoutId, line: event.line))
    }
    if state.to == "ended" { noteEnd(of: state.workoutId, "the watch reports that", event) }
  }

  /// Remembers an end that is earlier than the athlete's.
  private mutating func noteEnd(of workout: Identifier, _ who: String, _ event: Occurrence) {
    guard let index = recorded.firstIndex(where: { $0.id == workout }) else { return }
    if done.indices.contains(index), done[index].ended != nil { return }
    early.append(End(workout: index, who: who, time: event.time, line: event.line))
  }

  private mutating func judgeEnds(before now: VirtualTime, _ report: inout Report) {
    while let end = early.first, end.time + Self.slack < now {
      early.removeFirst()
      guard !isUnknown, done.indices.contains(end.workout), done[end.workout].ended == nil else { continue }
      report.add(
        "\(end.who) workout \(end.workout + 1) has ended, which its athlete goes on with", at: end.time,
        lines: [done[end.workout].line, end.line])
    }
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout Report) {
    judgeEnds(before: ending.time, &report)
    guard ending.isComplete, !done.isEmpty || asksForTruth, !isUnknown, isWatchUp, isPhoneUp else { return }
    guard done.count == recorded.count else {
      let line = done.count > recorded.count ? done[recorded.count].line : recorded[done.count].line
      report.add(
        "the watch recorded \(Self.count(recorded.count)), and its athlete did \(Self.count(done.count))",
        at: ending.time, lines: [line])
      return
    }
    for (id, line) in rows.sorted(by: { $0.value < $1.value }) where !recorded.contains(where: { $0.id == id }) {
      report.add(
        "workout \(id.text) never ran, and the phone has a row of it", at: ending.time, lines: [line])
    }
    for (athlete, watch) in zip(done, recorded) {
      guard let ended = athlete.ended else { continue }
      judge(ended, athlete, watch, ending, &report)
    }
  }

  private func judge(
    _ ended: TrueWorkoutEnded, _ athlete: Done, _ watch: Recorded, _ ending: TraceEnding, _ report: inout Report
  ) {
    func object(_ why: String, _ lines: [Int]) {
      report.add("workout \(ended.workout) \(why)", at: ending.time, lines: [athlete.line] + lines)
    }
    // A start that the phone took back: the watch saves nothing of it.
    if ended.by == "phone", discarded.contains(watch.id) { return }
    guard let row = rows[watch.id] else { return object("has no row on the phone", [watch.line]) }
    if !finished.contains(watch.id) { object("was ended by its athlete, and its row was not finished", [row]) }
    if !hasWrongClock {
      for (what, found, truth) in [
        ("start", starts[watch.id], ended.startedAt), ("end", ends[watch.id], ended.endedAt),
      ] {
        guard let found, !athlete.allows(found, truth, what) else { continue }
        object("has a row whose \(what) is \(Self.distance(found, truth))", [row])
      }
    }
    // What the phone takes back within the first second leaves no session.
    guard isOn, ended.discipline != nil, ended.by != "phone" || ended.active >= 1_000 else { return }
    let own = sessions[watch.id] ?? []
    guard own.count == 1, let (session, line) = own.first else {
      return object("has \(own.count) sessions on the phone", own.isEmpty ? [watch.line] : own.map(\.line))
    }
    for why in flaws(of: session, ended, athlete) { object(why, [line]) }
  }

  /// What a session has otherwise than its workout.
  private func flaws(of session: TrainingStored, _ ended: TrueWorkoutEnded, _ athlete: Done) -> [String] {
    var flaws: [String] = []
    func compare(_ what: String, _ found: Int64?, _ truth: Int64, within slack: Int64) {
      guard let found, abs(found -| truth) > slack else { return }
      flaws.append("is stored with \(what) \(found), and it was \(truth)")
    }
    if session.discipline != ended.discipline { flaws.append("is stored as \(session.discipline)") }
    // A watch measures once a second: a stop begins and ends up to one later.
    let second: Int64 = 1_000
    let more = athlete.slack - 1
    compare(
      "the time (ms)", session.duration, ended.active, within: 2 +| (2 * second) *| ended.stops +| more * second)
    // In each second more an athlete covers at most 20 m, as on a galloping horse.
    compare("the distance (mm)", session.distance, ended.distance, within: 10 + more * 20_000)
    compare("a number of parts of", session.parts, ended.parts, within: 0)
    if let score = ended.score {
      compare("rings (thousandths)", session.result, score *| 1_000, within: 0)
    }
    // Traces of earlier builds have none.
    if let skill = ended.skill {
      if session.skill == nil { flaws.append("is stored without a skill, and shows one") }
      compare("a skill (thousandths)", session.skill, skill, within: Self.skillSlack(ended, more))
    }
    if !hasWrongClock {
      for (what, found, truth) in [
        ("start", session.startedAt, ended.startedAt), ("end", session.endedAt, ended.endedAt),
      ] {
        guard let found, !athlete.allows(found, truth, what) else { continue }
        flaws.append("is stored with the \(what) \(Self.distance(found, truth))")
      }
    }
    return flaws
  }

  /// How far a skill may be from the true one: rings and lengths are counted, splits and reins measured once a second.
  ///
  /// - Parameter more: Seconds by which the end may be late.
  private static func skillSlack(_ ended: TrueWorkoutEnded, _ more: Int64) -> Int64 {
    guard ended.discipline == "running" || ended.discipline == "riding" else { return 1 }
    // In a time that is off by so much, against the shortest split, or the longer rein.
    let seconds = 2 +| 2 *| ended.stops +| more
    let whole = max(1_000, ended.discipline == "running" ? ended.active / max(1, ended.parts +| 1) : ended.active / 2)
    return 1 +| 200_000 *| (seconds *| 1_000) / whole
  }

  /// How far a time is from the true one: `624.0 s too early`.
  private static func distance(_ found: Int64, _ truth: Int64) -> String {
    let tenths = (found -| truth).magnitude / 100_000_000
    return "\(tenths / 10).\(tenths % 10) s too \(found < truth ? "early" : "late")"
  }

  private static func count(_ number: Int) -> String { number == 1 ? "1 workout" : "\(number) workouts" }
}
