import Console
import Link

/// Checks of apps that compare two runs.
extension ScenarioRun {
  /// Runs the scenario without the faults of each of its checks, and makes the judges that compare the facts.
  static func checkJudges(_ scenario: Scenario, _ options: RunOptions) throws(Failure) -> [AppCheckJudge] {
    guard !scenario.madeChecks.isEmpty else { return [] }
    guard !options.hasFreeApps else {
      throw .input(
        "checks: found --time real or Nx, expected virtual time: apps in real time do not repeat"
      )
    }
    guard !scenario.programs.isEmpty else {
      throw .input("checks: found none of the scenario's devices played by an app, expected one that records facts")
    }
    var judges: [AppCheckJudge] = []
    for check in scenario.madeChecks {
      guard check.kind.comparesRuns else {
        judges.append(AppCheckJudge(check))
        continue
      }
      if let judge = try judge(check, of: scenario, options) { judges.append(judge) }
    }
    return judges
  }

  /// The judge of a check that compares two runs; nil if they would be the same.
  private static func judge(
    _ check: AppCheck, of scenario: Scenario, _ options: RunOptions
  ) throws(Failure) -> AppCheckJudge? {
    var other = scenario.settled
    let count = other.faults.count
    // The app runs as it does in the run itself, so what its process checks stays.
    other.checks.removeAll { $0.kind.comparesRuns }
    other.expectations = []
    other.faults.removeAll { check.kind.spares($0) }
    let isDelayed = check.kind.sparesBackgroundDelay && (other.link.backgroundDelay ?? .ofApps) != BackgroundDelay.none
    guard other.faults.count < count || isDelayed else { return nil }
    if isDelayed { other.link.backgroundDelay = BackgroundDelay.none }
    var otherOptions = RunOptions()
    otherOptions.mode = options.mode
    otherOptions.level = .judged
    otherOptions.showsPrograms = false
    otherOptions.isStoppable = options.isStoppable
    otherOptions.sharesProcessor = options.sharesProcessor
    otherOptions.starters = options.starters
    var facts = FactCount(check)
    otherOptions.onEvent = { event, line in facts.observe(event, line: line) }
    let outcome = try run(other, otherOptions)
    let obstacle = outcome.environmentFailure ?? outcome.appFinding?.title ?? outcome.programEnd?.text
    // An app that breaks off without faults does so with them, too, and that is what the sweep reports.
    if check.isImplied, obstacle != nil { return nil }
    return AppCheckJudge(
      check, expected: obstacle == nil ? facts : nil, obstacle: obstacle, acts: scenario.acts.count)
  }
}
