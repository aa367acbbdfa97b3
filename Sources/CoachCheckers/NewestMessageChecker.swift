import CoachReference
package import Link

/// `belief-is-newest`: the phone believes the watch's newest message about the active run, and about no other run.
package struct NewestMessageChecker: Checker {
  package static let invariant = "belief-is-newest"
  package static let aliases = ["belief-newest-word"]
  package static let about =
    "The phone believes the newest message about the run that is on, by the watch's own clock; an older one changes nothing, only its own end or a snapshot of a workout that began later ends it, and no other workout opens a run while one is on, or after it unless it started later."

  /// The number of remembered opened workouts; older ones are not judged.
  private static let openedMax = 256

  /// A message of the watch.
  private struct Message {
    let workout: Identifier
    var sentAt: Int64
    let state: WorkoutState
    var isEvent: Bool
    var isStart: Bool
    /// When the workout began at the latest, by a snapshot whose timer has counted, if any.
    var beganBy: Int64?
    var time: VirtualTime
    var line: Int
  }

  private var belief = ReferenceBelief()
  /// The run that the phone requested and got no message about.
  private var awaited: Identifier?
  /// The newest message about the active run.
  private var newest: Message?
  /// The last received message, about any run.
  private var last: Message?
  /// Whether it must be the belief once the phone has handled it.
  private var isOpen = false
  private var endedSentAt: Int64?
  private var opened: [(workout: Identifier, line: Int)] = []

  package init(header: TraceHeader) {}

  package mutating func snapshotFresh(_ snapshot: SnapshotFresh, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    guard event.place == .phone else { return }
    let metrics = snapshot.metrics
    receive(
      Message(
        workout: metrics.workoutId, sentAt: metrics.sentAt, state: metrics.state, isEvent: false, isStart: false,
        beganBy: metrics.elapsed > 0 ? metrics.sentAt -| Int64(saturating: metrics.elapsed * 1e9) : nil,
        time: event.time, line: event.line), &report)
  }

  package mutating func messageReceived(_ message: MessageReceived, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    // A snapshot's message is followed by the line of the snapshot.
    guard let kind = message.kind, kind != "liveMetrics" else { return }
    observeEvent(kind, of: message.workoutId, sentAt: message.sentAt, event, &report)
  }

  package mutating func transferDelivered(
    _ transfer: TransferDelivered, at event: Occurrence, into report: inout Report
  ) {
    pass(to: event, &report)
    guard let kind = transfer.details.kind else { return }
    observeEvent(kind, of: transfer.details.workoutId, sentAt: transfer.details.sentAt, event, &report)
  }

  package mutating func runOpened(_ run: RunOpened, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    observeOpened(run, event, &report)
  }

  package mutating func runState(_ run: RunStateChanged, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    observeState(run, event, &report)
  }

  package mutating func nodeChanged(_ change: NodeChange, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    if change.isUp(.phone) == false { isOpen = false }
  }

  package mutating func end(_: TraceEnd, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
  }

  /// Judges what had to happen before the instant of an event.
  private mutating func pass(to event: Occurrence, _ report: inout Report) {
    if isOpen, event.time > newest?.time ?? .distantFuture { judgeNewest(&report) }
  }

  private mutating func observeEvent(
    _ kind: String, of workout: Identifier?, sentAt: Int64?, _ event: Occurrence,
    _ report: inout Report
  ) {
    guard event.place == .phone, let state = Self.state(after: kind), let workout, let sentAt else { return }
    receive(
      Message(
        workout: workout, sentAt: sentAt, state: state, isEvent: true, isStart: kind == "workoutStarted",
        time: event.time, line: event.line), &report)
  }

  /// The run's state after an event; nil for an unknown one.
  private static func state(after kind: String) -> WorkoutState? {
    switch kind {
    case "workoutStarted", "workoutResumed": .running
    case "workoutPaused": .paused
    case "workoutEnded": .ended
    default: nil
    }
  }

  private mutating func receive(_ message: Message, _ report: inout Report) {
    if isOpen { judgeNewest(&report) }
    last = message
    guard message.workout == belief.workout, awaited == nil, !belief.isOwn, !belief.hasEnded else { return }
    if let newest, newest.workout == message.workout, !Self.isNewer(message, than: newest) { return }
    newest = message
    isOpen = true
  }

  private static func isNewer(_ message: Message, than newest: Message) -> Bool {
    if message.state == .ended { return true }
    return message.sentAt > newest.sentAt || (message.sentAt == newest.sentAt && message.isEvent && !newest.isEvent)
  }

  /// Judges the belief once the phone has handled the newest message.
  private mutating func judgeNewest(_ report: inout Report) {
    isOpen = false
    guard let message = newest, message.workout == belief.workout, let state = belief.state, !belief.hasEnded,
      state != message.state.text
    else { return }
    report.add(
      "the watch's newest message says \"\(message.state.text)\", but the phone believed \"\(state)\"",
      at: message.time,
      lines: [message.line])
  }

  private mutating func observeOpened(
    _ run: RunOpened, _ event: Occurrence, _ report: inout Report
  ) {
    let workout = run.workoutId
    defer {
      if opened.count == Self.openedMax { opened.removeFirst() }
      opened.append((workout, event.line))
      newest = last?.workout == workout ? last : nil
      awaited = nil
      belief.observeOpened(workout)
    }
    if let why = objection(toOpening: workout, sentAt: run.sentAt) {
      report.add(
        "the phone opened a run for workout \(workout.text), \(why)", at: event.time,
        lines: [opened.last?.line, last?.line, event.line].compactMap { $0 })
    }
  }

  private func objection(toOpening workout: Identifier, sentAt: Int64) -> String? {
    if opened.contains(where: { $0.workout == workout }) { return "which was opened before" }
    guard awaited != workout else { return nil }
    if let state = belief.state, state != "ended", awaited == nil { return "while it believed another run \(state)" }
    guard belief.state == "ended" else { return nil }
    if let last, last.workout == workout, let beganBy = last.beganBy, let endedSentAt, beganBy > endedSentAt {
      return nil
    }
    if let last, last.workout == workout, !last.isStart { return "though no message said that it had started" }
    if let endedSentAt, sentAt <= endedSentAt { return "which did not start later than the last run ended" }
    return nil
  }

  private mutating func observeState(
    _ run: RunStateChanged, _ event: Occurrence, _ report: inout Report
  ) {
    let before = belief
    _ = belief.observe(run)
    guard let workout = belief.workout else { return }
    if run.cause == "command" {
      // Only a preparing run awaits a message, not one that the phone tracks itself or cancelled.
      awaited = belief.isOwn ? nil : workout
      newest = nil
      isOpen = false
      return
    }
    let sentAt = run.sentAt
    if belief.state == "ended" {
      if before.workout == workout, isReplaced(workout, at: event.time) {
        endedSentAt = sentAt
        isOpen = false
        return
      }
      if let last, before.state != "ended", last.workout != workout || last.state != .ended || last.time < event.time {
        report.add(
          "the phone believed that the run had ended, but the last message says \"\(last.state.text)\" of "
            + (last.workout == workout ? "it" : "another workout"), at: event.time, lines: [last.line, event.line])
      }
      endedSentAt = sentAt
      isOpen = false
      return
    }
    if let newest, newest.workout == workout, before.workout == workout, let sentAt, sentAt < newest.sentAt {
      let age = VirtualTime.Span(nanoseconds: newest.sentAt -| sentAt)
      report.add(
        "the phone believed a \"\(run.to)\" that is \(age.text) older than what it already knew", at: event.time,
        lines: [newest.line, event.line])
    }
  }

  /// Whether the last message is a snapshot of another workout that began after the newest message about this one.
  private func isReplaced(_ workout: Identifier, at time: VirtualTime) -> Bool {
    guard let last, last.workout != workout, last.time == time, let beganBy = last.beganBy else { return false }
    return newest.map { $0.workout != workout || beganBy > $0.sentAt } ?? true
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout Report) {
    if isOpen, ending.isComplete { judgeNewest(&report) }
  }
}
