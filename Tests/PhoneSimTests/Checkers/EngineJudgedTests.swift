@testable import CoachCheckers
import CoachProtocol
import Link
import Testing

@testable import PhoneSim

/// The script engine's decisions, judged by the checkers, which compute their own.
///
/// Random scripts over random runs. Neither knows the other, so what they agree on was written twice.
@Suite struct `the engine, judged` {
  private func number(_ random: inout SplitMix) -> String {
    let variable = ["distance", "duration", "current_pace", "avg_pace", "target_pace", "hr", "hr_zone", "cadence"]
    switch random.below(10) {
    case 0: return "pace_3min_ratio * 1000"
    case 1: return "time_of_day_hour"
    case 2: return "(\(variable[random.below(8)]) - -\(random.below(9)).5)"
    case 3: return "\(variable[random.below(8)]) / (hr - 150)"
    default: return variable[random.below(8)]
    }
  }

  private func truth(_ depth: Int, _ random: inout SplitMix) -> String {
    switch depth > 0 ? random.below(6) : 5 {
    case 0: return "(\(truth(depth - 1, &random)) or \(truth(depth - 1, &random)))"
    case 1: return "\(truth(depth - 1, &random)) AND \(truth(depth - 1, &random))"
    case 2: return "NOT (\(truth(depth - 1, &random)))"
    default:
      let sign = ["<", "<=", ">", ">=", "==", "!="][random.below(6)]
      return "\(number(&random)) \(sign) \([3, 9, 150, 171, 330, 700, 1000, 1010][random.below(8)])"
    }
  }

  private func script(_ ids: [String], _ random: inout SplitMix) -> String {
    let branches = ["fast", "slow"]
    let messages = ids.map { id in
      var spec: String
      switch random.below(9) {
      case 0: spec = "\"type\":\"distance\",\"atMeters\":\(random.below(2500) + 1)"
      case 1, 2: spec = "\"type\":\"distance\",\"everyMeters\":\(random.below(600) + 20)"
      case 3: spec = "\"type\":\"time\",\"atSeconds\":\(random.below(700) + 1).25"
      case 4: spec = "\"type\":\"halfway\""
      case 5: spec = "\"type\":\"near_finish\",\"remainingMeters\":\(random.below(900) + 1)"
      case 6: spec = "\"type\":\"near_end\",\"remainingSeconds\":\(random.below(600) + 1)"
      default:
        spec =
          "\"type\":\"\(random.percent(50) ? "condition" : "fatigue_zone")\",\"expression\":\"\(truth(3, &random))\""
        if random.percent(60) { spec += ",\"cooldownSeconds\":\(["0", "10", "45.5", "120"][random.below(4)])" }
        if random.percent(40) { spec += ",\"branchKey\":\"\(branches[random.below(2)])\"" }
      }
      var more = ""
      if random.percent(40) { more += ",\"priority\":\(random.below(5) * 20)" }
      if random.percent(30) { more += ",\"branchKey\":\"\(branches[random.below(2)])\"" }
      if random.percent(30) { more += ",\"playOnce\":\(random.percent(50))" }
      return "{\"id\":\"\(id)\",\"triggerSpec\":{\(spec)},\"text\":\"a line\"\(more)}"
    }
    let grace =
      random.percent(30) ? ",\"grace\":{\"meters\":\(random.below(60) + 1),\"seconds\":\(random.below(30) + 1)}" : ""
    return """
      {"id":"s","runId":"r","personality":"coach","generatedAt":"2026-04-12T06:00:00Z","model":"m","inputDigest":"d",\
      "messages":[\(messages.joined(separator: ","))],"branchPolicy":"\(random.percent(50) ? "branched" : "linear")"\(grace)}
      """
  }

  private func engineScript(_ text: String) throws -> Script {
    let collector = DiagnosticsCollector(file: "script.json")
    let script = Script(JSONValueReader(try JSONParser.parse(text, dialect: .json), into: collector))
    return try #require(script, "\(collector.diagnostics)\n\(text)")
  }

  /// What a walk through a run came to.
  private struct Walk {
    var events: [TraceEvent] = []
    var judgement: Judgement
    var dispatchCount = 0
  }

  private func walk(seed: UInt64, spoil: (inout [ScriptDecision]) -> Void = { _ in }) throws -> Walk {
    var random = SplitMix(seed: seed &+ 77)
    let plans: [(Plan, String)] = [
      (Plan(distance: 2000, time: 660), "{\"distance\":2000,\"time\":660}"),
      (Plan(distance: 2000), "{\"distance\":2000}"),
      (Plan(time: 600), "{\"time\":600}"), (Plan(), "{}"),
    ]
    let (plan, planText) = plans[random.below(4)]
    let text = script((0..<10).map { "m\($0)" }, &random)
    var engine = ScriptEngine(script: try engineScript(text), plan: plan, maximumHeartRate: 190)
    var header = TraceHeader(
      scenario: "s", seed: seed, startedAt: "2026-04-12T06:30:00Z",
      utcOffsets: [.init(from: .start, seconds: 7200)], duration: .seconds(3600))
    // Scripts come during the run.
    header.extras = [JSONMember("edge", .object([]))]
    header.plan = try JSONParser.parse(planText, dialect: .json)
    header.script = try JSONParser.parse(text, dialect: .json)
    var trace = CoachTrace()
    var state = "running"
    trace.state(0, state)
    var (elapsed, distance, now) = (0.0, 0.0, Int64(0))
    var dispatchCount = 0
    for step in 0..<400 {
      let lost = random.percent(5) ? random.below(40) : 0
      now += Int64(random.below(2_000_000_000)) + Int64(lost) * 1_000_000_000 + 1
      let time = VirtualTime(nanoseconds: now)
      if random.percent(3) || (state == "paused" && random.percent(10)) {
        let next = state == "running" ? "paused" : "running"
        trace.state(Double(now) / 1e9, next, from: state)
        trace.events[trace.events.count - 1].time = time
        state = next
      }
      if state == "running" {
        elapsed = (elapsed * 1000 + Double(random.below(2000) + lost * 1000)).rounded() / 1000
        distance = (distance * 100 + Double(random.below(700) + lost * 300)).rounded() / 100
        if random.percent(3) { distance = max(0, ((distance - Double(random.below(30))) * 100).rounded() / 100) }
        if random.percent(1) { elapsed = max(0, ((elapsed - Double(random.below(20))) * 1000).rounded() / 1000) }
      }
      let snapshot = LiveMetrics(
        workoutId: CoachTrace.workout, sentAt: WatchTime(nanoseconds: 0), elapsed: elapsed, distance: distance,
        currentPaceSecPerKm: random.percent(80) ? Double(300 + random.below(60)) : nil,
        avgPaceSecPerKm: distance > 0 ? 325 + Double(random.below(10)) : nil,
        currentHR: random.percent(80) ? 100 + random.below(90) : nil,
        cadence: random.percent(80) ? 160 + random.below(20) : nil, state: .running)
      trace.events.append(
        TraceEvent(SnapshotFresh.self, at: time, on: .phone) {
          $0.metrics = snapshot.eventFields(epoch: Epoch(1), seq: SequenceNumber(UInt64(step)))
        })
      var decisions: [ScriptDecision] = []
      engine.observe(
        snapshot, epoch: Epoch(1), sequence: SequenceNumber(UInt64(step)),
        hour: 8 + Int((now / 1_000_000_000 + 1800) / 3600),
        isRunning: state == "running", at: time, into: &decisions)
      spoil(&decisions)
      trace.events += decisions.map { $0.event(at: time) }
      dispatchCount += decisions.count { if case .dispatch = $0 { true } else { false } }
      if random.percent(1) {
        let next = script((0..<10).filter { _ in random.percent(70) }.map { "m\($0)" } + ["n\(step)"], &random)
        engine.replaceScript(try engineScript(next))
        trace.events.append(
          TraceEvent(
            "script.loaded", at: time, on: .phone, [.init("source", .string("edge")), .init("script", .json(next))]))
      }
      if random.percent(2) {
        // The phone restarts from its store, of which a trace says nothing.
        var restarted = ScriptEngine(script: engine.script, plan: plan, maximumHeartRate: 190)
        restarted.restore(engine.position, trail: engine.trail)
        engine = restarted
      }
    }
    let invariants = [
      "dispatch-window", "play-once", "dispatch-only-running", "dispatch-justified", "no-missed-dispatch",
    ]
    var judge = Judge(
      header: header, checkers: CoachCheckerCatalog.all.filter { invariants.contains($0.invariant) })
    for (index, event) in trace.events.enumerated() { judge.observe(event, line: index + 2) }
    judge.observe(TraceEvent("end", at: .distantFuture, on: .runner), line: trace.events.count + 2)
    return Walk(events: trace.events, judgement: judge.finish(), dispatchCount: dispatchCount)
  }

  @Test(arguments: UInt64(0)..<64) func `is found without fault`(seed: UInt64) throws {
    let walk = try walk(seed: seed)
    #expect(walk.dispatchCount > 0)
    guard let first = walk.judgement.violations.first, let line = first.lines.last else { return }
    let near = walk.events[max(0, line - 6)..<min(walk.events.count, line + 2)].map { TraceWriter.text(of: $0) }
    Issue.record("seed \(seed): \(first)\n\(near.joined(separator: "\n"))")
  }

  @Test func `is found out when it swallows a dispatch, an expiry or a skip, or speaks another line`() throws {
    var (dispatches, expiries, skips, swaps) = (0, 0, 0, 0)
    for seed in UInt64(0)..<12 {
      if try walk(seed: seed, spoil: { $0.removeAll { if case .dispatch = $0 { true } else { false } } }).judgement
        .broken.contains("no-missed-dispatch")
      {
        dispatches += 1
      }
      if try walk(seed: seed, spoil: { $0.removeAll { if case .expired = $0 { true } else { false } } }).judgement
        .broken.contains("no-missed-dispatch")
      {
        expiries += 1
      }
      if try walk(seed: seed, spoil: { $0.removeAll { if case .skipped = $0 { true } else { false } } }).judgement
        .broken.contains("no-missed-dispatch")
      {
        skips += 1
      }
      let swapped = try walk(seed: seed) { decisions in
        for index in decisions.indices {
          if case .dispatch(var line, let words) = decisions[index] {
            line.message = line.message == "m1" ? "m2" : "m1"
            decisions[index] = .dispatch(line, words: words)
          }
        }
      }
      if swapped.judgement.broken.contains("dispatch-justified") { swaps += 1 }
    }
    #expect(dispatches == 12)
    #expect(swaps == 12)
    // Not every run has them.
    #expect(expiries >= 6)
    #expect(skips >= 6)
  }
}
