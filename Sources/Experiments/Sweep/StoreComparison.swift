import Console
import Foundation
import Link
import LinkTransport
import Simulator

/// Compares a run whose devices keep their state in memory with the same run on disk, which must not differ.
///
/// Sweeps run in memory, since that is faster; users' runs have stores on disk.
struct StoreComparison {
  /// One seed in so many is compared, and the first one of each scenario of a sweep.
  static let interval: UInt64 = 64
  /// Replaces the invariant's name if both runs differ.
  static let name = "stores-differ"
  /// The longest excerpt of a line.
  private static let excerptMax = 160

  /// How a run in memory ended.
  struct Ending {
    /// SHA-256 of the trace's bytes in hexadecimal; nil if no text was made.
    var digest: String?
    var hasPassed: Bool
    /// Whether a node failed, also by its store.
    var hasFailedNode: Bool

    init(_ outcome: RunOutcome) {
      digest = outcome.traceDigest
      hasPassed = SeedRun.hasPassed(outcome)
      hasFailedNode = outcome.environmentFailure != nil
    }
  }

  /// Whether a scenario's devices can keep their state on disk within this process.
  ///
  /// Programs keep their own, and a device of durability `normal` needs a process to lose commits.
  static func applies(to scenario: Scenario) -> Bool {
    scenario.programs.isEmpty && !scenario.losesCommits(.watch) && !scenario.losesCommits(.phone)
  }

  /// Runs a scenario with stores on disk, in a temporary folder, and compares it with a run in memory; nil if both agree.
  static func difference(_ scenario: Scenario, _ memory: Ending) throws(Failure) -> SweepLine.Finding? {
    guard applies(to: scenario) else { return nil }
    let folder: TemporaryDirectory
    do throws(SystemCallError) { folder = try TemporaryDirectory(in: StateFolder.memoryRoot) } catch {
      throw .environment("sweep: no folder for the state of the nodes: \(error)")
    }
    var options = RunOptions()
    options.showsPrograms = false
    options.stateFolder = folder.path + "/run"
    let outcome = try ScenarioRun.run(scenario, options)
    let disk = Ending(outcome)
    // Both stores refused it; they name the place differently.
    if disk.hasFailedNode, memory.hasFailedNode { return nil }
    guard disk.digest != memory.digest || disk.hasPassed != memory.hasPassed else { return nil }
    let why: String
    if let failure = outcome.environmentFailure {
      why = "only on disk \(failure.replacingOccurrences(of: folder.path + "/run", with: "STATE_DIR"))"
    } else {
      why = try lineText(scenario, in: folder.path + "/again")
    }
    return SweepLine.Finding(
      invariant: name, time: outcome.simulated.nanoseconds,
      detail: "the run differs from that of the same seed with stores on disk, which \(passText(disk)), and "
        + "in memory \(passText(memory)): \(why)")
  }

  private static func passText(_ ending: Ending) -> String { ending.hasPassed ? "passes" : "fails" }

  /// The first line in which the traces differ.
  private static func lineText(_ scenario: Scenario, in folder: String) throws(Failure) -> String {
    func trace(_ folder: String?) throws(Failure) -> [Substring] {
      var bytes: [UInt8] = []
      var options = RunOptions()
      options.showsPrograms = false
      options.stateFolder = folder
      options.output = { bytes += $0 }
      _ = try ScenarioRun.run(scenario, options)
      return String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    }
    let (memory, disk) = (try trace(nil), try trace(folder))
    guard let index = (0..<max(memory.count, disk.count)).first(where: { line($0, memory) != line($0, disk) }) else {
      return "no line of a second pair of runs differs"
    }
    return "line \(index + 1) of the trace is \(line(index, disk)) on disk, and \(line(index, memory)) in memory"
  }

  private static func line(_ index: Int, _ lines: [Substring]) -> String {
    guard index < lines.count else { return "missing" }
    let text = lines[index]
    return text.count > excerptMax ? text.prefix(excerptMax) + "..." : String(text)
  }

  /// Runs a scenario with its own seed in memory and on disk; the one finding is that they differ.
  static func findings(_ scenario: Scenario) throws(Failure) -> [ObservedFinding] {
    var options = RunOptions()
    options.showsPrograms = false
    let memory = try ScenarioRun.run(scenario, options)
    guard let finding = try difference(scenario, Ending(memory)) else { return [] }
    return [ObservedFinding(finding: finding, kind: FailureKind(finding, phase: Circumstances().phaseText))]
  }
}
