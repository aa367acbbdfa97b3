package import Link

/// `belief-is-newest`: the phone believes what the watch said last, of the run that is on and of no other.
package struct NewestWordChecker: Checker {
  package static let invariant = "belief-is-newest"
  package static let aliases = ["belief-newest-word"]
  package static let about =
    "The phone believes the newest word about the run that is on, by the watch's own clock; an older one changes nothing, and no other workout opens a run while one is on, or after it unless it started later."
  package static let interests: [TraceEvent.Name] =
    NodeLines.interests + [
      "snapshot.fresh", "transfer.delivered", "message.received", "run.opened", "run.state", "end",
    ]

  /// What a snapshot says is told by the line behind its message.
  package static let passedKind: String? = "liveMetrics"

  /// Workouts that are remembered as opened; of older ones nothing is said.
  private static let openedMax = 256

  /// A word of the watch.
  private struct Word {
    let workout: Identifier
    var sentAt: Int64
    let state: String
    var isEvent: Bool
    var isStart: Bool
    var time: VirtualTime
    var line: Int

    /// Whether this is what the run is believed to be.
    @inline(__always)
    func isBelieved(_ belief: ReckonedBelief) -> Bool { belief.isSaid(by: state) }

    /// Whether a line tells this word's state.
    @inline(__always)
    func isSaid(by event: TraceEvent) -> Bool { event.lastSays("state", state) }

    /// Takes the place of this word with a snapshot that says the same later.
    @inline(__always)
    mutating func renew(sentAt: Int64, at time: VirtualTime, line: Int) {
      self.sentAt = sentAt
      self.time = time
      self.line = line
      (isEvent, isStart) = (false, false)
    }
  }

  private var belief = ReckonedBelief()
  /// The run that the phone asked for, and has not heard of.
  private var awaited: Identifier?
  /// The newest word about the run that is on.
  private var newest: Word?
  /// The word heard last, whatever it is about.
  private var last: Word?
  /// Whether it must be the belief when the phone is done with it.
  private var isOpen = false
  private var endedSentAt: Int64?
  private var opened: [(workout: Identifier, line: Int)] = []

  package init(header: TraceHeader) {}

  package mutating func observe(_ event: TraceEvent, line: Int, into report: inout [Violation]) {
    if isOpen, event.time > newest?.time ?? .distantFuture { judgeNewest(&report) }
    switch event.name.code {
    case TraceEvent.Name.Code.snapshotFresh:
      if saysTheSame(event, line) { return }
      if let word = Self.word(event, line) { take(word, &report) }
    case TraceEvent.Name.Code.messageReceived, TraceEvent.Name.Code.transferDelivered:
      if let word = Self.word(event, line) { take(word, &report) }
    case TraceEvent.Name.Code.runOpened: observeOpened(event, line, &report)
    case TraceEvent.Name.Code.runState: observeState(event, line, &report)
    case TraceEvent.Name.Code.end: break
    default: if NodeLines.isPhoneUp(after: event) == false { isOpen = false }
    }
  }

  /// Takes a snapshot that says what the newest word said, of the same run and later; false for any other.
  ///
  /// Nearly every line is one: the words are changed where they stand, and no text is taken out.
  private mutating func saysTheSame(_ event: TraceEvent, _ line: Int) -> Bool {
    guard event.place == .phone, !isOpen, awaited == nil, !belief.isOwn else { return false }
    var fields = FieldCursor(event)
    fields.skip("epoch")
    fields.skip("seq")
    guard let workout = fields.identifier("workoutId"), let sentAt = fields.integer("sentAt"),
      belief.workout == workout, newest?.workout == workout, last?.workout == workout, newest?.sentAt ?? .max < sentAt,
      newest?.isSaid(by: event) ?? false, last?.isSaid(by: event) ?? false, !event.saysEnded, !belief.hasEnded
    else { return false }
    newest?.renew(sentAt: sentAt, at: event.time, line: line)
    last?.renew(sentAt: sentAt, at: event.time, line: line)
    isOpen = true
    return true
  }

  private static func word(_ event: TraceEvent, _ line: Int) -> Word? {
    guard event.place == .phone else { return nil }
    var fields = FieldCursor(event)
    if event.name.code == TraceEvent.Name.Code.snapshotFresh {
      fields.skip("epoch")
      fields.skip("seq")
      guard let workout = fields.identifier("workoutId"), let sentAt = fields.integer("sentAt"),
        let state = event.lastText("state")
      else { return nil }
      return Word(
        workout: workout, sentAt: sentAt, state: state, isEvent: false, isStart: false, time: event.time, line: line)
    }
    fields.skip("from")
    guard let kind = fields.text("kind"), kind != "liveMetrics", let state = states[kind],
      let workout = fields.identifier("workoutId"),
      let sentAt = fields.integer("sentAt")
    else { return nil }
    return Word(
      workout: workout, sentAt: sentAt, state: state, isEvent: true, isStart: kind == "workoutStarted",
      time: event.time, line: line)
  }

  /// What each event says of the run; looked up only.
  private static let states = [
    "workoutStarted": "running", "workoutResumed": "running", "workoutPaused": "paused", "workoutEnded": "ended",
  ]

  private mutating func take(_ word: Word, _ report: inout [Violation]) {
    if isOpen { judgeNewest(&report) }
    last = word
    guard word.workout == belief.workout, awaited == nil, !belief.isOwn, !belief.hasEnded else { return }
    if let newest, newest.workout == word.workout, !Self.isNewer(word, than: newest) { return }
    newest = word
    isOpen = true
  }

  private static func isNewer(_ word: Word, than newest: Word) -> Bool {
    if word.state == "ended" { return true }
    return word.sentAt > newest.sentAt || (word.sentAt == newest.sentAt && word.isEvent && !newest.isEvent)
  }

  /// Judges the belief once the phone is done with the newest word.
  private mutating func judgeNewest(_ report: inout [Violation]) {
    isOpen = false
    // Nearly always the belief: compared where they stand.
    if newest?.isBelieved(belief) ?? false { return }
    guard let word = newest, word.workout == belief.workout, let state = belief.state, !belief.hasEnded,
      state != word.state
    else { return }
    report.append(
      Self.violation(
        "the newest word says \(word.state), and the run is believed \(state)", at: word.time, lines: [word.line]))
  }

  private mutating func observeOpened(_ event: TraceEvent, _ line: Int, _ report: inout [Violation]) {
    var fields = FieldCursor(event)
    guard let workout = fields.identifier("workoutId") else { return }
    defer {
      if opened.count == Self.openedMax { opened.removeFirst() }
      opened.append((workout, line))
      newest = last?.workout == workout ? last : nil
      awaited = nil
    }
    if let why = objection(toOpening: workout, sentAt: fields.integer("sentAt")) {
      report.append(
        Self.violation(
          "a run was opened for workout \(workout.text), \(why)", at: event.time,
          lines: [opened.last?.line, last?.line, line].compactMap { $0 }))
    }
  }

  private func objection(toOpening workout: Identifier, sentAt: Int64?) -> String? {
    if opened.contains(where: { $0.workout == workout }) { return "which was opened before" }
    guard awaited != workout else { return nil }
    if let state = belief.state, state != "ended", awaited == nil { return "while another one is believed \(state)" }
    guard belief.state == "ended" else { return nil }
    if let last, last.workout == workout, !last.isStart { return "which nobody said has started" }
    if let sentAt, let endedSentAt, sentAt <= endedSentAt { return "which did not start later than the last run ended" }
    return nil
  }

  private mutating func observeState(_ event: TraceEvent, _ line: Int, _ report: inout [Violation]) {
    let before = belief
    _ = belief.observe(event)
    guard let workout = belief.workout else { return }
    if event["cause"]?.text == "command" {
      // Only what is preparing awaits a word; what the phone tracks itself, or took back, does not.
      awaited = belief.isOwn ? nil : workout
      newest = nil
      isOpen = false
      return
    }
    let sentAt = event["sentAt"]?.integer
    if belief.state == "ended" {
      endedSentAt = sentAt
      isOpen = false
      return
    }
    if let newest, newest.workout == workout, before.workout == workout, let sentAt, sentAt < newest.sentAt {
      report.append(
        Self.violation(
          "a word of \(sentAt) is believed after one of \(newest.sentAt)", at: event.time, lines: [newest.line, line]))
    }
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout [Violation]) {
    if isOpen, ending.isComplete { judgeNewest(&report) }
  }
}
