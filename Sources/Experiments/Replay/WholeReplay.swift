package import Simulator
import TraceTools
package import Console
import Link

/// Runs the whole scenario of a trace's header again, and compares.
package enum WholeReplay {
  /// Runs it.
  ///
  /// - Parameter named: The programs of the command line, which replace the recorded ones.
  /// - Throws: ``Failure/input(_:)`` for a header that lacks something.
  package static func run(
    _ trace: RecordedTrace, workout: String?, programs named: UserPrograms = UserPrograms()
  ) throws(Failure) -> ReplayOutcome {
    let recorded = try RecordedPrograms(trace)
    let programs = try recorded.running(named)
    let repeated = try RepeatedScenario(trace, workout: workout)
    guard repeated.isComplete else {
      throw .input(
        "\(trace.path):1:1: error: \(repeated.notes.first ?? "the header does not say enough"); "
          + "--phone-only and --watch-only need less")
    }
    let cut = ReplayCut(trace)
    var scenario = repeated.scenario
    scenario.programs = programs
    scenario.appTime = recorded.time
    var options = RunOptions()
    options.stopsAfter = cut.at
    options.live = RecordedControls(trace, hasEdge: repeated.scenario.edge != nil, last: cut.at)
    var bytes: [UInt8] = []
    options.output = { bytes += $0 }
    let outcome = try ScenarioRun.run(scenario, options)
    if let failure = outcome.environmentFailure { throw .environment(failure) }
    let again = try RecordedTrace("the run of today", bytes)
    let trimmed = cut.trim(Decision.all(of: trace), Decision.all(of: again))
    let isIdentical = cut.at == nil ? bytes == trace.bytes : bytes.starts(with: wholeLines(trace.bytes))
    var result = ReplayOutcome(
      difference: TraceDifference(trimmed.before, trimmed.after), isIdentical: isIdentical, notes: repeated.notes)
    if !isIdentical, result.difference.isEmpty, cut.at == nil {
      result.notes.append(firstOtherLine(trace.bytes, bytes))
    }
    if let why = cut.why { result.notes.append(why) }
    return result
  }

  /// Without a truncated last line.
  private static func wholeLines(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    bytes[..<((bytes.lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1)]
  }

  /// The first difference of two texts with equal decisions.
  private static func firstOtherLine(_ old: [UInt8], _ new: [UInt8]) -> String {
    var line = 1
    for (before, after) in zip(old, new) {
      guard before == after else { break }
      if before == UInt8(ascii: "\n") { line += 1 }
    }
    return "the decisions are the same, the bytes are not: line \(line) is the first that differs"
  }
}
