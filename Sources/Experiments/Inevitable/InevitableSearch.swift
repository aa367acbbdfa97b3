package import Simulator
package import Console
package import Link
import LinkTransport

/// Finds when a failure became inevitable: keeps a run up to an instant, redraws what comes after it, and counts how many
/// of these futures fail in the same way.
///
/// The curve is measured on a coarse grid first, with fewer futures. Then two intervals are halved until they are as short
/// as ``grain``: the one with the largest rise, and the last one at whose beginning some future is without the failure. All
/// instants use the same salts, so that two futures of neighbouring instants draw alike.
package struct InevitableSearch {
  /// One instant and its futures.
  package struct Point: Equatable {
    /// Everything before this instant is kept.
    var at: VirtualTime
    /// How many futures failed in the same way.
    var failed: Int
    /// How many there were; at least 1.
    var runs: Int

    /// The share of futures that failed, from 0 to 1.
    var share: Double { Double(failed) / Double(runs) }
  }

  /// The failure whose cause is looked for.
  package let finding: SweepLine.Finding
  /// In the order of time; the last is the failure itself, with a share of 1.
  package private(set) var curve: [Point] = []
  /// The interventions that were tried, in the order of ``Intervention/list(for:)``; empty before ``findWaysOut()``.
  private(set) var waysOut: [WayOut] = []
  /// How many runs it took.
  package private(set) var runs = 1
  /// Whether the user stopped it.
  private(set) var wasStopped = false

  private let scenario: Scenario
  private let kind: FailureKind
  private let judge: RunJudge
  /// How far from the failure's instant a future's failure is the same one; nil for any distance.
  private let within: VirtualTime.Span?
  private let futures: Int
  private let grain: VirtualTime.Span
  private let onProgress: (Self) -> Void

  /// Futures of each instant unless the user says otherwise.
  package static let futuresStandard = 20
  /// The shortest interval that is halved unless the user says otherwise.
  package static let grainStandard = VirtualTime.Span.milliseconds(500)
  /// How far from its instant a failure is the same one unless the user says otherwise.
  package static let withinStandard = VirtualTime.Span.seconds(5)
  /// How many futures an instant of the coarse grid gets at first, for each five of the others'.
  private static let coarse = 2
  /// Intervals of the coarse grid.
  private static let intervals: Int64 = 16

  /// Runs the scenario once.
  ///
  /// - Parameters:
  ///   - target: The invariant to look at, or a name such as `expectation-1`; nil for the first failure.
  ///   - within: How far from its instant a failure is the same one; nil for any distance.
  ///   - futures: How many futures each instant gets; at least 2.
  ///   - grain: How precisely to find the instant; at least a millisecond.
  /// - Returns: Nil if the run does not fail in that way.
  package init?(
    _ scenario: Scenario, target: String?, within: VirtualTime.Span? = withinStandard,
    futures: Int = futuresStandard, grain: VirtualTime.Span = grainStandard,
    onProgress: @escaping (Self) -> Void = { _ in }
  ) throws(Failure) {
    precondition(futures >= 2 && grain >= .milliseconds(1), "a curve needs futures and a grid")
    let found = try SeedRun(scenario).run(scenario.seed).line.violations
    guard let finding = target == nil ? found.first : found.first(where: { $0.invariant == target }) else { return nil }
    self.finding = finding
    self.scenario = scenario
    kind = FailureKind(finding, phase: "")
    judge = RunJudge(scenario)
    self.within = within
    self.futures = futures
    self.grain = grain
    self.onProgress = onProgress
  }

  /// The neighbours between which the share rises most; nil before ``search()``.
  var rise: (before: Point, after: Point)? {
    zip(curve, curve.dropFirst()).map { (before: $0, after: $1) }.max { height($0) < height($1) }
  }

  /// The last instant with a future without the failure, and the next one, from which on all futures fail.
  ///
  /// Nil before ``search()``, and if no instant has such a future: then the failure is inevitable from the start.
  var noReturn: (before: Point, after: Point)? {
    guard let last = curve.lastIndex(where: { $0.failed < $0.runs }), last + 1 < curve.count else { return nil }
    return (curve[last], curve[last + 1])
  }

  /// The last way out: of the interventions that avert the failure, the one that does so for longest.
  ///
  /// Nil before ``findWaysOut()``, and if none of them averts it.
  var lastWayOut: WayOut? {
    waysOut.filter { $0.until != nil }.max { ($0.until ?? .start) < ($1.until ?? .start) }
  }

  /// Measures the curve.
  package mutating func search() throws(Failure) {
    let end = max(0, finding.time)
    var instants = (0..<Self.intervals).map { end / Self.intervals * $0 }
    if instants.last == 0 { instants = [0] }
    let few = min(futures, max(4, (futures * Self.coarse + 4) / 5))
    for (index, instant) in instants.enumerated() {
      guard !StopSignal.isRaised else { return wasStopped = true }
      // The share at the beginning decides what the conclusion is.
      let point = Point(at: VirtualTime(nanoseconds: instant), failed: 0, runs: 0)
      curve.append(try adding(index == 0 ? futures : few, to: point))
      onProgress(self)
    }
    // Once the failure is there, no future is without it.
    let after = end < .max ? end + 1 : end
    curve.append(Point(at: VirtualTime(nanoseconds: after), failed: futures, runs: futures))
    while let pair = rise, height(pair) >= Self.steep, try refine(pair) {}
    while let pair = noReturn, try refine(pair) {}
  }

  /// Finds, for each intervention, the last instant at which it averts the failure.
  ///
  /// Nothing is redrawn: the run is the original one up to the instant, and differs only by the intervention after it.
  package mutating func findWaysOut() throws(Failure) {
    guard finding.time >= 0 else { return }
    let failure = VirtualTime(nanoseconds: finding.time)
    for intervention in Intervention.list(for: scenario) where !wasStopped {
      var count = 0
      let wayOut = try WayOut(intervention, before: failure, grain: grain) { (instant) throws(Failure) in
        guard !StopSignal.isRaised else { return nil }
        count += 1
        let other = try intervention.applied(to: scenario, at: instant)
        return try !fails(other, nil, delayedBy: intervention.length)
      }
      runs += count
      if let wayOut { waysOut.append(wayOut) } else { wasStopped = true }
      onProgress(self)
    }
  }

  /// From this height on a rise is worth a closer look: with few futures, a lower one may be chance.
  static let steep = 0.3

  /// Gives both ends of an interval all of their futures, and then halves it.
  ///
  /// - Returns: False if it is as short as it should be, or the user stopped the search.
  private mutating func refine(_ pair: (before: Point, after: Point)) throws(Failure) -> Bool {
    guard !StopSignal.isRaised else {
      wasStopped = true
      return false
    }
    let (before, after) = pair
    if let index = curve.firstIndex(where: { ($0 == before || $0 == after) && $0.runs < futures }) {
      curve[index] = try adding(futures - curve[index].runs, to: curve[index])
      onProgress(self)
      return true
    }
    let width = after.at - before.at
    guard width > grain else { return false }
    let middle = before.at.nanoseconds + width.nanoseconds / 2_000_000 * 1_000_000
    // A narrow interval at an odd instant: its middle, in whole milliseconds, may be its beginning.
    guard middle > before.at.nanoseconds, let place = curve.firstIndex(of: after) else { return false }
    let point = Point(at: VirtualTime(nanoseconds: middle), failed: 0, runs: 0)
    curve.insert(try adding(futures, to: point), at: place)
    onProgress(self)
    return true
  }

  /// Runs further futures of an instant.
  private mutating func adding(_ count: Int, to measured: Point) throws(Failure) -> Point {
    var point = measured
    point.runs += count
    for salt in measured.runs..<point.runs {
      runs += 1
      if try fails(scenario, Redraw(from: point.at, salt: UInt64(salt))) { point.failed += 1 }
    }
    return point
  }

  /// Whether a future has the failure whose cause is looked for.
  private func fails(
    _ future: Scenario, _ redraw: Redraw?, delayedBy slack: VirtualTime.Span = .seconds(0)
  ) throws(Failure) -> Bool {
    var options = RunOptions()
    options.showsPrograms = false
    options.level = .judged
    options.judge = judge
    options.redraw = redraw
    let outcome = try ScenarioRun.run(future, options)
    return SeedRun.findings(outcome).contains { isSame($0.finding, delayedBy: slack) }
  }

  /// Whether a future's failure is the one whose cause is looked for.
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

  /// The faults of the run that are active in an interval, in the order of the plan.
  func activeFaults(from begin: VirtualTime, to end: VirtualTime) -> [PlannedFault] {
    scenario.faultPlan.filter { $0.begin <= end && ($0.end ?? .distantFuture) >= begin }
  }

  private func height(_ pair: (before: Point, after: Point)) -> Double { pair.after.share - pair.before.share }
}
