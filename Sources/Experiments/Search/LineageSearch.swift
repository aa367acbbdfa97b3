import Simulator
import Console
import Link
import LinkTransport

/// The plans of `--strategy lineage`: lineage-driven fault injection (Alvaro, Rosenstein, Hellerstein, SIGMOD 2015).
///
/// Seeds are in blocks of ``block`` (``BlockProgress``). The first seed of a block is the base: it runs without drawn faults. From its trace
/// come the supports of each outcome, and from those the candidates, which the other seeds of the block run, with the
/// base's draws for everything else. A candidate that passes is followed in turn: outcomes of a kind that the base did not
/// have, and outcomes that came about again by another support, are cut in its followers, together with what the candidate
/// cut. Every fourth seed draws at random, since faults of the devices themselves (clocks, disks) cut no support; so do all
/// seeds when no candidate is left.
final class LineageSearch {
  /// The number of seeds that share a base.
  static let block: UInt64 = 128
  /// One in so many seeds draws at random.
  private static let randomEvery: UInt64 = 4
  /// The most faults of a plan that are not the scenario's.
  private static let faultsMax = 24
  /// How many candidates follow one another.
  private static let depthMax = 4
  /// How many runs a kind of outcome that the base did not have is cut in, by each form.
  private static let triesMax = 2
  /// The instances of one kind of outcome that are cut, one in each round: the first, the last, then some between.
  private static let roundsMax = 4

  /// A plan to run.
  private struct Candidate {
    var form: LineageCut.Form
    var cuts: [LineageCut]
    /// The faults of the run that it follows.
    var inherited: [PlannedFault] = []
    var depth = 1
    /// How often the kinds of its outcomes were cut like this before.
    var rank = 0

    var faults: [PlannedFault] { inherited + cuts.map(\.fault) }
  }

  /// The candidates of one form.
  private struct Lane {
    /// From the base's trace, in order.
    var own: ArraySlice<Candidate> = []
    /// From later traces: new kinds of outcomes first, then those that follow fewer runs.
    private(set) var followers: ArraySlice<Candidate> = []
    private var turn = 0

    /// Two of three turns are those of the base's candidates.
    mutating func next() -> Candidate? {
      turn += 1
      if turn % 3 == 0 || own.isEmpty, let follower = followers.popFirst() { return follower }
      return own.popFirst() ?? followers.popFirst()
    }

    mutating func add(_ follower: Candidate) {
      let place = followers.firstIndex { ($0.rank, $0.depth) > (follower.rank, follower.depth) }
      followers.insert(follower, at: place ?? followers.endIndex)
    }
  }

  private let scenario: Scenario
  private let nemesis: Nemesis
  /// Runs a settled scenario and observes how its outcomes come about; returns whether it passed.
  private let run: (Scenario, Lineage) throws(Failure) -> Bool
  /// Seeds on which the simulation dies: nothing is learned from them.
  let skipped: [UInt64]
  private var progress = BlockProgress(size: block)
  /// The seed that was planned last, with its candidate; nil for the base and for a seed that draws at random.
  private var planned: (seed: UInt64, candidate: Candidate?)?
  private var lanes: [Lane] = []
  private var turn = 0
  /// How many runs led to a cut of each form of each kind of outcome, the most for the kinds of the base; lookup only.
  private var tries: [String: Int] = [:]
  /// The plans of the block so far, by their faults' ids; lookup only.
  private var plans: Set<String> = []

  /// - Parameters:
  ///   - skipped: Seeds on which the simulation dies.
  ///   - run: Runs a settled scenario and observes how its outcomes come about; returns whether it passed.
  init(
    _ scenario: Scenario, _ nemesis: Nemesis, skipping skipped: [UInt64],
    run: @escaping (Scenario, Lineage) throws(Failure) -> Bool
  ) {
    self.scenario = scenario
    self.nemesis = nemesis
    self.skipped = skipped
    self.run = run
  }

  /// The run of a seed, with its whole plan; runs the earlier seeds of its block first, unless it has learned from them.
  func settled(_ seed: UInt64) throws(Failure) -> Scenario {
    if progress.enterBlock(of: seed) {
      planned = nil
      lanes = LineageCut.Form.allCases.map { _ in Lane() }
      turn = 0
      tries = [:]
      plans = []
    }
    while let earlier = progress.next, earlier < seed {
      let settled = plan(earlier)
      guard !skipped.contains(earlier), learns(from: earlier) else {
        _ = progress.pass(earlier)
        continue
      }
      let lineage = Lineage()
      let hasPassed = try run(settled, lineage)
      learn(earlier, lineage, hasPassed: hasPassed)
    }
    return plan(seed)
  }

  /// Whether something is learned from a seed's run.
  func learns(from seed: UInt64) -> Bool { seed % Self.randomEvery != Self.randomEvery - 1 }

  /// Learns from a seed's run.
  func learn(_ seed: UInt64, _ lineage: Lineage, hasPassed: Bool) {
    guard let planned, planned.seed == seed, progress.pass(seed), hasPassed else { return }
    if seed % Self.block == 0 {
      for form in LineageCut.Form.allCases { lanes[form.rawValue].own = candidates(form, lineage)[...] }
    } else if let candidate = planned.candidate {
      follow(candidate, lineage)
    }
  }

  // MARK: Candidates

  /// The candidates of the base's trace.
  private func candidates(_ form: LineageCut.Form, _ lineage: Lineage) -> [Candidate] {
    let kinds = Self.kinds(lineage.outcomes)
    var found: [Candidate] = []
    for outcomes in kinds { tries[Self.pair(form, outcomes[0].kind)] = Self.triesMax }
    for round in 0..<Self.roundsMax {
      let cuts = kinds.compactMap { outcomes -> LineageCut? in
        guard let index = Self.instance(round, of: outcomes.count) else { return nil }
        return cut(form, outcomes[index], lineage, round: round)
      }
      found += pack(cuts).map { Candidate(form: form, cuts: $0) }
      // Long cuts change what comes after them, so each is also tried alone.
      if form.isLong { found += cuts.map { Candidate(form: form, cuts: [$0]) } }
    }
    return found
  }

  /// Adds the candidates that follow a run which passed.
  private func follow(_ candidate: Candidate, _ lineage: Lineage) {
    guard candidate.depth < Self.depthMax else { return }
    let kinds = Self.kinds(lineage.outcomes)
    for form in LineageCut.Form.allCases {
      var cuts: [LineageCut] = []
      var rank = Self.triesMax
      for outcomes in kinds {
        let pair = Self.pair(form, outcomes[0].kind)
        let count = tries[pair, default: 0]
        guard count < Self.triesMax, let cut = outcomes.lazy.compactMap({ self.cut(form, $0, lineage, round: 0) }).first
        else { continue }
        tries[pair] = count + 1
        rank = min(rank, count)
        cuts.append(cut)
      }
      if form == .drop, candidate.form == .drop { cuts += again(candidate, lineage) }
      for packed in pack(cuts) {
        let follower = Candidate(
          form: form, cuts: packed, inherited: candidate.faults, depth: candidate.depth + 1, rank: rank)
        lanes[form.rawValue].add(follower)
      }
    }
  }

  /// The cuts of the supports by which outcomes came about although a candidate cut their support.
  private func again(_ candidate: Candidate, _ lineage: Lineage) -> [LineageCut] {
    candidate.cuts.compactMap { cut in
      guard let outcome = lineage.outcomes.first(where: { $0.kind == cut.outcome && $0.at >= cut.fault.begin }),
        outcome.at <= cut.overAt
      else { return nil }
      return self.cut(.drop, outcome, lineage, round: 0)
    }
  }

  private static func pair(_ form: LineageCut.Form, _ kind: String) -> String { "\(form.rawValue) \(kind)" }

  private func cut(
    _ form: LineageCut.Form, _ outcome: Lineage.Outcome, _ lineage: Lineage, round: Int
  ) -> LineageCut? {
    LineageCut(
      form, of: outcome, in: lineage, round: round, nemesis: nemesis, end: nemesis.until ?? scenario.nemesisEnd,
      apps: scenario.appRoles)
  }

  /// The outcomes by kind; the kinds in the order of their first outcome.
  private static func kinds(_ outcomes: [Lineage.Outcome]) -> [[Lineage.Outcome]] {
    var found: [[Lineage.Outcome]] = []
    var places: [String: Int] = [:]
    for outcome in outcomes {
      if let place = places[outcome.kind] {
        found[place].append(outcome)
      } else {
        places[outcome.kind] = found.count
        found.append([outcome])
      }
    }
    return found
  }

  /// The index of the instance that a round cuts, of `count`; nil if other rounds cut them all.
  private static func instance(_ round: Int, of count: Int) -> Int? {
    let indices = [0, count - 1, count / 2, count / 4]
    return indices[..<round].contains(indices[round]) ? nil : indices[round]
  }

  /// Lets cuts share runs where the effects of one are over before the next begins; each run has the earliest that fit.
  private func pack(_ cuts: [LineageCut]) -> [[LineageCut]] {
    let sorted = cuts.enumerated().sorted { ($0.element.fault.begin, $0.offset) < ($1.element.fault.begin, $1.offset) }
    var runs: [[LineageCut]] = []
    var ids: Set<String> = []
    for (_, cut) in sorted where ids.insert(cut.fault.id).inserted {
      let fitting = runs.firstIndex { $0[$0.count - 1].overAt <= cut.fault.begin && $0.count < Self.faultsMax }
      if let fitting { runs[fitting].append(cut) } else { runs.append([cut]) }
    }
    return runs
  }

  // MARK: Plans

  private func plan(_ seed: UInt64) -> Scenario {
    if planned?.seed != seed {
      planned = (seed, seed % Self.block == 0 || !learns(from: seed) ? nil : nextCandidate())
    }
    var scenario = scenario
    guard seed % Self.block == 0 || planned?.candidate != nil else {
      scenario.seed = seed
      return scenario.settled
    }
    scenario.seed = seed - seed % Self.block
    scenario.nemesis = nil
    if let candidate = planned?.candidate {
      let own = Set(scenario.faults.map(\.id))
      scenario.faults += Self.ordered(candidate.faults).filter { !own.contains($0.id) }
    }
    return scenario
  }

  /// The next candidate that was not run before, of each form in turn; nil if none is left.
  private func nextCandidate() -> Candidate? {
    while lanes.contains(where: { !$0.own.isEmpty || !$0.followers.isEmpty }) {
      let lane = turn % lanes.count
      turn += 1
      while let candidate = lanes[lane].next() {
        let faults = Self.ordered(candidate.faults)
        guard faults.count <= Self.faultsMax, plans.insert(faults.map(\.id).joined(separator: " ")).inserted else {
          continue
        }
        return candidate
      }
    }
    return nil
  }

  /// The faults in the order of their beginnings, each once.
  private static func ordered(_ faults: [PlannedFault]) -> [PlannedFault] {
    var ids: Set<String> = []
    return faults.enumerated().sorted { ($0.element.begin, $0.offset) < ($1.element.begin, $1.offset) }
      .map(\.element).filter { ids.insert($0.id).inserted }
  }
}
