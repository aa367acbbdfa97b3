import CoachProtocol
import Link
import Testing

@testable import PhoneSim

@Suite struct `Replies among the lines of a script` {
  private static let first = Identifier(high: 0, low: 1)
  private static let second = Identifier(high: 0, low: 2)

  private func answer(_ run: inout TestRun, _ id: Identifier, at seconds: Double) {
    _ = run.engine.add(reply: id, words: 5, at: VirtualTime(nanoseconds: Int64(seconds * 1e9)))
  }

  /// A position by the phone's timers.
  private func timer(_ run: inout TestRun, at seconds: Double, canCommit: Bool = true) -> [String] {
    var decisions: [ScriptDecision] = []
    run.engine.checkReplies(
      ScriptEngine.RunPosition(epoch: Epoch(1), sequence: SequenceNumber(1), elapsed: 0, distance: 0),
      at: VirtualTime(nanoseconds: Int64(seconds * 1e9)), canCommit: canCommit, into: &decisions)
    return decisions.map(\.short)
  }

  @Test func `a reply is spoken once, at the next position`() {
    var run = TestRun([])
    #expect(run.position(10, 30) == [])
    answer(&run, Self.first, at: 10.5)
    #expect(run.position(11, 33) == ["say \(Self.first.text)"])
    #expect(run.position(50, 150) == [])
  }

  @Test func `an ordinary line goes first, a humble one after`() {
    var ordinary = TestRun([.at("km", 100), .at("humble", 100, priority: 44)], grace: Grace(meters: 1e6))
    ordinary.position(10, 30)
    answer(&ordinary, Self.first, at: 33)
    #expect(ordinary.position(33, 100) == ["say km"])
    #expect(ordinary.position(62.9, 190) == [])
    #expect(ordinary.position(63, 191) == ["say \(Self.first.text)"])
    #expect(ordinary.position(93, 280) == ["say humble"])
  }

  @Test func `at an equal priority the one that is due longer goes first, and of two at once the line`() {
    var line = TestRun([.at("km", 100, priority: 45)])
    line.position(10, 99)
    answer(&line, Self.first, at: 10)
    #expect(line.position(11, 100) == ["say km"])
    var reply = TestRun([.at("km", 100, priority: 45)], grace: Grace(meters: 1e6))
    reply.position(10, 90)
    answer(&reply, Self.first, at: 10)
    reply.engine.lastDispatch = .start + .seconds(10)
    #expect(reply.position(11, 95) == [])
    #expect(reply.position(12, 100) == [])
    #expect(reply.position(40, 200) == ["say \(Self.first.text)"])
  }

  @Test func `a reply that came in a pause is due since the first position at the script after it`() {
    var run = TestRun([.at("km", 100, priority: 45)])
    run.position(10, 99)
    answer(&run, Self.first, at: 10)
    run.engine.lastDispatch = .start + .seconds(10)
    #expect(timer(&run, at: 20) == [])
    #expect(run.position(40, 100) == ["say km"])
  }

  @Test func `the window holds for replies, on snapshots and on timers`() {
    var run = TestRun([.at("km", 100)])
    #expect(run.position(30, 100) == ["say km"])
    answer(&run, Self.first, at: 31)
    answer(&run, Self.second, at: 32)
    #expect(run.position(59, 180) == [])
    #expect(timer(&run, at: 59.9) == [])
    #expect(timer(&run, at: 60) == ["say \(Self.first.text)"])
    #expect(timer(&run, at: 89) == [])
    #expect(run.position(90, 280) == ["say \(Self.second.text)"])
  }

  @Test func `a reply expires at the first position more than 120 s after it came`() {
    var run = TestRun([])
    answer(&run, Self.first, at: 100)
    run.engine.lastDispatch = .start + .seconds(195)
    #expect(timer(&run, at: 220) == [])
    #expect(timer(&run, at: 220.001) == ["expired \(Self.first.text)"])
    #expect(timer(&run, at: 300) == [])
    answer(&run, Self.second, at: 300)
    #expect(timer(&run, at: 420) == ["say \(Self.second.text)"], "120 s are not more than 120 s")
  }

  @Test func `a full disk says nothing, and a new run forgets`() {
    var run = TestRun([])
    answer(&run, Self.first, at: 1)
    #expect(run.position(2, 5, canCommit: false) == [])
    #expect(timer(&run, at: 3, canCommit: false) == [])
    run.engine.startRun()
    #expect(run.position(4, 5) == [])
  }

  @Test func `a new script in mid-run leaves replies where they are, and a restart brings them back`() {
    var run = TestRun([.at("km", 100)])
    answer(&run, Self.first, at: 1)
    run.engine.replaceScript(Script(messages: []))
    let replies = run.engine.replies
    #expect(replies.count == 1)
    var other = TestRun([])
    other.engine.restore(run.engine.position, trail: Trail(), replies: replies)
    #expect(other.position(5, 20) == ["say \(Self.first.text)"])
  }
}

@Suite struct `A script that comes in mid-run` {
  @Test func `speaks what is within its grace, and not what is past it`() {
    var run = TestRun([.every("old", 1000)])
    #expect(run.position(300, 1000) == ["say old @1"])
    run.position(900, 3005)
    run.engine.replaceScript(
      Script(messages: [.every("old", 1000), .at("two", 2000), .at("three", 3000), .at("late", 2800)]))
    // The multiples of the line that both scripts have go on where they were.
    let said = run.position(901, 3010)
    #expect(said.contains("expired two") && said.contains("expired late"))
    #expect(!said.contains { $0.hasPrefix("say two") || $0.hasPrefix("say late") || $0 == "say old @1" })
    #expect(run.position(940, 3100) == ["say three"])
  }
}

@Suite struct MemoryStoreTests {
  private func fact(_ key: String, _ value: Int64, _ confidence: Double = 0.7) -> ExtractedFact {
    ExtractedFact(kind: .fact, value: .object([JSONMember(key, .integer(value))]), confidence: confidence)
  }

  @Test func `what the athlete stated is kept, and inferences are never certain`() {
    var memory = MemoryStore(seed: 1)
    let begun = memory.begin(with: [JSONMember("hr.max", .integer(188))], clock: 5)
    #expect(begun.map(\.fact.source) == [.user])
    #expect(memory.learn(fact("hr.max", 191), clock: 6) == .refused(memory.learned("hr.max", 191, 0.7), why: "user"))
    #expect(memory.facts.first?.value == .integer(188))
    guard case .updated(let row) = memory.learn(fact("hr.rest", 50, 1), clock: 7) else {
      return #expect(Bool(false), "a new fact is refused")
    }
    #expect(row.fact.confidence < 1 && row.fact.source == .aiInferred && row.updatedAt == 7)
    guard case .updated(let newer) = memory.learn(fact("hr.rest", 48, 0.2), clock: 8) else {
      return #expect(Bool(false), "a newer fact is refused")
    }
    #expect(newer.id == row.id && newer.fact.value == .integer(48))
    #expect(memory.rows.count == 2)
  }

  @Test func `defaults give way to both, and are not added twice`() {
    var memory = MemoryStore(seed: 1)
    #expect(memory.begin(with: [], clock: 1).map(\.fact.source) == [.systemDefault])
    #expect(memory.begin(with: [], clock: 2) == [])
    guard case .updated = memory.learn(fact("hr.max", 180), clock: 3) else {
      return #expect(Bool(false), "a default is in the way")
    }
    var other = MemoryStore(seed: 1, restoring: memory.rows)
    #expect(other.begin(with: [], clock: 4) == [])
  }

  @Test func `sentences are known once each, and rows are bounded`() {
    var memory = MemoryStore(seed: 1)
    let hills = ExtractedFact(kind: .dislike, value: .string("hills"), confidence: 0.5)
    _ = memory.learn(hills, clock: 1)
    _ = memory.learn(hills, clock: 2)
    #expect(memory.rows.count == 1 && memory.rows[0].updatedAt == 2)
    for number in 0..<2 * MemoryStore.countMax { _ = memory.learn(fact("k\(number)", 1), clock: 3) }
    #expect(memory.rows.count == MemoryStore.countMax)
  }
}

extension MemoryStore {
  fileprivate func learned(_ key: String, _ value: Int64, _ confidence: Double) -> MemoryFact {
    MemoryFact(kind: .fact, key: key, value: .integer(value), confidence: confidence, source: .aiInferred)
  }
}
