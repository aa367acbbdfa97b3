import Link
import LinkTestSupport
import Testing

@testable import Experiments
@testable import Simulator

@Suite struct FaultCoverageTests {
  private static func event(
    _ name: TraceEvent.Name, on place: TraceEvent.Place = .runner, _ fields: [(String, String)]
  ) -> TraceEvent {
    TraceEvent(name, at: .start, on: place, fields.map { TraceEvent.Field($0.0, .string($0.1)) }).completed
  }

  private static func frame(_ channel: String, from place: TraceEvent.Place) -> TraceEvent {
    event("frame.sent", on: place, [("channel", channel)])
  }

  private static let plan = [
    PlannedFault(id: "l", direction: .watchToPhone, channels: [.message, .userInfo], LossFault(.every(2))),
    PlannedFault(id: "d", DisconnectFault()),
  ]
  private static let loss = FaultCoverage.kinds.firstIndex(of: "loss") ?? -1
  private static let disconnect = FaultCoverage.kinds.firstIndex(of: "disconnect") ?? -1

  @Test func `a fault meets the frames that it concerns, while it is on, in the phase of the run`() {
    var met = FaultsMet(Self.plan)
    met.observe(Self.frame("message", from: .watch))
    met.observe(Self.event("fault.begin", on: .link, [("fault", "l")]))
    met.observe(Self.frame("message", from: .phone))
    met.observe(Self.frame("file", from: .watch))
    met.observe(Self.event("workout.state", on: .watch, [("to", "running")]))
    met.observe(Self.frame("userInfo", from: .watch))
    met.observe(Self.event("fault.end", on: .link, [("fault", "l")]))
    met.observe(Self.event("fault.begin", on: .link, [("fault", "d")]))
    met.observe(Self.event("workout.state", on: .watch, [("to", "paused")]))
    met.observe(Self.frame("applicationContext", from: .phone))
    var coverage = FaultCoverage()
    coverage.add(met)
    coverage.add(met)
    #expect(coverage[Self.loss, .userInfo, .running] == 2)
    #expect(coverage[Self.disconnect, .applicationContext, .paused] == 2)
    #expect(coverage.counts.reduce(0, +) == 4)
  }

  @Test func `a fault of the uplink meets requests and answers, and one of the link does not`() {
    let kind = FaultCoverage.kinds.firstIndex(of: "uplink.loss") ?? -1
    var met = FaultsMet([
      PlannedFault(id: "u", direction: .edgeToPhone, onUplink: true, .frame(LossFault(.every(2)))),
      PlannedFault(id: "d", DisconnectFault()),
    ])
    for id in ["u", "d"] { met.observe(Self.event("fault.begin", [("fault", id)])) }
    met.observe(Self.frame("message", from: .watch))
    met.observe(Self.frame("http", from: .phone))
    var coverage = FaultCoverage()
    coverage.add(met)
    #expect(coverage[kind, .http, .before] == 0 && coverage[Self.disconnect, .message, .before] == 1)
    met.observe(Self.frame("http", from: .edge))
    coverage = FaultCoverage()
    coverage.add(met)
    #expect(coverage[kind, .http, .before] == 1 && coverage[Self.disconnect, .http, .before] == 0)
    let table = SweepText.table(coverage, [Self.disconnect, kind]) ?? ""
    #expect(table.contains("http") && table.contains("uplink.loss") && table.contains("of 20 met"))
  }

  @Test func `coverage goes through its text and adds up`() throws {
    var met = FaultsMet(Self.plan)
    met.observe(Self.event("fault.begin", on: .link, [("fault", "d")]))
    met.observe(Self.frame("message", from: .watch))
    var coverage = FaultCoverage()
    coverage.add(met)
    let again = try #require(FaultCoverage(coverage.text[...]))
    #expect(again == coverage)
    coverage.add(again)
    #expect(coverage[Self.disconnect, .message, .before] == 2)
    #expect(FaultCoverage("") == FaultCoverage())
    for text in ["x", "1:0", "1", "999999:1", "1:2:3"] { #expect(FaultCoverage(Substring(text)) == nil, "\(text)") }
  }

  @Test func `the table has a letter where it was met and a dash where not`() throws {
    var met = FaultsMet(Self.plan)
    met.observe(Self.event("fault.begin", on: .link, [("fault", "d")]))
    met.observe(Self.frame("userInfo", from: .watch))
    met.observe(Self.event("workout.state", on: .watch, [("to", "ended")]))
    met.observe(Self.frame("userInfo", from: .watch))
    var coverage = FaultCoverage()
    coverage.add(met)
    let table = try #require(SweepText.table(coverage, [Self.loss, Self.disconnect]))
    #expect(
      table == """
                      message  applicationContext  userInfo  file
          loss        ----     ----                ----      ----
          disconnect  ----     ----                b--a      ----
          2 of 32 met, 30 never
        """)
    #expect(SweepText.table(coverage, []) == nil)
  }

  @Test func `faults strike apps by what they do, without phases`() throws {
    let plan = [
      PlannedFault(id: "l", LossFault(.every(2))), PlannedFault(id: "d", DisconnectFault()),
      PlannedFault(id: "k", .node(KillFault.example)), PlannedFault(id: "x", DelayFault.example),
    ]
    var met = FaultsMet(plan)
    for id in ["l", "d", "k"] { met.observe(Self.event("fault.begin", on: .link, [("fault", id)])) }
    let kinds = ["loss", "disconnect", "kill", "delay"].compactMap { FaultCoverage.kinds.firstIndex(of: $0) }
    func strikes() -> String? {
      var coverage = FaultCoverage()
      coverage.add(met)
      return SweepText.strikes(FaultCoverage(coverage.text[...]) ?? FaultCoverage(), kinds)
    }
    // A cut is one from its beginning; a loss needs a frame, a kill a death.
    #expect(strikes() == "Faults that struck: disconnect; never: loss, kill, delay")
    met.observe(Self.frame("message", from: .watch))
    met.observe(Self.event("node.killed", [("target", "phone")]))
    #expect(strikes() == "Faults that struck: loss, disconnect, kill; never: delay")
    #expect(SweepText.strikes(FaultCoverage(), []) == nil)
  }

  @Test func `circumstances of apps have no phase of a run before the healing`() {
    var now = Circumstances(ofApps: true)
    #expect(now.text == "link up" && now.phaseText == "")
    now.observe(Self.event("link.down", on: .link, []))
    now.observe(Self.event("node.killed", [("target", "phone")]))
    #expect(now.text == "link down, phone down" && Circumstances.phase(in: now.text) == "")
    now.observe(Self.event("healed", []))
    #expect(now.phaseText == "after the healing" && Circumstances.phase(in: now.text) == now.phaseText)
    #expect(Circumstances.phase(in: "running, link down") == "running")
  }

  @Test func `the kinds of a scenario are those of its plan and of its nemesis`() {
    var scenario = Scenario()
    scenario.faults = Self.plan
    #expect(FaultCoverage.kinds(of: scenario) == [Self.loss, Self.disconnect])
    scenario.faults = []
    scenario.nemesis = Nemesis(kinds: ["disconnect"])
    #expect(FaultCoverage.kinds(of: scenario) == [Self.disconnect])
  }

  @Test func `circumstances include run, link and apps`() {
    var now = Circumstances()
    #expect(now.text == "before the run")
    now.observe(Self.event("workout.state", on: .watch, [("to", "running")]))
    now.observe(Self.event("link.down", on: .link, []))
    now.observe(Self.event("node.suspended", [("target", "watch")]))
    now.observe(Self.event("node.killed", [("target", "phone")]))
    #expect(now.text == "running, link down, watch asleep, phone down")
    now.observe(Self.event("node.started", [("target", "phone")]))
    now.observe(Self.event("node.resumed", [("target", "watch")]))
    now.observe(Self.event("link.up", on: .link, []))
    now.observe(Self.event("healed", []))
    #expect(now.text == "after the healing")
  }

  @Test func `orders and answers are read back as they were said`() {
    let orders: [WorkerMessage.Order] = [
      .scenario(text: "{\"a\": 1}"),
      .seeds(.init(seeds: SeedRange(lower: 3, upper: 9), scenario: 2, stopsAtFailure: true)),
      .seeds(.init(seeds: SeedRange(lower: 3, upper: 9), scenario: 2, isDigesting: true, skipped: [4, 7])),
      .reports(seed: .max), .shrink(target: "seq-dense"), .branch(.init(place: 7, size: 2, stopsAtFailure: true)),
    ]
    for order in orders { #expect(WorkerMessage.Order(order.line) == order) }
    let answers: [WorkerMessage.Answer] = [
      .passed(.max, digest: nil, reached: ""), .passed(3, digest: "00ff", reached: "01"),
      .failed(line: "{\"seed\":\"1\"}", circumstances: "running, link down"),
      .done(coverage: "1:2 3:4"), .done(coverage: ""), .gaveUp(status: 2, text: "a:1:2: error: x\nb: error: y"),
    ]
    for answer in answers {
      #expect(WorkerMessage.Answer(answer.line) == answer)
      #expect(!answer.line.contains("\n"))
    }
    for line in ["", "passed", "passed x", "seeds 1", "failed x", "gave-up x", "nonsense 1"] {
      #expect(WorkerMessage.Answer(line) == nil, "\(line)")
    }
    #expect(WorkerMessage.Order("seeds 9 3 0 1 0 0") == nil)
  }

  /// Kinds that a nemesis draws only by name: the census names none.
  private static let excused = FaultCatalog.all.filter { !$0.isDrawnByDefault }.map { $0.kind }

  @Test func `every fault meets every channel in every phase in the first seeds of the census`() throws {
    let scenario = try Scenario.load(Tool.scenario("census"))
    var coverage = FaultCoverage()
    func unmet() -> [String] {
      FaultCoverage.kinds(of: scenario).flatMap { kind in
        FaultCoverage.channels(of: kind).flatMap { channel in
          RunPhase.allCases.filter { coverage[kind, channel, $0] == 0 }.map { phase in
            "\(FaultCoverage.kinds[kind]) never met \(channel.text) \(phase.text)"
          }
        }
      }
    }
    let drawn = FaultCoverage.kinds(of: scenario).map { FaultCoverage.kinds[$0] }
    #expect(FaultCoverage.kinds.filter { !drawn.contains($0) } == Self.excused)
    #expect(unmet().count > 350)
    var seed: UInt64 = 0
    // Most seeds are needed for the last cells; it ends with them.
    while seed < 40, !unmet().isEmpty {
      var run = scenario
      run.seed = seed
      let settled = run.settled
      var met = FaultsMet(settled.faults)
      var options = RunOptions()
      options.showsPrograms = false
      options.level = .judged
      options.onEvent = { event, _ in met.observe(event) }
      _ = try ScenarioRun.run(settled, options)
      coverage.add(met)
      seed += 1
    }
    #expect(unmet() == [], "after \(seed) seeds")
  }
}
