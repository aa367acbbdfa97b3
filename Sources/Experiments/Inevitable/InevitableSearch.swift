package import Console
import EdgeSim
package import Link
import LinkTransport
package import Simulator

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

/// The last instant at which an intervention averts a failure.
struct WayOut: Equatable {
  let intervention: Intervention
  /// The last instant that was found; nil if the intervention averts nothing, from the run's start on.
  let until: VirtualTime?
  /// The next instant that was tried, at which it no longer averts the failure; at most a nanosecond after the failure.
  let next: VirtualTime

  /// Searches backwards from a failure, in steps that double, and then halves the last one.
  ///
  /// - Parameters:
  ///   - failure: When the run fails.
  ///   - grain: The longest interval between ``until`` and ``next``.
  ///   - averts: Whether the intervention at an instant averts the failure; nil ends the search.
  /// - Returns: Nil if the search was ended.
  init?(
    _ intervention: Intervention, before failure: VirtualTime, grain: VirtualTime.Span,
    averts: (VirtualTime) throws(Failure) -> Bool?
  ) throws(Failure) {
    self.intervention = intervention
    var next = failure
    var found: VirtualTime?
    var step = max(1, grain.nanoseconds / 2)
    while found == nil {
      let at = VirtualTime(nanoseconds: max(0, failure.nanoseconds - min(failure.nanoseconds, step)))
      guard let isAverted = try averts(at) else { return nil }
      if isAverted {
        found = at
      } else {
        next = at
        guard at > .start else { break }
        step = step > .max / 2 ? .max : step * 2
      }
    }
    while let last = found, next - last > grain {
      let middle = VirtualTime(nanoseconds: last.nanoseconds + (next - last).nanoseconds / 2)
      guard let isAverted = try averts(middle) else { return nil }
      if isAverted { found = middle } else { next = middle }
    }
    until = found
    self.next = next
  }
}

/// A change of a run from an instant on that may avert its failure.
struct Intervention: Equatable {
  /// What changes from the instant on.
  enum Change: Equatable {
    /// Drawn faults end, and none begins.
    case noDrawnFaults
    /// A fault is added, in a scenario's spelling without its instant.
    case fault(String)
    /// The external service, from which the server fetches workouts, no longer answers.
    case serviceGone
  }

  /// What is done, as in "killing the phone's app".
  let name: String
  /// What changes.
  let change: Change
  /// How long it may delay a failure that it does not avert.
  let length: VirtualTime.Span
  /// Whose decisions no longer happen, as in "the phone's app", where it is gone for good; nil for what ends.
  var decider: String?

  /// The id of the added fault.
  private static let id = "intervention"

  /// What is tried, in the order in which it is shown.
  static func list(for scenario: Scenario) -> [Intervention] {
    var list: [Intervention] = []
    if scenario.nemesis != nil {
      list.append(Intervention(name: "no more drawn faults", change: .noDrawnFaults, length: .seconds(0)))
    }
    list += [
      Intervention(
        name: "cutting the link for 30 s", change: .fault("{ for: \"30s\", disconnect: {} }"), length: .seconds(30))
    ]
    if scenario.edge != nil {
      let fault = "{ for: \"30s\", uplink: { disconnect: {} } }"
      list.append(Intervention(name: "cutting the uplink for 30 s", change: .fault(fault), length: .seconds(30)))
    }
    if scenario.edge?.workouts != nil {
      list.append(
        Intervention(
          name: "losing the external service for good", change: .serviceGone, length: .seconds(0),
          decider: "the external service"))
    }
    for node in ["phone", "watch"] {
      list += [
        Intervention(
          name: "killing the \(node)'s app", change: .fault("{ kill: \"\(node)\", restartAfter: \"5s\" }"),
          length: .seconds(5)),
        Intervention(
          name: "killing the \(node)'s app for good", change: .fault("{ kill: \"\(node)\" }"), length: .seconds(0),
          decider: "the \(node)'s app"),
        Intervention(
          name: "suspending the \(node)'s app for 30 s",
          change: .fault("{ for: \"30s\", suspend: \"\(node)\", wake: false }"),
          length: .seconds(30)),
      ]
    }
    return list
  }

  /// The same run with the intervention at an instant.
  ///
  /// - Throws: Never for a name in ``list(for:)``.
  func applied(to scenario: Scenario, at instant: VirtualTime) throws(Failure) -> Scenario {
    var other = scenario.settled
    switch change {
    case .noDrawnFaults:
      other.faults.removeAll { $0.id.hasPrefix(Nemesis.idPrefix) && $0.begin >= instant }
      for index in other.faults.indices where other.faults[index].id.hasPrefix(Nemesis.idPrefix) {
        if let end = other.faults[index].end, end > instant { other.faults[index].end = instant }
      }
    case .fault(let fault):
      var planned = try Branch.read(fault, at: instant, hasUplink: scenario.edge != nil)
      planned.id = Self.id
      while other.faults.contains(where: { $0.id == planned.id }) { planned.id += "-again" }
      other.faults.append(planned)
    case .serviceGone:
      var failure = ServiceFailure(.unavailable)
      failure.begin = instant
      other.edge?.workouts?.failures.insert(failure, at: 0)
    }
    return other
  }
}
