import CoachProtocol
import Link

@testable import PhoneSim

/// What happens in a run, drawn from a seed: pauses, cuts, bad radio, a new start of the watch, foreign workouts, a
/// second run; and what the user and the system do to the phone.
struct RunPlot {
  enum Step {
    case wait(VirtualTime.Span)
    case snapshot(LiveMetrics, LossKind)
    case event(AppMessage)
    case link(Bool)
    case command(String, String)
    case condition(NodeCondition)
    case watchRestart
    case note(VoiceNoteMetadata)
  }

  enum LossKind { case arrives, lost, twice, late }

  private(set) var steps: [Step] = []
  private var random: SplitMix
  private var workout: Identifier
  private var state = WorkoutState.preparing
  private var elapsed = 0.0
  private var distance = 0.0
  private var clock: Int64 = 1_776_000_000_000_000_000
  private var isUp = true
  private var isFull = false
  private var isAsleep = false
  private var isMuted = false
  private var owed: [AppMessage] = []

  /// Draws a run of so many seconds.
  init(seed: UInt64, seconds: Int = 600, hasConditions: Bool = true) {
    random = SplitMix(seed: seed)
    workout = Identifier(high: 0xA000 + seed, low: 1)
    steps.append(.link(true))
    for second in 0..<seconds {
      step(second, of: seconds, hasConditions: hasConditions)
    }
    if !isUp { steps.append(.link(true)) }
    if isAsleep { steps.append(.condition(.resumed)) }
    if isFull { steps += [.condition(.disk(isFull: false)), .link(false), .link(true)] }
    flushEvents(all: true)
    steps.append(.wait(.seconds(40)))
  }

  private mutating func step(_ second: Int, of seconds: Int, hasConditions: Bool) {
    let begins = second == 3 || second == seconds * 3 / 4
    if begins {
      if second > 3 {
        workout = Identifier(high: workout.high, low: workout.low + 1)
        (elapsed, distance) = (0, 0)
      }
      say(.running, .workoutStarted(WorkoutStarted(workoutId: workout, startedAt: time, sentAt: time)))
    } else if second == seconds * 3 / 4 - 5 {
      let uuid = Identifier(high: 7, low: UInt64(second))
      say(.ended, .workoutEnded(WorkoutEnded(workoutId: workout, healthKitWorkoutUUID: uuid, sentAt: time)))
    } else if state == .running, random.percent(1) {
      say(.paused, .workoutPaused(WorkoutPaused(workoutId: workout, sentAt: time)))
    } else if state == .paused, random.percent(12) {
      say(.running, .workoutResumed(WorkoutResumed(workoutId: workout, sentAt: time)))
    }
    if random.percent(2) {
      isUp.toggle()
      steps.append(.link(isUp))
    } else if !isUp, random.percent(20) {
      isUp = true
      steps.append(.link(true))
    }
    if hasConditions { drawConditions() }
    if random.percent(1), isUp, !isAsleep { steps.append(.watchRestart) }
    flushEvents(all: false)
    if state != .ended || random.percent(30) { publish() }
    let fraction = Int64(random.below(3)) * 250
    steps.append(.wait(.milliseconds(750 + fraction)))
    clock += (750 + fraction) * 1_000_000
  }

  private mutating func drawConditions() {
    if random.percent(1) {
      isFull.toggle()
      steps.append(.condition(.disk(isFull: isFull)))
      // What was refused is sent at once and not after its back-off, which starts over.
      if !isFull, isUp { steps += [.link(false), .link(true)] }
    }
    if isAsleep ? random.percent(10) : random.percent(1) {
      isAsleep.toggle()
      steps.append(.condition(isAsleep ? .suspended : .resumed))
    }
    if random.percent(1) {
      isMuted.toggle()
      steps.append(.command(isMuted ? "mute" : "unmute", "{}"))
    }
    if random.percent(1) {
      steps.append(.condition(.clock(offset: Int64(random.below(7_200) - 3_600) * 1_000_000_000, driftPPM: 40)))
    }
    if random.percent(2) {
      let id = Identifier(high: workout.high, low: 0xF000 + UInt64(steps.count))
      steps.append(
        .note(
          VoiceNoteMetadata(
            noteId: id, runId: workout, recordedAt: time, seconds: 0.5, says: "how far \(steps.count)",
            transcription: random.percent(30) ? .failed : .done)))
    }
  }

  private var time: WatchTime { WatchTime(nanoseconds: clock) }

  private mutating func say(_ state: WorkoutState, _ event: AppMessage) {
    self.state = state
    owed.append(event)
    // Belt and braces: some events are said twice.
    if random.percent(20) { owed.append(event) }
  }

  /// Events are late now and then.
  private mutating func flushEvents(all: Bool) {
    while !owed.isEmpty, all || random.percent(50) { steps.append(.event(owed.removeFirst())) }
  }

  private mutating func publish() {
    if state == .running {
      let seconds = 1.0
      elapsed += seconds
      distance += Double(2 + random.below(3)) + Double(random.below(100)) / 100
      // A restarted watch may have lost a little.
      if random.percent(1) { distance -= 12 }
    }
    distance = max(0, (distance * 100).rounded() / 100)
    var id = workout
    var (elapsed, distance) = (elapsed, distance)
    if random.percent(1) {
      // A leftover session publishes zeros. With the figures of the run it would be taken for the next run, if its first
      // snapshot came after the end of one: nothing tells them apart, and a watch has one workout at a time.
      id = Identifier(high: 0xDEAD, low: UInt64(random.below(3)))
      (elapsed, distance) = (0, 0)
    }
    let snapshot = LiveMetrics(
      workoutId: id, sentAt: time, elapsed: elapsed, distance: distance,
      currentPaceSecPerKm: random.percent(90) ? Double(250 + random.below(150)) : nil,
      avgPaceSecPerKm: elapsed > 0 && distance > 1 ? (elapsed / distance * 100_000).rounded() / 100 : nil,
      currentHR: random.percent(95) ? 120 + random.below(70) : nil, energyKcal: 0,
      cadence: 150 + random.below(40), state: state)
    let kinds: [LossKind] = [.lost, .twice, .late]
    steps.append(.snapshot(snapshot, random.percent(15) ? kinds[random.below(3)] : .arrives))
  }

  /// A script of every kind of trigger, with branches.
  static func script(policy: BranchPolicy) throws -> Script {
    let text = """
      {"branchPolicy": "\(policy.rawValue)", "grace": {"meters": 60, "seconds": 20}, "messages": [
        {"id": "km", "text": "a kilometre", "triggerSpec": {"type": "distance", "everyMeters": 150}},
        {"id": "early", "text": "we are off", "priority": 90, "triggerSpec": {"type": "distance", "atMeters": 30}},
        {"id": "late", "text": "four minutes", "triggerSpec": {"type": "time", "atSeconds": 240}},
        {"id": "half", "text": "half of it", "triggerSpec": {"type": "halfway"}},
        {"id": "near", "text": "nearly there", "triggerSpec": {"type": "near_finish", "remainingMeters": 200}},
        {"id": "hot", "text": "easy now", "triggerSpec":
          {"type": "fatigue_zone", "expression": "hr_zone >= 5", "branchKey": "tired", "cooldownSeconds": 60}},
        {"id": "tired", "text": "walk a little", "branchKey": "tired", "triggerSpec":
          {"type": "distance", "everyMeters": 200}},
        {"id": "fresh", "text": "that is quick", "triggerSpec":
          {"type": "condition", "expression": "pace_3min_ratio > 0.9 AND duration > 190", "branchKey": "fresh",
           "cooldownSeconds": 90}},
        {"id": "flow", "text": "you are flowing", "branchKey": "fresh", "playOnce": true, "triggerSpec":
          {"type": "condition", "expression": "cadence > 160 OR time_of_day_hour == 8"}}
      ]}
      """
    let node = try JSONParser.parse(text, dialect: .json)
    let collector = DiagnosticsCollector(file: "plot")
    guard let script = Script(JSONValueReader(node, into: collector)) else { throw collector.diagnostics }
    return script
  }

  static func setup(policy: BranchPolicy = .branched) throws -> PhoneNode.Setup {
    PhoneNode.Setup(
      seed: 3, startedAt: 1_776_000_000_000_000_000, utcOffsets: [WallHour.Offset(from: .start, seconds: 7_200)],
      plan: Plan(distance: 1_200, time: 400), script: try script(policy: policy), scriptSource: .scenario)
  }
}

extension PhoneWorld {
  /// Plays a run.
  mutating func play(_ plot: RunPlot) throws {
    for step in plot.steps {
      switch step {
      case .wait(let span): try advance(span)
      case .snapshot(let snapshot, let loss):
        let fate: Fate =
          switch loss {
          case .arrives: .arrives
          case .lost: .lost
          case .twice: .twice
          case .late: .late
          }
        try send(.liveMetrics(snapshot), fate)
      case .event(let event): try queue(event)
      case .link(let isUp): try link(isUp: isUp)
      case .command(let name, let arguments): try command(name, arguments)
      case .condition(let condition): try self.condition(condition)
      case .watchRestart: try restartWatch()
      case .note(let note):
        try sendFile(
          FileMetadata.voiceNote(note).encoded,
          bytes: VoiceNoteMetadata.audio(of: note.noteId, seconds: note.seconds).byteCount)
      }
    }
  }
}
