package import CoachProtocol
package import Link

/// The phone: live metrics, belief, script, audio, voice notes, coach, and one end of the link.
///
/// Combines machines and owns no rules. What must survive a restart leaves as ``PhoneChange``s in the same turn as
/// its effects; a phone created from the record of all committed changes continues where the last commit was.
package struct PhoneNode: NodeMachine {
  let setup: Setup
  var clock: NodeClock
  var session: Session
  var consumer: LiveMetricsConsumer
  var engine: ScriptEngine
  var audio: AudioQueue
  var voice: VoiceNotes
  var coach: CloudCoach
  var probes: ProbeTraffic
  var hour: WallHour
  /// Whether an undecodable event blocks the queue; only by a planted bug.
  var isJammed = false
  /// While true, nothing is dispatched.
  var isDiskFull = false
  /// Whether the app is suspended: its session runs, its timers do not.
  var isSuspended = false
  /// Nil if the app does not read the health store.
  var health: HealthReader?
  /// Reassembles answers of the health store that come in parts.
  var healthParts = HealthFrames.Assembly()
  /// What the phone's health store has; nil if no part of the app asks for more than workouts.
  var healthStore: PhoneHealth?
  /// The store that the daily totals read instead; only by a planted bug.
  var secondStore: PhoneHealth?
  /// Nil if the app ingests no Apple data.
  var ingestion: Ingestion?
  /// Nil if the app stores no meals.
  var daily: DailySync?
  /// Nil if the app stores no training sessions.
  var training: TrainingBook?
  /// Nil without a second phone.
  var cloud: TrainingCloud?
  /// Decisions about runs for the list of runs, processed at the end of the input.
  var runListDecisions: [RunDecision] = []
  /// Decisions of the script that are not carried out yet; empty between inputs, for its capacity.
  var decisions: [ScriptDecision] = []
  /// Events of the audio queue that are not carried out yet; likewise.
  var audioEvents: [any TraceEventKind] = []
  /// Work for the first input; nil once done.
  private(set) var pendingStart: PendingStart?
  /// Changes that the turn's `appChange` items index, until the host collects them.
  var changes: [PhoneChange] = []
  /// Cached text of the last snapshot's workout id.
  var workoutText = IdentifierText.none

  /// What a restart must complete.
  struct PendingStart: Sendable {
    var isScriptLoaded: Bool
    /// The text of the setup's script, if it is in force and computed.
    var scriptText: String?
    var wasSpeaking: Bool
    /// A note whose recording the restart interrupted.
    var recording: Identifier?
    var transcriptions: [PendingTranscription]
  }

  /// Creates a phone whose app starts now.
  ///
  /// - Parameters:
  ///   - record: The stored session; its epoch is the new one.
  ///   - app: The stored app state.
  ///   - now: When it starts; silence of the watch counts from here.
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
    engine = ScriptEngine(
      script: app.script?.script ?? (setup.asksForScript ? nil : setup.script), plan: setup.plan,
      maximumHeartRate: setup.maximumHeartRate ?? DerivedValues.maximumHeartRateDefault,
      plants: setup.plants)
    engine.restore(app.position, trail: app.trail, replies: app.waitingReplies)
    voice = VoiceNotes(setup, restoring: app)
    coach = CloudCoach(setup, restoring: app, epoch: record.epoch, script: engine.script)
    if setup.syncsHealth { health = HealthReader(restoring: app.runs, model: setup.modelRow) }
    if setup.asksHealthStore {
      healthStore = PhoneHealth(
        seed: setup.seed, startedAt: setup.startedAt, offsets: setup.utcOffsets, ingestion: setup.ingestion)
      // Planted: the daily totals have a store of their own.
      if setup.plants.contains(.secondAthlete) { secondStore = setup.secondStore }
    }
    if let apple = setup.ingestion {
      ingestion = Ingestion(
        seed: setup.seed, setup: apple, restoring: app.ingestion, plants: setup.plants, startedAt: now,
        runStartedAt: setup.startedAt, zone: LocalOffsets(startedAt: setup.startedAt, setup.utcOffsets))
      ingestion?.isHealthKnown = false
    }
    if let meals = setup.daily {
      daily = DailySync(
        seed: setup.seed, setup: meals, startedAt: setup.startedAt, offsets: setup.utcOffsets, restoring: app.daily,
        plants: setup.plants, at: now)
      daily?.isHealthKnown = false
    }
    if let sessions = setup.training {
      training = TrainingBook(
        seed: setup.seed, setup: sessions, restoring: app.training, plants: setup.plants,
        phone: sessions.sync == nil ? nil : 1)
      if let sync = sessions.sync {
        cloud = TrainingCloud(
          seed: setup.seed, setup: sessions, sync: sync, restoring: app.secondTraining, plants: setup.plants)
      }
    }
    // At most one utterance began for each played line, so numbers stay unique.
    audio = AudioQueue(
      utteranceFirst: app.played.count + 1, isMuted: app.state.isMuted, isInterrupted: app.state.isAudioTaken)
    audio.voice = Self.voice(of: setup, app.state)
    hasChosenVoice = app.state.voice != nil
    hour = WallHour(startedAt: setup.startedAt, offsets: setup.utcOffsets)
    probes = ProbeTraffic(role: .phone, epoch: record.epoch)
    pendingStart = PendingStart(
      isScriptLoaded: app.state.isScriptLoaded, scriptText: app.script == nil ? setup.scriptText : nil,
      wasSpeaking: !app.unheard.isEmpty, recording: app.state.recording, transcriptions: app.transcriptions)
    nextDeadline = now
  }

  package private(set) var nextDeadline: VirtualTime?
  /// Whether the user chose the coach's voice.
  var hasChosenVoice: Bool

  private mutating func refreshDeadline(at now: VirtualTime) {
    var next = session.nextDeadline ?? .distantFuture
    if !isSuspended {
      // By index: a copy of a part retains all that its functions refer to.
      for index in PhonePart.all.indices {
        if let at = PhonePart.all[index].nextDeadline(&self) { next = min(next, at) }
      }
    }
    // Deadlines missed during suspension or absence are due now.
    nextDeadline = next == .distantFuture ? nil : max(next, now)
  }

  package mutating func receive(_ input: NodeInput?, in turn: inout Turn) {
    let now = turn.now
    if pendingStart != nil { begin(in: &turn) }
    switch input {
    case .frame(let frame) where frame.channel == .http: receiveUplink(frame, in: &turn)
    case .frame(let frame) where frame.channel == .health: receiveHealth(frame, in: &turn)
    case .frame(let frame):
      session.receive(frame, clock: clock.reading(at: now), in: &turn)
    case nil: fire(in: &turn)
    case .link(let isUp):
      session.receiveLink(isUp: isUp, clock: clock.reading(at: now), in: &turn)
    case .uplink(let isUp): receiveUplinkNotice(isUp: isUp, in: &turn)
    case .command(let command): carryOut(command, in: &turn)
    case .condition(let condition): apply(condition, in: &turn)
    case .page(let page): session.receive(page: page, in: &turn)
    }
    if !turn.deliveries.isEmpty { handleDeliveries(in: &turn) }
    if audio.isRunOn != consumer.hasRun { updateAudio(.run(isOn: consumer.hasRun), in: &turn) }
    if setup.hasEdge { finishInput(in: &turn) }
    if !runListDecisions.isEmpty { updateRunList(in: &turn) }
    refreshDeadline(at: now)
  }

  /// Completes a start before the first input is handled.
  private mutating func begin(in turn: inout Turn) {
    let now = turn.now
    guard let pendingStart else { return }
    if !pendingStart.isScriptLoaded, let script = engine.script {
      if setup.race != nil { prepareRace(script, in: &turn) }
      commit(.scriptLoaded, in: &turn)
      turn.record(script.loadedEvent(source: setup.scriptSource, text: pendingStart.scriptText, at: now))
    }
    // Lines cut off by the restart are not repeated: their positions have passed. No event, since none was observed.
    if pendingStart.wasSpeaking { commit(.silenced, in: &turn) }
    for part in PhonePart.all { part.begin?(&self, &turn) }
    self.pendingStart = nil
  }

  private mutating func fire(in turn: inout Turn) {
    let now = turn.now
    if let at = session.nextDeadline, at <= now {
      session.fire(clock: clock.reading(at: now), in: &turn)
    }
    guard !isSuspended else { return }
    for index in PhonePart.all.indices {
      let isDue = PhonePart.all[index].nextDeadline(&self).map { $0 <= now } ?? false
      if isDue || PhonePart.all[index].followsOthers { PhonePart.all[index].fire(&self, &turn) }
    }
  }

  // MARK: Durable changes

  package mutating func takeChanges() -> [PhoneChange] {
    defer { changes = [] }
    return changes
  }

  package mutating func takeChanges(into others: inout [PhoneChange]) {
    guard !others.isEmpty else { return swap(&changes, &others) }
    others.append(contentsOf: changes)
    changes.removeFew()
  }

  /// Adds a change to the transaction that the next commit closes.
  mutating func persist(_ change: RareChange, in turn: inout Turn) { changes.persist(change, in: &turn) }

  /// Adds a change and closes the transaction.
  mutating func commit(_ change: RareChange, in turn: inout Turn) { changes.commit(change, in: &turn) }

  // MARK: The device

  private mutating func apply(_ condition: NodeCondition, in turn: inout Turn) {
    let now = turn.now
    switch condition {
    case .clock(let offset, let driftPPM): return clock.set(offset: offset, driftPPM: driftPPM, at: now)
    case .suspended: isSuspended = true
    case .resumed:
      isSuspended = false
      // Before waiting messages are delivered.
      consumer.phoneResumed(at: now)
      coach.replyCheckAt = nil
    case .disk(let isFull):
      isDiskFull = isFull
      ingestion?.isDiskFull = isFull
      daily?.isDiskFull = isFull
      voice.setDiskFull(isFull, at: now)
    case .peer, .peerInstalled, .peerLocked, .quirk, .runEnds, .messagesLaunchPeer, .launchedByMessage, .sendsFail,
      .unknown:
      break  // The session's business.
    }
    session.receive(condition: condition, clock: clock.reading(at: now), in: &turn)
    if !isDiskFull, !isSuspended { handleFiles(in: &turn) }
  }
}

extension PhoneNode: HostedNode {
  package mutating func readGlance() -> NodeGlance { NodeGlance(nextDeadline: nextDeadline, isWorkoutOver: false) }

  package typealias Record = PhoneRecord
  package var isWorkoutOver: Bool { false }
}

extension PhoneNode {
  /// A phone's configuration.
  package struct Setup: Sendable {
    package var seed: UInt64
    /// Nanoseconds since 1970 at the scenario's start.
    package var startedAt: Int64
    /// The time zone's offsets from UTC, as far back as they are known.
    package var utcOffsets: [WallHour.Offset]
    package var plan: Plan
    package var script: Script
    /// The ``Script/canonicalText`` of ``script``, if already computed.
    package var scriptText: String?
    package var scriptSource: ScriptSource
    /// The memory's `hr.max`; nil if unknown.
    package var maximumHeartRate: Int?
    /// Facts stated by the athlete, by key.
    package var memory: [JSONMember] = []
    /// Whether the run has an edge.
    package var hasEdge = false
    /// Whether only runs have a script, since the scenario has workouts of other disciplines.
    package var coachesRunsOnly = false
    package var syncsHealth = false
    /// Nil if the coach has one voice, the standard one.
    package var voice: VoiceSetup?
    /// Nil if the app ingests no Apple data.
    package var ingestion: IngestionSetup?
    /// Nil if the app stores no meals.
    package var daily: DailySetup?
    /// Nil if the app stores no training sessions.
    package var training: TrainingSetup?
    /// The athlete's remarks about the run.
    package var remarks = RunRemarks()
    /// The race to be run, if any.
    package var race: RaceSetup?
    /// How long a message waits for its reply.
    package var replyTimeout: VirtualTime.Span
    /// How long background transfers wait before they are sent.
    package var backgroundDelay = BackgroundDelay.none
    package var runType: RunType
    package var mode: RunMode
    package var personality: String
    /// The planted bugs.
    package var plants: Plants

    /// Whether a part of the app asks the health store for more than workouts.
    package var asksHealthStore: Bool { ingestion != nil || daily != nil }

    /// Whether scripts are requested from the edge: if the scenario has none, and never in a race.
    var asksForScript: Bool {
      hasEdge && (mode == .race ? plants.contains(.raceNoSignal) : scriptSource == .fallback)
    }

    package init(
      seed: UInt64, startedAt: Int64, utcOffsets: [WallHour.Offset] = [], plan: Plan, script: Script,
      scriptSource: ScriptSource, maximumHeartRate: Int? = nil, replyTimeout: VirtualTime.Span = .seconds(10),
      runType: RunType = .outdoor, mode: RunMode = .training, personality: String = FallbackScript.personalityDefault,
      plants: Plants = []
    ) {
      self.seed = seed
      self.startedAt = startedAt
      self.utcOffsets = utcOffsets
      self.plan = plan
      self.script = script
      self.scriptSource = scriptSource
      self.maximumHeartRate = maximumHeartRate
      self.replyTimeout = replyTimeout
      self.runType = runType
      self.mode = mode
      self.personality = personality
      self.plants = plants
    }
  }
}

/// Carries out the script's decisions.
extension PhoneNode {
  /// Stores the changes of the script position beyond those in the snapshot's own change.
  mutating func persistPosition(isNewScript: Bool, in turn: inout Turn) {
    if isNewScript {
      // The first evaluation under a new script ends the due stretches of lines it lacks.
      persist(.position(engine.position), in: &turn)
    } else {
      for entry in engine.changedEntries { persist(.line(entry), in: &turn) }
    }
  }

  /// Commits the decisions of an evaluation, records them, and only then speaks.
  mutating func carryOutScript(of runId: Identifier, in turn: inout Turn) {
    let now = turn.now
    var spoken: (message: String, words: Int)?
    for decision in decisions {
      switch decision {
      case .dispatch(let line, let words):
        spoken = (line.message, words)
        persist(.played(PlayedMessage(messageId: line.message, playedAt: now, runId: runId)), in: &turn)
        if setup.hasEdge { coach.recordSpoken(line, of: engine.script, &changes, in: &turn) }
      case .branch(_, let branch, _): persist(.branch(branch), in: &turn)
      case .expired(let line) where line.trigger == ScriptEngine.replyTrigger:
        coach.settleReply(line.message, playedAt: nil, &changes, in: &turn)
      case .expired, .skipped: break
      }
    }
    turn.items.append(.commit)
    if turn.isRecording { for decision in decisions { turn.record(decision.event(at: now)) } }
    decisions.removeAll(keepingCapacity: true)
    if let spoken {
      turn.items.append(.crashPoint(.dispatchCommitted))
      speak(spoken.message, words: spoken.words, in: &turn)
    }
  }

  private mutating func speak(_ message: String, words: Int, in turn: inout Turn) {
    updateAudio(.dispatched(message: message, words: words), in: &turn)
    let notice = AppMessage.companionMessageDispatched(
      CompanionMessageDispatched(messageId: message, sentAt: PhoneTime(nanoseconds: clock.reading(at: turn.now))))
    if setup.race != nil { tap(for: message, in: &turn) }
    if setup.plants.contains(.companionEcho) { return queueNotice(notice, in: &turn) }
    session.sendMessage(notice.encoded, kind: notice.kind.rawValue, in: &turn)
  }
}
