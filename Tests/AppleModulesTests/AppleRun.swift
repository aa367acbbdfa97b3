import Foundation
import LinkTestSupport

/// A run of two apps that use Apple's modules, in virtual time.
struct AppleRun {
  let status: Int32
  /// What the runner said.
  let text: String
  let trace: [String]

  /// - Parameters:
  ///   - phone: What the phone's app does at its start.
  ///   - watch: What the watch's app does.
  ///   - faults: The scenario's faults, as JSON5.
  ///   - expect: Its expectations.
  ///   - story: Options of `sim-runner story`, whose output is then the text; nil for the run's own.
  init(
    phone: [String], watch: [String] = [], faults: String = "", expect: String = "", story: [String]? = nil
  ) throws {
    let root = FileManager.default.temporaryDirectory.appending(path: "apple-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: root) }
    let folder = PackageRoot.url.appending(path: ".build/debug").path
    let scenario = """
      { scenario: "apple", seed: 3, duration: "10s", link: { profile: "ideal" }, faults: [\(faults)], expect: [\(expect)],
        phone: { command: "\((["\(folder)/AppleProbe"] + phone).joined(separator: " "))" },
        watch: { command: "\((["\(folder)/AppleProbe"] + watch).joined(separator: " "))" } }
      """
    try Data(scenario.utf8).write(to: URL(fileURLWithPath: "\(root)/s.json5"))
    func runner(_ arguments: [String]) throws -> (status: Int32, text: String) {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "\(folder)/sim-runner")
      process.arguments = arguments
      let output = Pipe()
      process.standardOutput = output
      process.standardError = output
      try process.run(killedAfter: 300)
      let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      return (process.terminationStatus, text)
    }
    let run = try runner(["run", "\(root)/s.json5", "--trace", "\(root)/t.jsonl"])
    let lines = (try? String(contentsOfFile: "\(root)/t.jsonl", encoding: .utf8)) ?? ""
    trace = lines.split(separator: "\n").map(String.init)
    (status, text) = try story.map { try runner(["story", "\(root)/t.jsonl"] + $0) } ?? run
  }

  /// The lines of an event.
  func events(_ name: String) -> [String] { trace.filter { $0.contains("\"event\":\"\(name)\"") } }

  /// When an event happened, in milliseconds.
  func milliseconds(_ name: String) -> [Int] {
    events(name).compactMap { line in
      Int(line.dropFirst("{\"t\":".count).prefix(while: \.isNumber)).map { $0 / 1_000_000 }
    }
  }
}
