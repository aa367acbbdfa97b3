import Link
import LinkTestSupport
import Testing

@Suite struct CoachChapterTests {
  private typealias S = StoryEvents

  private static let script = S.event(
    "script.loaded", 0, .phone,
    [
      "source": .string("scenario"),
      "script": .json(
        #"""
        {"messages":[{"id":"km","triggerSpec":{"type":"distance","everyMeters":1000},"text":"Another one."},
        {"id":"mid","triggerSpec":{"type":"halfway"},"text":"Half."},
        {"id":"end","triggerSpec":{"type":"near_finish","remainingMeters":400},"text":"Home."},
        {"id":"at","triggerSpec":{"type":"distance","atMeters":1250},"text":"Here."},
        {"id":"time","triggerSpec":{"type":"time","atSeconds":1800},"text":"Drink."},
        {"id":"if","triggerSpec":{"type":"condition","expression":"hr > 150"},"text":"Breathe."}]}
        """#),
    ])

  private static func dispatch(_ id: String, _ type: String, _ at: Double, multiple: Int64? = nil) -> TraceEvent {
    let event = S.event("script.dispatch", at, .phone, ["message": .string(id), "trigger": .string(type)])
    guard let multiple else { return event }
    return event.with(fields: event.fields + [.init("multiple", .int(multiple))])
  }

  private static func start(_ id: String, _ at: Double) -> TraceEvent {
    S.event("audio.start", at, .phone, ["utterance": .int(1), "message": .string(id)])
  }

  @Test func `every line is quoted, with its trigger in words`() throws {
    let cases: [(String, String, Int64?, String)] = [
      ("km", "distance", 3, #""Another one." (at 3 km)"#), ("mid", "halfway", nil, #""Half." (halfway)"#),
      ("end", "near_finish", nil, #""Home." (400 m to go)"#), ("at", "distance", nil, #""Here." (at 1.25 km)"#),
      ("time", "time", nil, #""Drink." (30:00 into the run)"#), ("if", "condition", nil, #""Breathe." (as hr > 150)"#),
    ]
    for (id, type, multiple, text) in cases {
      let lines = try S.tell([Self.script, Self.dispatch(id, type, 60, multiple: multiple), Self.start(id, 60)])
      #expect(lines == ["    0:00  coach  6 lines to speak", "    1:00  coach  \(text)"])
    }
  }

  @Test func `a line that waited for its turn says so`() throws {
    let lines = try S.tell([Self.script, Self.dispatch("mid", "halfway", 60), Self.start("mid", 72.5)])
    #expect(lines.last == #"    1:12  coach  "Half." (halfway, waited 12.5 s)"#)
  }

  @Test func `what is left out has its reason in the story`() throws {
    let lines = try S.tell([
      Self.script,
      S.event("script.expired", 60, .phone, ["message": .string("mid"), "trigger": .string("halfway")]),
      S.event(
        "script.skipped", 61, .phone,
        ["message": .string("km"), "trigger": .string("distance"), "first": .int(2), "last": .int(4)]),
      S.event(
        "script.skipped", 61, .phone,
        [
          "message": .string("km"), "trigger": .string("distance"), "first": .int(5), "last": .int(5),
          "cause": .string("gap"),
        ]),
      Self.dispatch("end", "near_finish", 62),
      S.event("audio.dropped", 62, .phone, ["message": .string("end"), "cause": .string("muted")]),
    ])
    #expect(
      lines.dropFirst() == [
        #"    1:00  coach  keeps "Half." to itself: halfway is too long ago"#,
        #"    1:01  coach  passes over "Another one." at 2 km to 4 km: the athlete is further by now"#,
        #"    1:01  coach  passes over "Another one." at 5 km: no snapshot arrived there"#,
        #"    1:02  coach  does not say "Home.": the coach is muted"#,
      ])
  }

  @Test func `a line of no known script appears by its name`() throws {
    let lines = try S.tell([Self.dispatch("x\u{1B}", "later_kind", 5), Self.start("x\u{1B}", 5)])
    #expect(lines == [#"    0:05  coach  "x\u001B" (later_kind)"#])
  }
}
