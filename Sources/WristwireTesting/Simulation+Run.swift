public import Testing
@_exported public import WristwireSupport

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
