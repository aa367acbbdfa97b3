package import CoachProtocol
package import Link

/// The phone's ear: what is fresh, what is believed of the run, whether the watch has gone silent.
///
/// It composes ``Freshness``, ``RunBelief`` and ``LivenessMonitor``, writes their trace lines, and
/// hands what is left to do to its caller. The lines of one input stand in this order: the snapshot,
/// the indicator taken down by it, what follows for the run, the indicator taken down by the run's end.
///
/// The caller hands over all arrivals of an instant, then calls ``fire(at:into:)`` when
/// ``nextDeadline`` has come; `now` never goes back.
package struct LiveMetricsConsumer: Sendable, Equatable {
  /// What the phone's store keeps, to be handed to ``init(restoring:startedAt:)`` after a restart.
  package internal(set) var record: ConsumerRecord
  /// What it does wrong on purpose.
  private let plants: Plants
  /// The line of the last fresh snapshot.
  private var line = ReusedLine(.snapshotFresh)

  /// Begins with nothing heard, on a phone that starts for the first time at `now`.
  package init(startedAt now: VirtualTime) {
    record = ConsumerRecord(startedAt: now)
    plants = []
  }

  /// Goes on from the store, on a phone that restarts at `now`.
  ///
  /// No line is written: an indicator that was up is still up, and silence is counted from here.
  package init(restoring record: ConsumerRecord, startedAt now: VirtualTime, plants: Plants = []) {
    self.record = record
    self.plants = plants
    self.record.belief.plants = plants
    self.record.liveness.plants = plants
    self.record.liveness.phoneReturned(at: now)
  }

  /// What the run is believed to be doing; nil when nothing is believed.
  package var state: WorkoutState? { record.belief.state }
  /// The workout the belief is about; nil when nothing is believed.
  package var workoutId: Identifier? { record.belief.workoutId }
  /// Whether the indicator `watchDisconnected` is up.
  package var isWatchDisconnected: Bool { record.liveness.isRaised }
  /// The moment by which ``fire(at:into:)`` must be called; nil when no deadline runs.
  package var nextDeadline: VirtualTime? { record.liveness.nextDeadline }

  /// What one input came to.
  package struct Outcome: Sendable, Equatable {
    /// Whether the input was a fresh snapshot of the run the phone believes in.
    ///
    /// The script is evaluated at these and no others, and derived values are made of these alone.
    package var isFreshOfRun = false
    /// Whether the snapshot was a fresh one.
    package var isFresh = false
    /// Whether a fresh snapshot changed nothing but the marks: when the last one came, and what it says last.
    package var isOrdinary = false
    /// What the caller has to carry out or keep, in order; the lines are written already.
    package var decisions: [RunDecision] = []

    /// Nothing came of it.
    package init() {}
  }

  /// Takes a snapshot that the link delivered.
  ///
  /// - Parameters:
  ///   - snapshot: What was received.
  ///   - epoch: The start of the watch that the link stamped on it.
  ///   - seq: Its number within that epoch.
  ///   - isDuplicateFromSession: Whether the session has seen this message before; it decides only
  ///     what a stale snapshot is called. Freshness is a matter of `epoch` and `seq` alone.
  ///   - seemsOld: Take it for stale whatever its number: only a planted phone asks for that.
  ///   - now: When it arrived.
  ///   - output: Where the lines go.
  package mutating func receiveSnapshot(
    _ snapshot: LiveMetrics, epoch: Epoch, seq: SequenceNumber, isDuplicateFromSession: Bool, seemsOld: Bool = false,
    at now: VirtualTime, into output: inout NodeOutput
  ) -> Outcome {
    let judgement = seemsOld ? .late : record.freshness.judge(epoch: epoch, seq: seq, at: now)
    guard judgement == .fresh else {
      if !plants.isDisjoint(with: [.missedAlarm, .stuckAlarm]) { record.liveness.heardStale(at: now) }
      let why = isDuplicateFromSession || judgement == .duplicate ? "duplicate" : "late"
      output.record(
        TraceEvent(
          "snapshot.stale", at: now, on: .phone,
          [
            .init("epoch", .int(Int64(epoch.rawValue))), .init("seq", .int(Int64(clamping: seq.rawValue))),
            .init("why", .string(why)),
          ]))
      return Outcome()
    }
    if output.isRecording { output.record(freshLine(snapshot, epoch: epoch, seq: seq, at: now)) }
    let hasReconnected = record.liveness.heardFresh(at: now)
    if hasReconnected { output.record(reconnected("fresh", at: now)) }
    var outcome = Outcome()
    outcome.isFresh = true
    let isOrdinaryWord = record.belief.receive(snapshot) { decision in
      outcome.decisions.append(decision)
      output.record(decision, at: now)
    }
    outcome.isOrdinary = isOrdinaryWord && !hasReconnected
    tellLiveness(at: now, into: &output)
    // A run that the phone tracks itself is fed by nobody.
    outcome.isFreshOfRun = record.belief.awaited == nil && workoutId == snapshot.workoutId
    return outcome
  }

  /// Takes a queued workout event, as often as it is delivered.
  package mutating func receiveEvent(
    _ event: RunWord, at now: VirtualTime, into output: inout NodeOutput
  ) -> Outcome {
    precondition(event.isEvent, "snapshots come with the epoch and number the link stamped on them")
    var outcome = Outcome()
    record.belief.receive(event) { decision in
      outcome.decisions.append(decision)
      output.record(decision, at: now)
    }
    tellLiveness(at: now, into: &output)
    return outcome
  }

  /// Takes the phone's own command `startWorkout`; `endWorkout` and `cancelStart` change no belief of the watch's run.
  package mutating func startWorkout(
    runId: Identifier, at now: VirtualTime, into output: inout NodeOutput
  ) -> Outcome {
    change(at: now, into: &output) { $0.startWorkout(runId: runId, decide: $1) }
  }

  /// Takes the phone's own tracker for a run that the watch did not begin; nothing where it is not awaited.
  package mutating func trackHere(
    _ runId: Identifier, at now: VirtualTime, into output: inout NodeOutput
  ) -> Outcome {
    change(at: now, into: &output) { $0.trackHere(runId, decide: $1) }
  }

  /// Ends a run that the watch never had by the phone's own doing; nothing for any other.
  package mutating func endHere(_ runId: Identifier, at now: VirtualTime, into output: inout NodeOutput) -> Outcome {
    change(at: now, into: &output) { $0.endHere(runId, decide: $1) }
  }

  private mutating func change(
    at now: VirtualTime, into output: inout NodeOutput,
    _ body: (inout RunBelief, (RunDecision) -> Void) -> Void
  ) -> Outcome {
    var outcome = Outcome()
    body(&record.belief) { decision in
      outcome.decisions.append(decision)
      output.record(decision, at: now)
    }
    tellLiveness(at: now, into: &output)
    return outcome
  }

  /// Notes that the phone goes on after a suspension; to be called before anything else at `now`.
  package mutating func phoneResumed(at now: VirtualTime) { record.liveness.phoneReturned(at: now) }

  /// Puts the indicator up when its deadline has come; to be called after all arrivals of the instant.
  ///
  /// - Returns: Whether it went up, and the record is to be kept.
  @discardableResult
  package mutating func fire(at now: VirtualTime, into output: inout NodeOutput) -> Bool {
    guard record.liveness.fire(at: now) else { return false }
    output.record(
      TraceEvent(
        "liveness.disconnected", at: now, on: .phone,
        [.init("reason", .string("silence")), .init("lastFresh", lastFresh)]))
    return true
  }

  // MARK: Lines

  @inline(__always)
  private mutating func tellLiveness(at now: VirtualTime, into output: inout NodeOutput) {
    if record.liveness.believe(record.belief.state, at: now) { output.record(reconnected("ended", at: now)) }
  }

  /// The last fresh snapshot as of the line that carries it: at a reconnect, the one that reconnected.
  private var lastFresh: TraceValue { record.freshness.last?.traceValue ?? .null }

  private func reconnected(_ reason: String, at now: VirtualTime) -> TraceEvent {
    TraceEvent(
      "liveness.reconnected", at: now, on: .phone, [.init("reason", .string(reason)), .init("lastFresh", lastFresh)])
  }

  private mutating func freshLine(
    _ snapshot: LiveMetrics, epoch: Epoch, seq: SequenceNumber, at now: VirtualTime
  ) -> TraceEvent {
    line.begin(at: now, on: .phone)
    snapshot.writeTraceFields(epoch: epoch, seq: seq, to: &line)
    return line.end()
  }
}

extension NodeOutput {
  /// Writes the line of a decision, if it has one.
  mutating func record(_ decision: RunDecision, at now: VirtualTime) {
    if isRecording, let event = decision.traceEvent(at: now) { record(event) }
  }
}
