package import Simulator
import Console
package import Link
import LinkTransport

/// Minimizes a failing run: fewer faults, shorter and rounder ones, a shorter run, fewer events and script lines, an ideal
/// link, a simpler workout, with the same failure.
///
/// Each step tries one change and keeps it if the run still fails in the same way (delta debugging; Zeller,
/// Hildebrandt, 2002). A fault's draws depend on its id and on no other fault, so the remaining faults act as before.
/// No step is random, and their number is bounded.
package struct Shrinker {
  /// The smallest failing run so far, with its complete plan.
  private(set) var best: Scenario
  /// Its failure.
  private(set) var finding: SweepLine.Finding
  /// Number of runs so far.
  private(set) var runs = 0
  /// Whether it fails in the same way without any fault, so that none is kept.
  private(set) var needsNoFault = false
  /// Whether the user stopped it before it was done.
  private(set) var wasStopped = false
  /// The failure's name in a sweep.
  var target: String { kind.invariant }
  /// The preserved kind of failure.
  let kind: FailureKind
  /// The run that is minimized.
  let original: Scenario

  /// Runs a scenario and returns what went wrong.
  typealias Runner = (Scenario) throws(Failure) -> [ObservedFinding]

  let runsMax: Int
  private let run: Runner
  private let onProgress: (Shrinker) -> Void

  /// The runner for scenarios that fail with a target: a crash of the simulation needs a separate process.
  static func runner(for target: String?) -> Runner {
    if target == SeedRun.storesDiffer {
      return { (scenario) throws(Failure) in try StoreComparison.findings(scenario) }
    }
    if target == SeedRun.crash { return { (scenario) throws(Failure) in try IsolatedRun.findings(scenario) } }
    let starters = AppStarters()
    return { (scenario) throws(Failure) in try ObservedFinding.run(scenario, starters) }
  }

  /// The default limit of runs.
  package static let runsMaxStandard = 400

  /// Prepares.
  ///
  /// - Parameters:
  ///   - scenario: A run that fails, with its seed.
  ///   - target: The failure to preserve; nil for the first one.
  ///   - runsMax: Limit of runs.
  ///   - run: Runs a scenario; nil for ``runner(for:)``.
  /// - Returns: Nil if the run does not fail in that way.
  init?(
    _ scenario: Scenario, target: String? = nil, runsMax: Int = runsMaxStandard,
    onProgress: @escaping (Shrinker) -> Void = { _ in }, run: Runner? = nil
  ) throws(Failure) {
    let settled = scenario.settled
    self.run = run ?? Self.runner(for: target)
    let findings = try self.run(settled)
    guard let found = findings.first(where: { $0.finding.invariant == target ?? $0.finding.invariant }) else {
      return nil
    }
    finding = found.finding
    kind = found.kind
    self.runsMax = runsMax
    self.onProgress = onProgress
    original = settled
    best = settled.expecting(only: found.finding.invariant)
    runs = 1
  }

  /// Shrinks as far as possible, or until the user wants to stop.
  mutating func shrink() throws(Failure) {
    var bare = best
    bare.faults = []
    if try tryKeeping(bare) {
      needsNoFault = true
    } else {
      try cutTail()
      try dropFaults()
    }
    try shortenRun()
    var before: [JSONValue]
    var pass = 0
    repeat {
      before = best.faults.map(\.json)
      for index in best.faults.indices { try simplify(index) }
      if before.count > 1 { try dropFaults() }
      pass += 1
    } while best.faults.map(\.json) != before && pass < 3 && runs < runsMax
    if pass > 1 { try shortenRun() }
    try dropParts()
    try simplifyWorkouts()
  }

  // MARK: - What happens besides faults

  /// Drops events, acts and script lines, all of a kind at first, one by one in the end; then tries an ideal link.
  mutating func dropParts() throws(Failure) {
    for part in ScenarioPart.allCases {
      var size = part.count(in: best)
      while size > 0, runs < runsMax {
        var index = 0
        var hasDropped = false
        while index < part.count(in: best) {
          let range = index..<min(index + size, part.count(in: best))
          if let candidate = part.dropping(range, of: best), try tryKeepingCaused(candidate) {
            hasDropped = true
          } else {
            index += size
          }
        }
        if size == 1, !hasDropped { break }
        size = min(size == 1 ? 1 : size / 2, part.count(in: best))
      }
    }
    if let candidate = ScenarioPart.withIdealLink(best) { _ = try tryKeepingCaused(candidate) }
  }

  /// Keeps a candidate if it fails for the same reason: not without its plants or, for an expectation, without its faults.
  ///
  /// An expectation of an event also fails in a run that no longer has what leads to the event.
  mutating func tryKeepingCaused(_ candidate: Scenario) throws(Failure) -> Bool {
    guard case .fails(let finding) = try attempt(candidate) else { return false }
    if !candidate.plants.isEmpty {
      var right = candidate
      right.plants = []
      guard case .holds = try attempt(right) else { return false }
    } else if kind.invariant.hasPrefix("expectation-") {
      guard !needsNoFault else { return false }
      var bare = candidate
      bare.faults = []
      guard case .holds = try attempt(bare) else { return false }
    }
    best = candidate
    self.finding = finding
    return true
  }

  // MARK: - The plan

  /// Drops every fault that begins after the failure.
  private mutating func cutTail() throws(Failure) {
    guard case .fails(let finding) = try attempt(best), finding.time >= 0 else { return }
    let early = best.faults.filter { $0.begin.nanoseconds <= finding.time }
    if early.count < best.faults.count { _ = try tryKeeping(faults: early) }
  }

  /// Drops faults, half of them at first, one by one in the end.
  mutating func dropFaults() throws(Failure) {
    var size = max(1, best.faults.count / 2)
    while !best.faults.isEmpty {
      var index = 0
      var hasDropped = false
      while index < best.faults.count {
        var fewer = best.faults
        fewer.removeSubrange(index..<min(index + size, fewer.count))
        if try tryKeeping(faults: fewer) { hasDropped = true } else { index += size }
      }
      if size == 1, !hasDropped { return }
      size = max(1, size / 2)
    }
  }

  private mutating func simplify(_ index: Int) throws(Failure) {
    // Each step simplifies the current form of the fault.
    for step in FaultSimplification.steps {
      var changed = true
      var rounds = 0
      while changed, rounds < 12 {
        changed = false
        rounds += 1
        for candidate in step.candidates(best.faults[index], end: .start + best.duration) {
          guard runs < runsMax else { return }
          if try tryKeeping(candidate, at: index) {
            changed = step.repeats
            break
          }
        }
      }
    }
  }

  private mutating func tryKeeping(_ fault: PlannedFault, at index: Int) throws(Failure) -> Bool {
    var faults = best.faults
    faults[index] = fault
    return try tryKeeping(faults: faults)
  }

  private mutating func tryKeeping(faults: [PlannedFault]) throws(Failure) -> Bool {
    var candidate = best
    candidate.faults = faults
    return try tryKeeping(candidate)
  }

  private mutating func tryKeeping(_ candidate: Scenario) throws(Failure) -> Bool {
    guard case .fails(let finding) = try attempt(candidate) else { return false }
    best = candidate
    self.finding = finding
    return true
  }

  // MARK: - The run

  /// Finds the shortest run, in whole seconds, that fails and would not without its faults.
  ///
  /// A shortened run can fail an expectation for that reason alone; hence the second run.
  mutating func shortenRun() throws(Failure) {
    var high = (best.duration.nanoseconds + 999_999_999) / 1_000_000_000
    var low: Int64 = 0
    if case .fails(let finding) = try attempt(best), finding.time >= 0 {
      // The failure shows at that time; often little more is needed.
      let guess = finding.time / 1_000_000_000 + 2
      if guess < high, try tryKeeping(seconds: guess) {
        high = guess
      } else if guess < high {
        low = guess
      }
    }
    while high - low > max(1, high / 64) {
      let middle = low + (high - low) / 2
      guard runs < runsMax else { return }
      if try tryKeeping(seconds: middle) { high = middle } else { low = middle }
    }
  }

  private mutating func tryKeeping(seconds: Int64) throws(Failure) -> Bool {
    let candidate = best.lasting(.seconds(seconds))
    guard case .fails(let finding) = try attempt(candidate) else { return false }
    if !needsNoFault {
      var bare = candidate
      bare.faults = []
      guard case .holds = try attempt(bare) else { return false }
    }
    best = candidate
    self.finding = finding
    return true
  }

  // MARK: - Running

  /// The result of an attempt.
  enum Attempt {
    /// It fails in the same way.
    case fails(SweepLine.Finding)
    /// The same invariant or expectation fails in another way.
    case failsOtherwise
    case holds
    /// The limit is reached, or the user wants to stop: unknown.
    case notMade
  }

  mutating func attempt(_ scenario: Scenario) throws(Failure) -> Attempt {
    guard !StopSignal.isRaised else {
      wasStopped = true
      return .notMade
    }
    guard runs < runsMax else { return .notMade }
    runs += 1
    onProgress(self)
    return Self.match(try run(scenario), kind, in: scenario)
  }

  /// Whether a run shows a failure of a kind.
  private static func match(_ findings: [ObservedFinding], _ kind: FailureKind, in scenario: Scenario) -> Attempt {
    var wanted = kind
    // Only the failing expectation is left, which is then the first.
    if kind.invariant.hasPrefix("expectation-"), scenario.expectations.count == 1 {
      wanted.invariant = SeedRun.expectationName(0)
    }
    if let found = findings.first(where: { $0.kind == wanted }) { return .fails(found.finding) }
    return findings.contains { $0.kind.invariant == wanted.invariant } ? .failsOtherwise : .holds
  }

  /// What it is at, in words.
  var progress: String {
    "shrinking seed \(original.seed): \(StoryText.count(runs, "run")), "
      + "\(best.faults.count) of \(StoryText.count(original.faults.count, "fault")), "
      + "\(StoryText.clock(.start + best.duration)) of " + StoryText.clock(.start + original.duration)
  }

  /// Runs the smallest scenario as read back from its file.
  ///
  /// - Returns: Its failure; nil if it does not fail in the same way.
  func confirm(_ scenario: Scenario) throws(Failure) -> SweepLine.Finding? {
    guard case .fails(let finding) = Self.match(try run(scenario), kind, in: scenario) else { return nil }
    return finding
  }
}

extension Scenario {
  /// Keeps only the named expectation; none if it is no expectation's name.
  func expecting(only name: String) -> Scenario {
    var scenario = self
    let index = expectations.indices.first { SeedRun.expectationName($0) == name }
    scenario.expectations = index.map { [expectations[$0]] } ?? []
    // One run need not reach what some seed should.
    scenario.situations = []
    return scenario
  }

  /// The scenario with another duration.
  package func lasting(_ duration: VirtualTime.Span) -> Scenario {
    var scenario = self
    scenario.duration = duration
    return scenario
  }
}
