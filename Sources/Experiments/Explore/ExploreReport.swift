import Simulator
package import Console
import Foundation
import Link
import LinkTransport

/// The findings of a search of small scopes so far.
package struct ExploreReport {
  /// The first placement that fails in one way, and the number of those that do.
  struct Failing {
    var placements: [FaultPlacement]
    var finding: SweepLine.Finding
    var count = 1
    /// The file of the scenario with these faults, shrunk unless the user declined; nil until it is saved.
    var file: String?
    /// The run's trace.
    var trace: String?
  }

  /// Limit of kinds of failures; further ones are only counted.
  static let kindsMax = 50

  let scenario: Scenario
  let scope: Exploration.Scope
  /// Placements that were run, by their number of faults; index 0 is the run without any.
  private(set) var runs: [Int]
  /// Placements that lead to a state that was already explored.
  private(set) var equal = 0
  /// In the order of detection, so that the first is the smallest.
  private(set) var failing: [Failing] = []
  package private(set) var failedCount = 0
  /// Whether everything in the scope was run.
  package var isComplete = false

  init(_ scenario: Scenario, _ scope: Exploration.Scope) {
    self.scenario = scenario
    self.scope = scope
    runs = [Int](repeating: 0, count: scope.faults + 1)
  }

  /// All placements that were run or needed no run.
  var placements: Int { runs.reduce(0, +) + equal }

  /// Counts placements that passed.
  mutating func count(runs more: Int, equal: Int = 0, size: Int) {
    runs[size] += more
    self.equal += equal
  }

  /// Adds a placement that failed.
  ///
  /// - Parameter count: How many placements with the same first fault did; those after the first count as of its kind.
  mutating func add(_ placements: [FaultPlacement], _ finding: SweepLine.Finding, count: Int = 1) {
    failedCount += count
    let kind = FailureKind(finding, phase: "")
    if let index = failing.firstIndex(where: { FailureKind($0.finding, phase: "") == kind }) {
      failing[index].count += count
    } else if failing.count < Self.kindsMax {
      failing.append(Failing(placements: placements, finding: finding, count: count))
    }
  }

  /// Saves each kind of failure as a scenario and a trace, as a sweep does.
  package mutating func save(in folder: String, isShrinking: Bool, _ screen: Screen) throws(Failure) {
    guard !failing.isEmpty else { return }
    try OutputFolder.make(folder)
    for index in failing.indices where !StopSignal.isRaised {
      let runner = ExploredRun.Runner(scenario, scope.lengths)
      let placed = runner.scenario(with: failing[index].placements)
      let number = failing.count > 1 ? "-\(index + 1)" : ""
      let base = "\(folder)/\(OutputName.safe(scenario.name))-\(scenario.seed)\(number)"
      let shrunk =
        isShrinking ? try ShrunkRun.make(placed, target: failing[index].finding.invariant, screen: screen) : nil
      try SavedScenario.write(shrunk?.scenario ?? placed, to: "\(base).json5")
      try SweepReport.writeTrace(placed, to: "\(base).jsonl")
      failing[index].file = "\(base).json5"
      failing[index].trace = "\(base).jsonl"
    }
  }

  /// The last sentence: the certificate, or what is missing from it.
  package func conclusion(seconds: Double) -> String {
    let count = StoryText.count(placements, "placement")
    let faults = StoryText.count(scope.faults, "fault")
    let effort = String(
      format: "%@ in %.1f s, %@ led into a state met before", StoryText.count(runs.reduce(0, +), "run"), seconds,
      StoryText.count(equal))
    if failedCount > 0 {
      return "\(count) of up to \(faults), \(StoryText.count(failedCount)) break it (\(effort))"
        + (isComplete ? "" : "; stopped at the smallest (--keep-going runs the others)")
    }
    return isComplete
      ? "\(count) of up to \(faults), none breaks it (\(effort))"
      : "\(count) of up to \(faults) so far, none of them breaks it; stopped before the others (\(effort))"
  }

  /// The failures as lines of text.
  package func lines(columns: Int) -> [String] {
    var lines: [String] = []
    for (index, one) in failing.enumerated() {
      let moment = one.finding.time < 0 ? "" : " at \(VirtualTime(nanoseconds: one.finding.time).text)"
      let faults =
        one.placements.isEmpty ? "without any fault" : "with \(StoryText.count(one.placements.count, "fault"))"
      let many = one.count > 1 ? ", and with \(StoryText.count(one.count - 1)) other placements" : ""
      lines += wrap("\(index + 1). \(one.finding.invariant)\(moment), \(faults)\(many)", to: columns)
      lines += wrap(TerminalText.escape(one.finding.detail), to: columns - 3).map { "   " + $0 }
      lines += one.placements.map { "   - \($0.text)" }
      if let file = one.file { lines.append("   saved: \(file)") }
      if let trace = one.trace { lines.append("   trace: \(trace)") }
    }
    return lines
  }

  /// The members of `--json`.
  package func members(seconds: Double) -> JSONFields {
    [
      "scenario": .string(scenario.name), "seed": .string(String(scenario.seed)),
      "verdict": .string(failedCount > 0 ? "fail" : isComplete ? "pass" : "unknown"), "complete": .bool(isComplete),
      "faults": .count(scope.faults), "until": .integer(scope.until.nanoseconds),
      "kinds": .texts(scope.kinds.map(\.rawValue)), "placements": .count(placements),
      "runs": .counts(runs), "equalStates": .count(equal), "failed": .count(failedCount),
      "failures": .objects(failing) { one in
        [
          "invariant": .string(one.finding.invariant), "t": .integer(one.finding.time),
          "detail": .string(one.finding.detail), "count": .count(one.count),
          "faults": .array(
            one.placements.enumerated().map { JSONNode($1.planned(scope.lengths, number: $0 + 1).json) }),
          "saved": .text(one.file), "trace": .text(one.trace),
        ]
      }, "seconds": .plain(seconds),
    ]
  }
}
