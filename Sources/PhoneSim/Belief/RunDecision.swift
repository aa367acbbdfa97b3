package import CoachProtocol
package import Link

/// What the phone concluded from one word about a run, in the order it was concluded.
package enum RunDecision: Sendable, Equatable {
  /// A workout became the phone's run: once for each workout, by whatever word came first.
  case opened(workoutId: Identifier, sentAt: WatchTime)
  /// The first `workoutStarted` of a workout: from here on the run has its start.
  case named(workoutId: Identifier, startedAt: WatchTime, sentAt: WatchTime)
  /// The belief changed.
  ///
  /// `from` is what was believed of this workout before, nil where nothing was: a new run begins at
  /// nil even where another one ended before it. `sentAt` is nil for a command, which has no watch
  /// time and must not be taken for one.
  case state(workoutId: Identifier, from: WorkoutState?, to: WorkoutState, cause: Cause, sentAt: WatchTime?)
  /// A word that came too late to be believed.
  case history(workoutId: Identifier, kind: RunWord.Kind, sentAt: WatchTime, why: Lateness)
  /// A word about a workout that is not the phone's run.
  case refused(workoutId: Identifier, why: Refusal, sentAt: WatchTime)
  /// The watch must end this workout, and no other.
  case tellWatchToEnd(workoutId: Identifier)
  /// The run is over and saved on the watch: once for each workout.
  case finished(workoutId: Identifier, healthKitWorkoutUUID: Identifier, sentAt: WatchTime)

  /// What changed the belief.
  package enum Cause: Sendable, Equatable, CaseIterable {
    case snapshot, event, command

    /// The name in the trace.
    package var text: String {
      switch self {
      case .snapshot: "snapshot"
      case .event: "event"
      case .command: "command"
      }
    }
  }

  /// Why a word is history.
  package enum Lateness: Sendable, Equatable, CaseIterable {
    /// A newer word was there before it.
    case late
    /// The same event was there before it.
    case doubled
    /// Its workout has ended, which is final.
    case ended

    /// The name in the trace.
    package var text: String {
      switch self {
      case .late: "late"
      case .doubled: "doubled"
      case .ended: "ended"
      }
    }
  }

  /// Why a word about another workout is refused.
  package enum Refusal: Sendable, Equatable, CaseIterable {
    /// Another run is preparing, running or paused.
    case anotherIsOn
    /// The last run ended, and only a start opens the next.
    case notAStart
    /// The last run ended, and this start was not sent later than that.
    case oldStart
    /// This workout said that it ended before it could become the phone's run.
    case alreadyEnded
    /// The phone asked for this workout and gave it up, or tracks it itself.
    case givenUp

    /// The wording in the trace.
    package var text: String {
      switch self {
      case .anotherIsOn: "another workout is on"
      case .notAStart: "only a start opens a run after an ended one"
      case .oldStart: "not started later than the last run ended"
      case .alreadyEnded: "this workout has ended already"
      case .givenUp: "the phone has given this start up"
      }
    }
  }

  /// The line of the trace; nil for an order, which shows as the frame that carries it.
  package func traceEvent(at now: VirtualTime) -> TraceEvent? {
    switch self {
    case .opened(let workoutId, let sentAt):
      TraceEvent(
        "run.opened", at: now, on: .phone,
        [.init("workoutId", workoutId.traceValue), .init("sentAt", .int(sentAt.nanoseconds))])
    case .named(let workoutId, _, let sentAt):
      TraceEvent(
        "run.named", at: now, on: .phone,
        [.init("workoutId", workoutId.traceValue), .init("sentAt", .int(sentAt.nanoseconds))])
    case .state(let workoutId, let from, let to, let cause, let sentAt):
      TraceEvent(
        "run.state", at: now, on: .phone,
        [
          .init("workoutId", workoutId.traceValue), .init("from", from.map { .string($0.text) } ?? .null),
          .init("to", .string(to.text)), .init("cause", .string(cause.text)),
          .init("sentAt", sentAt.map { .int($0.nanoseconds) } ?? .null),
        ])
    case .history(let workoutId, let kind, let sentAt, let why):
      TraceEvent(
        "run.history", at: now, on: .phone,
        [
          .init("workoutId", workoutId.traceValue), .init("kind", .string(kind.text)),
          .init("sentAt", .int(sentAt.nanoseconds)), .init("why", .string(why.text)),
        ])
    case .refused(let workoutId, let why, let sentAt):
      TraceEvent(
        "run.refused", at: now, on: .phone,
        [
          .init("workoutId", workoutId.traceValue), .init("why", .string(why.text)),
          .init("sentAt", .int(sentAt.nanoseconds)),
        ])
    case .tellWatchToEnd:
      nil
    case .finished(let workoutId, let healthKitWorkoutUUID, let sentAt):
      TraceEvent(
        "run.finished", at: now, on: .phone,
        [
          .init("workoutId", workoutId.traceValue),
          .init("healthKitWorkoutUUID", healthKitWorkoutUUID.traceValue),
          .init("sentAt", .int(sentAt.nanoseconds)),
        ])
    }
  }
}
