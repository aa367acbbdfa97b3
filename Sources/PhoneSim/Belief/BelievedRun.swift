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
  /// Whether a `workoutEnded` arrived that says that the watch saved the workout, or discarded one that never ran.
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

  /// Finishes the run at its first `workoutEnded`, and returns whether this was it.
  ///
  /// Without a UUID the watch discarded the workout. One that never ran leaves no row.
  @discardableResult
  mutating func applyEnd(_ update: RunUpdate, decide: (RunDecision) -> Void) -> Bool {
    guard case .workoutEnded(let uuid) = update.content else { return false }
    if uuid == nil, !isNamed, !isFinished {
      (isFinished, isReplaced) = (true, false)
      decide(.discarded(workoutId: workoutId, sentAt: update.sentAt))
      return true
    }
    if isReplaced {
      // Only now is it known when it ended.
      isReplaced = false
      decide(.recorded(update))
    }
    guard let uuid, !isFinished else { return false }
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

/// An update from the watch about a workout's state, by snapshot or by queued event.
package struct RunUpdate: Sendable, Equatable {
  package var workoutId: Identifier
  /// The time of sending by the watch's clock.
  package var sentAt: WatchTime
  package var content: Content
  /// When the workout began at the latest, by the watch's clock; nil if the update does not show it.
  ///
  /// Only a snapshot of a workout whose timer has counted shows it: a leftover session reports starts and zeros too.
  package var beganBy: WatchTime?

  package init(workoutId: Identifier, sentAt: WatchTime, content: Content) {
    self.workoutId = workoutId
    self.sentAt = sentAt
    self.content = content
  }

  /// Extracts the state from a snapshot.
  package init(_ snapshot: LiveMetrics) {
    self.init(workoutId: snapshot.workoutId, sentAt: snapshot.sentAt, content: .snapshot(snapshot.state))
    guard snapshot.elapsed > 0 else { return }
    beganBy = WatchTime(nanoseconds: snapshot.sentAt.nanoseconds -| Int64(saturating: snapshot.elapsed * 1e9))
  }

  package enum Content: Sendable, Equatable {
    /// Fast and lossy: a fresh `LiveMetrics`.
    case snapshot(WorkoutState)
    /// Slow and guaranteed.
    case workoutStarted(startedAt: WatchTime)
    /// Slow and guaranteed.
    case workoutPaused
    /// Slow and guaranteed.
    case workoutResumed
    /// Slow and guaranteed. Without a UUID the workout was discarded, and nothing is saved.
    case workoutEnded(healthKitWorkoutUUID: Identifier?)
  }

  /// The kind of message that carried an update.
  package enum Kind: String, Sendable, CaseIterable {
    case snapshot, workoutStarted, workoutPaused, workoutResumed, workoutEnded
  }

  package var kind: Kind {
    switch content {
    case .snapshot: .snapshot
    case .workoutStarted: .workoutStarted
    case .workoutPaused: .workoutPaused
    case .workoutResumed: .workoutResumed
    case .workoutEnded: .workoutEnded
    }
  }

  /// The workout's state according to this update.
  package var state: WorkoutState {
    switch content {
    case .snapshot(let state): state
    case .workoutStarted, .workoutResumed: .running
    case .workoutPaused: .paused
    case .workoutEnded: .ended
    }
  }

  /// Whether it came by the queue: at equal `sentAt` it then beats a snapshot.
  package var isEvent: Bool { if case .snapshot = content { false } else { true } }

  /// The `cause` of a `run.state` event.
  package var cause: RunDecision.Cause { isEvent ? .event : .snapshot }
}

extension AppMessage {
  /// The update of a run's state in a queued event; nil for every other message.
  ///
  /// A snapshot is read separately, because freshness depends on the link's sequence number.
  var runUpdate: RunUpdate? {
    switch self {
    case .workoutStarted(let event):
      RunUpdate(
        workoutId: event.workoutId, sentAt: event.sentAt, content: .workoutStarted(startedAt: event.startedAt))
    case .workoutPaused(let event):
      RunUpdate(workoutId: event.workoutId, sentAt: event.sentAt, content: .workoutPaused)
    case .workoutResumed(let event):
      RunUpdate(workoutId: event.workoutId, sentAt: event.sentAt, content: .workoutResumed)
    case .workoutEnded(let event):
      RunUpdate(
        workoutId: event.workoutId, sentAt: event.sentAt,
        content: .workoutEnded(healthKitWorkoutUUID: event.healthKitWorkoutUUID))
    default: nil
    }
  }
}
