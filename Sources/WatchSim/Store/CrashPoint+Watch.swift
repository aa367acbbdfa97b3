package import Link

extension CrashPoint {
  /// The crash points of the watch's app.
  package static let watch: [CrashPoint] = [workoutCommitted]

  package static let workoutCommitted = Self(
    "workout.committed", "the end of a workout is durable, together with its queued event")
}
