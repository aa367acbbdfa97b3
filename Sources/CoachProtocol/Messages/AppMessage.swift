/// Everything watch and phone say to each other, voice notes excepted: those are files.
///
/// An enum, so that a new kind makes every place that must answer it known to the compiler.
public enum AppMessage: Sendable, Equatable {
  case liveMetrics(LiveMetrics)
  case workoutStarted(WorkoutStarted)
  case workoutPaused(WorkoutPaused)
  case workoutResumed(WorkoutResumed)
  case workoutEnded(WorkoutEnded)
  case startWorkout(StartWorkout)
  case startAck(StartAck)
  case startDeclined(StartDeclined)
  case cancelStart(CancelStart)
  case endWorkout(EndWorkout)
  case hapticCue(HapticCue)
  case companionMessageDispatched(CompanionMessageDispatched)
}
