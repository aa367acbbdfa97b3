import CoachProtocol
import Link

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
