import Testing

@testable import Link

/// The seeded generator of fault plans.
@Suite struct NemesisTests {
  private static let end = VirtualTime(nanoseconds: 600_000_000_000)
  private static let every = Nemesis(meanInterval: .seconds(10), meanDuration: .seconds(8), isSwarming: false)

  private static func json(_ plan: [PlannedFault]) -> [JSONValue] { plan.map(\.json) }

  private static func read(_ text: String) throws -> (nemesis: Nemesis?, report: String) {
    let collector = DiagnosticsCollector(file: "s")
    let node = try JSONParser.parse(text, dialect: .json5)
    guard let reader = JSONObjectReader(node, into: collector) else { return (nil, collector.diagnostics.description) }
    let nemesis = reader.object("nemesis") { Nemesis.schema(hasUplink: false).read($0) }
    return (nemesis, collector.diagnostics.description)
  }

  @Test func `the same seed gives the same plan, another seed another one`() {
    let plans = (0..<20).map { Self.json(Self.every.faults(seed: $0, before: Self.end)) }
    #expect(plans == (0..<20).map { Self.json(Self.every.faults(seed: $0, before: Self.end)) })
    for (index, plan) in plans.enumerated() { #expect(!plans[..<index].contains(plan)) }
  }

  @Test(arguments: FaultCatalog.all.map { $0.kind })
  func `a drawn fault of each kind reads back from its spelling`(kind: String) throws {
    let nemesis = Nemesis(kinds: [kind], meanInterval: .seconds(10))
    var shapes: Set<String> = []
    for seed in 0..<10 as Range<UInt64> {
      let plan = nemesis.faults(seed: seed, before: Self.end)
      let text = String(decoding: JSONWriter.compact(JSONNode(.array(plan.map { JSONNode($0.json) }))), as: UTF8.self)
      let collector = DiagnosticsCollector(file: "plan")
      let list = JSONValueReader(try JSONParser.parse(text, dialect: .json), path: "faults", into: collector).array()
      let again = FaultPlan.read(list ?? [])
      #expect(collector.diagnostics.description == "")
      #expect(Self.json(again) == Self.json(plan))
      #expect(again.allSatisfy { $0.kind == kind })
      shapes.formUnion(plan.map { String(describing: $0.body) })
    }
    // Faults of devices whose only parameter is the node have two shapes.
    #expect(shapes.count >= 2, "\(kind)")
  }

  @Test func `an uplink adds its own kinds and does not change the other faults`() throws {
    let without = Nemesis(meanInterval: .seconds(10), isSwarming: false)
    let with = Nemesis(hasUplink: true, meanInterval: .seconds(10), isSwarming: false)
    var onUplink: [PlannedFault] = []
    for seed in 0..<40 as Range<UInt64> {
      let plan = with.faults(seed: seed, before: Self.end)
      let ofLink = without.faults(seed: seed, before: Self.end)
      #expect(!ofLink.contains { $0.isOnUplink })
      for fault in plan where !fault.isOnUplink { #expect(ofLink.contains { $0.json == fault.json }) }
      onUplink += plan.filter(\.isOnUplink)
    }
    #expect(Set(onUplink.map(\.kind)) == Set(FaultCatalog.ofUplink.map { $0.kind }))
    #expect(onUplink.allSatisfy { $0.channels == nil })
    let directions = onUplink.compactMap(\.direction)
    #expect(Set(directions) == Set(Direction.ofUplink))
    #expect(directions.count * 2 < onUplink.count && directions.count * 6 > onUplink.count)
    // All of them read back.
    for fault in onUplink {
      let text = String(decoding: JSONWriter.compact(JSONNode(.array([JSONNode(fault.json)]))), as: UTF8.self)
      let collector = DiagnosticsCollector(file: "plan")
      let list = JSONValueReader(try JSONParser.parse(text, dialect: .json), path: "faults", into: collector).array()
      #expect(FaultPlan.read(list ?? []).map(\.json) == [fault.json])
      #expect(collector.diagnostics.description == "")
    }
  }

  @Test func `a kind of the uplink is drawn if listed, and refused without an uplink`() throws {
    let nemesis = Nemesis(kinds: ["uplink.loss"], hasUplink: true, meanInterval: .seconds(5))
    let plan = nemesis.faults(seed: 1, before: Self.end)
    #expect(!plan.isEmpty && plan.allSatisfy { $0.isOnUplink && $0.kind == "loss" })
    let (_, report) = try Self.read("{ nemesis: { kinds: [\"uplink.loss\"] } }")
    #expect(report.contains("expected no kind of the uplink in a scenario without one"))
  }

  /// A fault does not depend on the kinds of other faults.
  @Test(arguments: FaultCatalog.all.map { $0.kind })
  func `removing a kind changes the faults of that kind only`(kind: String) {
    let fewer = Nemesis(
      kinds: Self.every.kinds.filter { $0 != kind }, meanInterval: Self.every.meanInterval,
      meanDuration: Self.every.meanDuration, isSwarming: false)
    var count = 0
    for seed in 0..<8 as Range<UInt64> {
      let plan = Self.every.faults(seed: seed, before: Self.end)
      let other = fewer.faults(seed: seed, before: Self.end)
      #expect(plan.map(\.begin) == other.map(\.begin))
      for (fault, same) in zip(plan, other) where fault.kind != kind {
        #expect(fault.json == same.json)
        count += 1
      }
      #expect(!other.contains { $0.kind == kind })
    }
    #expect(count > 200)
  }

  @Test func `every fault begins after from, has ended by until, and is restarted by then`() throws {
    let nemesis = Nemesis(
      meanInterval: .seconds(5), meanDuration: .seconds(30), from: VirtualTime(nanoseconds: 100_000_000_000),
      until: VirtualTime(nanoseconds: 400_000_000_000))
    var restarts = 0
    for seed in 0..<100 as Range<UInt64> {
      for fault in nemesis.faults(seed: seed, before: Self.end) {
        #expect(fault.begin >= nemesis.from)
        var last = fault.end ?? fault.begin
        if case .node(let node) = fault.body, case .kill(_, _, let restartAfter)? = node.orders.first {
          last = last + (try #require(restartAfter))
          restarts += 1
        } else {
          #expect(fault.end != nil)
        }
        #expect(last.nanoseconds <= 400_000_000_000)
      }
    }
    #expect(restarts > 100)
  }

  @Test func `intervals and lengths have the requested means`() {
    let nemesis = Nemesis(
      kinds: ["loss", "disconnect"], meanInterval: .seconds(10), meanDuration: .seconds(4), isSwarming: false)
    let end = VirtualTime(nanoseconds: 3_600_000_000_000)
    let faults = (0..<50).flatMap { nemesis.faults(seed: $0, before: end) }
    // 18,000 exponential draws: the mean is off by 0.7 % of itself, once in 10,000 times by 3 %.
    #expect(abs(Double(faults.count) / 18_000 - 1) < 0.03)
    let seconds = faults.reduce(0) { $0 + (($1.end ?? $1.begin) - $1.begin).seconds } / Double(faults.count)
    #expect(abs(seconds / 4 - 1) < 0.03, "\(seconds)")
  }

  @Test func `swarming enables each kind for about half of the seeds, and at least one`() {
    let nemesis = Nemesis()
    var counts: [String: Int] = [:]
    for seed in 0..<1_000 as Range<UInt64> {
      let on = nemesis.enabledKinds(seed: seed)
      #expect(!on.isEmpty)
      for kind in on { counts[kind, default: 0] += 1 }
    }
    // Of 1,000 fair draws 500 +- 16.
    for kind in nemesis.kinds { #expect((430...570).contains(counts[kind] ?? 0), "\(kind): \(counts)") }
    let one = Nemesis(kinds: ["loss"])
    #expect((0..<50).allSatisfy { one.enabledKinds(seed: $0) == ["loss"] })
    let still = Nemesis(isSwarming: false)
    #expect((0..<50).allSatisfy { still.enabledKinds(seed: $0) == still.kinds })
  }

  @Test func `some faults are limited, with a valid and non-empty target`() {
    let faults = (0..<200).flatMap { Self.every.faults(seed: $0, before: Self.end) }
    #expect(faults.contains { $0.direction != nil && $0.channels == nil })
    #expect(faults.contains { $0.direction == nil && $0.channels != nil })
    #expect(faults.contains { $0.direction != nil && $0.channels != nil })
    for fault in faults {
      #expect(fault.channels.map { !$0.isEmpty && $0.count < Channel.ofLink.count } ?? true)
      if !type(of: fault.body.fault).isSelective { #expect(fault.direction == nil && fault.channels == nil) }
    }
  }

  @Test func `the number of faults has its maximum`() {
    let nemesis = Nemesis(meanInterval: .seconds(1), maximum: 3)
    #expect(nemesis.faults(seed: 1, before: Self.end).map(\.id) == ["nemesis-1", "nemesis-2", "nemesis-3"])
    #expect(Nemesis(from: Self.end).faults(seed: 1, before: Self.end).isEmpty)
  }

  @Test func `a scenario's keys are read, and missing keys have defaults`() throws {
    let (all, none) = try Self.read("{ nemesis: {} }")
    #expect(none == "" && all == Nemesis())
    let (some, report) = try Self.read(
      """
      { nemesis: { kinds: ["kill", "loss"], meanInterval: "2m", meanDuration: 7, swarm: false, from: "1m", until: "9m",
        maximum: 12 } }
      """)
    #expect(report == "")
    #expect(
      some
        == Nemesis(
          kinds: ["kill", "loss"], meanInterval: .seconds(120), meanDuration: .seconds(7), isSwarming: false,
          from: VirtualTime(nanoseconds: 60_000_000_000), until: VirtualTime(nanoseconds: 540_000_000_000), maximum: 12)
    )
  }

  @Test(arguments: [
    ("{ kinds: [] }", "found an empty array, expected at least one"),
    ("{ kinds: [\"los\"] }", "did you mean \"loss\"?"),
    ("{ kinds: [\"loss\", \"loss\"] }", "a second time"), ("{ kinds: \"loss\" }", "expected an array"),
    ("{ meanInterval: \"1ms\" }", "a duration from 100ms to 24h"), ("{ meanDuration: 0 }", "from 100ms to 24h"),
    ("{ meanInterval: \"25h\" }", "from 100ms to 24h"), ("{ swarm: 1 }", "true or false"),
    ("{ from: \"2m\", until: \"1m\" }", "a time after `from`"), ("{ maximum: 0 }", "from 1 to 10000"),
    ("{ meanIntervall: 4 }", "did you mean \"meanInterval\"?"), ("[]", "expected an object"),
  ])
  func `a wrong value is refused with the expected one`(text: String, expected: String) throws {
    let (nemesis, report) = try Self.read("{ nemesis: \(text) }")
    #expect(report.contains(expected), "\(report)")
    #expect(report.split(separator: "\n").count == 1, "\(report)")
    if !text.contains("meanIntervall") { #expect(nemesis == nil) }
  }
}
