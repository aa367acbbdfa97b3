package import Link

extension CrashPoint {
  /// Everything of the watch's app.
  package static let watch: [CrashPoint] = [workoutCommitted]

  /// A workout has ended, is stored, and its end is queued.
  package static let workoutCommitted = Self(
    "workout.committed", "the end of a workout is durable, together with its place in the queue")
}
