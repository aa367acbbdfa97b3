import Link
import LinkTransport
import Testing

@testable import Simulator

/// Nodes that would keep a run going for ever, or have it grow without bounds.
@Suite struct ConductorLimitsTests {
  @Test func `a node that always has a deadline a nanosecond ahead ends the run`() {
    var run = StubRun()
    run.phone.deadlines = [.start]
    run.phone.react = { phone, _, now in
      phone.deadlines = [now + VirtualTime.Span(nanoseconds: 1)]
      return []
    }
    let outcome = run.run()
    #expect(
      outcome.failure == NodeFailure(.phone, .overload("was called more than 100000 times within 1 s of the run")))
    #expect(outcome.end < .start + .seconds(1))
    #expect(outcome.lines(NodeFailed.name).count == 1)
  }

  @Test func `frames that go to and fro with hardly any delay end the run`() {
    var run = StubRun()
    run.link = LinkProfile(latency: .zero)
    run.watch.deadlines = [.start + .seconds(1)]
    run.watch.react = { _, _, _ in [StubHost.frame(1)] }
    run.phone.react = { _, input, _ in if case .frame = input { [StubHost.frame(1)] } else { [] } }
    let outcome = run.run()
    #expect(outcome.failure?.text == "was called more than 100000 times within 1 s of the run")
    #expect(outcome.end < .start + .seconds(1))
  }

  @Test func `a node may be called 100,000 times within a second, and as often again in the next`() {
    var limit = GrantLimit()
    let calls = GrantLimit.grantsMax
    for second in 0..<3 as Range<Int64> {
      let now = VirtualTime.start + .seconds(second)
      var admitted = 0
      for _ in 0..<calls where limit.admit(at: now) { admitted += 1 }
      #expect(admitted == calls)
    }
    let isAdmitted = limit.admit(at: .start + .milliseconds(2_999))
    #expect(!isAdmitted)
  }

  @Test func `a node that reports ever more transfers which never end ends the run`() {
    func failure(queued count: Int) -> NodeFailure? {
      var run = StubRun()
      run.phone.deadlines = [.start + .seconds(1)]
      run.phone.react = { _, input, now in
        guard input == nil else { return [] }
        return (1...count).map { number in
          .event(
            TraceEvent(TransferQueued.self, at: now, on: .phone) {
              $0.identity.transfer = Identifier(high: 1, low: UInt64(number))
              $0.identity.channel = .userInfo
            })
        }
      }
      return run.run().failure
    }
    let most = TraceSink.outstandingMax
    #expect(failure(queued: most) == nil)
    let text = "reported more than \(most) transfers that are queued and never end"
    #expect(failure(queued: most + 1) == NodeFailure(.phone, .overload(text)))
  }

  @Test func `a node may write half a million lines, and a thousand more for each second`() {
    var limit = LineLimit()
    let later = VirtualTime.start + .seconds(2)
    var admitted = 0
    for _ in 0..<LineLimit.atOnce + 5 where limit.admit(at: .start) { admitted += 1 }
    #expect(admitted == LineLimit.atOnce)
    // Refused lines count, too.
    for _ in 0..<5_000 where limit.admit(at: later) { admitted += 1 }
    #expect(admitted == LineLimit.atOnce + 2 * LineLimit.perSecond - 5)
  }

  @Test(arguments: [(100_000, 0, true), (100_001, 0, false), (1_023, 262_144, true), (1_024, 262_144, false)])
  func `frames and bytes in flight on a link are limited`(count: Int, bytes: Int, isFine: Bool) {
    var run = StubRun()
    run.watch.deadlines = [.start + .seconds(1)]
    // Copies of one frame: they share its payload.
    run.watch.react = { _, input, _ in
      input == nil ? [Turn.Item](repeating: StubHost.frame(1, bytes: bytes), count: count) : []
    }
    let failure = run.run().failure
    let text = "has more than 100000 frames or 256 MiB in flight on one link"
    #expect(failure == (isFine ? nil : NodeFailure(.watch, .overload(text))))
  }

  @Test func `frames that have arrived are no longer in flight`() {
    var run = StubRun()
    run.watch.deadlines = (1...3).map { .start + .seconds($0) }
    run.watch.react = { _, input, _ in
      input == nil ? [Turn.Item](repeating: StubHost.frame(1, bytes: 262_144), count: 1_000) : []
    }
    #expect(run.run().failure == nil)
  }

  @Test func `on the uplink the same bounds hold`() {
    var run = StubRun()
    run.edge = StubHost(role: .edge, diary: run.diary)
    run.phone.deadlines = [.start + .seconds(1)]
    run.phone.react = { _, input, _ in
      input == nil ? [Turn.Item](repeating: StubHost.http(1, bytes: 262_144), count: 1_024) : []
    }
    #expect(run.run().failure?.role == .phone)
  }
}
