import CoachProtocol
import Link

@testable import PhoneSim

/// Draws changes as a phone could order them, and some that it would not.
struct PhoneChangeSource {
  var random: SplitMix
  private var runs: [Identifier] = []
  private var played: [String] = []
  /// The notes that are kept.
  private(set) var notes: [Identifier] = []
  private(set) var now: Int64 = 0
  /// Replies and questions that are kept.
  var replies: [Identifier] = []
  var questions: [Identifier] = []
  var meals: [(id: Identifier, day: LocalDay)] = []
  private var elapsed = 0.0
  private var seq: UInt64 = 0
  private var belief = RunBelief()
  private var start = PhoneStartHandshake()

  /// Whether there is but one run, whose trail then grows long.
  let isOneRun: Bool

  init(seed: UInt64, isOneRun: Bool) {
    random = SplitMix(seed: seed)
    self.isOneRun = isOneRun
  }

  private static let lines = ["km1", "km2", "späť", "\u{1F3C3} Lauf", "a\"b\\c", "'; DROP TABLE Run", "Z", "z", " "]

  /// One transaction.
  mutating func transaction() -> [PhoneChange] {
    var changes: [PhoneChange] = []
    if runs.isEmpty { changes.append(.rare(open())) }
    if random.percent(80) { changes.append(.heard(heard())) }
    for _ in 0..<[0, 0, 0, 1, 2, 5][random.below(6)] {
      if runs.isEmpty { changes.append(.rare(open())) }
      changes.append(.rare(rare()))
    }
    return changes
  }

  private mutating func heard() -> HeardSnapshot {
    now += Int64(random.below(2_000_000_000))
    elapsed += 1
    // A restarted watch may fall back, and some elapsed times are absurd.
    if random.percent(1) { elapsed = max(0, elapsed - Double(random.below(random.percent(5) ? 1_500 : 20))) }
    let isAbsurd = random.percent(1)
    seq = random.percent(1) ? .max : seq &+ UInt64(random.below(3))
    return HeardSnapshot(
      epoch: Epoch(UInt32(1 + random.below(3))), seq: SequenceNumber(seq), arrivedAt: VirtualTime(nanoseconds: now),
      sentAt: WatchTime(nanoseconds: now - Int64(random.below(1_000))), elapsed: isAbsurd ? 1e15 : elapsed,
      distance: Double(random.below(1_000_000)) / 100, isBelieved: random.percent(80), isOfRun: random.percent(90),
      isJudged: random.percent(80))
  }

  private mutating func open() -> RareChange {
    let id = random.percent(5) && !runs.isEmpty ? run() : Identifier(high: random.next(), low: random.next())
    runs.append(id)
    elapsed = 0
    var row = RunRow(
      id: id, startedAt: time(), endedAt: random.percent(10) ? time() : nil,
      runType: RunType.allCases[random.below(2)], mode: RunMode.allCases[random.below(3)],
      personality: Self.lines[random.below(Self.lines.count)])
    row.isTrackedHere = id.low % 5 == 0
    return .runOpened(row)
  }

  /// Discards a run that was not tracked here, unless it is the only one.
  private mutating func discard() -> RareChange {
    let id = run()
    if !isOneRun, runs.count > 1, id.low % 5 != 0 { runs.removeAll { $0 == id } }
    return runs.contains(id) ? .runEnded(id, endedAt: time()) : .runDiscarded(id)
  }

  mutating func run() -> Identifier { runs[random.below(runs.count)] }

  /// A run that the health store still knows: one with a row in most cases.
  mutating func restoredRun() -> Identifier {
    if random.percent(60) { return run() }
    runs.append(Identifier(high: random.next(), low: random.next()))
    return runs[runs.count - 1]
  }

  /// Forgets everything that the store then has no row of.
  mutating func wipe() -> RareChange {
    runs = []
    played = []
    notes = []
    replies = []
    questions = []
    return .wiped
  }

  private mutating func time() -> WatchTime { WatchTime(nanoseconds: Int64(bitPattern: random.next()) / 4) }
  mutating func line() -> String { Self.lines[random.below(Self.lines.count)] }

  private mutating func entry() -> ScriptPosition.Entry {
    var record = MessageRecord()
    guard !random.percent(20) else { return ScriptPosition.Entry(message: line(), record: record) }
    record.isSpoken = random.percent(50)
    record.isExpired = random.percent(20)
    record.lastMultiple = Int64(random.below(9))
    if random.percent(50) { record.lastDispatch = VirtualTime(nanoseconds: now) }
    record.dueSince = Int64(random.below(100))
    record.dueMultiple = Int64(random.below(4))
    return ScriptPosition.Entry(message: line(), record: record)
  }

  private mutating func position() -> ScriptPosition {
    var position = ScriptPosition()
    guard !random.percent(20) else { return position }
    position.evaluations = Int64(random.below(1_000))
    position.furthestDistance = random.percent(80) ? Double(random.below(10_000)) / 3 : nil
    position.furthestElapsed = random.percent(80) ? Double(random.below(10_000)) / 7 : nil
    position.branch = random.percent(50) ? line() : nil
    position.lastDispatch = random.percent(50) ? VirtualTime(nanoseconds: now) : nil
    for _ in 0..<random.below(6) { position.set(entry()) }
    return position
  }

  /// A belief as words lead to it, of more runs and ghosts than are remembered.
  private mutating func consumer() -> ConsumerRecord {
    for _ in 0..<random.below(8) {
      let id = Identifier(high: 1, low: UInt64(random.below(40)))
      let sentAt = WatchTime(nanoseconds: now + Int64(random.below(1_000_000)))
      let contents: [RunUpdate.Content] = [
        .workoutStarted(startedAt: sentAt), .workoutPaused, .workoutResumed,
        .workoutEnded(healthKitWorkoutUUID: random.percent(50) ? id : nil), .snapshot(.running), .snapshot(.ended),
      ]
      belief.receive(RunUpdate(workoutId: id, sentAt: sentAt, content: contents[random.below(contents.count)])) { _ in }
      if random.percent(10) { belief.startWorkout(runId: id) { _ in } }
    }
    var record = ConsumerRecord(startedAt: VirtualTime(nanoseconds: now))
    record.belief = belief
    record.start = asked()
    record.liveness = LivenessMonitor(
      isRaised: random.percent(30), isRunning: random.percent(50), countedFrom: VirtualTime(nanoseconds: now))
    if random.percent(90) {
      record.freshness.restore(
        Freshness.Mark(epoch: Epoch(7), seq: SequenceNumber(random.next()), arrivedAt: VirtualTime(nanoseconds: now)))
    }
    return record
  }

  /// A handshake that has gone on a little.
  private mutating func asked() -> PhoneStartHandshake {
    let (id, at) = (Identifier(high: 1, low: UInt64(random.below(40))), VirtualTime(nanoseconds: now))
    switch random.below(6) {
    case 0: if start.asking == nil { _ = start.start(id, at: at) }
    case 1: _ = start.fire(at: at)
    case 2: _ = start.handleMessage("snapshot", of: id, saysEnded: random.percent(30), at: at)
    case 3: _ = start.end(id, at: at)
    case 4: if start.tracker?.isLive != true { start.track(id, at: at) } else { start.endTracker(at: at) }
    default: belief.withdraw(id)
    }
    return start
  }

  private mutating func rare() -> RareChange {
    switch random.below(31) {
    case 0: return !isOneRun && random.percent(20) ? open() : .scriptLoaded
    case 1: return .consumer(consumer())
    case 2: return .runNamed(run(), startedAt: time())
    case 3: return random.percent(10) ? discard() : .runEnded(run(), endedAt: time())
    case 4: return .runFinished(run(), healthKitWorkoutUUID: Identifier(high: random.next(), low: 5))
    case 5: return random.percent(30) ? .position(position()) : .branch(nil)
    case 6, 7, 8: return .line(entry())
    case 9: return .branch(random.percent(80) ? line() : nil)
    case 10, 11:
      played.append(line())
      return .played(
        PlayedMessage(
          messageId: played[played.count - 1], playedAt: VirtualTime(nanoseconds: now), runId: run(),
          wasInterrupted: random.percent(10)))
    case 12: return .ended(messageId: line())
    case 13: return .interrupted(messageId: line())
    case 14: return random.percent(20) ? .silenced : .ended(messageId: "nobody's")
    case 15: return .muted(random.percent(50))
    case 16:
      guard random.percent(50) else { return .audioTaken(random.percent(50)) }
      return .voiceChosen(random.percent(50) ? "Daniel" : nil)
    case 17: return random.percent(50) ? .recordingBegan(run()) : .recordingEnded
    case 18:
      let id = Identifier(high: random.next(), low: random.next())
      notes.append(id)
      let note = VoiceNote(id: id, runId: random.percent(50) ? id : nil, recordedAt: time().nanoseconds)
      return .noteStored(
        note,
        PendingTranscription(noteId: id, runId: note.runId, says: random.percent(50) ? line() : nil, outcome: .failed))
    case 20..<28: return aiChange()
    case 28...: return companionChange()
    default:
      let id = notes.isEmpty || random.percent(5) ? Identifier(high: 4, low: 4) : notes[random.below(notes.count)]
      return .noteTranscribed(
        id, random.percent(50) ? .done : .failed, transcript: random.percent(70) ? line() : nil)
    }
  }
}
