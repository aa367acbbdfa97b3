package import Console
import Foundation
package import Link
import LinkTransport
package import Simulator
import TraceTools

/// Runs a scenario with one seed after the other: judged completely, without a trace; a failing one again, with its
/// trace.
package struct SeedRun {
  private var planner: SeedPlanner
  /// Whether an app of one's own plays a node.
  package var isOfApps: Bool { !planner.scenario.appRoles.isEmpty }
  /// Copied for each seed.
  private let judge: RunJudge
  private let starters = AppStarters()

  /// Prepares what is the same for every seed.
  ///
  /// - Parameters:
  ///   - strategy: Chooses the faults.
  ///   - comparesApps: Whether the runs of apps are compared with those without faults.
  package init(_ scenario: Scenario, strategy: SearchStrategy = .random, comparesApps: Bool = false) {
    var scenario = scenario
    if comparesApps { scenario.addSameAsIdeal(isImplied: true) }
    planner = SeedPlanner(scenario, strategy)
    judge = RunJudge(scenario)
  }

  /// Does not learn from some seeds, on which the simulation dies.
  package mutating func skip(_ seeds: [UInt64]) { planner = planner.skipping(seeds) }

  /// The result of a seed.
  package struct Result {
    package var line: SweepLine
    /// The circumstances of the first failure; nil if nothing failed.
    package var circumstances: String?
    /// The fault coverage.
    package var met: FaultsMet
    /// Which of the scenario's situations it reached.
    package var reached: SituationsReached
    /// What could not matter in it; nil if that was not observed.
    package var warnings: [RunWarnings.Warning]?
  }

  /// Replaces the invariant's name if a node fell silent or broke the protocol.
  package static let nodeFailed = "node-failed"
  /// Replaces the invariant's name if the user's program ended by itself.
  package static let programEnded = "program-ended"
  /// Replaces the invariant's name if an app in virtual time cannot continue: `app-deadlock`, `app-busy`, and so on.
  package static func appFinding(_ kind: String) -> String { "app-\(kind)" }
  /// Replaces the invariant's name if the run with stores on disk differs from the one in memory.
  package static let storesDiffer = StoreComparison.name
  /// One seed of a sweep in so many is compared with a run on disk.
  package static let comparisonInterval = StoreComparison.interval
  /// Replaces the invariant's name if the process that simulated the seed died.
  package static let crash = "crash"

  /// Runs a seed.
  ///
  /// - Parameters:
  ///   - isDigesting: Whether the digest of a passing run is wanted too, which needs its trace's text.
  ///   - comparesStores: Whether it is run with stores on disk too, and fails if that run differs.
  ///   - warns: Whether its warnings are wanted.
  ///   - onEvent: Receives every event, if any.
  /// - Throws: For input that only shows when the nodes are built.
  package func run(
    _ seed: UInt64, isDigesting: Bool = false, comparesStores: Bool = false, warns: Bool = false,
    onEvent: ((TraceEvent) -> Void)? = nil
  ) throws(Failure) -> Result {
    let scenario = try planner.settled(seed)
    var options = RunOptions()
    options.showsPrograms = false
    let isCompared = comparesStores && StoreComparison.applies(to: scenario)
    options.level = isDigesting || isCompared ? .written : .judged
    options.judge = planner.scenario.isDrawn ? nil : judge
    options.met = FaultsMet(scenario.faults)
    options.starters = starters
    let observer = planner.observer(of: seed)
    let reached = SituationsReached(scenario)
    let hasSituations = !scenario.situations.isEmpty
    var watched = warns ? RunWarnings(planner.handed(seed)) : nil
    if onEvent != nil || observer != nil || hasSituations || warns {
      options.onEvent = { event, line in
        observer?.observe(event, line: line)
        watched?.observe(event)
        if hasSituations { reached.observe(event) }
        onEvent?(event)
      }
    }
    let outcome = try ScenarioRun.run(scenario, options)
    let hasPassed = Self.hasPassed(outcome)
    if let observer { planner.learn(seed, observer, hasPassed: hasPassed) }
    let warnings = watched?.finish(outcome.expectations)
    guard let met = outcome.met else { preconditionFailure("a run has lost what its faults met") }
    let difference =
      isCompared && hasPassed ? try StoreComparison.difference(scenario, StoreComparison.Ending(outcome)) : nil
    guard !hasPassed || difference != nil else {
      // A strategy may run a seed with the draws of another one; its result is that of its own number.
      var line = SweepLine(
        scenario: scenario.name, seed: seed, hasPassed: true,
        traceDigest: isDigesting ? outcome.traceDigest : nil)
      line.situations = reached.named
      return Result(line: line, met: met, reached: reached, warnings: warnings)
    }
    if let difference {
      var line = SweepLine(
        scenario: scenario.name, seed: seed, hasPassed: false, traceDigest: outcome.traceDigest,
        violations: [difference])
      line.situations = reached.named
      return Result(
        line: line, circumstances: Circumstances(ofApps: !scenario.appRoles.isEmpty).text, met: met, reached: reached,
        warnings: warnings)
    }
    var result = try again(seed, scenario, Self.findings(outcome), isCompared, met, reached, onEvent)
    result.warnings = warnings
    return result
  }

  /// Runs a failing seed once more, for its trace's digest and its circumstances.
  private func again(
    _ seed: UInt64, _ scenario: Scenario, _ findings: [ShownFinding], _ isCompared: Bool, _ met: FaultsMet,
    _ reached: SituationsReached,
    _ onEvent: ((TraceEvent) -> Void)?
  ) throws(Failure) -> Result {
    let moments = Moments(findings.map(\.line), ofApps: !scenario.appRoles.isEmpty)
    var options = RunOptions()
    options.showsPrograms = false
    options.starters = starters
    options.onEvent = { event, line in
      moments.observe(event, line: line)
      onEvent?(event)
    }
    let outcome = try ScenarioRun.run(scenario, options)
    var violations = findings.map(\.finding)
    for index in violations.indices where violations[index].time < 0 {
      violations[index].time = (moments.times[index] ?? .start + outcome.simulated).nanoseconds
    }
    if isCompared, let difference = try StoreComparison.difference(scenario, StoreComparison.Ending(outcome)) {
      violations = Array(violations.prefix(SweepLine.findingsMax - 1)) + [difference]
    }
    var line = SweepLine(
      scenario: scenario.name, seed: seed, hasPassed: false, traceDigest: outcome.traceDigest,
      violations: violations)
    line.situations = reached.named
    return Result(line: line, circumstances: moments.text, met: met, reached: reached)
  }

  /// Whether everything held; a run that broke off did not.
  static func hasPassed(_ outcome: RunOutcome) -> Bool { outcome.verdict == .pass && outcome.environmentFailure == nil }

  /// The names of the failures, each once, the first one first.
  static func names(_ outcome: RunOutcome) -> [String] {
    var names: [String] = []
    for shown in findings(outcome) where !names.contains(shown.finding.invariant) {
      names.append(shown.finding.invariant)
    }
    return names
  }

  /// A failure, and the line that shows it, if there is one.
  struct ShownFinding {
    /// An expectation's time is -1 here, because it has line numbers.
    var finding: SweepLine.Finding
    var line: Int?
  }

  /// All failures: invariants in the order of time, then expectations, then checks that compare two runs.
  static func findings(_ outcome: RunOutcome) -> [ShownFinding] {
    if let failure = outcome.environmentFailure {
      let finding = SweepLine.Finding(
        invariant: nodeFailed, time: outcome.simulated.nanoseconds, detail: failure)
      return [ShownFinding(finding: finding)]
    }
    if let found = outcome.appFinding {
      let first = String(found.text.prefix { $0 != "\n" })
      let finding = SweepLine.Finding(
        invariant: appFinding(found.kind), time: found.time.nanoseconds,
        detail: "the \(found.role.text)'s app: \(first)")
      return [ShownFinding(finding: finding)]
    }
    if let end = outcome.programEnd, outcome.violations.isEmpty {
      let finding = SweepLine.Finding(
        invariant: programEnded, time: end.time.nanoseconds,
        detail: "the \(end.role.text)'s program \(end.end.namedDescription)")
      return [ShownFinding(finding: finding)]
    }
    // What compares runs comes after what a person expects in words.
    let compared = outcome.violations.filter { AppCheck.comparingInvariants.contains($0.invariant) }
    var findings = outcome.violations.filter { !AppCheck.comparingInvariants.contains($0.invariant) }.map(show)
    for (index, expectation) in outcome.expectations.enumerated() where !expectation.result.hasPassed {
      let words = ExpectationWords.text(expectation.node) ?? expectation.text
      let detail = "\(words): \(expectation.result.why ?? "not met")"
      let finding = SweepLine.Finding(invariant: expectationName(index), time: -1, detail: detail)
      findings.append(ShownFinding(finding: finding, line: expectation.result.lines.first))
    }
    findings += compared.map(show)
    if findings.isEmpty, !hasPassed(outcome) {
      let finding = SweepLine.Finding(
        invariant: nodeFailed, time: outcome.simulated.nanoseconds, detail: "the run was not judged")
      findings.append(ShownFinding(finding: finding))
    }
    return Array(findings.prefix(SweepLine.findingsMax))
  }

  private static func show(_ violation: Violation) -> ShownFinding {
    ShownFinding(
      finding: SweepLine.Finding(
        invariant: violation.invariant, time: violation.time.nanoseconds, detail: violation.detail),
      line: violation.lines.last)
  }

  /// The name of an unmet expectation, counted from 1.
  package static func expectationName(_ index: Int) -> String { "\(expectationPrefix)\(index + 1)" }
  private static let expectationPrefix = "expectation-"

  /// The expectation of a scenario that a finding's name means; nil for another finding.
  static func expectation(named name: String, in scenario: Scenario) -> JSONNode? {
    guard name.hasPrefix(expectationPrefix), let number = Int(name.dropFirst(expectationPrefix.count)),
      scenario.expectations.indices.contains(number - 1)
    else { return nil }
    return scenario.expectations[number - 1].node
  }

  /// The times of some lines, and the circumstances at the first of them.
  private final class Moments {
    private let lines: [Int?]
    private var circumstances: Circumstances
    private var first: String?
    /// In the order of the requested lines; nil for missing ones.
    private(set) var times: [VirtualTime?]

    init(_ lines: [Int?], ofApps isOfApps: Bool) {
      self.lines = lines
      circumstances = Circumstances(ofApps: isOfApps)
      times = lines.map { _ in nil }
    }

    /// The circumstances at the first of the lines, or at the end if that line is unknown.
    var text: String { first ?? circumstances.text }

    func observe(_ event: TraceEvent, line: Int) {
      circumstances.observe(event)
      for index in lines.indices where lines[index] == line {
        times[index] = event.time
        if index == 0 { first = circumstances.text }
      }
    }
  }
}

/// Runs one seed in a separate process, so that a crash of the simulation is a result.
package enum IsolatedRun {
  /// How a simulation died, and what it had reported by then.
  package struct Death: Equatable {
    /// The process's end: `ended by signal 4`.
    var how: String
    /// The virtual time of its last report, at most a second before its end.
    var time = VirtualTime.start
    /// Its circumstances, as in ``Circumstances/text``.
    var circumstances = Circumstances().text

    var finding: SweepLine.Finding {
      SweepLine.Finding(
        invariant: SeedRun.crash, time: time.nanoseconds, detail: "the process that simulated it \(how)")
    }

    /// The phase of the run, as in ``Circumstances/phaseText``.
    var phase: String { Circumstances.phase(in: circumstances) }
  }

  /// Runs a seed of a scenario.
  ///
  /// - Parameters:
  ///   - text: The scenario, as ``SweepSource/text`` writes it.
  ///   - silenceMax: How many seconds of real time it may take without a report.
  /// - Returns: How it died; nil if it finished, was stopped by the user or took too long.
  /// - Throws: If the process cannot be started, or cannot read the scenario.
  package static func death(
    of seed: UInt64, in text: String, silenceMax: Double = SweepPool.silenceMaxStandard
  ) throws(Failure) -> Death? {
    let worker = try WorkerProcess(scenario: text, isQuiet: true)
    defer { worker.kill() }
    worker.order(.reports(seed: seed))
    var death = Death(how: "")
    while !StopSignal.isRaised, worker.heardAt.secondsSince <= silenceMax {
      WorkerProcess.wait(for: [worker])
      let (answers, isGone) = worker.readAnswers()
      for answer in answers {
        switch answer {
        case .reached(let time, let circumstances):
          death.time = VirtualTime(nanoseconds: time)
          death.circumstances = String(circumstances)
        case .done: return nil
        case .gaveUp(let status, let text):
          throw status == 2 ? .input(String(text)) : .environment(String(text))
        case .passed, .failed, .census, .warnings, .shrinking, .shrunk, .branch: break
        }
      }
      if isGone {
        guard let end = worker.end() else { return nil }
        death.how = "\(end)"
        return death
      }
    }
    return nil
  }

  /// Runs a scenario with its own seed; the one finding is that it died.
  static func findings(_ scenario: Scenario) throws(Failure) -> [ObservedFinding] {
    guard let death = try death(of: scenario.seed, in: SweepSource.text(of: scenario)) else { return [] }
    return [ObservedFinding(finding: death.finding, kind: FailureKind(death.finding, phase: death.phase))]
  }
}
