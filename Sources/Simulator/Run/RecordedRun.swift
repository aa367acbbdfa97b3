import Console
import CoachProtocol
import WatchSim

/// A recorded workout as the watch's run.
enum RecordedRun {
  /// Reads a workout's file and samples it at whole seconds.
  ///
  /// - Parameters:
  ///   - number: Which of the file's workouts, from 1; nil for all of it, or for the only one.
  ///   - stretch: The part that is replayed.
  ///   - discipline: What it is, if the file does not say so: TCX files of swims name no sport.
  /// - Throws: ``Failure/input(_:)`` for an unreadable file, one that can be described but not replayed, and one of another
  ///   discipline.
  static func motion(
    _ path: String, number: Int? = nil, stretch: RecordedStretch = .whole, discipline: TrainingDiscipline? = nil
  ) throws(Failure) -> RecordedMotion {
    var workout: RecordedWorkout
    do throws(ImportError) { workout = try ImporterCatalog.read(path: path, number: number) } catch {
      throw Failure.input(error.description)
    }
    if let discipline {
      let own = workout.sport.flatMap { TrainingDiscipline(sport: $0) }
      guard own == nil || own == discipline else {
        let found = "\(workout.sport ?? "") in the file"
        throw Failure.input("\(path): error: found \(found), expected the discipline \(discipline.rawValue)")
      }
      if own == nil { workout.sport = discipline.rawValue }
    }
    guard let timeline = workout.makeTimeline() else {
      throw Failure.input("\(path): error: \(workout.replayObstacle?.description ?? "not replayable")")
    }
    do throws(MotionError) { return try RecordedMotion(timeline).cut(to: stretch) } catch {
      throw Failure.input("\(path): error: \(error.key): found \(error.found), expected \(error.expected)")
    }
  }

  /// Reads the workout's file, if any, to report errors before a run, with the place that names the file.
  static func check(_ workout: WorkoutPlan) throws(Failure) {
    do throws(Failure) { try check(workout.source) } catch { throw workout.placed(error) }
  }

  /// Reads the source's file, if any, to report errors before a run.
  static func check(_ source: WorkoutPlan.Source) throws(Failure) {
    switch source {
    case .model, .discipline: return
    case .recorded(let path, let number, let stretch, let discipline):
      _ = try motion(path, number: number, stretch: stretch, discipline: discipline)
    case .traced(let path): _ = try TracedMotion(RecordedTrace(path))
    }
  }
}
