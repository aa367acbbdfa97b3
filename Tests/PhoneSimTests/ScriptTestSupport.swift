import CoachProtocol
import Link

@testable import PhoneSim

/// Random numbers by turn, for tests that draw whole scripts.
struct SplitMix {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// A number from 0 and below a bound of at least 1.
  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  /// True in so many of a hundred cases.
  mutating func percent(_ chance: Int) -> Bool { below(100) < chance }
}

/// A run that a test walks through second by second.
struct TestRun {
  var engine: ScriptEngine
  var epoch = Epoch(1)
  private(set) var sequence: UInt64 = 0
  private(set) var log: [String] = []
  /// The causes of all skips so far.
  private(set) var skipCauses: [SkipCause] = []

  init(
    _ messages: [ScriptMessage], policy: BranchPolicy = .linear, grace: Grace = Grace(),
    plan: Plan = Plan(distance: 5000, time: 1650)
  ) {
    engine = ScriptEngine(script: Script(branchPolicy: policy, grace: grace, messages: messages), plan: plan)
  }

  /// Shows a snapshot to the engine and returns what it decided, one short text each.
  @discardableResult
  mutating func position(
    _ elapsed: Double, _ distance: Double, at seconds: Double? = nil, running: Bool = true, hr: Int? = nil,
    pace: Double? = nil, average: Double? = nil, cadence: Int? = nil, hour: Int = 6, canCommit: Bool = true
  ) -> [String] {
    sequence += 1
    var decisions: [ScriptDecision] = []
    engine.observe(
      .test(elapsed, distance, hr: hr, pace: pace, average: average, cadence: cadence), epoch: epoch,
      sequence: SequenceNumber(sequence), hour: hour, isRunning: running,
      at: VirtualTime(nanoseconds: Int64((min(seconds ?? elapsed, 1e9) * 1e9).rounded())), canCommit: canCommit,
      into: &decisions)
    for case .skipped(_, _, _, let cause) in decisions { skipCauses.append(cause) }
    let texts = decisions.map(\.short)
    log += texts
    return texts
  }
}

extension LiveMetrics {
  static func test(
    _ elapsed: Double, _ distance: Double, hr: Int? = nil, pace: Double? = nil, average: Double? = nil,
    cadence: Int? = nil
  ) -> LiveMetrics {
    LiveMetrics(
      workoutId: Identifier(high: 1, low: 2), sentAt: WatchTime(nanoseconds: 0), elapsed: elapsed,
      distance: distance, currentPaceSecPerKm: pace, avgPaceSecPerKm: average, currentHR: hr, cadence: cadence,
      state: .running)
  }
}

extension ScriptDecision {
  /// `say km1 @2`, `expired km1`, `skip km 1-2`, `branch fast after nil`.
  var short: String {
    func named(_ line: Line) -> String { line.message + (line.multiple.map { " @\($0)" } ?? "") }
    switch self {
    case .dispatch(let line, _): return "say " + named(line)
    case .expired(let line): return "expired " + named(line)
    case .skipped(let line, let first, let last, _): return "skip \(line.message) \(first)-\(last)"
    case .branch(_, let branch, let before): return "branch \(branch) after \(before ?? "nil")"
    }
  }
}

extension ScriptMessage {
  static func at(_ id: String, _ metres: Double, priority: Int = 50, branch: String? = nil, playOnce: Bool? = nil)
    -> ScriptMessage
  {
    ScriptMessage(
      id: id, trigger: DistanceAtTrigger(atMeters: metres), text: "a line", branchKey: branch, priority: priority,
      playOnce: playOnce)
  }

  static func every(_ id: String, _ metres: Double, priority: Int = 50, branch: String? = nil, playOnce: Bool? = nil)
    -> ScriptMessage
  {
    ScriptMessage(
      id: id, trigger: DistanceEveryTrigger(everyMeters: metres), text: "a line", branchKey: branch,
      priority: priority, playOnce: playOnce)
  }

  static func time(_ id: String, _ seconds: Double, priority: Int = 50) -> ScriptMessage {
    ScriptMessage(id: id, trigger: TimeTrigger(atSeconds: seconds), text: "a line", priority: priority)
  }

  static func when(
    _ id: String, _ expression: String, cooldown: Double? = nil, priority: Int = 50, branch: String? = nil,
    opens: String? = nil, playOnce: Bool? = nil
  ) throws -> ScriptMessage {
    let fields = ExpressionFields(try Expression(expression), branchKey: opens, cooldownSeconds: cooldown)
    return ScriptMessage(
      id: id, trigger: ConditionTrigger(fields), text: "a line", branchKey: branch, priority: priority,
      playOnce: playOnce)
  }
}
