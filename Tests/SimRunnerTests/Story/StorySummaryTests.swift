import Link
import Testing

@Suite struct StorySummaryTests {
  private typealias S = StoryEvents

  @Test func `frames are counted by their fate and cause`() throws {
    var events = (0..<1200).map { S.event("frame.sent", 1, .watch, ["id": .int($0)]) }
    events.append(S.event("frame.duplicated", 1, .link, ["id": .int(1), "copies": .int(1)]))
    events += (0..<1198).map { S.event("frame.delivered", 1, .link, ["id": .int($0), "copy": .int(0)]) }
    for cause in ["loss", "disconnected", "loss"] {
      events.append(S.event("frame.dropped", 2, .link, ["cause": .string(cause)]))
    }
    #expect(
      try S.summary(events)["radio"]
        == "1,200 packets sent, 1,198 delivered (1 copy made on the way), 3 lost: 2 on the air and 1 to the cut link")
  }

  @Test func `the longest silence is between two heard states, or up to the last one said`() throws {
    let heard = [10.0, 11, 20.5, 21].flatMap { at in
      [S.event("snapshot", at - 0.1, .watch), S.event("snapshot.fresh", at, .phone)]
    }
    #expect(
      try S.summary(heard)["silence"] == "9.5 s at the longest, from 0:11; the phone never had to say so")
    let unheard = heard + [S.event("snapshot", 60, .watch), S.event("liveness.disconnected", 31, .phone)]
    #expect(try S.summary(unheard)["silence"] == "39 s at the longest, from 0:21; the phone said so once")
    #expect(try S.summary(unheard)["metrics"] == "5 published by the watch, 4 heard by the phone")
  }

  @Test func `the count of received states is at most that of published ones`() throws {
    let ghost = [S.event("snapshot", 1, .watch), S.event("ghost.snapshot", 1, .watch)]
    let heard = [S.event("snapshot.fresh", 2, .phone), S.event("snapshot.fresh", 2, .phone)]
    #expect(try S.summary(ghost + heard)["metrics"] == "2 published by the watch, 2 heard by the phone")
    // A watch of another program writes no line of what it publishes.
    #expect(try S.summary(heard)["metrics"] == "2 heard by the phone")
  }

  @Test func `queued events and the slowest of them`() throws {
    let id: TraceValue = .uuid(high: 1, low: 2)
    let events = [
      S.event("transfer.queued", 10, .watch, ["transfer": id, "kind": .string("workoutPaused")]),
      S.event("transfer.queued", 11, .watch, ["transfer": .uuid(high: 1, low: 3), "kind": .string("workoutResumed")]),
      S.event("transfer.delivered", 12.5, .phone, ["transfer": id, "kind": .string("workoutPaused")]),
    ]
    #expect(try S.summary(events)["queue"] == "2 events queued, 1 arrived; the slowest took 2.5 s (workoutPaused)")
    #expect(try S.summary([])["queue"] == "nothing queued")
  }

  @Test func `lines spoken, silenced, too late and passed over`() throws {
    let events = [
      S.event("audio.start", 1, .phone), S.event("audio.dropped", 2, .phone), S.event("script.expired", 3, .phone),
      S.event("script.skipped", 4, .phone, ["first": .int(2), "last": .int(4)]),
    ]
    #expect(try S.summary(events)["coach"] == "1 line spoken, 1 silenced, 1 too late, 3 passed over")
  }
}
