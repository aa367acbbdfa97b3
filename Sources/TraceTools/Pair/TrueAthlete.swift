import Link

/// What really happens: the athlete, whom no device sees whole.
///
/// While the watch records, its figures of this instant are the truth that the phone's belief is compared with;
/// whether a workout is on
/// at all is what the athlete did (`truth.` lines), where the trace has them.
package struct TrueAthlete: Equatable {
  /// The workout's state: empty before the first.
  package private(set) var state = ""
  package private(set) var figures = Figures()
  /// Whether the state is the athlete's own, and not the watch's.
  package private(set) var isAthletes = false

  mutating func observe(_ event: TraceEvent) {
    switch event.body {
    case .snapshot(let snapshot): figures.update(snapshot.metrics, at: event.time)
    case .workoutState(let change):
      if change.from == nil { figures = Figures() }
      if !isAthletes { state = change.to }
    case .trueWorkoutBegan:
      (state, isAthletes) = ("running", true)
      figures = Figures()
    case .trueWorkoutEnded: state = "ended"
    default:
      if event.name == TrueWorkoutPaused.name { state = "paused" }
      if event.name == TrueWorkoutResumed.name { state = "running" }
    }
  }
}
