public import Foundation
import WristwireSupport

extension Simulation {
  /// A judged run.
  public struct Run: Sendable {
    public enum Verdict: String, Sendable {
      case pass, fail
      /// The run was not judged to its end.
      case unknown
    }

    /// The scenario's name.
    public let name: String
    public let seed: UInt64
    public let verdict: Verdict
    /// The names of broken invariants and checks, once for each violation.
    public let violations: [String]
    /// What failed, with the story around it, as `sim-runner run --quiet` prints it; empty for a run that passed.
    public let report: String
    /// The trace: lines of JSON (docs/internals/trace-format.md).
    public let trace: Data
    private let allFacts: [Fact]

    /// The facts of a name, in the order of the run; of one device, or of both for nil.
    public func facts(_ name: String, on device: Fact.Device? = nil) -> [Fact] {
      allFacts.filter { $0.name == name && (device == nil || $0.device == device) }
    }

    /// Runs the simulator.
    init(_ runner: String, _ words: [String], limit: Duration) async throws {
      let folder = FileManager.default.temporaryDirectory.appending(
        path: "wristwire-\(ProcessInfo.processInfo.globallyUniqueString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let path = folder.appending(path: "trace.jsonl")
      let status = try await Self.wait(
        runner, words + ["--trace", path.path, "--json", "--quiet"], folder: folder, limit: limit)
      func text(_ name: String) -> String {
        (try? String(contentsOf: folder.appending(path: name), encoding: .utf8)) ?? ""
      }
      let errors = text("errors").trimmingCharacters(in: .whitespacesAndNewlines)
      let object = try? JSONDecoder().decode(Answer.self, from: Data(text("output").utf8))
      guard status < 2, let object, let seed = UInt64(object.seed) else {
        throw RunError(description: "sim-runner ended with status \(status): \(errors)")
      }
      name = object.scenario
      self.seed = seed
      verdict = status == 0 ? .pass : Verdict(rawValue: object.verdict) ?? .unknown
      violations = object.violations.map(\.invariant)
      report = status == 0 ? "" : errors
      trace = (try? Data(contentsOf: path)) ?? Data()
      allFacts = trace.split(separator: UInt8(ascii: "\n")).compactMap { Fact(line: Data($0)) }
    }

    /// The used members of the simulator's JSON object.
    private struct Answer: Decodable {
      struct Violation: Decodable { var invariant: String }
      var scenario: String
      var seed: String
      var verdict: String
      var violations: [Violation]
    }

    /// Starts a program and waits for its end without blocking a thread.
    ///
    /// - Returns: Its exit status.
    private static func wait(
      _ program: String, _ words: [String], folder: URL, limit: Duration
    ) async throws -> Int32 {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: program)
      process.arguments = words
      process.standardInput = FileHandle.nullDevice
      // Files, as pipes would have to be read meanwhile.
      process.standardOutput = try handle(folder.appending(path: "output"))
      process.standardError = try handle(folder.appending(path: "errors"))
      let watchdog = Task {
        try await Task.sleep(for: limit)
        process.terminate()
      }
      defer { watchdog.cancel() }
      return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
          do { try process.run() } catch { continuation.resume(throwing: error) }
        }
      } onCancel: {
        if process.isRunning { process.terminate() }
      }
    }

    private static func handle(_ url: URL) throws -> FileHandle {
      try Data().write(to: url)
      return try FileHandle(forWritingTo: url)
    }
  }
}
