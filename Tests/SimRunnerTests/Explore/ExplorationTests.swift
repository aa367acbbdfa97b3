import Link
import Testing

@testable import Experiments
@testable import Simulator

@Suite struct ExplorationTests {
  /// Twenty seconds in which the phone sends two messages that no one sends again: the loss of either breaks nothing.
  private static let text = """
    { scenario: "twice", duration: "20s", link: { profile: "ideal" },
      workout: { source: { model: { distance: 100000, pace: "5:00/km" } } },
      phone: { events: [{ at: "5s", do: "sendMessage" }, { at: "8s", do: "sendMessage" }] },
      expect: [{ count: "message.received", where: { node: "watch" }, atLeast: 1 }] }
    """

  private static func read(_ text: String = text) throws -> Scenario {
    let (scenario, diagnostics) = Scenario.read(Array(text.utf8), file: "s", folder: "/")
    #expect(!diagnostics.contains { $0.hasErrors }, "\(diagnostics.map(\.description))")
    return scenario
  }

  private static func scope(_ kinds: [FaultPlacement.Kind], faults: Int = 2) -> Exploration.Scope {
    var scope = Exploration.Scope(until: .start + .seconds(9))
    scope.faults = faults
    scope.kinds = kinds
    return scope
  }

  @Test func `the smallest placement that breaks it has both losses, and no single one does`() throws {
    var exploration = try Exploration(try Self.read(), Self.scope([.drop]))
    #expect(exploration.base.isEmpty)
    let all = try exploration.runSingles()
    #expect(all)
    #expect(exploration.broken.allSatisfy { $0.isEmpty })
    #expect(exploration.metFrom.count == exploration.singles.count && exploration.singles.count > 8)
    let branches = try exploration.singles.indices.map {
      try exploration.branch($0, size: 2, stopsAtFailure: false)
    }
    let broken = branches.compactMap(\.broken)
    let placements = try #require(broken.first)
    #expect(broken.count == 1 && branches.map(\.failed).reduce(0, +) == 1)
    #expect(placements.map(\.at) == [.start + .seconds(5), .start + .seconds(8)])
    #expect(placements.allSatisfy { $0.direction == .phoneToWatch && $0.channel == .message })
  }

  @Test func `states met twice save runs and hide nothing`() throws {
    let kinds: [FaultPlacement.Kind] = [.drop, .duplicate]
    var sums: [(runs: Int, all: Int, failed: Int)] = []
    for isMerging in [true, false] {
      var scope = Self.scope(kinds)
      scope.isMerging = isMerging
      var exploration = try Exploration(try Self.read(), scope)
      _ = try exploration.runSingles()
      let branches = try exploration.singles.indices.map {
        try exploration.branch($0, size: 2, stopsAtFailure: false)
      }
      sums.append(
        (
          branches.map(\.runs).reduce(0, +), branches.map { $0.runs + $0.equal }.reduce(0, +),
          branches.map(\.failed).reduce(0, +)
        ))
    }
    #expect(sums[0].all == sums[1].all && sums[1].runs == sums[1].all)
    #expect(sums[0].runs <= sums[1].runs)
    #expect(sums[1].failed > 0 && sums[0].failed > 0)
  }

  @Test func `crash points are found by runs that wait for them`() throws {
    let text = Self.text.replacing(
      "do: \"sendMessage\" }, { at: \"8s\"", with: "do: \"transferUserInfo\" }, { at: \"8s\"")
    let exploration = try Exploration(
      try Self.read(text.replacing("atLeast: 1", with: "atLeast: 0")), Self.scope([.crash]))
    let places = exploration.singles
    #expect(places.contains { $0.node == .phone && $0.point == .outboxCommitted && $0.at == .start + .seconds(5) })
    #expect(places.contains { $0.node == .watch && $0.point == .inboxCommitted })
    #expect(places.allSatisfy { $0.kind == .crash && $0.end.map { $0 > .start } == true })
  }

  @Test func `a cut has each length, nothing is muted twice, and a clock is set back by who sends`() throws {
    var scope = Self.scope([.drop, .cut, .mute, .clock])
    scope.lengths.cuts = [.seconds(1), .seconds(3)]
    var exploration = try Exploration(try Self.read(Self.text.replacing("atLeast: 1", with: "atLeast: 0")), scope)
    let five = exploration.singles.filter { $0.at == .start + .seconds(5) }
    let ends = five.filter { $0.kind == .cut }.compactMap(\.end)
    #expect(ends == [.start + .seconds(6), .start + .seconds(8)])
    #expect(five.contains { $0.kind == .clock && $0.node == .phone })
    let mutes = five.filter { $0.kind == .mute && $0.direction == .phoneToWatch }
    #expect(mutes.count == 1 && mutes.first?.end == .start + .seconds(17))
    let mute = try #require(mutes.first)
    let later = FaultPlacement(
      kind: .drop, at: .start + .seconds(8), end: .start + .seconds(9), direction: .phoneToWatch, channel: .message)
    #expect(mute.covers(later) && !later.covers(mute))
    #expect(!mute.covers(FaultPlacement(kind: .kill, at: later.at, node: .watch)))
    let cut = try #require(five.first { $0.kind == .cut })
    #expect(!mute.covers(cut))
    let all = try exploration.runSingles()
    #expect(all && exploration.broken.allSatisfy { $0.isEmpty })
  }

  /// What the standard kinds break with up to two faults (docs/internals/searching.md), from the first of them on.
  @Test(arguments: [
    ("clock-skew", "freshness", "clock/0////watch/", 1), ("stale-start", "start-in-time", "cut/0/31000000000////", 33),
    ("missed-alarm", "liveness-deadline", "late/5005000000/5055000000/watch-to-phone/message//", 10),
    ("stuck-alarm", "liveness-clears", "late/7005000000/7055000000/watch-to-phone/message//", 10),
  ])
  func `bugs that need a wrong clock, silence in one direction or a long cut are found`(
    name: String, invariant: String, word: String, seconds: Int64
  ) throws {
    var scenario = try Scenario.load(Tool.scenario("explore"))
    let clean = scenario
    scenario.plant([try PlantCatalog.plant(named: name, "test")])
    let first = try #require(FaultPlacement(word: word[...]))
    var scope = Self.scope(first.kind == .clock ? [.clock] : [first.kind, .mute])
    scope.until = .start + .seconds(seconds)
    scope.isMerging = false
    var exploration = try Exploration(scenario, scope)
    _ = try exploration.runSingles()
    let place = try #require(exploration.singles.firstIndex(of: first))
    let single = exploration.broken[place].isEmpty ? nil : [first]
    let broken = try #require(try single ?? exploration.branch(place, size: 2, stopsAtFailure: true).broken)
    #expect(try exploration.runner.run(broken).findings.first?.invariant == invariant)
    #expect(try ExploredRun.Runner(clean, scope.lengths).run(broken).hasPassed)
  }

  @Test func `a placement is one word, and an order and an answer are a line`() throws {
    let places = [
      FaultPlacement(
        kind: .drop, at: .start + .seconds(5), end: .start + .seconds(6), direction: .phoneToWatch,
        channel: .applicationContext),
      FaultPlacement(kind: .crash, at: .start, end: .start + .seconds(1), node: .phone, point: .inboxAcked),
      FaultPlacement(kind: .cut, at: .start + .seconds(1), end: .start + .seconds(32)),
      FaultPlacement(kind: .mute, at: .start, end: .start + .seconds(12), direction: .watchToPhone),
      FaultPlacement(kind: .clock, at: .start + .seconds(1), node: .watch),
    ]
    for place in places { #expect(FaultPlacement(word: place.word[...]) == place) }
    #expect(FaultPlacement(word: "drop/five/////") == nil)
    let branch = Exploration.Branch(runs: 5, equal: 2, failed: 1, broken: places)
    #expect(WorkerMessage.Answer(WorkerMessage.Answer.branch(branch).line) == .branch(branch))
    #expect(WorkerMessage.Answer("branch 1 2 3 drop/x") == nil)
    var scope = Self.scope([.drop, .crash], faults: 3)
    scope.lengths.cuts = [.seconds(4), .seconds(7)]
    scope.lengths.mute = .seconds(5)
    scope.lengths.clock = .seconds(6)
    guard case .scope(let read)? = WorkerMessage.Order(WorkerMessage.Order.scope(scope).line) else {
      Issue.record("no scope")
      return
    }
    #expect(read == scope)
  }

  @Test func `equal values hash alike, whatever the order of their dictionaries, and others do not`() {
    struct Box { var numbers: [String: Int], list: [Int?], kind: Kind }
    enum Kind { case none, some(Int) }
    let many = Dictionary(uniqueKeysWithValues: (0..<50).map { ("k\($0)", $0) })
    let again = Dictionary(uniqueKeysWithValues: (0..<50).reversed().map { ("k\($0)", $0) })
    func hash(_ numbers: [String: Int], _ list: [Int?] = [1, nil], _ kind: Kind = .some(3)) -> UInt64 {
      StateHash([Box(numbers: numbers, list: list, kind: kind)]).value
    }
    #expect(hash(many) == hash(again))
    var other = many
    other["k7"] = 8
    #expect(hash(many) != hash(other))
    #expect(hash([:], [1, nil]) != hash([:], [nil, 1]))
    #expect(hash([:], [1], .some(3)) != hash([:], [1], .some(4)))
    #expect(hash([:], [1], .none) != hash([:], [1], .some(0)))
  }
}
