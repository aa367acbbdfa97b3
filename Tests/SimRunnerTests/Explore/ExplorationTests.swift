import Link
import Testing

@testable import sim_runner

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

  @Test func `a placement is one word, and an order and an answer are a line`() throws {
    let places = [
      FaultPlacement(
        kind: .drop, at: .start + .seconds(5), end: .start + .seconds(6), direction: .phoneToWatch,
        channel: .applicationContext),
      FaultPlacement(kind: .crash, at: .start, end: .start + .seconds(1), node: .phone, point: .inboxAcked),
      FaultPlacement(kind: .cut, at: .start + .seconds(1)),
    ]
    for place in places { #expect(FaultPlacement(word: place.word[...]) == place) }
    #expect(FaultPlacement(word: "drop/five/////") == nil)
    let branch = Exploration.Branch(runs: 5, equal: 2, failed: 1, broken: places)
    #expect(ExploreMessage.Answer(ExploreMessage.Answer.branch(branch).line) == .branch(branch))
    #expect(ExploreMessage.Answer("branch 1 2 3 drop/x") == nil)
    let scope = Self.scope([.drop, .crash], faults: 3)
    guard case .scope(let read)? = ExploreMessage.Order(ExploreMessage.Order.scope(scope).line) else {
      Issue.record("no scope")
      return
    }
    #expect(read.faults == 3 && read.kinds == scope.kinds && read.until == scope.until && read.isMerging)
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
