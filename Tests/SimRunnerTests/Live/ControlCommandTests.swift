@testable import LiveView
import Link
import Testing

@testable import Simulator
@testable import Console
@testable import Commands

@Suite struct ControlCommandTests {
  private func fault(_ text: String, hasEdge: Bool = false) throws -> PlannedFault {
    let words = try CommandWords.split(text, option: "test")
    guard case .order(.begin(let fault)) = try ControlCommand(words, hasEdge: hasEdge) else {
      throw ControlCommand.Refusal(text: "no fault")
    }
    return fault
  }

  @Test func `a fault in words is the fault that a scenario spells`() throws {
    let pairs = [
      ("fault add loss --probability 0.3 --for 30s", "{ loss: { probability: 0.3 }, for: '30s' }"),
      (
        "fault add delay --mean 2s --direction watch-to-phone", "{ delay: { mean: '2s' }, direction: 'watch-to-phone' }"
      ),
      ("fault add suspend phone --for 1m", "{ suspend: 'phone', for: '1m' }"),
      ("fault add kill watch --restartAfter 5s", "{ kill: 'watch', restartAfter: '5s' }"),
      ("kill watch --restart-after 5s", "{ kill: 'watch', restartAfter: '5s' }"),
      ("link down", "{ disconnect: {} }"),
      (
        "fault add loss --probability 0.5 --channels '[\"userInfo\"]'",
        "{ loss: { probability: 0.5 }, channels: ['userInfo'] }"
      ),
      ("fault add clockSkew --node watch --offset -90s", "{ clockSkew: { node: 'watch', offset: '-90s' } }"),
    ]
    for (words, spelled) in pairs {
      let (one, other) = (try fault(words), try FaultWordsReader.read([spelled], hasEdge: false))
      #expect(one.id == other.id, "\(words)")
      #expect(JSONWriter.compact(JSONNode(one.json)) == JSONWriter.compact(JSONNode(other.json)))
    }
    let uplink = try fault("fault add loss --uplink --probability 0.5", hasEdge: true)
    #expect(uplink.isOnUplink && uplink.kind == "loss")
    #expect(try fault("uplink down", hasEdge: true).isOnUplink)
  }

  @Test(arguments: [
    "", "lnik down", "link", "link sideways", "link down now", "uplink down", "fault", "fault add", "fault add los",
    "fault add loss --probability", "fault add loss --probability 3", "fault add loss probability 0.3 x",
    "fault add loss --chance 0.3", "fault add { loss", "fault add '{ loss: { probability: 0.3 }, at: }'",
    "fault remove", "fault remove a b", "kill", "kill edge", "kill phone --restart-after", "kill phone --restart 5s",
    "kill phone --restart-after soon", "restart edge", "speed", "speed fast", "speed 0x", "speed -3x", "mark",
    "pause now", "status please", "fault add kill phone --point nowhere",
  ])
  func `what is no command is refused with a word on what was expected`(text: String) throws {
    let words = (try? CommandWords.split(text, option: "test")) ?? []
    do {
      _ = try ControlCommand(words, hasEdge: false)
      Issue.record("\(text) was taken")
    } catch {
      #expect(error.text.count > 10, "\(text): \(error.text)")
    }
  }

  @Test func `a pace is read as --time reads it`() throws {
    guard case .speed(let factor) = try ControlCommand(["speed", "20x"], hasEdge: false) else { return }
    #expect(factor == 20)
    guard case .speed(let none) = try ControlCommand(["speed", "virtual"], hasEdge: false) else { return }
    #expect(none == nil)
  }

  @Test func `a long mark is refused, and one with control characters is escaped`() throws {
    #expect(throws: ControlCommand.Refusal.self) {
      try ControlCommand(["mark", String(repeating: "x", count: 201)], hasEdge: false)
    }
    guard case .mark(let text) = try ControlCommand(["mark", "a\u{1B}[2J"], hasEdge: false) else { return }
    #expect(text == #"a\u001B[2J"#)
  }
}

@Suite struct LiveClockTests {
  private let zero = ContinuousClock.now

  @Test func `time passes at its pace, pauses, and continues where it paused`() {
    var clock = LiveClock(factor: 10, at: zero)
    #expect(clock.time(at: zero + .seconds(2)) == .start + .seconds(20))
    #expect(clock.wait(for: .start + .seconds(30), at: zero + .seconds(2)) == 1)
    clock.setPaused(true, at: .start + .seconds(20), now: zero + .seconds(2))
    #expect(clock.time(at: zero + .seconds(99)) == .start + .seconds(20))
    #expect(clock.wait(for: .start + .seconds(30), at: zero + .seconds(99)) == nil)
    clock.setPaused(false, at: .start + .seconds(20), now: zero + .seconds(100))
    #expect(clock.time(at: zero + .seconds(101)) == .start + .seconds(30))
    clock.setFactor(2, at: .start + .seconds(30), now: zero + .seconds(101))
    #expect(clock.time(at: zero + .seconds(102)) == .start + .seconds(32))
    #expect(clock.words == "2x")
  }

  @Test func `without a pace nothing is waited for`() {
    var clock = LiveClock(factor: nil, at: zero)
    #expect(clock.time(at: zero + .seconds(1)) == nil)
    #expect(clock.wait(for: .start + .seconds(3_600), at: zero) == 0)
    clock.setPaused(true, at: .start + .seconds(5), now: zero)
    #expect(clock.time(at: zero + .seconds(9)) == .start + .seconds(5))
    // A pace of years a second does not overflow.
    let fast = LiveClock(factor: 1e9, at: zero)
    #expect((fast.time(at: zero + .seconds(1 << 32)) ?? .start) > .start + .seconds(1_000_000))
  }
}
