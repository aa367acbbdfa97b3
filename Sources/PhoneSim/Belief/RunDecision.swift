package import CoachProtocol
package import Link

/// A conclusion from one update of a run, in the order of conclusion.
package enum RunDecision: Sendable, Equatable {
  /// A workout became the phone's run; once for each workout.
  case opened(workoutId: Identifier, sentAt: WatchTime)
  /// The first `workoutStarted` of a workout.
  case named(workoutId: Identifier, startedAt: WatchTime, sentAt: WatchTime)
  /// The believed state changed.
  ///
  /// `from` is the state believed before, nil for a new run even if another one ended before it. `sentAt` is nil for a
  /// command, which has no watch time.
  case state(workoutId: Identifier, from: WorkoutState?, to: WorkoutState, cause: Cause, sentAt: WatchTime?)
  /// An update came too late to change the belief.
  case history(workoutId: Identifier, kind: RunUpdate.Kind, sentAt: WatchTime, why: Lateness)
  /// An update of a workout that is not the phone's run.
  case refused(workoutId: Identifier, why: Refusal, sentAt: WatchTime)
  /// A `workoutStarted` or `workoutEnded` of a workout that is not the phone's run: its row is stored, or completed.
  case recorded(RunUpdate)
  /// Order the watch to end this workout; only by a planted bug.
  case orderWatchToEnd(workoutId: Identifier)
  /// The run is over and saved on the watch; once for each workout.
  case finished(workoutId: Identifier, healthKitWorkoutUUID: Identifier, sentAt: WatchTime)
  /// The watch discarded a workout that never ran; once for each workout.
  case discarded(workoutId: Identifier, sentAt: WatchTime)

  package enum Cause: String, Sendable, CaseIterable {
    case snapshot, event, command
  }

  /// Why an update is history.
  package enum Lateness: String, Sendable, CaseIterable {
    /// A newer update arrived before it.
    case late
    /// The same event arrived before it.
    case doubled
    /// Its workout has ended, which is final.
    case ended
  }

  /// Why an update of another workout is refused, with the text in the trace.
  package enum Refusal: String, Sendable, CaseIterable {
    /// Another run is preparing, running or paused.
    case anotherIsOn = "another workout is on"
    /// The last run ended, and only a start opens the next.
    case notAStart = "only a start opens a run after an ended one"
    /// The last run ended, and this start was not sent after its end.
    case oldStart = "not started later than the last run ended"
    /// This workout reported its end before it could become the phone's run.
    case alreadyEnded = "this workout has ended already"
    /// The phone gave up its start, or tracks it itself.
    case givenUp = "the phone has given this start up"
  }

  /// The trace event; nil for an order, which shows as the frame that carries it.
  package func traceEvent(at now: VirtualTime) -> TraceEvent? {
    switch self {
    case .opened(let workoutId, let sentAt):
      TraceEvent(RunOpened.self, at: now, on: .phone) {
        $0.workoutId = workoutId
        $0.sentAt = sentAt.nanoseconds
      }
    case .named(let workoutId, _, let sentAt):
      TraceEvent(RunNamed.self, at: now, on: .phone) {
        $0.workoutId = workoutId
        $0.sentAt = sentAt.nanoseconds
      }
    case .state(let workoutId, let from, let to, let cause, let sentAt):
      TraceEvent(RunStateChanged.self, at: now, on: .phone) {
        $0.workoutId = workoutId
        $0.from = from?.text
        $0.to = to.text
        $0.cause = cause.rawValue
        $0.sentAt = sentAt?.nanoseconds
      }
    case .history(let workoutId, let kind, let sentAt, let why):
      TraceEvent(RunHistory.self, at: now, on: .phone) {
        $0.workoutId = workoutId
        $0.kind = kind.rawValue
        $0.sentAt = sentAt.nanoseconds
        $0.why = why.rawValue
      }
    case .refused(let workoutId, let why, let sentAt):
      TraceEvent(RunRefused.self, at: now, on: .phone) {
        $0.workoutId = workoutId
        $0.why = why.rawValue
        $0.sentAt = sentAt.nanoseconds
      }
    case .recorded(let update):
      TraceEvent(RunRecorded.self, at: now, on: .phone) {
        $0.workoutId = update.workoutId
        $0.kind = update.kind.rawValue
        $0.sentAt = update.sentAt.nanoseconds
      }
    case .orderWatchToEnd:
      nil
    case .finished(let workoutId, let healthKitWorkoutUUID, let sentAt):
      TraceEvent(RunFinished.self, at: now, on: .phone) {
        $0.workoutId = workoutId
        $0.healthKitWorkoutUUID = healthKitWorkoutUUID
        $0.sentAt = sentAt.nanoseconds
      }
    case .discarded(let workoutId, let sentAt):
      TraceEvent(RunDiscarded.self, at: now, on: .phone) {
        $0.workoutId = workoutId
        $0.sentAt = sentAt.nanoseconds
      }
    }
  }
}
