package import CoachProtocol
package import Link

/// What the phone believes about the run, from two channels that overtake each other.
///
/// The update with the newest time of the watch's clock wins. At equal times an event beats a snapshot, and between two
/// of a kind the first to arrive wins. `ended` is final whatever its time. Where the specification leaves room:
///
/// * **Opening.** The first update of any kind makes a workout the phone's run, once: `opened`, plus `named` if it is a
///   `workoutStarted`. A first update that says `ended` opens the run and ends it.
/// * **Naming and finishing** are not beliefs. A late `workoutStarted` names the run and is history. One `workoutEnded`
///   finishes the run, even after a snapshot ended it and another run began; it is then not history, because it had its
///   effect.
/// * **After the end** every other update of that workout is history, snapshots included. Before the end only events
///   become history; an overtaken snapshot is ignored.
/// * **A command is not an update.** `startWorkout` sets `preparing`. Updates of the commanded workout are then its
///   first ones, whatever their time. Updates of another workout are judged as without the command: they open a run if
///   there was none (an update of the watch replaces the command's belief), or if it began later than an ended run.
///   The watch holds the truth, so no workout is ended on the watch because of a start that was only requested. A
///   second command before any update only changes which workout is awaited.
/// * **The phone's own tracker.** If the watch did not start the requested run, the phone may track it: the belief is
///   then `running` by command and later `ended` by command. A cancelled start is also `ended` by command. Updates of a
///   given-up start are always refused; updates of other workouts are judged as for any run.
/// * **The next run replaces the last one.** A watch has one workout at a time. A snapshot of a workout that began after
///   the newest update of the believed run shows that this has ended, though its `workoutEnded` has not arrived: it is
///   believed to have ended at its newest update, and the workout of the snapshot becomes the run. A `workoutStarted`
///   alone does not do that, because a leftover session (a ghost) sends starts, and zeros.
/// * **Refusing.** Every refused update is recorded. No workout is ended on the watch for it: the athlete may have
///   started it. A refused `workoutStarted` or `workoutEnded` is `recorded`: its workout gets a row like any other.
/// * **A foreign end** is refused and remembered: a later start of that workout opens nothing.
package struct RunBelief: Sendable, Equatable {
  /// How many ended runs are remembered, to distinguish their messages from those of foreign workouts.
  ///
  /// A peer that invents workouts must not make memory grow. Updates of a forgotten workout are refused instead of
  /// recorded as history; it cannot reopen, because its start is older than the last end.
  package static let endedRunsMax = 16
  /// Limit of remembered refused workouts.
  package static let refusedWorkoutsMax = 16
  /// Limit of remembered given-up starts.
  package static let withdrawnMax = 16

  /// The run last set by the watch's updates, possibly ended; nil before the first update.
  package internal(set) var run: BelievedRun?
  /// The workout that the phone requested and got no update of; set only if `run` is nil or ended.
  package internal(set) var awaited: Identifier?
  /// State of the awaited workout: `preparing` while the watch is awaited, `running` under the phone's own tracker,
  /// `ended` once that ended or the start was cancelled.
  var awaitedState = WorkoutState.preparing
  /// Given-up starts, oldest first.
  var withdrawn: [Identifier] = []
  /// Runs that ended before `run`, oldest first.
  var endedRuns: [BelievedRun] = []
  /// Least recently refused first.
  var refusedWorkouts: [RefusedWorkout] = []
  /// The planted bugs; not stored.
  var plants: Plants = []

  /// A workout that is not the phone's run.
  struct RefusedWorkout: Sendable, Equatable {
    var workoutId: Identifier
    var hasEnded: Bool
  }

  package init() {}

  /// The believed state; nil before the first command or update.
  package var state: WorkoutState? { awaited == nil ? run?.state : awaitedState }

  /// Whether a run of the watch or of the phone's own tracker is on; an awaited one does not count.
  package var isOn: Bool { awaited == nil ? run.map { $0.state != .ended } ?? false : awaitedState == .running }

  /// The workout that the belief is about; nil before the first command or update.
  package var workoutId: Identifier? { awaited ?? run?.workoutId }

  /// Applies a fresh snapshot; stale ones must not be passed in.
  ///
  /// - Returns: Whether it was ordinary, as nearly all are: it repeats the believed state at a later time, and only the
  ///   newest time changed.
  @discardableResult
  @inline(__always)
  package mutating func receive(_ snapshot: LiveMetrics, decide: (RunDecision) -> Void) -> Bool {
    // Fast path for the ordinary second: same workout, same state, later time.
    if let run, run.workoutId == snapshot.workoutId, run.state == snapshot.state, run.state != .ended,
      run.newestSentAt < snapshot.sentAt, awaited == nil
    {
      advanceNewestTime(sentAt: snapshot.sentAt)
      return true
    }
    receive(RunUpdate(snapshot), decide: decide)
    return false
  }

  /// Moves the newest time on for a snapshot that repeats the believed state.
  @inline(__always)
  mutating func advanceNewestTime(sentAt: WatchTime) {
    run?.newestSentAt = sentAt
    run?.newestIsEvent = false
  }

  /// Applies one update: a queued event or a fresh snapshot.
  @inline(never)
  package mutating func receive(_ update: RunUpdate, decide: (RunDecision) -> Void) {
    if withdrawn.contains(update.workoutId) {
      refuse(update, why: .givenUp, decide: decide)
    } else if awaited == update.workoutId {
      open(with: update, from: awaitedState, decide: decide)
    } else if run?.workoutId == update.workoutId {
      run?.apply(update, plants, decide: decide)
    } else if let index = endedRuns.firstIndex(where: { $0.workoutId == update.workoutId }) {
      if plants.contains(.swallowedRun), let run, run.state != .ended, update.kind == .workoutEnded {
        let end = RunUpdate(workoutId: run.workoutId, sentAt: update.sentAt, content: update.content)
        self.run?.apply(end, decide: decide)
      } else {
        endedRuns[index].apply(update, plants, decide: decide)
      }
    } else if let refusal = refusal(of: update), !plants.contains(.phantomRun) {
      refuse(update, why: refusal, decide: decide)
    } else {
      if !plants.contains(.phantomRun) { replaceRun(at: update, decide: decide) }
      open(with: update, from: nil, decide: decide)
    }
    assert(awaited == nil || run == nil || run?.state == .ended, "a start is awaited only where no run is on")
  }

  /// Applies the phone's command `startWorkout`.
  ///
  /// No effect while a run is on or for a workout that has ended.
  package mutating func startWorkout(runId: Identifier, decide: (RunDecision) -> Void) {
    guard run == nil || run?.state == .ended, !hasEnded(runId) else { return }
    guard awaited == nil || awaitedState != .running else { return }
    let isFirstCommand = awaited == nil || awaitedState == .ended
    awaited = runId
    awaitedState = .preparing
    guard isFirstCommand else { return }
    decide(.state(workoutId: runId, from: nil, to: .preparing, cause: .command, sentAt: nil))
  }

  // MARK: The phone's own tracker

  /// Gives up a start: later updates of it are refused.
  package mutating func withdraw(_ runId: Identifier) {
    guard !withdrawn.contains(runId) else { return }
    if withdrawn.count == Self.withdrawnMax { withdrawn.removeFirst() }
    withdrawn.append(runId)
  }

  /// Whether a start was given up, as far as remembered.
  package func isGivenUp(_ runId: Identifier) -> Bool { withdrawn.contains(runId) }

  /// Starts the phone's own tracker for the awaited workout; no effect for any other.
  package mutating func trackOnPhone(_ runId: Identifier, decide: (RunDecision) -> Void) {
    guard awaited == runId, awaitedState == .preparing else { return }
    moveAwaited(to: .running, decide: decide)
  }

  /// Ends the awaited workout by the phone's command; no effect if the watch has a run.
  package mutating func endOnPhone(_ runId: Identifier, decide: (RunDecision) -> Void) {
    guard awaited == runId, awaitedState != .ended else { return }
    moveAwaited(to: .ended, decide: decide)
  }

  private mutating func moveAwaited(to state: WorkoutState, decide: (RunDecision) -> Void) {
    guard let awaited else { preconditionFailure("no workout is awaited") }
    let before = awaitedState
    awaitedState = state
    decide(.state(workoutId: awaited, from: before, to: state, cause: .command, sentAt: nil))
  }

  // MARK: One workout after the other

  /// Ends the believed run, if it is on, because a newer one shows that it is over.
  private mutating func replaceRun(at update: RunUpdate, decide: (RunDecision) -> Void) {
    guard let before = run, before.state != .ended else { return }
    run?.state = .ended
    run?.isReplaced = true
    decide(
      .state(
        workoutId: before.workoutId, from: before.state, to: .ended, cause: update.cause, sentAt: before.newestSentAt))
  }

  private mutating func open(with update: RunUpdate, from: WorkoutState?, decide: (RunDecision) -> Void) {
    if let run {
      precondition(run.state == .ended || plants.contains(.phantomRun), "a run is opened only where none is on")
      endedRuns.append(run)
      if endedRuns.count > Self.endedRunsMax { endedRuns.removeFirst() }
    }
    awaited = nil
    awaitedState = .preparing
    decide(.opened(workoutId: update.workoutId, sentAt: update.sentAt))
    var run = BelievedRun(firstUpdate: update)
    run.applyStart(update, decide: decide)
    if from != update.state {
      decide(
        .state(workoutId: update.workoutId, from: from, to: update.state, cause: update.cause, sentAt: update.sentAt))
    }
    run.applyEnd(update, decide: decide)
    self.run = run
  }

  private func hasEnded(_ workoutId: Identifier) -> Bool {
    (run?.workoutId == workoutId && run?.state == .ended)
      || (awaited == workoutId && awaitedState == .ended)
      || endedRuns.contains { $0.workoutId == workoutId }
      || refusedWorkouts.contains { $0.workoutId == workoutId && $0.hasEnded }
  }

  // MARK: Other workouts

  /// Why an update of an unknown workout is refused; nil if it opens a run.
  private func refusal(of update: RunUpdate) -> RunDecision.Refusal? {
    let isNewer = isNewerRun(update)
    if let run, run.state != .ended, !isNewer { return .anotherIsOn }
    if awaited != nil, awaitedState == .running { return .anotherIsOn }
    if hasEnded(update.workoutId) { return .alreadyEnded }
    let hasEndedHere = awaited != nil && awaitedState == .ended
    guard let run else { return hasEndedHere && update.kind != .workoutStarted ? .notAStart : nil }
    if isNewer { return nil }
    guard update.kind == .workoutStarted else { return .notAStart }
    return update.sentAt > run.newestSentAt ? nil : .oldStart
  }

  /// Whether the update's workout began after all that is known of the believed run, or of the last one.
  private func isNewerRun(_ update: RunUpdate) -> Bool {
    guard let run, let beganBy = update.beganBy, !plants.contains(.unaskedEnd), !plants.contains(.rowlessRun) else {
      return false
    }
    return beganBy > run.newestSentAt
  }

  private mutating func refuse(_ update: RunUpdate, why: RunDecision.Refusal, decide: (RunDecision) -> Void) {
    decide(.refused(workoutId: update.workoutId, why: why, sentAt: update.sentAt))
    var entry = RefusedWorkout(workoutId: update.workoutId, hasEnded: false)
    if let index = refusedWorkouts.firstIndex(where: { $0.workoutId == update.workoutId }) {
      entry = refusedWorkouts.remove(at: index)
    }
    if update.state == .ended { entry.hasEnded = true }
    let hasRow = update.kind == .workoutStarted || update.kind == .workoutEnded
    if update.content == .workoutEnded(healthKitWorkoutUUID: nil) {
      decide(.discarded(workoutId: update.workoutId, sentAt: update.sentAt))
    } else if hasRow, !plants.contains(.rowlessRun) {
      decide(.recorded(update))
    }
    if plants.contains(.unaskedEnd), why == .anotherIsOn || why == .oldStart, !entry.hasEnded {
      decide(.orderWatchToEnd(workoutId: update.workoutId))
    }
    // Most recently refused last, so that the least recent one is forgotten first.
    refusedWorkouts.append(entry)
    if refusedWorkouts.count > Self.refusedWorkoutsMax { refusedWorkouts.removeFirst() }
  }
}

extension RunBelief {
  /// The belief as an object for the store: equal beliefs give equal members.
  static let schema = ObjectSchema(
    "RunBelief", "What the phone believes about the run.", RunBelief(),
    [
      Field("run", \.run, .object(BelievedRun.schema), "last set by the watch's updates"),
      Field("awaited", \.awaited, .identifier, "the requested workout"),
      Field("awaitedState", \.awaitedState, .workoutState, "its state").omittedAtDefault,
      Field("withdrawn", \.withdrawn, .array(of: .identifier, count: 0...withdrawnMax), "given-up starts")
        .omittedAtDefault,
      Field("ended", \.endedRuns, .array(of: .object(BelievedRun.schema), count: 0...endedRunsMax), "earlier runs")
        .omittedAtDefault,
      Field(
        "refused", \.refusedWorkouts, .array(of: .object(RefusedWorkout.schema), count: 0...refusedWorkoutsMax),
        "workouts that are not the phone's run"
      ).omittedAtDefault,
    ]
  ) { belief, reader in
    guard belief.awaited != nil, let run = belief.run, run.state != .ended else { return true }
    reader.error("a start is awaited while a run is on")
    return false
  }
}

extension BelievedRun {
  fileprivate static let schema = ObjectSchema(
    "BelievedRun", "A run of the watch.",
    BelievedRun(workoutId: .blank, state: .preparing, newestSentAt: WatchTime(nanoseconds: 0), newestIsEvent: false),
    [
      Field("workoutId", \.workoutId, .identifier, "the workout", .required),
      Field("state", \.state, .workoutState, "its state", .required),
      Field("newestSentAt", \.newestSentAt.nanoseconds, .nanoseconds, "by the watch's clock", .required),
      Field("newestIsEvent", \.newestIsEvent, .bool, "whether the newest update was an event", .required),
      Field("isNamed", \.isNamed, .bool, "whether its start arrived", .required),
      Field("isFinished", \.isFinished, .bool, "whether its end arrived", .required),
      Field("isReplaced", \.isReplaced, .bool, "whether a newer run replaced it").omittedAtDefault,
    ])
}

extension RunBelief.RefusedWorkout {
  fileprivate static let schema = ObjectSchema(
    "RefusedWorkout", "A workout that is not the phone's run.", Self(workoutId: .blank, hasEnded: false),
    [
      Field("workoutId", \.workoutId, .identifier, "the workout", .required),
      Field("hasEnded", \.hasEnded, .bool, "whether it is over", .required),
    ])
}

extension ValueSchema where Value == WorkoutState {
  fileprivate static var workoutState: Self { .choice(WorkoutState.allCases.map { ($0.text, $0) }) }
}

extension ValueSchema where Value == Int64 {
  /// An instant of a clock.
  static var nanoseconds: Self { .integer(.min ... .max) }
}
