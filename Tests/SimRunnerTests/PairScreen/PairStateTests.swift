import Console
import Foundation
import Link
import LinkTestSupport
import PairScreen
import Simulator
import Testing
import TraceTools

/// What the page shows follows from the trace, each screen from its own device.
@Suite struct `Pair state` {
  /// The demo's run: a cut at 9:55, a death of the phone's app at 15:55.
  private static let demo: RecordedTrace? = {
    let path = PackageRoot.url.appending(path: "scenarios/demo.json5").path
    var options = RunOptions()
    var bytes: [UInt8] = []
    options.output = { bytes += $0 }
    guard let scenario = try? Scenario.load(path), (try? ScenarioRun.run(scenario, options)) != nil else { return nil }
    return try? RecordedTrace("demo", bytes)
  }()

  private static func timeline() throws -> PairTimeline {
    let trace = try #require(demo)
    var timeline = PairTimeline(header: trace.header)
    for event in trace.events { timeline.append(event) }
    timeline.isComplete = true
    return timeline
  }

  private static func instant(_ seconds: Int64) -> VirtualTime { VirtualTime(nanoseconds: seconds * 1_000_000_000) }

  @Test func `during a cut the phone shows what it heard last, and the truth goes on`() throws {
    let state = try Self.timeline().state(at: Self.instant(609))
    #expect(!state.link.isUp)
    #expect(state.phone.isSilent)
    #expect(state.phone.state == "running")
    #expect(state.phone.figures.since == state.phone.figures.since.map { min($0, Self.instant(595)) })
    #expect(state.truth.figures.distance - state.phone.figures.distance > 40)
    #expect(state.watch.figures == state.truth.figures)
    #expect(state.link.faults.map(\.kind) == ["disconnect"])
  }

  @Test func `the phone's screen does not know what others write`() throws {
    let trace = try #require(Self.demo)
    var (all, own) = (PairState(header: trace.header), PairState(header: trace.header))
    let power: Set<String> = ["node.killed", "node.started", "node.suspended", "node.resumed", "node.failed"]
    for event in trace.events {
      all.observe(event)
      if event.place == .phone || power.contains(event.name.text) { own.observe(event) }
    }
    #expect(all.phoneJSON == own.phoneJSON)
    #expect(all.historyJSON == own.historyJSON)
    #expect(all.truthJSON != own.truthJSON)
  }

  @Test func `any instant is what all events up to it give`() throws {
    let trace = try #require(Self.demo)
    let timeline = try Self.timeline()
    for second: Int64 in [0, 1, 595, 600, 957, 1_100, 1_534] {
      var state = PairState(header: trace.header)
      for event in trace.events where event.time <= Self.instant(second) { state.observe(event) }
      let shown = timeline.state(at: Self.instant(second))
      #expect(shown.count == state.count, "at \(second)")
      #expect(shown.phoneJSON == state.phoneJSON && shown.watchJSON == state.watchJSON, "at \(second)")
      #expect(
        shown.linkJSON(timeline.names, end: timeline.end(ofFrame:))
          == state.linkJSON(timeline.names, end: timeline.end(ofFrame:)), "at \(second)")
      // From a state on the way there, too.
      let near = timeline.state(at: Self.instant(max(0, second - 30)))
      #expect(timeline.advance(near, to: timeline.index(after: Self.instant(second))).phoneJSON == state.phoneJSON)
    }
  }

  @Test func `a dead app shows that it is down, and says nothing`() throws {
    let state = try Self.timeline().state(at: Self.instant(957))
    #expect(!state.phone.power.isUp)
    #expect(state.phone.power.cause == "kill")
    #expect(state.phone.spoken == nil)
    #expect(try Self.timeline().state(at: Self.instant(970)).phone.power.epoch == 2)
  }

  @Test func `time goes by events, decisions and sentences`() throws {
    let timeline = try Self.timeline()
    let event = try #require(timeline.event(after: Self.instant(594)))
    #expect(event > Self.instant(594) && event < Self.instant(596))
    let decision = try #require(timeline.decision(after: Self.instant(596)))
    #expect(decision >= event)
    #expect(timeline.sentence(true, of: Self.instant(594)) == Self.instant(595))
    #expect(timeline.sentence(false, of: Self.instant(594)) == Self.instant(304).map(in: timeline))
    #expect(timeline.event(after: timeline.end) == nil)
  }

  @Test func `a hostile trace neither traps nor grows without bound`() throws {
    let header = TraceHeader(scenario: "<script>alert(1)</script>", seed: 1, duration: .seconds(10))
    var timeline = PairTimeline(header: header)
    for number: Int64 in 0..<3_000 {
      let time = VirtualTime(nanoseconds: number)
      timeline.append(
        TraceEvent(FrameSent.self, at: time, on: .watch) { ($0.id, $0.to) = (number % 2 == 0 ? .max : .min, .phone) })
      timeline.append(TraceEvent(FaultBegan.self, at: time, on: .link) { $0.fault = "f\(number)" })
      timeline.append(TraceEvent(TransferQueued.self, at: time, on: .phone) { $0.name = "</script>" })
    }
    let state = timeline.state(at: timeline.end)
    #expect(state.link.flights.count <= 40)
    #expect(state.link.queues[1].count <= 2_000)
    #expect(timeline.end(ofFrame: .max) == nil && timeline.end(ofFrame: .min) == nil)
  }
}

extension VirtualTime {
  /// The instant of the last sentence of a story at or before this one's next second.
  fileprivate func map(in timeline: PairTimeline) -> VirtualTime? {
    timeline.story.last { $0.time.nanoseconds < nanoseconds + 1_000_000_000 }?.time
  }
}
