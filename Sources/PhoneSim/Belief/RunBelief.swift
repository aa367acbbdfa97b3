package import CoachProtocol
package import Link

/// What the phone believes of the run, from two channels that overtake each other.
///
/// The belief is that of the newest word by the watch's own clock; at equal times an event beats a
/// snapshot, and between two of a kind the first to come stands. `ended` is final, whatever its time.
/// Where the rules leave room, this is how they are read:
///
/// * **Opening.** Whatever word comes first makes a workout the phone's run, once: `opened`, and
///   with a `workoutStarted` at once `named`. A first word that says `ended` opens the run and ends it.
/// * **Naming and finishing** are not beliefs. A `workoutStarted` that is late names the run and is
///   history; one `workoutEnded` finishes the run, even after a snapshot ended it and another run
///   began, and is then not history as well, because it had its effect.
/// * **After the end** every other word about that workout is history, snapshots included. Before
///   it, only events are: an overtaken snapshot is just not believed.
/// * **A command is not a word.** `startWorkout` sets `preparing`; words about the commanded workout
///   are then its first words, whatever their time, and words about another are judged as if no
///   command had been given: they open a run where there was none (any word of the watch replaces the
///   command's belief), and after an ended one only a later start does. The watch holds the truth, so
///   nothing is ended on the watch for the sake of a start that was merely asked for. A second command
///   before any word only changes which workout is awaited.
/// * **The phone's own tracker.** Where the watch did not begin what was asked for, the phone may track the run itself: the
///   belief is then `running` by command, and `ended` by command. A run that was taken back is `ended` in the same way.
///   Words about a start that was given up are refused, whatever they say; words about others are judged as for any run.
/// * **Refusing.** Every refused word is recorded. The watch is told to end the workout when the word
///   came while another run is on, or was an old start (a ghost), unless the word itself says `ended`.
///   It is told at the first such word, and again at one that was sent 10 s or more later by the
///   watch's clock, because the telling can get lost.
/// * **A foreign end** is refused, and remembered: a start of that workout that comes after it opens nothing.
package struct RunBelief: Sendable, Equatable {
  /// How many ended runs before the present one are told from foreign workouts.
  ///
  /// A peer that invents workouts must not make the phone's memory grow. A workout that is forgotten
  /// is refused instead of written to history; it cannot come back to life, because its start is
  /// older than the last end.
  package static let endedRunsMax = 16
  /// How many refused workouts are remembered, for telling and for foreign ends.
  package static let refusedWorkoutsMax = 16
  /// How many starts that were given up are remembered.
  package static let withdrawnMax = 16
  /// How much later, by the watch's clock, a refused word must be for the watch to be told again.
  package static let tellAgainAfterNanoseconds: Int64 = 10_000_000_000

  /// The run that the watch's words set last, which may have ended; nil before the first word.
  package internal(set) var run: BelievedRun?
  /// The workout the phone has asked for and not heard of; only where `run` is nil or ended.
  package internal(set) var awaited: Identifier?
  /// What the awaited workout is doing by the phone's own doing: `preparing` while the watch is awaited, `running` under
  /// the phone's own tracker, `ended` once that is over or the start was taken back.
  var awaitedState = WorkoutState.preparing
  /// The starts that were given up, the oldest first.
  var withdrawn: [Identifier] = []
  /// Runs that ended before `run`, the oldest first.
  var endedRuns: [BelievedRun] = []
  /// The one not heard of for longest first.
  var refusedWorkouts: [RefusedWorkout] = []
  /// What it does wrong on purpose; not kept.
  var plants: Plants = []

  /// A workout that is not the phone's.
  struct RefusedWorkout: Sendable, Equatable {
    let workoutId: Identifier
    /// The refused word at which the watch was last told to end it; nil when it was not told.
    var toldAt: WatchTime?
    var hasEnded: Bool
  }

  /// Begins with no belief.
  package init() {}

  /// What the run is believed to be doing; nil when nothing is believed.
  package var state: WorkoutState? { awaited == nil ? run?.state : awaitedState }

  /// Whether a run is on: the watch's, or one under the phone's own tracker; not one that is merely awaited.
  package var isOn: Bool { awaited == nil ? run.map { $0.state != .ended } ?? false : awaitedState == .running }

  /// The workout the belief is about; nil when nothing is believed.
  package var workoutId: Identifier? { awaited ?? run?.workoutId }

  /// Takes a fresh snapshot.
  ///
  /// Stale ones must not come here: they are no words.
  ///
  /// - Returns: Whether it was an ordinary word, as nearly all are: it says what was believed of the run, later. Nothing
  ///   but the time of the newest word has changed then.
  @discardableResult
  @inline(__always)
  package mutating func receive(_ snapshot: LiveMetrics, decide: (RunDecision) -> Void) -> Bool {
    // The ordinary second of a run: the same workout, the same state, a later time.
    if let run, run.workoutId == snapshot.workoutId, run.state == snapshot.state, run.state != .ended,
      run.newestSentAt < snapshot.sentAt, awaited == nil
    {
      noteOrdinaryWord(sentAt: snapshot.sentAt)
      return true
    }
    receive(RunWord(snapshot), decide: decide)
    return false
  }

  /// Notes that a later snapshot said of the run what is believed of it.
  @inline(__always)
  mutating func noteOrdinaryWord(sentAt: WatchTime) {
    run?.newestSentAt = sentAt
    run?.newestIsEvent = false
  }

  /// Takes one word: an event of the queue, or a fresh snapshot.
  @inline(never)
  package mutating func receive(_ word: RunWord, decide: (RunDecision) -> Void) {
    if withdrawn.contains(word.workoutId) {
      refuse(word, why: .givenUp, decide: decide)
    } else if awaited == word.workoutId {
      open(with: word, from: awaitedState, decide: decide)
    } else if run?.workoutId == word.workoutId {
      run?.take(word, plants, decide: decide)
    } else if let place = endedRuns.firstIndex(where: { $0.workoutId == word.workoutId }) {
      endedRuns[place].take(word, plants, decide: decide)
    } else if let refusal = refusal(of: word), !plants.contains(.phantomRun) {
      refuse(word, why: refusal, decide: decide)
    } else {
      open(with: word, from: nil, decide: decide)
    }
    assert(awaited == nil || run == nil || run?.state == .ended, "a start is awaited only where no run is on")
  }

  /// Takes the phone's own command `startWorkout`.
  ///
  /// It changes nothing while a run is on, and nothing for a workout that has ended: that is final.
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

  /// Gives a start up: no word about it counts any more.
  package mutating func withdraw(_ runId: Identifier) {
    guard !withdrawn.contains(runId) else { return }
    if withdrawn.count == Self.withdrawnMax { withdrawn.removeFirst() }
    withdrawn.append(runId)
  }

  /// Whether a start was given up, as far as that is remembered.
  package func isGivenUp(_ runId: Identifier) -> Bool { withdrawn.contains(runId) }

  /// Takes the phone's own tracker for the awaited workout; nothing where another one is on.
  package mutating func trackHere(_ runId: Identifier, decide: (RunDecision) -> Void) {
    guard awaited == runId, awaitedState == .preparing else { return }
    moveAwaited(to: .running, decide: decide)
  }

  /// Ends the awaited workout by the phone's own doing; nothing where the watch has a run.
  package mutating func endHere(_ runId: Identifier, decide: (RunDecision) -> Void) {
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

  private mutating func open(with word: RunWord, from: WorkoutState?, decide: (RunDecision) -> Void) {
    if let run {
      precondition(run.state == .ended || plants.contains(.phantomRun), "a run is opened only where none is on")
      endedRuns.append(run)
      if endedRuns.count > Self.endedRunsMax { endedRuns.removeFirst() }
    }
    awaited = nil
    awaitedState = .preparing
    decide(.opened(workoutId: word.workoutId, sentAt: word.sentAt))
    var run = BelievedRun(firstWord: word)
    run.noteStart(word, decide: decide)
    if from != word.state {
      decide(.state(workoutId: word.workoutId, from: from, to: word.state, cause: word.cause, sentAt: word.sentAt))
    }
    run.noteEnd(word, decide: decide)
    self.run = run
  }

  private func hasEnded(_ workoutId: Identifier) -> Bool {
    (run?.workoutId == workoutId && run?.state == .ended)
      || (awaited == workoutId && awaitedState == .ended)
      || endedRuns.contains { $0.workoutId == workoutId }
      || refusedWorkouts.contains { $0.workoutId == workoutId && $0.hasEnded }
  }

  // MARK: Other workouts

  /// Why a word about a workout that was never the phone's run is refused; nil when it opens one.
  private func refusal(of word: RunWord) -> RunDecision.Refusal? {
    if let run, run.state != .ended { return .anotherIsOn }
    if awaited != nil, awaitedState == .running { return .anotherIsOn }
    if hasEnded(word.workoutId) { return .alreadyEnded }
    let hasEndedHere = awaited != nil && awaitedState == .ended
    guard let run else { return hasEndedHere && word.kind != .workoutStarted ? .notAStart : nil }
    guard word.kind == .workoutStarted else { return .notAStart }
    return word.sentAt > run.newestSentAt ? nil : .oldStart
  }

  private mutating func refuse(_ word: RunWord, why: RunDecision.Refusal, decide: (RunDecision) -> Void) {
    decide(.refused(workoutId: word.workoutId, why: why, sentAt: word.sentAt))
    var entry = RefusedWorkout(workoutId: word.workoutId, toldAt: nil, hasEnded: false)
    if let place = refusedWorkouts.firstIndex(where: { $0.workoutId == word.workoutId }) {
      entry = refusedWorkouts.remove(at: place)
    }
    if word.state == .ended { entry.hasEnded = true }
    if why == .anotherIsOn || why == .oldStart, !entry.hasEnded, isToBeTold(entry, at: word.sentAt) {
      entry.toldAt = word.sentAt
      decide(.tellWatchToEnd(workoutId: word.workoutId))
    }
    // The latest refused stands last, so that the one not heard of for longest is forgotten.
    refusedWorkouts.append(entry)
    if refusedWorkouts.count > Self.refusedWorkoutsMax { refusedWorkouts.removeFirst() }
  }

  private func isToBeTold(_ entry: RefusedWorkout, at sentAt: WatchTime) -> Bool {
    guard let toldAt = entry.toldAt else { return true }
    let (since, overflow) = sentAt.nanoseconds.subtractingReportingOverflow(toldAt.nanoseconds)
    return overflow ? sentAt > toldAt : since >= Self.tellAgainAfterNanoseconds
  }
}
