import WatchSim

/// A recorded workout as the watch's run.
enum RecordedRun {
  /// Reads a workout's file and samples it at whole seconds.
  ///
  /// - Parameters:
  ///   - number: Which of the file's workouts, from 1; nil for all of it, or for the only one.
  ///   - stretch: The part that is replayed.
  /// - Throws: ``Failure/input(_:)`` for an unreadable file, or one that can be described but not replayed.
  static func motion(_ path: String, number: Int? = nil, stretch: RecordedStretch = .whole)
    throws(Failure) -> RecordedMotion
  {
    let workout: RecordedWorkout
    do throws(ImportError) { workout = try ImporterCatalog.read(path: path, number: number) } catch {
      throw Failure.input(error.description)
    }
    guard let timeline = workout.makeTimeline() else {
      throw Failure.input("\(path): error: \(workout.replayObstacle?.description ?? "not replayable")")
    }
    do throws(MotionError) { return try RecordedMotion(timeline).cut(to: stretch) } catch {
      throw Failure.input("\(path): error: \(error.key): found \(error.found), expected \(error.expected)")
    }
  }

  /// Reads the workout's file, if any, to report errors before a run.
  static func check(_ source: WorkoutPlan.Source) throws(Failure) {
    switch source {
    case .model, .discipline: return
    case .recorded(let path, let number, let stretch): _ = try motion(path, number: number, stretch: stretch)
    case .traced(let path): _ = try TracedMotion(RecordedTrace(path))
    }
  }
}
