package import Simulator
package import Console
import Foundation
import Link
import LinkTransport

/// A search of small scopes from its first run to its report.
package struct ExploreSearch {
  package private(set) var lines: [String] = []
  package var report: ExploreReport

  private let scenario: Scenario
  private let scope: Exploration.Scope
  private let jobs: Int
  private let keepsGoing: Bool
  private let screen: Screen

  package init(_ scenario: Scenario, _ scope: Exploration.Scope, jobs: Int, keepsGoing: Bool, _ screen: Screen) {
    self.scenario = scenario
    self.scope = scope
    self.jobs = jobs
    self.keepsGoing = keepsGoing
    self.screen = screen
    report = ExploreReport(scenario, scope)
  }

  /// What the lines of `--out` say of one first fault.
  private struct Tally {
    var placements = 0
    var equal = 0
    var findings: [SweepLine.Finding] = []
  }

  /// Runs it.
  ///
  /// - Parameter part: The part of the first faults; nil for all. Each part runs all placements of one fault, by which it
  ///   knows which states have been met, and counts its own.
  package mutating func run(_ part: Shard?) throws(Failure) {
    var exploration = try Exploration(scenario, scope)
    let all = SeedRange(lower: 0, upper: UInt64(exploration.singles.count) + 1)
    let own = part.map { $0.part(of: all) } ?? all
    var tallies: [Int: Tally] = [:]
    defer { lines = tallies.sorted { $0.key < $1.key }.map { line($0.key, $0.value) } }
    if own.lower == 0 || !exploration.base.isEmpty {
      report.count(runs: 1, size: 0)
      tallies[0] = Tally(placements: 1, findings: exploration.base)
    }
    guard exploration.base.isEmpty else {
      report.add([], exploration.base[0])
      report.isComplete = true
      return
    }
    let count = exploration.singles.count
    let screen = self.screen
    guard
      try exploration.runSingles({ done in
        screen.progress { "\(StoryText.count(done)) of \(StoryText.count(count)) placements of 1 fault" }
        return !StopSignal.isRaised
      })
    else { return }
    let places = (0..<count).filter { (own.lower..<own.upper).contains(UInt64($0) + 1) }
    for place in places {
      report.count(runs: 1, size: 1)
      tallies[place + 1] = Tally(placements: 1, findings: exploration.broken[place])
      guard let finding = exploration.broken[place].first else { continue }
      report.add([exploration.singles[place]], finding)
      // The lines end with the first failure.
      if !keepsGoing { return }
    }
    let source = SweepSource.text(of: scenario)
    let pool = ExplorePool(exploration, source, jobs: jobs)
    for size in 2...max(2, scope.faults) where size <= scope.faults {
      guard try run(pool, exploration, places, size: size, &tallies) else { return }
    }
    report.isComplete = !StopSignal.isRaised
  }

  private mutating func run(
    _ pool: ExplorePool, _ exploration: Exploration, _ places: [Int], size: Int, _ tallies: inout [Int: Tally]
  ) throws(Failure) -> Bool {
    var found: [(place: Int, branch: Exploration.Branch)] = []
    var runs = 0
    let failures = Failures()
    let screen = self.screen
    let isComplete = try pool.run(places, size: size, stopsAtFailure: !keepsGoing) { place, branch in
      found.append((place, branch))
      runs += branch.runs
      if branch.broken != nil { failures.count += 1 }
      screen.progress {
        "\(StoryText.count(found.count)) of \(StoryText.count(places.count)) first faults, "
          + "\(StoryText.count(runs)) placements of \(size) faults, \(StoryText.count(failures.count)) failed"
      }
    }
    for (place, branch) in found {
      report.count(runs: branch.runs, equal: branch.equal, size: size)
      tallies[place + 1]?.placements += branch.runs + branch.equal
      tallies[place + 1]?.equal += branch.equal
      guard let broken = branch.broken else { continue }
      let findings = try exploration.runner.run(broken).findings
      if tallies[place + 1]?.findings.isEmpty == true { tallies[place + 1]?.findings = findings }
      if let finding = findings.first { report.add(broken, finding, count: branch.failed) }
    }
    return isComplete
  }

  private final class Failures { var count = 0 }

  private func line(_ number: Int, _ tally: Tally) -> String {
    let line = SweepLine(
      scenario: scenario.name, seed: UInt64(number), hasPassed: tally.findings.isEmpty, violations: tally.findings)
    let more = [JSONMember](["placements": .count(tally.placements), "equalStates": .count(tally.equal)])
    // The keys of a sweep's line, so that the same tools read both, and two more.
    let text = JSONOutput.line(more)
    return line.text.dropLast() + "," + text.dropFirst()
  }
}
