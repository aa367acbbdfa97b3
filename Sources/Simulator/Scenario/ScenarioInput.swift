package import Console
import Foundation
import Link
import WatchSim

/// Detects other input instead of a scenario, and names the command that accepts it.
package enum ScenarioInput {
  /// Refuses a folder.
  static func checkPath(_ path: String) throws(Failure) {
    guard isFolder(path) else { return }
    throw .input(
      "\(path): error: found a folder, expected a scenario; every scenario in it: \(command(CommandName.test, path))")
  }

  /// Refuses a trace and a recorded workout, recognised by their first bytes.
  static func check(_ bytes: [UInt8], path: String) throws(Failure) {
    if bytes.starts(with: traceStart) {
      throw .input(
        "\(path): error: found a trace, expected a scenario; to judge the trace: \(command(CommandName.check, path)); "
          + "to repeat it: \(command(CommandName.replay, path))")
    }
    let head = Array(bytes.prefix(ImporterCatalog.headBytes))
    if ImporterCatalog.importer(for: head, fileName: path) != nil {
      throw .input(
        "\(path): error: found a recorded workout, expected a scenario; to run the workout: "
          + command(CommandName.importWorkout, path))
    }
  }

  /// Whether a path leads to a folder.
  package static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
  }

  /// The beginning of a header, the same from every writer of traces.
  private static let traceStart = Array(#"{"trace":"#.utf8)

  private static func command(_ name: String, _ path: String) -> String {
    CommandWords.join(["sim-runner", name, path])
  }
}

extension JSONValueReader {
  /// Where a key of this object, or this value itself, is written, as an error begins: `file:line:column: error: key`.
  func place(of node: JSONNode, key: String?) -> String {
    let name = key.map { "\(path).\($0)" } ?? path
    return "\(collector.diagnostics.file):\(node.position.line):\(node.position.column): error: \(name)"
  }
}

extension WorkoutPlan {
  /// A failure of the source's file, with the place that names the file.
  func placed(_ failure: Failure) -> Failure {
    guard let sourcePlace, let (_, path) = source.file, case .input(let text) = failure else { return failure }
    return .input("\(sourcePlace): \(text.replacing("\(path): error: ", with: "\(path): "))")
  }
}

extension Scenario {
  /// Checks that the recorded workouts and the programs that it names are there, with the places that name them.
  ///
  /// Processes that run it get another text of it, without these places.
  package func checkFiles() throws(Failure) {
    for workout in workouts { try RecordedRun.check(workout) }
    for role in [NodeRole.watch, .phone] {
      guard let program = programs[role], let obstacle = ProgramImage.obstacle(to: program.words[0]) else { continue }
      throw .input("\(program.place ?? "the \(role.text)'s program"): \(obstacle), expected a program")
    }
  }
}
