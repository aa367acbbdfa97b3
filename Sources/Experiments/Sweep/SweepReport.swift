import Console
import Foundation
import Link
import LinkTransport
import Simulator
import TraceTools

/// The totals of a sweep, and its failures grouped by cause.
///
/// Its size does not grow with the seeds.
struct SweepReport {
  /// Failures with the same cause: the same invariant in the same circumstances.
  struct Group {
    var source: Int
    var invariant: String
    var circumstances: String
    /// Its first seeds, in the order of the sweep.
    var seeds: [UInt64] = []
    var count = 0
    /// The result of the first seed.
    var first: SweepLine
    /// The run of the first seed, with its whole plan; nil until it is saved.
    var plan: Scenario?
    /// Why the first seed could not be shrunk; nil if it could, or was not tried.
    var shrinkTrouble: String?
    /// The first seed, shrunk; nil if it was not.
    var shrunk: ShrunkRun?
    /// The shrunk scenario's file, the trace of the first seed, and the bundle of both; only the scenario if the simulation
    /// died on the seed.
    var files: (scenario: String, trace: String?, bundle: String?)?
    /// What it needs, as far as its shrunk run shows; nil if it was not shrunk.
    var cause: FailureCause?
    /// Groups with the same number seem to be of one bug, numbered from 1; nil for a group that was not shrunk.
    var causeNumber: Int?
  }

  /// A failure that no run has as its first: one on every seed would hide it.
  struct Hidden {
    let source: Int
    /// In the first seed that has it.
    let finding: SweepLine.Finding
    var seeds: [UInt64]
    var count: Int
  }

  /// Limit of listed seeds in a group.
  static let seedsMax = 10
  /// Limit of seeds on which the simulation died that are remembered.
  private static let diedMax = 1_000
  /// Limit of groups; further failures are only counted.
  static let groupsMax = 50

  let sources: [SweepSource]
  private(set) var groups: [Group] = []
  /// Every failure that came behind another, also those that are the first ones of other runs.
  private var behind: [Hidden] = []
  private(set) var seedCount = 0
  /// The same of each source.
  private(set) var seedCounts: [Int]
  /// Whether all seeds were run.
  var isComplete = false
  private(set) var failedCount = 0
  /// Failures that belong to none of the groups.
  private(set) var ungroupedCount = 0
  /// The fault coverage of each source.
  private(set) var coverage: [FaultCoverage]
  /// The first seeds on which the simulation died, of all sources.
  private var died: [UInt64] = []

  /// How many seeds of each source reached its situations.
  private(set) var censuses: [SituationCensus]

  /// The warnings that all seeds of each source have in common.
  private(set) var warnings: [CommonWarnings]

  init(_ sources: [SweepSource]) {
    self.sources = sources
    seedCounts = sources.map { _ in 0 }
    censuses = sources.map { SituationCensus($0.scenario) }
    coverage = sources.map { _ in FaultCoverage() }
    warnings = sources.map { _ in CommonWarnings() }
  }

  /// Adds a seed's outcome.
  ///
  /// - Returns: The new group of a failure that is the first of its kind; nil for any other outcome.
  @discardableResult
  mutating func add(_ outcome: SweepPool.Outcome) -> Int? {
    seedCount += 1
    seedCounts[first(like: outcome.source)] += 1
    guard !outcome.line.hasPassed, let finding = outcome.line.violations.first else { return nil }
    failedCount += 1
    addBehind(outcome)
    if finding.invariant == SeedRun.crash, died.count < Self.diedMax { died.append(outcome.line.seed) }
    let circumstances = outcome.circumstances ?? ""
    let found = groups.firstIndex {
      first(like: $0.source) == first(like: outcome.source) && $0.invariant == finding.invariant
        && $0.circumstances == circumstances
    }
    if found == nil {
      guard groups.count < Self.groupsMax else {
        ungroupedCount += 1
        return nil
      }
      groups.append(
        Group(
          source: outcome.source, invariant: finding.invariant, circumstances: circumstances, first: outcome.line))
    }
    let index = found ?? groups.count - 1
    groups[index].count += 1
    if groups[index].seeds.count < Self.seedsMax { groups[index].seeds.append(outcome.line.seed) }
    return found == nil ? index : nil
  }

  private mutating func addBehind(_ outcome: SweepPool.Outcome) {
    var seen: Set = [outcome.line.violations.first?.invariant]
    for finding in outcome.line.violations where seen.insert(finding.invariant).inserted {
      let found = behind.firstIndex {
        first(like: $0.source) == first(like: outcome.source) && $0.finding.invariant == finding.invariant
      }
      if let found {
        behind[found].count += 1
        if behind[found].seeds.count < Self.seedsMax { behind[found].seeds.append(outcome.line.seed) }
      } else if behind.count < Self.groupsMax {
        behind.append(Hidden(source: outcome.source, finding: finding, seeds: [outcome.line.seed], count: 1))
      }
    }
  }

  /// What failed in some runs, and first in none.
  var hidden: [Hidden] {
    behind.filter { one in
      !groups.contains {
        first(like: $0.source) == first(like: one.source) && $0.invariant == one.finding.invariant
      }
    }
  }

  /// The command that repeats the first seed of a group.
  func repeatCommand(of group: Group) -> String {
    let source = sources[group.source]
    // `run` would leave out the drawn faults, and what a sweep compares by itself.
    let isCompared = source.comparesByItself && group.invariant == AppCheck.sameAsIdealInvariant
    guard source.strategy == .random, !source.hasAddedNemesis, !isCompared else {
      let seed = String(group.first.seed)
      return CommandWords.join(
        [Terminal.program, CommandName.sweep, source.path]
          + (source.strategy == .random ? [] : ["--strategy", source.strategy.rawValue])
          + ["--seeds", "\(seed)-\(seed)"] + (source.hasAddedNemesis ? ["--nemesis"] : []) + source.words
          + PlantCatalog.words(source.plants))
    }
    return CommandWords.join(
      [Terminal.program, CommandName.run, source.path, "--seed", String(group.first.seed)] + source.words
        + PlantCatalog.words(source.plants))
  }

  /// Adds what some seeds of a source met.
  mutating func add(_ met: FaultCoverage, of source: Int) { coverage[first(like: source)].add(met) }

  /// Adds how many seeds of a source reached its situations.
  mutating func add(_ census: SituationCensus, of source: Int) { censuses[first(like: source)].add(census) }

  /// Adds the warnings that some seeds of a source have in common.
  mutating func add(_ common: CommonWarnings, of source: Int) { warnings[first(like: source)].add(common) }

  /// The warnings about a source that held in every seed, escaped; empty before the end of a complete sweep.
  func warningTexts(of source: Int) -> [String] {
    isComplete ? (warnings[source].list ?? []).map { TerminalText.escape($0.text) } : []
  }

  /// Situations that no seed reached.
  var missingSituations: [(source: SweepSource, name: String)] {
    fileIndices.flatMap { index in
      censuses[index].missing(of: sources[index].scenario).map { (sources[index], $0) }
    }
  }

  /// How many bugs the groups seem to be of.
  ///
  /// A group that was not shrunk counts as one. Nil if none was shrunk.
  var causeCount: Int? {
    guard groups.contains(where: { $0.causeNumber != nil }) else { return nil }
    return (groups.compactMap(\.causeNumber).max() ?? 0) + groups.count { $0.causeNumber == nil }
  }

  /// The number of the first group of the same cause as a group; nil if it is itself the first, or was not shrunk.
  func firstGroup(ofCauseOf index: Int) -> Int? {
    guard let number = groups[index].causeNumber else { return nil }
    let first = groups.firstIndex { $0.causeNumber == number }
    return first == index ? nil : first
  }

  /// The sources of which something is not judged, one for each file.
  var unjudgedSources: [SweepSource] { fileIndices.map { sources[$0] }.filter { !$0.unjudged.isEmpty } }

  /// The first source of the same file: the others differ only by the order of threads.
  func first(like source: Int) -> Int { sources.firstIndex { $0.path == sources[source].path } ?? source }

  /// The first source of each file.
  var fileIndices: [Int] { sources.indices.filter { first(like: $0) == $0 } }

  /// What a group's failures have in common; it begins with what was expected, in words.
  func title(of group: Group) -> String {
    let expected = words(of: group).map { "not met: \($0) (\(group.invariant))" } ?? group.invariant
    return "\(expected), \(group.circumstances)"
  }

  /// Why the first seed of a group failed, with the nearest miss if there is one; without the words of ``title(of:)``.
  func reason(of group: Group) -> String {
    let detail = TerminalText.escape(group.first.violations.first?.detail ?? "no reason given")
    guard let words = words(of: group), detail.hasPrefix("\(words): ") else { return detail }
    return String(detail.dropFirst(words.count + 2))
  }

  private func words(of group: Group) -> String? {
    SeedRun.expectation(named: group.invariant, in: sources[group.source].scenario).flatMap(ExpectationWords.text)
  }

  /// Saves the first seed of a group as it is, with its trace, in a folder.
  ///
  /// A seed on which the simulation died has no trace: it would die here, too.
  mutating func save(_ index: Int, in folder: String) throws(Failure) {
    try OutputFolder.make(folder)
    let group = groups[index]
    let source = sources[group.source]
    var scenario = source.scenario
    scenario.seed = group.first.seed
    if source.strategy != .random {
      scenario = try SeedPlanner(source.scenario, source.strategy, skipping: died).settled(group.first.seed)
    }
    // The file, and what is shrunk from it, must fail in the same way.
    if group.invariant == AppCheck.sameAsIdealInvariant { scenario.addSameAsIdeal(isImplied: false) }
    groups[index].plan = scenario
    var base = "\(folder)/\(OutputName.safe(scenario.name))-\(group.first.seed)"
    // One seed is the first of two groups only in two scenarios with the same name.
    if groups[..<index].contains(where: { $0.files?.scenario == "\(base).json5" }) { base += "-\(index + 1)" }
    try SavedScenario.write(scenario.settled, to: "\(base).json5")
    groups[index].files = ("\(base).json5", nil, nil)
    guard group.invariant != SeedRun.crash else { return }
    try Self.writeTrace(scenario, to: "\(base).jsonl")
    groups[index].files?.trace = "\(base).jsonl"
  }

  /// Shrinks the first seed of each group in place of what ``save(_:in:)`` has written, and bundles it with its trace.
  ///
  /// - Parameter isShrinking: False to leave the seed's run as it is.
  /// - Throws: The first failure, after all groups.
  mutating func completeExamples(in folder: String, isShrinking: Bool, _ screen: Screen) throws(Failure) {
    defer {
      let numbers = FailureCause.numbers(groups.map(\.cause))
      for (index, number) in zip(groups.indices, numbers) { groups[index].causeNumber = number }
    }
    var trouble: Failure?
    for index in groups.indices {
      if StopSignal.isRaised { break }
      do throws(Failure) {
        if groups[index].files == nil { try save(index, in: folder) }
        if isShrinking { try shrink(index, screen) }
        try writeBundle(of: index)
      } catch {
        trouble = trouble ?? error
      }
    }
    if let trouble { throw trouble }
  }

  private mutating func shrink(_ index: Int, _ screen: Screen) throws(Failure) {
    guard let plan = groups[index].plan, let path = groups[index].files?.scenario else { return }
    switch IsolatedShrinker.shrink(plan.settled, target: groups[index].invariant, screen) {
    case .shrunk(let run, let cause):
      groups[index].shrunk = run
      if !run.wasStopped { groups[index].cause = cause }
      try SavedScenario.write(run.scenario, to: path)
    case .failed(let why): groups[index].shrinkTrouble = why
    case .holds, .stopped: break
    }
  }

  private mutating func writeBundle(of index: Int) throws(Failure) {
    let group = groups[index]
    guard group.invariant != SeedRun.crash, let plan = group.plan, let files = group.files else { return }
    let path = String(files.scenario.dropLast(".json5".count)) + RunBundle.suffix
    try BundleWriter(scenario: plan, shrunk: group.shrunk?.scenario, command: repeatCommand(of: group))
      .write(to: OutputFile(path, as: .bundle))
    groups[index].files?.bundle = path
  }

  /// Writes the trace of a run.
  static func writeTrace(_ scenario: Scenario, to path: String) throws(Failure) {
    let file = try OutputFile(path, as: .trace)
    var options = RunOptions()
    options.showsPrograms = false
    options.output = { try file.write($0) }
    let outcome = try ScenarioRun.run(scenario, options)
    if let failure = outcome.traceError { throw .environment("\(path): error: \(failure)") }
    try file.commit()
  }
}

extension CaseResult {
  /// The results of a sweep: a case for each scenario that no seed broke, for each group of failures, for each situation that no
  /// seed reached, and for each expectation and situation that was not judged.
  ///
  /// - Parameters:
  ///   - seconds: The real time of the whole sweep.
  ///   - judgesSituations: Whether a situation that no seed reached is a failure.
  static func cases(
    of report: SweepReport, _ seeds: SeedRange, seconds: Double, _ end: SweepPool.End, judgesSituations: Bool
  ) -> [CaseResult] {
    var cases: [CaseResult] = []
    for index in report.fileIndices {
      let source = report.sources[index]
      let name = TerminalText.escape(source.scenario.name)
      func add(_ title: String, _ change: (inout CaseResult) -> Void) {
        var result = CaseResult(path: source.path, name: "\(name): \(title)")
        change(&result)
        cases.append(result)
      }
      let groups = report.groups.filter { report.first(like: $0.source) == index }
      let time = seconds / Double(report.fileIndices.count)
      if groups.isEmpty {
        add("seeds \(seeds.text)") { result in
          result.wallSeconds = time
          result.warnings = report.warningTexts(of: index)
          if end == .stopped { result.status = 128 + (StopSignal.number ?? 2) }
        }
      }
      for (number, group) in groups.enumerated() {
        add(report.title(of: group)) { result in
          result.status = 1
          if number == 0 { (result.wallSeconds, result.warnings) = (time, report.warningTexts(of: index)) }
          result.text = "\(StoryText.count(group.count, "seed")), first \(group.first.seed)"
          result.text += ": \(StoryText.shortened(report.reason(of: group)))"
          result.seed = group.first.seed
          result.tracePath = group.files?.trace
          result.findings = group.first.violations.prefix(1).map(\.detail)
          result.findings.append("to repeat it: \(report.repeatCommand(of: group))")
        }
      }
      let missing = judgesSituations && end == .complete ? report.missingSituations : []
      for missing in missing where missing.source.path == source.path {
        add(missing.name) { ($0.status, $0.text) = (1, "no seed reached this situation") }
      }
      let situations = source.unjudged.situations.map(\.name)
      for (number, text) in source.unjudged.expectationTexts.enumerated() {
        add(SeedRun.expectationName(number)) { $0.unjudged = "not judged, as \(UnjudgedParts.reason): \(text)" }
      }
      for situation in situations { add(situation) { $0.unjudged = "not judged, as \(UnjudgedParts.reason)" } }
    }
    return cases
  }
}
