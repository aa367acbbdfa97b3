import CoachProtocol
package import Link

/// The watch: a workout host, its health store, voice notes, and one end of the link.
///
/// Composes machines and owns no rule of its own. An app that is started anew goes on with what its record says:
/// the workout that was on is measured again up to its last entry, and what came since is caught up with at once.
package struct WatchNode: NodeMachine {
  /// What a watch is set up with.
  package struct Setup: Sendable {
    /// The run's seed.
    package var seed: UInt64
    /// Nanoseconds since 1970 at the scenario's start.
    package var startedAt: Int64
    /// Where the run comes from.
    package var source: AnyMotionSource
    /// When the watch begins a workout by itself; nil when the phone starts it.
    package var startsAt: VirtualTime?
    /// How long `preparing` takes.
    package var preparing: VirtualTime.Span
    /// How long a message waits for its reply.
    package var replyTimeout: VirtualTime.Span
    /// What it does wrong on purpose.
    package var plants: Plants
    /// Whether the platform brings what the health store has to the phone.
    package var syncsHealth = false
    /// How long what goes in the background waits before it is sent.
    package var backgroundDelay = BackgroundDelay.none

    /// Creates a set-up.
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
  var handshake: StartHandshake
  /// What the watch has saved for good.
  package internal(set) var health = HealthStore()
  /// What is kept, with every change ordered so far.
  var record: WatchRecord
  /// What the `appChange` items of the output stand for, since the host last took it.
  var changes: [WatchChange] = []
  /// The line of the snapshot published last.
  var snapshotLine = ReusedLine(.snapshot)
  /// The text of the workout that was published last.
  var saidWorkout = IdentifierText.none
  /// When the watch begins a workout by itself; nil once that is past.
  var startsAt: VirtualTime?
  /// The steps whose events the session would not take, in order.
  var unannounced: [StepPlace]
  /// When they are tried again without a reason from outside; nil for not.
  var announceAt: VirtualTime?
  /// The voice note that is being recorded.
  var recording: VoiceRecording?
  /// When something about voice notes is due.
  var voiceDeadline: VirtualTime?
  var probes: ProbeTraffic
  /// Whether the app sleeps.
  var isAsleep = false
  /// When the app was started, or went on: nothing of it was due before.
  var awakeSince: VirtualTime
  /// Whether the workouts that this start found are still to be handed to the platform.
  var owesHealth: Bool
  var hostEffects: [HostEffect] = []
  var deliveries: [SessionDelivery] = []

  /// Creates a watch whose app starts now.
  ///
  /// - Parameters:
  ///   - record: What the session's store held.
  ///   - app: What the app's store held.
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
    startsAt = app.isStartUsed ? nil : setup.startsAt
    sentAt = SentAtClock(last: app.lastSentAt)
    handshake = StartHandshake(settled: app.settled)
    unannounced = app.unannounced
    announceAt = unannounced.isEmpty ? nil : now
    awakeSince = now
    probes = ProbeTraffic(role: .watch, epoch: record.epoch)
    owesHealth = setup.syncsHealth
    recover(before: now)
    if setup.plants.contains(.zombieSession) { adoptEnded(at: now) }
    recoverNotes(at: now)
    noteHost()
    noteVoice()
    noteDeadlines()
  }

  /// Whether a workout was on and has ended.
  package internal(set) var isWorkoutOver = false
  package private(set) var nextDeadline: VirtualTime?
  /// The host's deadline: kept beside it, because reading it through an optional copies the whole host.
  var hostDeadline: VirtualTime?

  private mutating func noteDeadlines() {
    var next = session.nextDeadline ?? .distantFuture
    if !isAsleep {
      if let at = hostDeadline { next = min(next, at) }
      if startsAt != nil || announceAt != nil || voiceDeadline != nil { next = min(next, rareDeadline) }
    }
    nextDeadline = next == .distantFuture ? nil : next
  }

  /// The soonest of what the app waits for beside its workout.
  private var rareDeadline: VirtualTime {
    max(
      awakeSince,
      min(startsAt ?? .distantFuture, announceAt ?? .distantFuture, voiceDeadline ?? .distantFuture))
  }

  package mutating func receive(_ input: NodeInput?, at now: VirtualTime, into output: inout NodeOutput) {
    if owesHealth { syncHealth(into: &output) }
    switch input {
    case .link(let isUp):
      session.receiveLink(
        isUp: isUp, clock: clock.reading(at: now), at: now, into: &output, delivering: &deliveries)
    case .frame(let frame):
      session.receive(frame, clock: clock.reading(at: now), at: now, into: &output, delivering: &deliveries)
    case .uplink: break  // The phone's own.
    case .command(let command): carryOut(command, at: now, into: &output)
    case .condition(let condition): take(condition, at: now, into: &output)
    case .page(let page): session.receive(page: page, at: now, into: &output, delivering: &deliveries)
    case nil: fire(at: now, into: &output)
    }
    if !deliveries.isEmpty { takeDeliveries(at: now, into: &output) }
    noteDeadlines()
  }

  private mutating func fire(at now: VirtualTime, into output: inout NodeOutput) {
    if let at = session.nextDeadline, at <= now {
      session.fire(clock: clock.reading(at: now), at: now, into: &output, delivering: &deliveries)
    }
    guard !isAsleep else { return }
    if startsAt != nil || announceAt != nil { fireRare(at: now, into: &output) }
    if let at = hostDeadline, at <= now {
      host?.fire(
        at: now, watchClock: WatchTime(nanoseconds: clock.reading(at: now)), sentAt: &sentAt, into: &hostEffects)
      carryOutHostEffects(at: now, into: &output)
    }
    if let at = voiceDeadline, at <= now {
      if let recording, recording.until <= now { finishRecording(at: now, now: now, into: &output) }
      retryNotes(at: now, into: &output)
    }
  }

  private mutating func fireRare(at now: VirtualTime, into output: inout NodeOutput) {
    if let at = announceAt, at <= now { announceOwed(at: now, into: &output) }
    if let at = startsAt, at <= now {
      if host == nil || host?.state == .ended {
        let id = Identifier(RandomStream(seed: setup.seed, name: "watch.workout"), for: 1)
        begin(id, cause: .scenario, at: now, into: &output)
      } else {
        startsAt = nil
      }
    }
  }

  // MARK: What is kept

  /// Orders a change of what is kept: part of the transaction that the next commit closes.
  mutating func keep(_ change: WatchChange, into output: inout NodeOutput) {
    record.apply(change)
    output.items.append(.appChange(changes.count))
    changes.append(change)
  }

  /// Empties the list that the output's `appChange` items point into.
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
