package import CoachProtocol
package import Link

/// What the phone believes about one workout, and the update on which the belief rests.
package struct BelievedRun: Sendable, Equatable {
  package internal(set) var workoutId: Identifier
  package var state: WorkoutState
  /// The watch's time of the newest update; after the end, of the update that ended it.
  package var newestSentAt: WatchTime
  /// Whether the newest update was an event, which a snapshot of the same time does not replace.
  package var newestIsEvent: Bool
  /// Whether `workoutStarted` arrived; until then the run is provisional.
  package var isNamed = false
  /// Whether a `workoutEnded` with a UUID arrived.
  package var isFinished = false
  /// Whether a newer run replaced it before its own end was known; until its `workoutEnded` arrives.
  package var isReplaced = false

  /// Applies an update of this workout and passes what follows to `decide`.
  mutating func apply(_ update: RunUpdate, _ plants: Plants = [], decide: (RunDecision) -> Void) {
    applyStart(update, decide: decide)
    let isRevived = plants.contains(.resurrection) && !update.isEvent && update.state != .ended
    if state == .ended, !isRevived {
      if !applyEnd(update, decide: decide) {
        decide(.history(workoutId: workoutId, kind: update.kind, sentAt: update.sentAt, why: .ended))
      }
      return
    }
    if update.state == .ended || isNewer(update) || isRevived || (plants.contains(.latePause) && update.isEvent) {
      newestSentAt = update.sentAt
      newestIsEvent = update.isEvent
      move(to: update, decide: decide)
      applyEnd(update, decide: decide)
      return
    }
    // An overtaken snapshot is dropped because the next one supersedes it. An event is recorded.
    guard update.isEvent else { return }
    let isDoubled = newestIsEvent && update.sentAt == newestSentAt
    decide(.history(workoutId: workoutId, kind: update.kind, sentAt: update.sentAt, why: isDoubled ? .doubled : .late))
  }

  /// Names the run at its first `workoutStarted`, however late.
  mutating func applyStart(_ update: RunUpdate, decide: (RunDecision) -> Void) {
    guard case .workoutStarted(let startedAt) = update.content, !isNamed else { return }
    isNamed = true
    decide(.named(workoutId: workoutId, startedAt: startedAt, sentAt: update.sentAt))
  }

  /// Finishes the run at its first `workoutEnded` with a UUID, and returns whether this was it.
  ///
  /// Without a UUID the watch discarded the workout: it has ended, and there is nothing to save.
  @discardableResult
  mutating func applyEnd(_ update: RunUpdate, decide: (RunDecision) -> Void) -> Bool {
    if isReplaced, update.kind == .workoutEnded {
      // Only now is it known when it ended.
      isReplaced = false
      decide(.recorded(update))
    }
    guard case .workoutEnded(let uuid?) = update.content, !isFinished else { return false }
    isFinished = true
    decide(.finished(workoutId: workoutId, healthKitWorkoutUUID: uuid, sentAt: update.sentAt))
    return true
  }

  private func isNewer(_ update: RunUpdate) -> Bool {
    update.sentAt > newestSentAt || (update.sentAt == newestSentAt && update.isEvent && !newestIsEvent)
  }

  private mutating func move(to update: RunUpdate, decide: (RunDecision) -> Void) {
    guard update.state != state else { return }
    let before = state
    state = update.state
    decide(.state(workoutId: workoutId, from: before, to: state, cause: update.cause, sentAt: update.sentAt))
  }
}

extension BelievedRun {
  /// Creates the belief from a workout's first update.
  init(firstUpdate update: RunUpdate) {
    workoutId = update.workoutId
    state = update.state
    newestSentAt = update.sentAt
    newestIsEvent = update.isEvent
  }
}
