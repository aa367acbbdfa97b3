import CoachProtocol
package import Link

/// The phone: live metrics, belief, script, audio, voice notes, and one end of the link.
///
/// Composes machines and owns no rule of its own. What its app must not forget goes out as ``PhoneChange``s with the
/// input that made it so, and a phone made from the record of all of them goes on where the last commit was.
package struct PhoneNode: NodeMachine {
  let setup: Setup
  var clock: NodeClock
  var session: Session
  var consumer: LiveMetricsConsumer
  var engine: ScriptEngine
  var audio: AudioQueue
  var recorder = VoiceRecorder()
  var transcriber = Transcriber()
  var probes: ProbeTraffic
  var hour: WallHour
  /// Names of the notes that are kept: a second copy of one has no effect.
  var noteIds: Set<Identifier>
  /// Files that came while there was no room for their rows, in order.
  var waitingFiles: [(entry: InboxEntry, offer: FileOffer)] = []
  /// Whether an event that could not be read holds up the queue: only a planted phone lets it.
  var isJammed = false
  /// Whether the disk is full: nothing is said then, and no note is kept.
  var isDiskFull = false
  /// Whether the app sleeps: its session works on, its timers do not.
  var isSuspended = false
  /// The way to the edge; nil where there is none.
  var uplink: UplinkClient?
  /// What is asked of the edge.
  var ai: AIClient
  /// What is known of the runner.
  var memory: MemoryStore
  /// What questions tell of the run.
  var diary = RunDiary()
  /// The script that was made last for a run; nil where none was.
  var keptScript: Script?
  /// What the replies say that wait to be spoken.
  var replyTexts: [(id: Identifier, text: String)] = []
  /// When replies are looked at next by the phone's timers; nil while they are not.
  var replyLookAt: VirtualTime?
  /// When they last were.
  var lastReplyLook: VirtualTime?
  /// When the handshake is to go on; nil while it waits for nothing.
  var startDeadline: VirtualTime?
  /// Reads workouts from the health store; nil where nothing is read.
  var health: HealthReader?
  /// An answer of the health store that comes in parts.
  var healthParts = HealthFrames.Assembly()
  /// What was decided about runs and concerns the list of runs, once the input is carried out.
  var healthWords: [RunDecision] = []
  /// What was decided about runs and may call for a question, once the input is carried out.
  var asks: [RunDecision] = []
  var deliveries: [SessionDelivery] = []
  var decisions: [ScriptDecision] = []
  var sounds: [AudioEffect] = []
  /// What is to be done at the first input; nil once it was.
  private var beginning: Beginning?
  /// What the `appChange` items of the output stand for, since the host last took it.
  var changes: [PhoneChange] = []
  /// The text of the workout that was heard of last, in a snapshot.
  var heardWorkout = IdentifierText.none

  /// What a start has to catch up with.
  private struct Beginning: Sendable {
    var isScriptLoaded: Bool
    var wasSpeaking: Bool
    /// A note that was being recorded when the process ended.
    var recording: Identifier?
    var transcriptions: [PendingTranscription]
  }

  /// Creates a phone whose app starts now.
  ///
  /// - Parameters:
  ///   - record: What its session kept; its epoch is the one that begins.
  ///   - app: What its app kept.
  ///   - now: When it starts: silence of the watch is counted from here.
  package init(
    _ setup: Setup, record: SessionRecord = SessionRecord(), app: PhoneRecord = PhoneRecord(),
    startedAt now: VirtualTime = .start
  ) {
    self.setup = setup
    clock = NodeClock(startedAt: setup.startedAt)
    session = Session(
      Session.Configuration(
        role: .phone, replyTimeout: setup.replyTimeout, random: RandomStream(seed: setup.seed, name: "phone.session"),
        plants: setup.plants, backgroundDelay: setup.backgroundDelay),
      record: record)
    consumer = LiveMetricsConsumer(restoring: app.consumer, startedAt: now, plants: setup.plants)
    if !setup.plants.contains(.startLost) { startDeadline = app.consumer.start.nextDeadline }
    keptScript = app.script?.script
    engine = ScriptEngine(
      script: keptScript ?? (setup.asksForScript ? nil : setup.script), plan: setup.plan,
      maximumHeartRate: setup.maximumHeartRate ?? DerivedValues.maximumHeartRateDefault,
      plants: setup.plants)
    engine.restore(app.position, trail: app.trail, replies: app.waitingReplies)
    ai = AIClient(seed: setup.seed, personality: setup.personality, plan: setup.plan, restoring: app.ai)
    memory = MemoryStore(seed: setup.seed, restoring: app.memory)
    if setup.hasEdge {
      uplink = UplinkClient(epoch: record.epoch)
      diary = RunDiary(app, script: engine.script)
      replyTexts = app.waitingReplies.compactMap { waiting in
        app.replies.first { $0.id == waiting.id }.map { ($0.id, $0.text) }
      }
    }
    if setup.syncsHealth { health = HealthReader(restoring: app.runs, model: setup.modelRow) }
    // No more utterances than played lines can have begun, so that a number is not given twice.
    audio = AudioQueue(
      utteranceFirst: app.played.count + 1, isMuted: app.isMuted, isInterrupted: app.isSoundTaken)
    hour = WallHour(startedAt: setup.startedAt, offsets: setup.utcOffsets)
    probes = ProbeTraffic(role: .phone, epoch: record.epoch)
    noteIds = Set(app.voiceNotes.map(\.id))
    beginning = Beginning(
      isScriptLoaded: app.isScriptLoaded, wasSpeaking: !app.unheard.isEmpty, recording: app.recording,
      transcriptions: app.transcriptions)
    nextDeadline = now
  }

  package private(set) var nextDeadline: VirtualTime?

  private mutating func noteDeadlines(at now: VirtualTime) {
    var next = session.nextDeadline ?? .distantFuture
    if !isSuspended {
      if let at = consumer.nextDeadline { next = min(next, at) }
      if let at = startDeadline { next = min(next, at) }
      if let at = audio.nextDeadline { next = min(next, at) }
      if let at = recorder.nextDeadline { next = min(next, at) }
      if let at = transcriber.nextDeadline { next = min(next, at) }
      if setup.hasEdge {
        if let at = uplink?.nextDeadline { next = min(next, at) }
        if let at = ai.nextDeadline { next = min(next, at) }
        if let at = replyLookAt { next = min(next, at) }
      }
      if setup.syncsHealth, let at = health?.nextDeadline { next = min(next, at) }
    }
    // What came due while the app slept, or was not there, is due now.
    nextDeadline = next == .distantFuture ? nil : max(next, now)
  }

  package mutating func receive(_ input: NodeInput?, at now: VirtualTime, into output: inout NodeOutput) {
    if beginning != nil { begin(at: now, into: &output) }
    switch input {
    case .frame(let frame) where frame.channel == .http: take(answer: frame, at: now, into: &output)
    case .frame(let frame) where frame.channel == .health: take(health: frame, at: now, into: &output)
    case .frame(let frame):
      session.receive(frame, clock: clock.reading(at: now), at: now, into: &output, delivering: &deliveries)
    case nil: fire(at: now, into: &output)
    case .link(let isUp):
      session.receiveLink(
        isUp: isUp, clock: clock.reading(at: now), at: now, into: &output, delivering: &deliveries)
    case .uplink(let isUp): take(uplinkIsUp: isUp, at: now, into: &output)
    case .command(let command): carryOut(command, at: now, into: &output)
    case .condition(let condition): take(condition, at: now, into: &output)
    case .page(let page): session.receive(page: page, at: now, into: &output, delivering: &deliveries)
    }
    if !deliveries.isEmpty { takeDeliveries(at: now, into: &output) }
    if setup.hasEdge { askAndLook(at: now, into: &output) }
    if !healthWords.isEmpty { readDecided(at: now, into: &output) }
    noteDeadlines(at: now)
  }

  /// Does what a start has to do before anything else.
  private mutating func begin(at now: VirtualTime, into output: inout NodeOutput) {
    guard let beginning else { return }
    self.beginning = nil
    if !beginning.isScriptLoaded, let script = engine.script {
      if setup.race != nil { prepareRace(script, into: &output) }
      commit(.scriptLoaded, into: &output)
      if output.isRecording {
        let text = keptScript == nil ? setup.scriptText : nil
        output.record(script.loadedEvent(source: setup.scriptSource, text: text, at: now))
      }
    }
    // Nobody heard them end, and a line about where the runner was is not said again: no line of the trace either.
    if beginning.wasSpeaking { commit(.silenced, into: &output) }
    if let noteId = beginning.recording {
      output.items.append(.file(.remove(VoiceNote.audioFileName(noteId))))
      commit(.recordingEnded, into: &output)
    }
    for note in beginning.transcriptions { transcriber.begin(note, at: now) }
    if setup.plants.contains(.halfFile) { listHalfFile(at: now, into: &output) }
    if setup.hasEdge { beginAI(at: now, into: &output) }
    if setup.syncsHealth { readHealth(.began, at: now, into: &output) }
  }

  private mutating func fire(at now: VirtualTime, into output: inout NodeOutput) {
    if let at = session.nextDeadline, at <= now {
      session.fire(clock: clock.reading(at: now), at: now, into: &output, delivering: &deliveries)
    }
    guard !isSuspended else { return }
    if let at = consumer.nextDeadline, at <= now, consumer.fire(at: now, into: &output) {
      commit(.consumer(consumer.record), into: &output)
    }
    if let at = startDeadline, at <= now { changeStart(at: now, into: &output) { $0.fire(at: now) } }
    if let at = audio.nextDeadline, at <= now { sound(nil, at: now, into: &output) }
    if let at = recorder.nextDeadline, at <= now { finishRecording(at: now, into: &output) }
    if let at = transcriber.nextDeadline, at <= now { finishTranscriptions(at: now, into: &output) }
    if setup.hasEdge { fireAI(at: now, into: &output) }
    if setup.syncsHealth, let at = health?.nextDeadline, at <= now { readHealth(nil, at: now, into: &output) }
  }

  // MARK: Durable changes

  /// Empties the list that the output's `appChange` items point into.
  package mutating func takeChanges() -> [PhoneChange] {
    defer { changes = [] }
    return changes
  }

  package mutating func takeChanges(into others: inout [PhoneChange]) {
    guard !others.isEmpty else { return swap(&changes, &others) }
    others.append(contentsOf: changes)
    changes.removeFew()
  }

  /// Makes a change part of the transaction that the next commit closes.
  mutating func keep(_ change: RareChange, into output: inout NodeOutput) { keep(.rare(change), into: &output) }

  /// Makes one change durable by itself, or with those that are kept already.
  mutating func commit(_ change: RareChange, into output: inout NodeOutput) {
    keep(change, into: &output)
    output.items.append(.commit)
  }

  /// Makes a change of any kind part of the transaction that the next commit closes.
  @inline(__always)
  mutating func keep(_ change: PhoneChange, into output: inout NodeOutput) {
    output.items.append(.appChange(changes.count))
    changes.append(change)
  }

  // MARK: The device

  private mutating func take(_ condition: NodeCondition, at now: VirtualTime, into output: inout NodeOutput) {
    switch condition {
    case .clock(let offset, let driftPPM): return clock.set(offset: offset, driftPPM: driftPPM, at: now)
    case .suspended: isSuspended = true
    case .resumed:
      isSuspended = false
      // Before anything that waited is handed over.
      consumer.phoneResumed(at: now)
      replyLookAt = nil
    case .disk(let isFull):
      isDiskFull = isFull
      if isFull { transcriber.hold() } else { transcriber.release(at: now) }
    case .peer, .peerInstalled, .peerLocked, .quirk, .runEnds, .messagesLaunchPeer, .launchedByMessage, .unknown:
      break  // The session's business.
    }
    session.receive(
      condition: condition, clock: clock.reading(at: now), at: now, into: &output, delivering: &deliveries)
    if !isDiskFull, !waitingFiles.isEmpty { takeWaitingFiles(at: now, into: &output) }
  }
}

extension PhoneNode: HostedNode {
  package mutating func readGlance() -> NodeGlance { NodeGlance(nextDeadline: nextDeadline, isWorkoutOver: false) }

  package typealias Record = PhoneRecord
  /// The phone has no workout of its own.
  package var isWorkoutOver: Bool { false }
}
