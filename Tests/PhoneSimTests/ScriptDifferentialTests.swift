import CoachProtocol
import Link
import Testing

@testable import PhoneSim

/// The engine against the plain rules, over scripts and runs that are drawn at random.
@Suite struct ScriptDifferentialTests {
  /// What was drawn for one line, in both forms.
  private func line(_ id: String, _ plan: Plan, _ random: inout SplitMix) throws -> (
    ScriptMessage, ScriptReference.Line
  ) {
    let branches = ["fast", "slow"]
    let kind: ScriptReference.Line.Kind
    let trigger: any Trigger
    switch random.below(10) {
    case 0, 1:
      let metres = Double(random.below(2000) + 1)
      (kind, trigger) = (.metres(metres), DistanceAtTrigger(atMeters: metres))
    case 2, 3:
      let metres = Double(random.below(60) * 10 + 25) / (random.percent(30) ? 3 : 1)
      (kind, trigger) = (.every(metres), DistanceEveryTrigger(everyMeters: metres))
    case 4:
      let seconds = Double(random.below(600) + 1)
      (kind, trigger) = (.seconds(seconds), TimeTrigger(atSeconds: seconds))
    case 5:
      trigger = HalfwayTrigger()
      kind = plan.distance.map { .metres($0 / 2) } ?? plan.time.map { .seconds($0 / 2) } ?? .never
    case 7:
      let remaining = Double(random.below(300) + 1)
      trigger = NearEndTrigger(remainingSeconds: remaining)
      kind = plan.time.map { .seconds($0 - remaining) } ?? .never
    case 6:
      let remaining = Double(random.below(800) + 1)
      trigger = NearFinishTrigger(remainingMeters: remaining)
      kind = plan.distance.map { .metres($0 - remaining) } ?? .never
    default:
      let tree = condition(depth: 3, &random)
      let cooldown: Double? = random.percent(60) ? [0, 0, 10, 45.5, 120][random.below(5)] : nil
      let opens = random.percent(40) ? branches[random.below(2)] : nil
      let fields = ExpressionFields(try Expression(tree.text), branchKey: opens, cooldownSeconds: cooldown)
      trigger = random.percent(50) ? ConditionTrigger(fields) : FatigueZoneTrigger(fields)
      kind = .condition(tree, cooldown: cooldown ?? 0, opens: opens)
    }
    let message = ScriptMessage(
      id: id, trigger: trigger, text: "a line", branchKey: random.percent(30) ? branches[random.below(2)] : nil,
      priority: random.percent(60) ? 50 : random.below(5) * 20, playOnce: random.percent(30) ? random.percent(50) : nil)
    return (
      message,
      ScriptReference.Line(
        id: id, kind: kind, priority: message.priority, playOnce: message.playOnce, branch: message.branchKey)
    )
  }

  private func condition(depth: Int, _ random: inout SplitMix) -> ReferenceCondition {
    switch depth > 0 ? random.below(6) : 5 {
    case 0: return .and(condition(depth: depth - 1, &random), condition(depth: depth - 1, &random))
    case 1: return .or(condition(depth: depth - 1, &random), condition(depth: depth - 1, &random))
    case 2: return .not(condition(depth: depth - 1, &random))
    default:
      let sign = ["<", "<=", ">", ">=", "==", "!="][random.below(6)]
      // Around what the variable is in these runs, so that both outcomes occur.
      let (variable, around): (Variable, Int) = [
        (.distance, 900), (.duration, 300), (.currentPace, 330), (.averagePace, 330), (.targetPace, 330),
        (.paceRatio, 1), (.heartRate, 150), (.heartRateZone, 3), (.cadence, 170), (.hourOfDay, 6),
      ][random.below(10)]
      var left: ReferenceNumber = .variable(variable)
      if random.percent(20) { left = .negative(.negative(left)) }
      if random.percent(20) { left = .combined(left, ["+", "-"][random.below(2)], .constant(random.below(3))) }
      if random.percent(10) { left = .combined(left, "/", .variable(.cadence)) }
      if random.percent(10) { left = .combined(left, "*", .combined(.constant(2), "/", .constant(2))) }
      if random.percent(5) { left = .combined(left, "/", .constant(0)) }
      let right: ReferenceNumber = .constant(max(0, around + random.below(around / 5 + 3) - around / 10 - 1))
      return random.percent(30) ? .compare(right, sign, left) : .compare(left, sign, right)
    }
  }

  private func script(
    _ ids: [String], _ plan: Plan, _ random: inout SplitMix
  ) throws -> (Script, ScriptReference.Lines) {
    let isBranched = random.percent(50)
    let grace =
      random.percent(30) ? Grace(meters: Double(random.below(60)), seconds: Double(random.below(30))) : Grace()
    let lines = try ids.map { try line($0, plan, &random) }
    return (
      Script(branchPolicy: isBranched ? .branched : .linear, grace: grace, messages: lines.map { $0.0 }),
      ScriptReference.Lines(isBranched: isBranched, grace: grace, lines: lines.map { $0.1 })
    )
  }

  @Test(arguments: UInt64(0)..<48)
  func `the engine decides as the plain rules do`(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let plan = [Plan(distance: 2000, time: 660), Plan(distance: 2000), Plan(time: 600), Plan()][random.below(4)]
    let ids = (0..<12).map { "m\($0)" }
    let (first, firstLines) = try script(ids, plan, &random)
    var engine = ScriptEngine(script: first, plan: plan, maximumHeartRate: 190)
    var reference = ScriptReference(plan: plan, maximumHeartRate: 190)
    reference.script = firstLines

    var (elapsed, distance, now) = (0.0, 0.0, Int64(0))
    var isRunning = true
    var (dispatches, decided) = (0, 0)
    for step in 0..<500 {
      // Time advances by about a second; packets are lost, the run pauses, the distance falls back, clocks stop.
      let lost = random.percent(5) ? random.below(40) : 0
      now += Int64(random.below(2_000_000_000)) + Int64(lost) * 1_000_000_000
      if random.percent(2) { isRunning.toggle() }
      if !isRunning, random.percent(10) { isRunning = true }
      if isRunning {
        elapsed = (elapsed * 1000 + Double(random.below(2000) + lost * 1000)).rounded() / 1000
        distance = (distance * 100 + Double(random.below(700) + lost * 300)).rounded() / 100
        if random.percent(3) { distance = max(0, distance - Double(random.below(30))) }
        if random.percent(1) { elapsed = max(0, elapsed - Double(random.below(20))) }
      }
      let snapshot = LiveMetrics.test(
        elapsed, distance, hr: random.percent(80) ? 100 + random.below(90) : nil,
        pace: random.percent(80) ? Double(300 + random.below(60)) : nil,
        average: distance > 0 ? 325 + Double(random.below(10)) : nil,
        cadence: random.percent(80) ? 160 + random.below(20) : nil)
      let hour = 5 + step / 200
      let canCommit = !random.percent(5)
      var decisions: [ScriptDecision] = []
      engine.observe(
        snapshot, epoch: Epoch(1), sequence: SequenceNumber(UInt64(step)), hour: hour, isRunning: isRunning,
        at: VirtualTime(nanoseconds: now), canCommit: canCommit, into: &decisions)
      let expected = reference.position(snapshot, hour: hour, isRunning: isRunning, now: now, canCommit: canCommit)
      let texts = decisions.map(\.short)
      guard texts == expected else {
        Issue.record(
          "seed \(seed), step \(step): \(texts), expected \(expected), at \(snapshot)\n\(first.canonicalText)")
        return
      }
      decided += texts.count
      dispatches += texts.count { $0.hasPrefix("say") }
      if random.percent(1) {
        // Another script, of which some ids are known and others are not.
        let ids = (0..<12).filter { _ in random.percent(70) }.map { "m\($0)" } + ["n\(step)"]
        let (next, nextLines) = try script(ids, plan, &random)
        engine.replaceScript(next)
        reference.script = nextLines
      }
      if random.percent(2) {
        // The phone restarts from its store.
        var restarted = ScriptEngine(script: engine.script, plan: plan, maximumHeartRate: 190)
        let position = engine.position
        #expect(position == engine.position)
        restarted.restore(position, trail: engine.trail)
        engine = restarted
      }
    }
    #expect(decided >= dispatches && dispatches > 0, "a run in which nothing is said shows nothing")
  }
}
