import Foundation
import LinkTestSupport
import LinkTransport

/// A run of two probes as processes, under a real conductor.
struct ProbeRun {
  /// What the command ended with.
  let status: Int32
  /// What it said on standard error, and on standard output.
  let text: String
  /// The trace, a line each.
  var trace: [Substring]
  /// What each app wrote down, over all its starts.
  let watch: [String]
  let phone: [String]
  /// What `inspect` says of what the devices have kept; empty where that was not asked for.
  var inspected = ""
  /// The paths of what is in the state folder after the run; empty where it was not kept.
  var kept: [String] = []

  /// Where the programs are: beside the tests.
  static let folder = PackageRoot.url.appending(path: ".build/debug").path

  /// Runs a scenario, in virtual time unless said otherwise.
  ///
  /// - Parameters:
  ///   - faults: The scenario's faults, as JSON5.
  ///   - watch: What the watch's app does, and when in seconds after its start.
  ///   - time: How fast; nil for virtual time.
  ///   - options: Further options of the command.
  ///   - phoneKeys: Further keys of the scenario's phone, each with a comma behind it.
  ///   - keys: Further keys of the scenario, likewise.
  ///   - link: Further parts of the link.
  ///   - environment: Variables of the runner, in place of ours or besides them.
  ///   - folder: The runner's working folder; nil for ours.
  ///   - programs: The folder of runner and probe; nil for where they were built.
  ///   - usesProbeAsWatch: False for the simulated watch, which runs.
  init(
    faults: String = "", duration: String = "20s", expect: String = "", watch: [String] = [], phone: [String] = [],
    time: String? = nil, seed: Int = 3, options: [String] = [], phoneEvents: String = "",
    usesProbeAsWatch: Bool = true,
    phoneKeys: String = "", keys: String = "", inspects: Bool = false, link: String = "backgroundDelay: \"0s\"",
    environment: [String: String] = [:], folder: String? = nil, programs: String? = nil
  ) throws {
    let root = FileManager.default.temporaryDirectory.appending(path: "wcp-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: root) }
    let scenario = """
      { scenario: "probe", seed: \(seed), replyTimeout: "60s", duration: "\(duration)", link: { profile: "ideal", \(link) }, faults: [\(faults)],
        \(keys) phone: { \(phoneKeys) events: [\(phoneEvents)] }, expect: [\(expect)] }
      """
    try Data(scenario.utf8).write(to: URL(fileURLWithPath: "\(root)/s.json5"))
    func command(_ role: String, _ actions: [String]) -> String {
      (["\(programs ?? Self.folder)/SessionProbe", "\(root)/\(role).log"] + actions).joined(separator: " ")
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "\(programs ?? Self.folder)/sim-runner")
    process.arguments = [
      "run", "\(root)/s.json5", "--trace", "\(root)/t.jsonl", "--phone-cmd", command("phone", phone),
    ]
    if let time { process.arguments? += ["--time", time] }
    process.arguments? += options
    if usesProbeAsWatch { process.arguments? += ["--watch-cmd", command("watch", watch)] }
    if inspects { process.arguments? += ["--state-dir", "\(root)/state"] }
    if !environment.isEmpty {
      process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    }
    if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run(killedAfter: 300)
    text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    status = process.terminationStatus
    trace = Self.lines("\(root)/t.jsonl").map { $0[...] }
    self.watch = Self.lines("\(root)/watch.log")
    self.phone = Self.lines("\(root)/phone.log")
    if inspects { kept = FileManager.default.enumerator(atPath: "\(root)/state")?.compactMap { $0 as? String } ?? [] }
    if inspects { inspected = try Self.runner(["inspect", "\(root)/state"]).text }
  }

  /// What the runner says to other words.
  private static func runner(_ words: [String]) throws -> (status: Int32, text: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "\(folder)/sim-runner")
    process.arguments = words
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run(killedAfter: 300)
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, text)
  }

  private static func lines(_ path: String) -> [String] {
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").map(String.init)
  }

  /// What `replay` makes of the trace.
  func replayed(_ options: [String] = []) throws -> (status: Int32, text: String) {
    let path = FileManager.default.temporaryDirectory.appending(path: "wct-\(UUID().uuidString).jsonl").path
    try Data((trace.joined(separator: "\n") + "\n").utf8).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try Self.runner(["replay", path, "--run-programs"] + options)
  }

  /// Lines of the trace of an event.
  func events(_ name: String) -> [Substring] { trace.filter { $0.contains("\"event\":\"\(name)\"") } }
}
