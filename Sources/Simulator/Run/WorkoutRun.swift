import CoachProtocol
package import Console
import Foundation
import Link
import PhoneSim
package import WatchSim

// A recorded workout as a run of its own: the watch records it again, with a phone and a perfect link, and the trace is
// written.

/// A run of one recorded workout, and its trace's file.
package struct WorkoutRun {
  package let output: String
  private let scenario: Scenario

  /// The scenario's name in the trace.
  static let name = "import"

  /// Prepares a run.
  ///
  /// - Parameter number: Which of the file's workouts it is; nil if not given.
  /// - Throws: ``Failure/input(_:)`` for a workout that cannot be replayed.
  package init(_ workout: RecordedWorkout, path: String, number: Int? = nil, output: String) throws(Failure) {
    if let obstacle = workout.replayObstacle { throw .input("\(path): error: \(obstacle.description)") }
    guard let timeline = workout.makeTimeline() else {
      throw .input("\(path): error: found times that no run can be laid out by, expected a replayable workout")
    }
    guard let text = DateText.utc(timeline.start), StartInstant.parse(text) != nil else {
      throw .input("\(path): error: found a workout that starts outside the years 1970 to 2100")
    }
    var scenario = Scenario()
    scenario.name = Self.name
    scenario.seed = 1
    scenario.start.text = text
    scenario.workout.source = .recorded(
      path: FilePath.resolve(path, in: FileManager.default.currentDirectoryPath), number: number)
    // The recording begins when the run does, so that the dates in the trace are those of the recording.
    scenario.workout.preparing = .zero
    scenario.duration = .seconds(Int64(timeline.wallSeconds) + 60)
    // The report of the session carries lengths and laps; of a run, a trace has all but its laps.
    if timeline.parts != nil, timeline.sport.flatMap({ TrainingDiscipline(sport: $0) }) != .running {
      scenario.training = TrainingSetup()
    }
    if let link = ProfileCatalog.profile(named: "ideal") { scenario.link = link }
    scenario.script = FallbackScript.make(personality: scenario.workout.personality, plan: scenario.plan)
    self.scenario = scenario
    self.output = output
  }

  /// Runs it in this process and writes the trace, completely or not at all.
  ///
  /// - Throws: If the trace cannot be written.
  package func write() throws(Failure) -> RunOutcome {
    let file = try OutputFile(output, as: .trace, missingFolderIsInput: false)
    var options = RunOptions()
    options.output = { try file.write($0) }
    let outcome = try ScenarioRun.run(scenario, options)
    if let failure = outcome.environmentFailure { throw .environment("\(output): error: \(failure)") }
    try file.commit()
    return outcome
  }
}

/// Identifies the bytes of a run's workout file.
package enum WorkoutDigest {
  /// The member of a trace's header; older traces lack it.
  static let key = "workoutDigest"

  private static let chunkBytes = 1 << 20

  /// SHA-256 of a file as 64 hexadecimal digits; nil if it cannot be read.
  package static func text(ofFile path: String) -> String? {
    guard let file = FileHandle(forReadingAtPath: path) else { return nil }
    defer { try? file.close() }
    var digest = SHA256Stream()
    do {
      while let chunk = try file.read(upToCount: chunkBytes), !chunk.isEmpty { digest.append([UInt8](chunk)) }
    } catch { return nil }
    return Digest.text(digest.finish())
  }

  /// The warning about a replay with another file than the trace's; nil if it is the same, or unknown.
  static func mismatch(_ header: TraceHeader, file path: String) -> String? {
    guard let recorded = header.extra(key)?.text, let found = text(ofFile: path), found != recorded else { return nil }
    return
      "\(TerminalText.escape(path)) is not the file that the run came from: found SHA-256 \(found.prefix(16))..., expected "
      + "\(TerminalText.escape(String(recorded.prefix(16))))..."
  }
}
