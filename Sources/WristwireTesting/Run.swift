public import Foundation
public import Testing
@_exported public import WristwireSupport

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

/// Limits concurrent runs to the number of processors, since a test with many arguments starts all of them at once.
actor RunGate {
  static let shared = RunGate(ProcessInfo.processInfo.activeProcessorCount)

  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(_ count: Int) { free = max(1, count) }

  /// Starts a run once there is room for it.
  nonisolated func withTurn<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value {
    await acquire()
    do {
      let value = try await body()
      await giveBack()
      return value
    } catch {
      await giveBack()
      throw error
    }
  }

  private func acquire() async {
    if free > 0 {
      free -= 1
    } else {
      await withCheckedContinuation { waiting.append($0) }
    }
  }

  private func giveBack() {
    if waiting.isEmpty {
      free += 1
    } else {
      waiting.removeFirst().resume()
    }
  }
}

extension Simulation {
  /// Who plays a device in a run.
  public enum Player: Sendable {
    /// The player that the scenario names: its `command`, or else the simulated device.
    case scenario
    /// The simulated device, whatever the scenario names.
    case simulated
    /// An executable product of this package, by name, in the folder of the test's own program.
    case product(String, arguments: [String] = [])
    /// A program by its path.
    case program(String, arguments: [String] = [])
  }

  /// Runs a scenario with the package's apps, in virtual time.
  ///
  /// A run that fails records an issue with what is broken and the story around it, and attaches the trace to the test.
  ///
  /// - Parameters:
  ///   - scenario: The file, relative to the working folder (the package's, in `swift test`) or to the test's source file.
  ///   - seed: The run's seed; nil for the scenario's.
  ///   - options: Further options of `sim-runner run`, such as `["--jitter", "20"]`.
  ///   - limit: How long the run may take in real time; it is ended then.
  /// - Throws: ``RunError`` if the run could not be started: bad input, a missing program, a failed environment.
  @discardableResult
  public static func run(
    _ scenario: String, seed: UInt64? = nil, phone: Player = .scenario, watch: Player = .scenario,
    options: [String] = [], limit: Duration = .seconds(300), filePath: String = #filePath,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Run {
    let programs = try Programs.find()
    let words =
      try ["run", Programs.resolve(scenario, beside: filePath)] + (seed.map { ["--seed", String($0)] } ?? [])
      + programs.words(phone, "--phone-cmd") + programs.words(watch, "--watch-cmd") + options
    let run = try await RunGate.shared.withTurn { try await Run(programs.runner, words, limit: limit) }
    guard run.verdict != .pass else { return run }
    Issue.record(Comment(rawValue: "\(scenario): \(run.report)"), sourceLocation: sourceLocation)
    Attachment.record(
      [UInt8](run.trace), named: "\(run.name)-seed-\(run.seed).jsonl", sourceLocation: sourceLocation)
    return run
  }

  /// Why a run could not be started.
  public struct RunError: Error, CustomStringConvertible {
    public let description: String
  }
}
