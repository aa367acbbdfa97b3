import Simulator
import Console
import Link

/// One run of a scenario with placed faults.
struct ExploredRun {
  /// Runs scenarios for a search, and prepares once what all runs share.
  struct Runner {
    let scenario: Scenario
    let lengths: FaultPlacement.Lengths
    private let judge: RunJudge

    init(_ scenario: Scenario, _ lengths: FaultPlacement.Lengths) {
      self.scenario = scenario
      self.lengths = lengths
      judge = RunJudge(scenario)
    }

    /// The scenario with placed faults in its plan.
    func scenario(with placements: [FaultPlacement]) -> Scenario {
      var scenario = scenario
      scenario.faults += placements.enumerated().map { $1.planned(lengths, number: $0 + 1) }
      return scenario
    }

    /// Runs it, judged completely.
    ///
    /// - Parameters:
    ///   - scan: Collects targets for further faults; nil to skip it.
    ///   - echoes: Collects hashes of the run's events, if any.
    ///   - probe: Takes a hash of the state, if any.
    func run(
      _ placements: [FaultPlacement], scan: PlacementScan? = nil, echoes: EventEchoes? = nil,
      probe: StateProbe? = nil
    ) throws(Failure) -> ExploredRun {
      var options = RunOptions()
      options.showsPrograms = false
      options.level = .judged
      options.judge = judge
      options.probe = probe
      if scan != nil || echoes != nil {
        options.onEvent = { event, _ in
          scan?.observe(event)
          echoes?.observe(event)
        }
      }
      let outcome = try ScenarioRun.run(scenario(with: placements), options)
      let findings = SeedRun.hasPassed(outcome) ? [] : SeedRun.findings(outcome).map(\.finding)
      return ExploredRun(placements: placements, findings: findings)
    }
  }

  var placements: [FaultPlacement]
  /// What went wrong; empty if everything held.
  var findings: [SweepLine.Finding]

  var hasPassed: Bool { findings.isEmpty }
}

/// Hashes of a run's events from each instant of a grid on, to find runs that may share a state.
final class EventEchoes {
  private let step: Int64
  private let count: Int
  private var sums: [(time: VirtualTime, hash: Int)] = []

  /// - Parameters:
  ///   - until: The end of the grid; after the start.
  ///   - count: How many instants it has, the start not among them.
  init(until: VirtualTime, count: Int) {
    step = max(1, until.nanoseconds / Int64(count))
    self.count = count
  }

  /// An instant of the grid; index 0 is the first one after the start.
  func instant(_ index: Int) -> VirtualTime { VirtualTime(nanoseconds: step * Int64(index + 1)) }

  /// Observes the next event.
  ///
  /// The numbers of frames, and their count at the end, differ wherever one frame was sent more or less.
  func observe(_ event: TraceEvent) {
    var hasher = Hasher()
    hasher.combine(event.name.code)
    hasher.combine(event.time.nanoseconds)
    hasher.combine(event.place.rawValue)
    for field in event.fields where field.key != "id" && field.key != "frames" {
      switch field.value {
      case .null: hasher.combine(0)
      case .bool(let value): hasher.combine(value)
      case .int(let value): hasher.combine(value)
      case .decimal(let mantissa, let scale):
        hasher.combine(mantissa)
        hasher.combine(scale)
      case .string(let value), .json(let value): hasher.combine(value)
      case .hex(let value): hasher.combine(value)
      case .digest(let bytes): hasher.combine(bytes)
      case .uuid(let high, let low):
        hasher.combine(high)
        hasher.combine(low)
      }
    }
    sums.append((event.time, hasher.finalize()))
  }

  /// The hash of everything from each instant of the grid on.
  var hashes: [Int] {
    var found = [Int](repeating: 0, count: count)
    var next = sums.count - 1
    var hash = 0
    for index in (0..<count).reversed() {
      let from = instant(index)
      while next >= 0, sums[next].time >= from {
        var hasher = Hasher()
        hasher.combine(hash)
        hasher.combine(sums[next].hash)
        hash = hasher.finalize()
        next -= 1
      }
      found[index] = hash
    }
    return found
  }
}
