import Foundation
import Testing
import WristwireTesting

/// Runs of the probe, as a watch and as a phone.
enum ProbeRuns {
  /// Samples reach the phone soon.
  static let soon = "healthKit: { syncLag: \"3s\" },"
  static let sum = "118s sum {\"type\":\"HKQuantityTypeIdentifierDistanceWalkingRunning\"}"

  /// Runs the probes with acts at instants: `"5s start"`, and arguments as JSON behind the name.
  ///
  /// - Parameter keys: Further keys of the scenario, each with a comma behind it.
  static func run(
    _ watch: [String], _ phone: [String] = [], faults: String = "", keys: String = "", duration: String = "120s",
    seed: UInt64 = 1
  ) async throws -> Simulation.Run {
    let folder = FileManager.default.temporaryDirectory.appending(path: "hk-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "s.json5").path
    let text = """
      { scenario: "health", duration: "\(duration)", link: { profile: "ble-running" }, \(keys)
        watch: { acts: [\(acts(watch))] }, phone: { acts: [\(acts(phone))] }, faults: [\(faults)] }
      """
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    return try await Simulation.run(
      path, seed: seed, phone: .product("HealthProbe", arguments: ["phone"]),
      watch: .product("HealthProbe", arguments: ["watch"]))
  }

  /// The names of those facts that match, in the order of the run.
  static func order(of run: Simulation.Run, where matches: (_ event: String, _ line: String) -> Bool) -> [String] {
    let marker = "\"event\":\"app."
    var names: [String] = []
    for line in String(decoding: run.trace, as: UTF8.self).split(separator: "\n").map(String.init) {
      guard let begin = line.firstRange(of: marker)?.upperBound else { continue }
      let name = String(line[begin...].prefix { $0 != "\"" })
      if matches(name, line) { names.append(name) }
    }
    return names
  }

  private static func acts(_ acts: [String]) -> String {
    acts.map { act in
      let words = act.split(separator: " ", maxSplits: 2).map(String.init)
      let with = words.count > 2 ? ", with: \(words[2])" : ""
      return "{ at: \"\(words[0])\", do: \"\(words[1])\"\(with) }"
    }.joined(separator: ", ")
  }
}
