package import CoachProtocol
package import Link

/// Consumes live metrics: judges freshness, updates the belief about the run, watches for silence.
///
/// Combines ``Freshness``, ``RunBelief`` and ``LivenessMonitor``, records their trace events, and returns the remaining
/// work to its caller. The order of events for one input: the snapshot, the indicator it clears, the run's decisions,
/// the indicator cleared by the run's end.
///
/// The caller passes in all arrivals of an instant, then calls ``fire(in:)`` if ``nextDeadline`` has come; `now`
/// never decreases.
package struct LiveMetricsConsumer: Sendable, Equatable {
  /// The state that the phone stores; pass it to ``init(restoring:startedAt:)`` after a restart.
  package internal(set) var record: ConsumerRecord
  /// The planted bugs.
  private let plants: Plants

  /// Creates the consumer of a phone's first start.
  package init(startedAt now: VirtualTime) {
    record = ConsumerRecord(startedAt: now)
    plants = []
  }

  /// Restores the consumer of a phone that restarts at `now`.
  ///
  /// Records no event: a raised indicator stays raised, and silence counts from `now`.
  package init(restoring record: ConsumerRecord, startedAt now: VirtualTime, plants: Plants = []) {
    self.record = record
    self.plants = plants
    self.record.belief.plants = plants
    self.record.liveness.plants = plants
    self.record.liveness.restartSilence(at: now)
    if plants.contains(.silentRestart) { self.record.liveness.forgetRun() }
    if plants.contains(.forgottenCancel) { self.record.belief.withdrawn = [] }
  }

  /// The believed state; nil before the first command or update.
  package var state: WorkoutState? { record.belief.state }
  /// The workout that the belief is about; nil before the first command or update.
  package var workoutId: Identifier? { record.belief.workoutId }
  /// Whether a run is on or asked for.
  var hasRun: Bool { state != nil && state != .ended }
  /// Whether the indicator `watchDisconnected` is raised.
  package var isWatchDisconnected: Bool { record.liveness.isRaised }
  /// When ``fire(in:)`` must be called; nil for never.
  package var nextDeadline: VirtualTime? { record.liveness.nextDeadline }

  package struct Outcome: Sendable, Equatable {
    /// Whether the input was a fresh snapshot of the believed run.
    ///
    /// Only these snapshots evaluate the script and feed derived values.
    package var isFreshOfRun = false
    package var isFresh = false
    /// Whether a fresh snapshot only moved the times of the last snapshot and the newest update.
    package var isOrdinary = false
    /// What the caller must carry out or store, in order; the events are already recorded.
    package var decisions: [RunDecision] = []
  }

  /// Receives a snapshot from the link.
  ///
  /// - Parameters:
  ///   - snapshot: The metrics.
  ///   - epoch: The watch's epoch.
  ///   - seq: The number within that epoch.
  ///   - isDuplicateFromSession: Whether the session has received this message before; only decides whether a stale
  ///    snapshot is called duplicate or late.
  ///   - seemsOld: Treat it as stale whatever its number; used by a planted bug.
  ///   - turn: Receives the trace events.
  package mutating func receiveSnapshot(
    _ snapshot: LiveMetrics, epoch: Epoch, seq: SequenceNumber, isDuplicateFromSession: Bool, seemsOld: Bool = false,
    in turn: inout Turn
  ) -> Outcome {
    let now = turn.now
    let rating = seemsOld ? .late : record.freshness.judge(epoch: epoch, seq: seq, at: now)
    guard rating == .fresh else {
      if plants.contains(.missedAlarm) || plants.contains(.stuckAlarm) { record.liveness.recordStale(at: now) }
      let why: SnapshotStale.Why = isDuplicateFromSession || rating == .duplicate ? .duplicate : .late
      turn.record(SnapshotStale.self, on: .phone) {
        $0.epoch = Int64(epoch.rawValue)
        $0.seq = Int64(clamping: seq.rawValue)
        $0.why = why
      }
      return Outcome()
    }
    turn.record(SnapshotFresh.self, on: .phone) {
      $0.metrics = snapshot.eventFields(epoch: epoch, seq: seq)
    }
    let hasReconnected = record.liveness.recordFresh(at: now)
    if hasReconnected { turn.record(reconnected("fresh", at: now)) }
    var outcome = Outcome()
    outcome.isFresh = true
    let isOrdinaryWord = record.belief.receive(snapshot) { decision in
      outcome.decisions.append(decision)
      turn.record(decision)
    }
    outcome.isOrdinary = isOrdinaryWord && !hasReconnected
    updateLiveness(in: &turn)
    // Watch messages do not change a run that the phone tracks itself.
    outcome.isFreshOfRun = record.belief.awaited == nil && workoutId == snapshot.workoutId
    return outcome
  }

  /// Receives a queued workout event; repeated deliveries are allowed.
  package mutating func receiveEvent(_ event: RunUpdate, in turn: inout Turn) -> Outcome {
    precondition(event.isEvent, "snapshots come with the epoch and number the link stamped on them")
    var outcome = Outcome()
    record.belief.receive(event) { decision in
      outcome.decisions.append(decision)
      turn.record(decision)
    }
    updateLiveness(in: &turn)
    return outcome
  }

  /// Applies the phone's command `startWorkout`; `endWorkout` and `cancelStart` do not change the belief about the
  /// watch's run.
  package mutating func startWorkout(runId: Identifier, in turn: inout Turn) -> Outcome {
    change(in: &turn) { $0.startWorkout(runId: runId, decide: $1) }
  }

  /// Starts the phone's own tracker for the awaited run; no effect for any other.
  package mutating func trackOnPhone(_ runId: Identifier, in turn: inout Turn) -> Outcome {
    change(in: &turn) { $0.trackOnPhone(runId, decide: $1) }
  }

  /// Ends a run that the watch never had; no effect for any other.
  package mutating func endOnPhone(_ runId: Identifier, in turn: inout Turn) -> Outcome {
    change(in: &turn) { $0.endOnPhone(runId, decide: $1) }
  }

  private mutating func change(
    in turn: inout Turn,
    _ body: (inout RunBelief, (RunDecision) -> Void) -> Void
  ) -> Outcome {
    var outcome = Outcome()
    body(&record.belief) { decision in
      outcome.decisions.append(decision)
      turn.record(decision)
    }
    updateLiveness(in: &turn)
    return outcome
  }

  /// Restarts the count of silence after a suspension; call it before any other input at `now`.
  package mutating func phoneResumed(at now: VirtualTime) { record.liveness.restartSilence(at: now) }

  /// Raises the indicator if its deadline has come; call it after all arrivals of the instant.
  ///
  /// - Returns: Whether the indicator was raised and the record must be stored.
  @discardableResult
  package mutating func fire(in turn: inout Turn) -> Bool {
    let now = turn.now
    guard record.liveness.fire(at: now) else { return false }
    turn.record(LivenessLost.self, on: .phone) {
      $0.reason = "silence"
      $0.lastFresh = lastFresh
    }
    return true
  }

  // MARK: Lines

  @inline(__always)
  private mutating func updateLiveness(in turn: inout Turn) {
    let now = turn.now
    if record.liveness.updateBelief(record.belief.state, at: now) { turn.record(reconnected("ended", at: now)) }
  }

  /// The last fresh snapshot, including the one that reconnects.
  private var lastFresh: JSONText? { record.freshness.last?.jsonText }

  private func reconnected(_ reason: String, at now: VirtualTime) -> TraceEvent {
    TraceEvent(LivenessRegained.self, at: now, on: .phone) {
      $0.reason = reason
      $0.lastFresh = lastFresh
    }
  }
}

extension Turn {
  /// Records the decision's trace event, if it has one.
  mutating func record(_ decision: RunDecision) {
    if isRecording, let event = decision.traceEvent(at: now) { record(event) }
  }
}

/// The state of ``LiveMetricsConsumer`` that survives restarts.
///
/// A consumer restored from the last committed record continues where the crashed one stopped.
package struct ConsumerRecord: Sendable, Equatable {
  package internal(set) var freshness = Freshness()
  package internal(set) var belief = RunBelief()
  package internal(set) var start = PhoneStartHandshake()
  package internal(set) var liveness: LivenessMonitor

  /// The record of a phone's first start.
  package init(startedAt now: VirtualTime) { liveness = LivenessMonitor(startedAt: now) }
}

/// What the user's `startWorkout` and `endWorkout` mean.
extension ConsumerRecord {
  /// Why no run can be requested now; nil if one can.
  var startRefusal: String? {
    if start.asking != nil { return "a start is being asked for" }
    return belief.isOn || start.tracker?.isLive == true ? "a run is on" : nil
  }

  /// What can be ended.
  enum Endable {
    /// The run that the phone tracks itself.
    case tracker
    /// The run whose start is unanswered.
    case request(Identifier)
    /// A run that was given up, which the watch never had.
    case givenUp(Identifier)
    /// The watch's run.
    case run(Identifier)
  }

  /// What the user can end now; nil if no run is on.
  var endable: Endable? {
    if start.tracker?.isLive == true { return .tracker }
    if let request = start.asking { return .request(request.runId) }
    guard let runId = belief.workoutId, belief.state != .ended else { return nil }
    // Without a given-up start also a run that the watch acknowledged without any update so far.
    return runId == belief.awaited && belief.isGivenUp(runId) ? .givenUp(runId) : .run(runId)
  }
}

/// Belief and start handshake as one text: the same updates change both, so they are stored together.
extension ConsumerRecord {
  /// Compact JSON: the belief's members, and `start` once a start was requested.
  var beliefText: String {
    var members = RunBelief.schema.members(of: belief)
    if start != PhoneStartHandshake() {
      members.append(JSONMember("start", .object(PhoneStartHandshake.schema.members(of: start))))
    }
    return JSONValue.object(members).compactText
  }

  /// Reads what ``beliefText`` wrote.
  ///
  /// - Throws: What is wrong with it: a store's file may be damaged.
  mutating func readBelief(_ text: String) throws(Diagnostics) {
    let collector = DiagnosticsCollector(file: "belief")
    do {
      let node = try JSONParser.parse(text, dialect: .json)
      if let reader = JSONObjectReader(node, into: collector) {
        start = reader.object("start") { PhoneStartHandshake.schema.read($0) } ?? PhoneStartHandshake()
        belief = RunBelief.schema.readWhole(reader) ?? RunBelief()
      }
    } catch {
      collector.diagnostics.add(error)
    }
    guard collector.diagnostics.isEmpty else { throw collector.diagnostics }
  }
}
