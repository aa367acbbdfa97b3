package import Simulator
package import Console
package import Link
import LinkTransport

/// Finds the last way out of a failure: until when which intervention averts it.
package struct InevitableSearch {
  /// The failure whose cause is looked for.
  package let finding: SweepLine.Finding
  /// The interventions that were tried, in the order of ``Intervention/list(for:)``; empty before ``findWaysOut()``.
  private(set) var waysOut: [WayOut] = []
  /// How many runs it took.
  package private(set) var runs = 1
  /// Whether the user stopped it.
  private(set) var wasStopped = false

  private let scenario: Scenario
  private let kind: FailureKind
  private let judge: RunJudge
  /// How far from the failure's instant another run's failure is the same one; nil for any distance.
  private let within: VirtualTime.Span?
  private let grain: VirtualTime.Span
  private let onProgress: (Self) -> Void

  /// The longest interval between the last way out and the next instant that was tried, unless the user says otherwise.
  package static let grainStandard = VirtualTime.Span.milliseconds(500)
  /// How far from its instant a failure is the same one unless the user says otherwise.
  package static let withinStandard = VirtualTime.Span.seconds(5)

  /// Runs the scenario once.
  ///
  /// - Parameters:
  ///   - target: The invariant to look at, or a name such as `expectation-1`; nil for the first failure.
  ///   - within: How far from its instant a failure is the same one; nil for any distance.
  ///   - grain: How precisely to find the instant; at least a millisecond.
  /// - Returns: Nil if the run does not fail in that way.
  package init?(
    _ scenario: Scenario, target: String?, within: VirtualTime.Span? = withinStandard,
    grain: VirtualTime.Span = grainStandard, onProgress: @escaping (Self) -> Void = { _ in }
  ) throws(Failure) {
    precondition(grain >= .milliseconds(1), "the grain is at least a millisecond")
    let found = try SeedRun(scenario).run(scenario.seed).line.violations
    guard let finding = target == nil ? found.first : found.first(where: { $0.invariant == target }) else { return nil }
    self.finding = finding
    self.scenario = scenario
    kind = FailureKind(finding, phase: "")
    judge = RunJudge(scenario)
    self.within = within
    self.grain = grain
    self.onProgress = onProgress
  }

  /// The last way out: of the interventions that avert the failure, the one that does so for longest, and of equal ones one
  /// that ends.
  ///
  /// Nil before ``findWaysOut()``, and if none of them averts it.
  var lastWayOut: WayOut? {
    let found = waysOut.filter { $0.until != nil }
    let latest = found.compactMap(\.until).max()
    let last = found.filter { $0.until == latest }
    return last.first { $0.intervention.decider == nil } ?? last.first
  }

  /// Finds, for each intervention, the last instant at which it averts the failure.
  ///
  /// The run is the original one up to the instant, and differs only by the intervention after it.
  package mutating func findWaysOut() throws(Failure) {
    guard finding.time >= 0 else { return }
    let failure = VirtualTime(nanoseconds: finding.time)
    for intervention in Intervention.list(for: scenario) where !wasStopped {
      var count = 0
      let wayOut = try WayOut(intervention, before: failure, grain: grain) { (instant) throws(Failure) in
        guard !StopSignal.isRaised else { return nil }
        count += 1
        return try !fails(try intervention.applied(to: scenario, at: instant), delayedBy: intervention.length)
      }
      runs += count
      if let wayOut { waysOut.append(wayOut) } else { wasStopped = true }
      onProgress(self)
    }
  }

  /// Whether another run has the failure whose cause is looked for.
  private func fails(_ other: Scenario, delayedBy slack: VirtualTime.Span) throws(Failure) -> Bool {
    var options = RunOptions()
    options.showsPrograms = false
    options.level = .judged
    options.judge = judge
    let outcome = try ScenarioRun.run(other, options)
    return SeedRun.findings(outcome).contains { isSame($0.finding, delayedBy: slack) }
  }

  /// Whether another run's failure is the one whose cause is looked for.
  ///
  /// An expectation's failure has no instant, so every one of its kind is the same.
  ///
  /// - Parameter slack: How much later the same failure may come.
  private func isSame(_ other: SweepLine.Finding, delayedBy slack: VirtualTime.Span) -> Bool {
    guard FailureKind(other, phase: "") == kind else { return false }
    guard let within, other.time >= 0 else { return true }
    let distance = (VirtualTime(nanoseconds: other.time) - VirtualTime(nanoseconds: finding.time)).nanoseconds
    return distance >= -within.nanoseconds && distance <= within.nanoseconds + slack.nanoseconds
  }
}
