import WatchSim

/// A recorded workout as the watch's run.
enum RecordedRun {
  /// Reads a workout's file and lays it on seconds.
  ///
  /// - Throws: ``Failure/input(_:)`` for a file that is none, or one that can be described but not replayed.
  static func motion(_ path: String) throws(Failure) -> RecordedMotion {
    do throws(ImportError) {
      let workout = try ImporterCatalog.read(path: path)
      if let obstacle = workout.replayObstacle { throw Failure.input("\(path): error: \(obstacle)") }
      return try RecordedMotion(ReplayTimeline(workout))
    } catch let error as ImportError {
      throw Failure.input(error.description)
    } catch let error as Failure {
      throw error
    } catch {
      throw Failure.input("\(path): error: \(error)")
    }
  }
}
