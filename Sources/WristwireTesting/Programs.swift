import Foundation
import WristwireSupport

/// Finds the simulator and the package's own programs.
struct Programs {
  /// The path of `sim-runner`, which has the library for virtual time beside it.
  let runner: String
  private let folders: [String]

  /// Finds the simulator: `WRISTWIRE_SIM_RUNNER`, beside the tests, in the checkout of wristwire, in `PATH`.
  static func find() throws -> Programs {
    let files = FileManager.default
    let working = files.currentDirectoryPath
    var folders = ["\(working)/.build/debug", "\(working)/.build/release"]
    if let own = try? files.destinationOfSymbolicLink(atPath: "/proc/self/exe") { folders.insert(parent(own), at: 0) }
    if let path = ProcessInfo.processInfo.environment["WRISTWIRE_SIM_RUNNER"] {
      guard files.isExecutableFile(atPath: path) else {
        throw Simulation.RunError(
          description: "WRISTWIRE_SIM_RUNNER: found \"\(path)\", expected the path of the program sim-runner")
      }
      return Programs(runner: path, folders: folders)
    }
    let checkout = parent(parent(parent(#filePath)))
    let path = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
    let places = folders + ["\(checkout)/.build/debug", "\(checkout)/.build/release"] + path
    for folder in places
    where files.isExecutableFile(atPath: "\(folder)/sim-runner")
      && files.fileExists(atPath: "\(folder)/libVirtualTime.so")
    {
      return Programs(runner: "\(folder)/sim-runner", folders: folders)
    }
    throw Simulation.RunError(
      description:
        "found no sim-runner with libVirtualTime.so beside it; expected WRISTWIRE_SIM_RUNNER, or these once:\n"
        + "  swift build --package-path \(checkout) --product sim-runner\n"
        + "  swift build --package-path \(checkout) --product VirtualTime")
  }

  /// The option that sets the player of a device.
  ///
  /// - Throws: ``Simulation/RunError`` for a product that is not built.
  func words(_ player: Simulation.Player, _ option: String) throws -> [String] {
    switch player {
    case .scenario: return []
    case .simulated: return [option, "built-in"]
    case .program(let path, let arguments): return [option, command([path] + arguments)]
    case .product(let name, let arguments):
      let place = folders.first { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") }
      guard let place else {
        throw Simulation.RunError(
          description: "found no program \"\(name)\" in \(folders.joined(separator: ", ")); expected an executable "
            + "product of this package, on which the test target depends")
      }
      return [option, command(["\(place)/\(name)"] + arguments)]
    }
  }

  /// A path, unchanged if it is absolute or names a file; otherwise relative to the folder of the test's source file.
  static func resolve(_ path: String, beside filePath: String) -> String {
    guard !path.hasPrefix("/"), !FileManager.default.fileExists(atPath: path) else { return path }
    let other = "\(parent(filePath))/\(path)"
    return FileManager.default.fileExists(atPath: other) ? other : path
  }

  private static func parent(_ path: String) -> String { (path as NSString).deletingLastPathComponent }

  /// A command line as `sim-runner` splits it.
  private func command(_ words: [String]) -> String {
    words.map { word in
      word.contains { " '\"\\".contains($0) } ? "'" + word.replacing("'", with: "'\\''") + "'" : word
    }.joined(separator: " ")
  }
}
