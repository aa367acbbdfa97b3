import WatchSim

/// A recorded workout as the watch's run.
enum RecordedRun {
  /// Reads a workout's file and lays it on seconds.
  ///
  /// - Throws: ``Failure/input(_:)`` for a file that is none, or one that can be described but not replayed.
  static func motion(_ path: String) throws(Failure) -> RecordedMotion {
    let workout: RecordedWorkout
    do throws(ImportError) { workout = try ImporterCatalog.read(path: path) } catch {
      throw Failure.input(error.description)
    }
    guard let timeline = workout.makeTimeline() else {
      throw Failure.input("\(path): error: \(workout.replayObstacle?.description ?? "not replayable")")
    }
    do throws(MotionError) { return try RecordedMotion(timeline) } catch {
      throw Failure.input("\(path): error: \(error.key): found \(error.found), expected \(error.expected)")
    }
  }
}
