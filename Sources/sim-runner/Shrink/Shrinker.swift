import Link
import LinkTransport

/// Makes a failing run small: fewer faults, shorter and rounder ones, a shorter run; with the same thing still wrong.
///
/// Each step tries one change and keeps it where the run still fails in the same way (delta debugging; Zeller, Hildebrandt,
/// 2002). A fault's draws depend on its id and on no other fault, so what is left does what it did. No step is random, and
/// their number is bounded.
struct Shrinker {
  /// The smallest run that failed so far, with its whole plan written down.
  private(set) var best: Scenario
  /// What is wrong in it.
  private(set) var finding: SweepLine.Finding
  /// How many runs it took so far.
  private(set) var runs = 0
  /// Whether it fails in the same way without any fault: then no fault is to blame, and none is kept.
  private(set) var needsNoFault = false
  /// Whether the user stopped it before it was done.
  private(set) var wasStopped = false
  /// What is wrong, by the name that a sweep gives it.
  var target: String { kind.invariant }
  /// What is kept wrong: a run that fails in another way is no smaller one.
  let kind: FailureKind
  /// The run that is made smaller.
  let original: Scenario

  /// Runs a scenario and returns what went wrong.
  typealias Runner = (Scenario) throws(Failure) -> [ObservedFinding]

  private let runsMax: Int
  private let run: Runner
  private let onProgress: (Shrinker) -> Void

  /// What runs scenarios that fail with a target: a simulation that dies needs a process of its own.
  static func runner(for target: String?) -> Runner {
    if target == SeedRun.crash { return { (scenario) throws(Failure) in try IsolatedRun.findings(scenario) } }
    return { (scenario) throws(Failure) in try ObservedFinding.run(scenario) }
  }

  /// The bound on the number of runs where nobody sets another.
  static let runsMaxStandard = 380

  /// Prepares.
  ///
  /// - Parameters:
  ///   - scenario: A run that fails, with its seed.
  ///   - target: What to keep wrong; nil for the first thing that is.
  ///   - runsMax: After how many runs to be content with what there is.
  ///   - run: Runs a scenario; nil for ``runner(for:)``.
  /// - Returns: Nil where the run does not fail in that way.
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

  /// Shrinks as far as it goes, or until the user wants to stop: then no further run is begun.
  mutating func shrink() throws(Failure) {
    var bare = best
    bare.faults = []
    if try keep(bare) {
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
  }

  // MARK: - The plan

  /// Drops every fault that begins after what went wrong.
  private mutating func cutTail() throws(Failure) {
    guard case .fails(let finding) = try attempt(best), finding.time >= 0 else { return }
    let early = best.faults.filter { $0.begin.nanoseconds <= finding.time }
    if early.count < best.faults.count { _ = try keep(faults: early) }
  }

  /// Drops faults, half of them at first, one by one in the end.
  private mutating func dropFaults() throws(Failure) {
    var size = max(1, best.faults.count / 2)
    while !best.faults.isEmpty {
      var index = 0
      var hasDropped = false
      while index < best.faults.count {
        var fewer = best.faults
        fewer.removeSubrange(index..<min(index + size, fewer.count))
        if try keep(faults: fewer) { hasDropped = true } else { index += size }
      }
      if size == 1, !hasDropped { return }
      size = max(1, size / 2)
    }
  }

  private mutating func simplify(_ index: Int) throws(Failure) {
    // Each asks for what may be simpler of the fault as it has become.
    for step in FaultSimplification.steps {
      var changed = true
      var rounds = 0
      while changed, rounds < 12 {
        changed = false
        rounds += 1
        for candidate in step.candidates(best.faults[index], end: .start + best.duration) {
          guard runs < runsMax else { return }
          if try keep(candidate, at: index) {
            changed = step.repeats
            break
          }
        }
      }
    }
  }

  private mutating func keep(_ fault: PlannedFault, at index: Int) throws(Failure) -> Bool {
    var faults = best.faults
    faults[index] = fault
    return try keep(faults: faults)
  }

  private mutating func keep(faults: [PlannedFault]) throws(Failure) -> Bool {
    var candidate = best
    candidate.faults = faults
    return try keep(candidate)
  }

  private mutating func keep(_ candidate: Scenario) throws(Failure) -> Bool {
    guard case .fails(let finding) = try attempt(candidate) else { return false }
    best = candidate
    self.finding = finding
    return true
  }

  // MARK: - The run

  /// Finds the shortest run, in whole seconds, that fails and would not without its faults.
  ///
  /// A run that is cut short can fail an expectation for that alone; hence the second run.
  private mutating func shortenRun() throws(Failure) {
    var high = (best.duration.nanoseconds + 999_999_999) / 1_000_000_000
    var low: Int64 = 0
    if case .fails(let finding) = try attempt(best), finding.time >= 0 {
      // What went wrong is seen then; often little more is needed.
      let guess = finding.time / 1_000_000_000 + 2
      if guess < high, try keep(seconds: guess) {
        high = guess
      } else if guess < high {
        low = guess
      }
    }
    while high - low > max(1, high / 64) {
      let middle = low + (high - low) / 2
      guard runs < runsMax else { return }
      if try keep(seconds: middle) { high = middle } else { low = middle }
    }
  }

  private mutating func keep(seconds: Int64) throws(Failure) -> Bool {
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

  /// What became of a run.
  private enum Attempt {
    /// The same thing is wrong.
    case fails(SweepLine.Finding)
    /// The same invariant or expectation fails in another way.
    case failsOtherwise
    case holds
    /// Too many runs were made, or the user wants to stop: nothing is known.
    case notMade
  }

  private mutating func attempt(_ scenario: Scenario) throws(Failure) -> Attempt {
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
    // Of several expectations the one that fails is left, which is then the first.
    if kind.invariant.hasPrefix("expectation-"), scenario.expectations.count == 1 {
      wanted.invariant = SeedRun.expectationName(0)
    }
    if let found = findings.first(where: { $0.kind == wanted }) { return .fails(found.finding) }
    return findings.contains { $0.kind.invariant == wanted.invariant } ? .failsOtherwise : .holds
  }

  /// Runs the smallest scenario as it was read back from its file.
  ///
  /// - Returns: What is wrong in it; nil where it does not fail in the same way.
  func confirm(_ scenario: Scenario) throws(Failure) -> SweepLine.Finding? {
    guard case .fails(let finding) = Self.match(try run(scenario), kind, in: scenario) else { return nil }
    return finding
  }
}

extension Scenario {
  /// The same with no other expectation than the one of this name; with none, where it is no expectation's name.
  func expecting(only name: String) -> Scenario {
    var scenario = self
    let index = expectations.indices.first { SeedRun.expectationName($0) == name }
    scenario.expectations = index.map { [expectations[$0]] } ?? []
    scenario.written.removeAll { $0.key == "expect" }
    if let index {
      scenario.written.append(JSONMember("expect", .array([expectations[index].node])))
    }
    return scenario
  }

  /// The same with another duration.
  func lasting(_ duration: VirtualTime.Span) -> Scenario {
    var scenario = self
    scenario.duration = duration
    let member = JSONMember("duration", .string(DurationText.text(duration)))
    if let index = scenario.written.firstIndex(where: { $0.key == "duration" }) {
      scenario.written[index] = member
    } else {
      scenario.written.append(member)
    }
    return scenario
  }
}
