import Console
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
