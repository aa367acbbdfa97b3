package import Console
import Foundation
import Link
import LinkTransport
package import Simulator

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

/// One run of a scenario with placed faults.
struct ExploredRun {
  /// Runs scenarios for a search, and prepares once what all runs share.
  struct Runner {
    let scenario: Scenario
    let lengths: FaultPlacement.Lengths
    private let judge: RunJudge

    init(_ scenario: Scenario, _ lengths: FaultPlacement.Lengths) {
      self.scenario = scenario
      self.lengths = lengths
      judge = RunJudge(scenario)
    }

    /// The scenario with placed faults in its plan.
    func scenario(with placements: [FaultPlacement]) -> Scenario {
      var scenario = scenario
      scenario.faults += placements.enumerated().map { $1.planned(lengths, number: $0 + 1) }
      return scenario
    }

    /// Runs it, judged completely.
    ///
    /// - Parameters:
    ///   - scan: Collects targets for further faults; nil to skip it.
    ///   - echoes: Collects hashes of the run's events, if any.
    ///   - probe: Takes a hash of the state, if any.
    func run(
      _ placements: [FaultPlacement], scan: PlacementScan? = nil, echoes: EventEchoes? = nil,
      probe: StateProbe? = nil
    ) throws(Failure) -> ExploredRun {
      var options = RunOptions()
      options.showsPrograms = false
      options.level = .judged
      options.judge = judge
      options.probe = probe
      if scan != nil || echoes != nil {
        options.onEvent = { event, _ in
          scan?.observe(event)
          echoes?.observe(event)
        }
      }
      let outcome = try ScenarioRun.run(scenario(with: placements), options)
      let findings = SeedRun.hasPassed(outcome) ? [] : SeedRun.findings(outcome).map(\.finding)
      return ExploredRun(placements: placements, findings: findings)
    }
  }

  var placements: [FaultPlacement]
  /// What went wrong; empty if everything held.
  var findings: [SweepLine.Finding]

  var hasPassed: Bool { findings.isEmpty }
}

/// Hashes of a run's events from each instant of a grid on, to find runs that may share a state.
final class EventEchoes {
  private let step: Int64
  private let count: Int
  private var sums: [(time: VirtualTime, hash: Int)] = []

  /// - Parameters:
  ///   - until: The end of the grid; after the start.
  ///   - count: How many instants it has, the start not among them.
  init(until: VirtualTime, count: Int) {
    step = max(1, until.nanoseconds / Int64(count))
    self.count = count
  }

  /// An instant of the grid; index 0 is the first one after the start.
  func instant(_ index: Int) -> VirtualTime { VirtualTime(nanoseconds: step * Int64(index + 1)) }

  /// Observes the next event.
  ///
  /// The numbers of frames, and their count at the end, differ wherever one frame was sent more or less.
  func observe(_ event: TraceEvent) {
    var hasher = Hasher()
    hasher.combine(event.name.code)
    hasher.combine(event.time.nanoseconds)
    hasher.combine(event.place.rawValue)
    for field in event.fields where field.key != "id" && field.key != "frames" {
      switch field.value {
      case .null: hasher.combine(0)
      case .bool(let value): hasher.combine(value)
      case .int(let value): hasher.combine(value)
      case .decimal(let mantissa, let scale):
        hasher.combine(mantissa)
        hasher.combine(scale)
      case .string(let value), .json(let value): hasher.combine(value)
      case .hex(let value): hasher.combine(value)
      case .digest(let bytes): hasher.combine(bytes)
      case .uuid(let high, let low):
        hasher.combine(high)
        hasher.combine(low)
      }
    }
    sums.append((event.time, hasher.finalize()))
  }

  /// The hash of everything from each instant of the grid on.
  var hashes: [Int] {
    var found = [Int](repeating: 0, count: count)
    var next = sums.count - 1
    var hash = 0
    for index in (0..<count).reversed() {
      let from = instant(index)
      while next >= 0, sums[next].time >= from {
        var hasher = Hasher()
        hasher.combine(hash)
        hasher.combine(sums[next].hash)
        hash = hasher.finalize()
        next -= 1
      }
      found[index] = hash
    }
    return found
  }
}
