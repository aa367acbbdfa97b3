import Link
import Testing

@testable import TraceTools

@Suite struct LinkChapterTests {
  private typealias S = StoryEvents

  private static func fault(
    _ name: TraceEvent.Name, _ id: String, _ kind: String, _ at: Double, _ params: String = "{}"
  )
    -> TraceEvent
  {
    S.event(name, at, .link, ["fault": .string(id), "kind": .string(kind), "params": .json(params)])
  }

  @Test func `a cut is in the story once, with its name and its length, and so is its end`() throws {
    let lines = try S.tell(
      [
        Self.fault("fault.begin", "tunnel", "disconnect", 660),
        S.event("link.down", 660, .link, ["cause": .string("tunnel")]),
        S.event("link.up", 705, .link, ["cause": .string("tunnel")]),
        Self.fault("fault.end", "tunnel", "disconnect", 705),
      ], faults: #"[{"id":"tunnel","at":660,"for":45,"disconnect":{}}]"#)
    #expect(
      lines == ["   11:00  link   the link is cut (tunnel, for 45 s)", "   11:45  link   the link is back after 45 s"])
  }

  @Test func `a name that was made from a fault's content is not shown`() throws {
    let lines = try S.tell([
      Self.fault("fault.begin", "loss-12ab9f", "loss", 1, #"{"probability":0.3}"#),
      Self.fault("fault.begin", "loss-12ab9f-x2", "loss", 2, #"{"probability":1}"#),
      Self.fault("fault.begin", "loss-making", "loss", 3, #"{"every":3}"#),
    ])
    #expect(
      lines == [
        "    0:01  link   bad reception: 30 % of all packets get lost",
        "    0:02  link   no reception: all packets get lost",
        "    0:03  link   bad reception: each 3rd packet is lost (loss-making)",
      ])
  }

  @Test func `a flapping link is one line of the story, not one for each cut`() throws {
    let id = "edge"
    let lines = try S.tell([
      Self.fault("fault.begin", id, "disconnect", 0, #"{"flap":{"up":20,"down":14}}"#),
      S.event("link.down", 0, .link, ["cause": .string(id)]), S.event("link.up", 14, .link, ["cause": .string(id)]),
      S.event("link.down", 34, .link, ["cause": .string(id)]), S.event("link.up", 48, .link, ["cause": .string(id)]),
      Self.fault("fault.end", id, "disconnect", 60),
    ])
    #expect(
      lines == [
        "    0:00  link   the link flaps: 14 s down, 20 s up, again and again (edge)",
        "    1:00  link   the link no longer breaks (edge)",
      ])
  }

  @Test func `every kind of fault has its own words for its beginning and its end`() throws {
    for kind in FaultCatalog.all {
      let words = FaultWords(.init(.array([])))
      let params = JSONNode(.object(kind.example.params))
      #expect(words.beginning("x", kind: kind.kind, params: params) != "\(kind.kind) begins (x)", "\(kind.kind)")
      #expect(words.ending("x", kind: kind.kind) != "\(kind.kind) is over (x)", "\(kind.kind)")
    }
  }

  @Test func `direction and channels of a fault are said`() throws {
    let lines = try S.tell(
      [Self.fault("fault.begin", "f", "corrupt", 0, #"{"probability":0.01}"#)],
      faults: #"[{"id":"f","at":0,"for":60,"direction":"watch-to-phone","channels":["file"],"corrupt":{}}]"#)
    #expect(
      lines == ["    0:00  link   1 % of all packets arrive damaged from watch to phone, file only (f, for 60 s)"])
  }

  @Test func `the alarm says the silence to the millisecond and the last word's moment`() throws {
    let last: TraceValue = .json(#"{"epoch":1,"seq":9,"t":659076660656}"#)
    let lines = try S.tell([
      S.event("liveness.disconnected", 669.076660656, .phone, ["reason": .string("silence"), "lastFresh": last]),
      S.event("liveness.reconnected", 708.04, .phone, ["reason": .string("fresh"), "lastFresh": .null]),
    ])
    #expect(
      lines == [
        "   11:09  phone  says that the watch is silent: not a word for 10 s, the last one at 10:59",
        "   11:48  phone  hears the watch again after 49 s of silence",
      ])
  }

  @Test func `an alarm before the first word, and one that the end takes down`() throws {
    let lines = try S.tell([
      S.event("liveness.disconnected", 30, .phone, ["lastFresh": .null]),
      S.event("liveness.reconnected", 50, .phone, ["reason": .string("ended")]),
    ])
    #expect(
      lines == [
        "    0:30  phone  says that the watch is silent: nothing since the workout began",
        "    0:50  phone  no longer waits for the watch: the workout has ended",
      ])
  }

  @Test func `each side says whom it reaches, and why no longer`() throws {
    let lines = try S.tell([
      S.event("reachability", 0.1, .watch, ["reachable": .bool(true), "cause": .string("hello")]),
      S.event("reachability", 6, .phone, ["reachable": .bool(false), "cause": .string("supervision")]),
      S.event("reachability", 9, .phone, ["reachable": .bool(true), "cause": .string("reconnect")]),
    ])
    #expect(
      lines == [
        "    0:00  watch  reaches the phone",
        "    0:06  phone  no longer reaches the watch: the radio has heard nothing for too long",
        "    0:09  phone  reaches the watch again",
      ])
  }
}
