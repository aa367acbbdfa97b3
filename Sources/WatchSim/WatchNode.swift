package import CoachProtocol
package import Link

/// The watch: a workout host, its health store, voice notes, and one end of the link.
///
/// Combines machines and owns no rules. A restarted app continues from its record: it measures the current workout
/// again up to its last log entry, and then catches up.
package struct WatchNode: NodeMachine {
  /// A watch's configuration.
  package struct Setup: Sendable {
    package var seed: UInt64
    /// Nanoseconds since 1970 at the scenario's start.
    package var startedAt: Int64
    /// The motion of the run.
    package var source: AnyMotionSource
    /// When the watch starts a workout by itself; nil if the phone starts it.
    package var startsAt: VirtualTime?
    /// The duration of `preparing`.
    package var preparing: VirtualTime.Span
    /// How long a message waits for its reply.
    package var replyTimeout: VirtualTime.Span
    /// The planted bugs.
    package var plants: Plants
    /// The user's unit of length.
    package var unit = LengthUnit.kilometres
    /// Whether the platform syncs the health store to the phone.
    package var syncsHealth = false
    /// Whether the phone stores training sessions, and gets a report of each.
    package var reportsSessions = false
    /// Whether the start of a workout that is no run names its discipline, for a coach that accompanies runs alone.
    package var namesDisciplines = false
    /// How long background transfers wait before they are sent.
    package var backgroundDelay = BackgroundDelay.none
    /// The workouts after the first, in the order of their starts.
    package var later: [PlannedWorkout] = []

    package init(
      seed: UInt64, startedAt: Int64, source: AnyMotionSource, startsAt: VirtualTime? = .start,
      preparing: VirtualTime.Span = .seconds(3), replyTimeout: VirtualTime.Span = .seconds(10),
      plants: Plants = []
    ) {
      self.seed = seed
      self.startedAt = startedAt
      self.source = source
      self.startsAt = startsAt
      self.preparing = preparing
      self.replyTimeout = replyTimeout
      self.plants = plants
    }
  }

  let setup: Setup
  var clock: NodeClock
  var session: Session
  var host: WorkoutHost?
  var sentAt: SentAtClock
  var handshake: WatchStartHandshake
  /// The saved workouts.
  package internal(set) var health = HealthStore()
  /// The stored state with all changes ordered so far.
  var record: WatchRecord
  /// Changes that the turn's `appChange` items index, until the host collects them.
  var changes: [WatchChange] = []
  /// Cached text of the last published workout id.
  var workoutText = IdentifierText.none
  /// When the watch starts a workout by itself; nil once that is past.
  var startsAt: VirtualTime?
  /// The steps whose events the session refused, in order.
  var unannounced: [StepIndex]
  /// When they are retried without another cause; nil for never.
  var announceAt: VirtualTime?
  /// The current recording.
  var recording: VoiceRecording?
  /// When something about voice notes is due.
  var voiceDeadline: VirtualTime?
  var probes: ProbeTraffic
  var isAsleep = false
  /// When the app was started or resumed: nothing was due before.
  var awakeSince: VirtualTime
  /// Whether the workouts found at this start must still be passed to the platform.
  var owesHealth: Bool
  /// The restored workout whose stored state is still to be deleted; only by a planted bug.
  var restored: Identifier?
  var hostEffects: [HostEffect] = []

  /// Creates a watch whose app starts now.
  ///
  /// - Parameters:
  ///   - record: The stored session.
  ///   - app: The stored app state.
  ///   - startedAt: Now.
  package init(
    _ setup: Setup, record: SessionRecord = SessionRecord(), app: WatchRecord = WatchRecord(),
    startedAt now: VirtualTime = .start
  ) {
    self.setup = setup
    clock = NodeClock(startedAt: setup.startedAt)
    session = Session(
      Session.Configuration(
        role: .watch, replyTimeout: setup.replyTimeout, random: RandomStream(seed: setup.seed, name: "watch.session"),
        plants: setup.plants, backgroundDelay: setup.backgroundDelay),
      record: record)
    self.record = app
    startsAt = setup.pendingStart(app, at: now)
    sentAt = setup.plants.contains(.backwardStamps) ? SentAtClock() : SentAtClock(last: app.lastSentAt)
    handshake = WatchStartHandshake(settled: app.settled)
    unannounced = setup.plants.contains(.owedInMemory) ? [] : app.unannounced
    announceAt = unannounced.isEmpty ? nil : now
    awakeSince = now
    probes = ProbeTraffic(role: .watch, epoch: record.epoch)
    owesHealth = setup.syncsHealth
    recover(before: now)
    if setup.plants.contains(.zombieSession) { adoptEnded(at: now) }
    if setup.plants.contains(.recoveryInMemory) { restoreOnce() }
    recoverNotes(at: now)
    rememberHost()
    refreshVoiceDeadline()
    refreshDeadline()
  }

  /// Whether a workout was on and has ended.
  package internal(set) var isWorkoutOver = false
  package private(set) var nextDeadline: VirtualTime?
  /// The host's deadline, cached because reading it through an optional copies the whole host.
  var hostDeadline: VirtualTime?

  private mutating func refreshDeadline() {
    var next = session.nextDeadline ?? .distantFuture
    if !isAsleep {
      if let at = hostDeadline { next = min(next, at) }
      if startsAt != nil || announceAt != nil || voiceDeadline != nil { next = min(next, rareDeadline) }
    }
    nextDeadline = next == .distantFuture ? nil : next
  }

  /// The earliest deadline besides the workout's.
  private var rareDeadline: VirtualTime {
    max(
      awakeSince,
      min(startsAt ?? .distantFuture, announceAt ?? .distantFuture, voiceDeadline ?? .distantFuture))
  }

  package mutating func receive(_ input: NodeInput?, in turn: inout Turn) {
    let now = turn.now
    if owesHealth { syncHealth(in: &turn) }
    if restored != nil { forgetRestored(in: &turn) }
    switch input {
    case .link(let isUp):
      session.receiveLink(isUp: isUp, clock: clock.reading(at: now), in: &turn)
    case .frame(let frame):
      session.receive(frame, clock: clock.reading(at: now), in: &turn)
    case .uplink: break  // The phone's own.
    case .command(let command): carryOut(command, in: &turn)
    case .condition(let condition): apply(condition, in: &turn)
    case .page(let page): session.receive(page: page, in: &turn)
    case nil: fire(in: &turn)
    }
    if !turn.deliveries.isEmpty { handleDeliveries(in: &turn) }
    refreshDeadline()
  }

  private mutating func fire(in turn: inout Turn) {
    let now = turn.now
    if let at = session.nextDeadline, at <= now {
      session.fire(clock: clock.reading(at: now), in: &turn)
    }
    guard !isAsleep else { return }
    if startsAt != nil || announceAt != nil { fireRare(in: &turn) }
    if let at = hostDeadline, at <= now { fireHost(in: &turn) }
    if let at = voiceDeadline, at <= now {
      if let recording, recording.until <= now { finishRecording(at: now, now: now, in: &turn) }
      retryNotes(in: &turn)
    }
  }

  private mutating func fireHost(in turn: inout Turn) {
    let now = turn.now
    if setup.plants.contains(.pauseEnds), hasPausedLong(at: now) { endPaused(at: now) }
    host?.fire(at: now, watchClock: WatchTime(nanoseconds: clock.reading(at: now)), sentAt: &sentAt, into: &hostEffects)
    carryOutHostEffects(in: &turn)
  }

  /// Catches up with a workout whose seconds passed while the app was dead or asleep, before a press or an order is judged.
  mutating func catchUp(in turn: inout Turn) {
    // The host's own deadline only in the rare case: to read it copies the host.
    guard !isAsleep, let at = hostDeadline, at <= turn.now, let due = host?.nextDeadline, due < turn.now else { return }
    fireHost(in: &turn)
  }

  /// The identifier of the workout that is planned for an instant, the last one whose time has come; the first has number 1.
  func plannedWorkoutId(at now: VirtualTime) -> Identifier {
    let number = 1 + setup.later.count { $0.at <= now }
    return Identifier(RandomStream(seed: setup.seed, name: "watch.workout"), for: UInt64(number))
  }

  private mutating func fireRare(in turn: inout Turn) {
    let now = turn.now
    if let at = announceAt, at <= now { announceOwed(in: &turn) }
    if let at = startsAt, at <= now {
      catchUp(in: &turn)
      if host == nil || host?.state == .ended {
        begin(plannedWorkoutId(at: now), cause: .scenario, in: &turn)
      } else {
        startsAt = setup.nextStart(after: now)
        if !setup.later.isEmpty { refuse("startWorkout", why: "a workout is on", in: &turn) }
      }
    }
  }

  // MARK: What is kept

  /// Adds a change to the transaction that the next commit closes.
  mutating func persist(_ change: WatchChange, in turn: inout Turn) {
    record.apply(change)
    turn.items.append(.appChange(changes.count))
    changes.append(change)
  }

  package mutating func takeChanges() -> [WatchChange] {
    guard !changes.isEmpty else { return [] }
    defer { changes.removeFew() }
    return changes
  }

  package mutating func takeChanges(into others: inout [WatchChange]) {
    guard !others.isEmpty else { return swap(&changes, &others) }
    others += changes
    changes.removeFew()
  }
}

extension WatchNode: HostedNode {
  package mutating func readGlance() -> NodeGlance {
    NodeGlance(nextDeadline: nextDeadline, isWorkoutOver: isWorkoutOver)
  }

  package typealias Record = WatchRecord
}

/// Changes of the watch's device and of the phone's.
extension WatchNode {
  mutating func apply(_ condition: NodeCondition, in turn: inout Turn) {
    let now = turn.now
    switch condition {
    case .clock(let offset, let driftPPM): return clock.set(offset: offset, driftPPM: driftPPM, at: now)
    case .suspended: isAsleep = true
    case .resumed:
      isAsleep = false
      awakeSince = now
      if setup.plants.contains(.zombieSession) { adoptEnded(at: now) }
      rememberHost()
      refreshVoiceDeadline()
      if !unannounced.isEmpty { announceAt = now }
    case .peer, .peerInstalled, .peerLocked, .disk, .quirk, .runEnds, .messagesLaunchPeer, .launchedByMessage,
      .sendsFail, .unknown:
      break
    }
    session.receive(condition: condition, clock: clock.reading(at: now), in: &turn)
    switch condition {
    case .disk(isFull: false), .peerInstalled(true):
      guard !isAsleep else { break }
      if !unannounced.isEmpty { announceOwed(in: &turn) }
      if !record.notes.isEmpty { retryNotes(isForced: true, in: &turn) }
    default: break
    }
  }
}

/// Commands of users and the system on the watch.
extension WatchNode {
  mutating func carryOut(_ command: NodeCommand, in turn: inout Turn) {
    let now = turn.now
    // Users cannot tap an app that is not on the screen.
    if isAsleep { return refuse(command.name, why: "the app sleeps", in: &turn) }
    switch command.name {
    case "start": carryOutStart(in: &turn)
    case "pause", "resume", "end": carryOutOnWorkout(command, in: &turn)
    case "talk": carryOutTalk(command, in: &turn)
    case "cancelTalk": carryOutCancelTalk(command, in: &turn)
    case "sendAgain": sendAgain(command, in: &turn)
    case GhostCommand.word: carryOutGhost(command, in: &turn)
    default:
      guard
        probes.carryOut(command, through: &session, clock: clock.reading(at: now), in: &turn)
      else { return refuse(command.name, why: "the watch knows no such command", in: &turn) }
      if !record.notes.isEmpty { voiceNotesWithdrawn(in: &turn) }
    }
  }

  /// Starts the planned workout: one tap on the complication.
  private mutating func carryOutStart(in turn: inout Turn) {
    catchUp(in: &turn)
    guard host == nil || host?.state == .ended else { return refuse("start", why: "a workout is on", in: &turn) }
    begin(plannedWorkoutId(at: turn.now), cause: .scenario, in: &turn)
  }

  private mutating func carryOutOnWorkout(_ command: NodeCommand, in turn: inout Turn) {
    let now = turn.now
    let cause: WorkoutCause = command.argument("cause") == .string("duration") ? .duration : .scenario
    // At the end of the scenario no further workout starts.
    if cause == .duration, host != nil { startsAt = nil }
    guard host != nil else {
      // Pressed before the run's first workout, it takes back that start; a later one is another plan.
      let isFirst = startsAt == setup.startsAt && !record.isStartUsed
      if command.name == "end", let at = startsAt, isFirst || cause == .duration {
        startsAt = cause == .duration ? nil : setup.nextStart(after: at)
        persist(.startUsed, in: &turn)
        turn.items.append(.commit)
      }
      return refuse(command.name, why: "no workout is on", in: &turn)
    }
    if cause == .duration, host?.state == .ended, !setup.later.isEmpty { return rememberHost() }
    let time = WatchTime(nanoseconds: clock.reading(at: now))
    switch command.name {
    case "pause": host?.pause(cause: cause, at: now, watchClock: time, sentAt: &sentAt, into: &hostEffects)
    case "resume": host?.resume(cause: cause, at: now, watchClock: time, sentAt: &sentAt, into: &hostEffects)
    default: host?.end(cause: cause, at: now, watchClock: time, sentAt: &sentAt, into: &hostEffects)
    }
    carryOutHostEffects(in: &turn)
  }

  func refuse(_ kind: String, why: String, in turn: inout Turn) {
    turn.record(CommandRefused.self, on: .watch) {
      $0.kind = kind
      $0.why = why
    }
  }
}
