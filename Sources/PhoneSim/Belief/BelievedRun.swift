package import CoachProtocol
package import Link

/// What is believed of one workout, and the word it rests on.
package struct BelievedRun: Sendable, Equatable {
  /// Which workout.
  package let workoutId: Identifier
  /// What it is believed to be doing.
  package var state: WorkoutState
  /// When the newest word was said; once ended, the word that ended it.
  package var newestSentAt: WatchTime
  /// Whether the newest word was an event, which no snapshot of the same instant replaces.
  package var newestIsEvent: Bool
  /// Whether its `workoutStarted` has come: until then the run is provisional.
  package var isNamed = false
  /// Whether its `workoutEnded` with a UUID has come.
  package var isFinished = false

  /// Goes on from what a store kept.
  init(
    workoutId: Identifier, state: WorkoutState, newestSentAt: WatchTime, newestIsEvent: Bool, isNamed: Bool,
    isFinished: Bool
  ) {
    self.workoutId = workoutId
    self.state = state
    self.newestSentAt = newestSentAt
    self.newestIsEvent = newestIsEvent
    self.isNamed = isNamed
    self.isFinished = isFinished
  }

  /// Begins with a workout's first word.
  init(firstWord word: RunWord) {
    workoutId = word.workoutId
    state = word.state
    newestSentAt = word.sentAt
    newestIsEvent = word.isEvent
  }

  /// Takes one more word about this workout, and says what follows from it.
  mutating func take(_ word: RunWord, _ plants: Plants = [], decide: (RunDecision) -> Void) {
    noteStart(word, decide: decide)
    let isRevived = plants.contains(.resurrection) && !word.isEvent && word.state != .ended
    if state == .ended, !isRevived {
      if !noteEnd(word, decide: decide) {
        decide(.history(workoutId: workoutId, kind: word.kind, sentAt: word.sentAt, why: .ended))
      }
      return
    }
    if word.state == .ended || isNewer(word) || isRevived || (plants.contains(.latePause) && word.isEvent) {
      newestSentAt = word.sentAt
      newestIsEvent = word.isEvent
      move(to: word, decide: decide)
      noteEnd(word, decide: decide)
      return
    }
    // An overtaken snapshot leaves no mark: the next one says more. An event is kept.
    guard word.isEvent else { return }
    let isDoubled = newestIsEvent && word.sentAt == newestSentAt
    decide(.history(workoutId: workoutId, kind: word.kind, sentAt: word.sentAt, why: isDoubled ? .doubled : .late))
  }

  /// Names the run at its first `workoutStarted`, which may be late in every other respect.
  mutating func noteStart(_ word: RunWord, decide: (RunDecision) -> Void) {
    guard case .workoutStarted(let startedAt) = word.content, !isNamed else { return }
    isNamed = true
    decide(.named(workoutId: workoutId, startedAt: startedAt, sentAt: word.sentAt))
  }

  /// Finishes the run at its first `workoutEnded` with a UUID, and returns whether this was it.
  ///
  /// Without one the watch kept nothing of the workout: it has ended, and there is nothing to save.
  @discardableResult
  mutating func noteEnd(_ word: RunWord, decide: (RunDecision) -> Void) -> Bool {
    guard case .workoutEnded(let uuid?) = word.content, !isFinished else { return false }
    isFinished = true
    decide(.finished(workoutId: workoutId, healthKitWorkoutUUID: uuid, sentAt: word.sentAt))
    return true
  }

  private func isNewer(_ word: RunWord) -> Bool {
    word.sentAt > newestSentAt || (word.sentAt == newestSentAt && word.isEvent && !newestIsEvent)
  }

  private mutating func move(to word: RunWord, decide: (RunDecision) -> Void) {
    guard word.state != state else { return }
    let before = state
    state = word.state
    decide(.state(workoutId: workoutId, from: before, to: state, cause: word.cause, sentAt: word.sentAt))
  }
}
