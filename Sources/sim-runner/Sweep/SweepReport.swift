import Foundation
import Link
import LinkTransport

/// What a sweep came to: counts, and the failures by what they have in common.
///
/// Its size does not grow with the seeds.
struct SweepReport {
  /// Failures with the same cause: what was broken, and in what kind of state.
  struct Group {
    var source: Int
    var invariant: String
    var circumstances: String
    /// The first seeds of it, in the order of the sweep.
    var seeds: [UInt64] = []
    var count = 0
    /// The result of the first seed.
    var first: SweepLine
    /// What the first seed was shrunk to; nil where it was not.
    var shrunk: ShrunkRun?
    /// The shrunk scenario's file, and the trace of the first seed; no trace where the simulation died on it.
    var files: (scenario: String, trace: String?)?
  }

  /// Seeds of a group that are named.
  static let seedsMax = 10
  /// Groups that are told apart; what comes after is counted only.
  static let groupsMax = 50

  let sources: [SweepSource]
  private(set) var groups: [Group] = []
  private(set) var seedCount = 0
  private(set) var failedCount = 0
  /// Failures that belong to none of the groups.
  private(set) var ungroupedCount = 0
  /// What was met, of each source.
  private(set) var coverage: [FaultCoverage]

  init(_ sources: [SweepSource]) {
    self.sources = sources
    coverage = sources.map { _ in FaultCoverage() }
  }

  /// Takes what became of a seed.
  mutating func take(_ outcome: SweepPool.Outcome) {
    seedCount += 1
    guard !outcome.line.hasPassed, let finding = outcome.line.violations.first else { return }
    failedCount += 1
    let circumstances = outcome.circumstances ?? ""
    let place = groups.firstIndex {
      first(like: $0.source) == first(like: outcome.source) && $0.invariant == finding.invariant
        && $0.circumstances == circumstances
    }
    if place == nil {
      guard groups.count < Self.groupsMax else {
        ungroupedCount += 1
        return
      }
      groups.append(
        Group(
          source: outcome.source, invariant: finding.invariant, circumstances: circumstances, first: outcome.line))
    }
    let index = place ?? groups.count - 1
    groups[index].count += 1
    if groups[index].seeds.count < Self.seedsMax { groups[index].seeds.append(outcome.line.seed) }
  }

  /// Takes what some seeds of a source met.
  mutating func take(_ met: FaultCoverage, of source: Int) { coverage[first(like: source)].add(met) }

  /// The first source of the same file: the others differ by the order of threads alone.
  func first(like source: Int) -> Int { sources.firstIndex { $0.path == sources[source].path } ?? source }

  /// Shrinks the first seed of each group and keeps it, with that seed's trace, in a folder.
  ///
  /// A seed on which the simulation died has no trace: it would die here, too.
  ///
  /// - Parameter isShrinking: False to keep the seed's run as it is.
  mutating func keepExamples(in folder: String, isShrinking: Bool, _ screen: Screen) throws(Failure) {
    guard !groups.isEmpty else { return }
    try OutputFolder.make(folder)
    for index in groups.indices {
      if StopSignal.isRaised { return }
      let group = groups[index]
      var scenario = sources[group.source].scenario
      scenario.seed = group.first.seed
      var base = "\(folder)/\(OutputName.safe(scenario.name))-\(scenario.seed)"
      // One seed can be the first of two groups only in two scenarios of one name.
      if groups[..<index].contains(where: { $0.files?.scenario == "\(base).json5" }) { base += "-\(index + 1)" }
      if isShrinking {
        let shrunk = try ShrunkRun.make(scenario, target: group.invariant, screen: screen)
        groups[index].shrunk = shrunk
        try SavedScenario.write(shrunk?.scenario ?? scenario.settled, to: "\(base).json5")
      } else {
        try SavedScenario.write(scenario.settled, to: "\(base).json5")
      }
      let isCrash = group.invariant == SeedRun.crash
      if !isCrash { try Self.writeTrace(scenario, to: "\(base).jsonl") }
      groups[index].files = ("\(base).json5", isCrash ? nil : "\(base).jsonl")
    }
  }

  private static func writeTrace(_ scenario: Scenario, to path: String) throws(Failure) {
    let file = try OutputFile(path, as: .trace)
    var options = RunOptions()
    options.showsPrograms = false
    options.output = { try file.write($0) }
    let outcome = try ScenarioRun.run(scenario, options)
    if let failure = outcome.traceError { throw .environment("\(path): error: \(failure)") }
    try file.commit()
  }
}
