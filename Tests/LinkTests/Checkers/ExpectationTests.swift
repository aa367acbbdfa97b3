import Link
import Testing

/// Reads expectations and judges them over dispatches and link events at whole seconds.
private func results(
  _ json5: String, _ events: [(Int64, String, [TraceEvent.Field])], ends: Bool = true
) throws -> [ExpectationResult] {
  let collector = DiagnosticsCollector(file: "s.json5")
  let node = try JSONParser.parse("[\(json5)]", dialect: .json5)
  let expectations = ExpectationCatalog.read(JSONValueReader(node, path: "expect", into: collector))
  #expect(!collector.diagnostics.hasErrors, "\(collector.diagnostics)")
  var judge = ExpectationJudge(expectations)
  var ending = TraceEnding(isComplete: ends, time: .start, line: 1)
  for (seconds, name, fields) in events + (ends ? [(1800, "end", [])] : []) {
    ending.line += 1
    ending.time = .start + .seconds(seconds)
    // `up.link.up` means a line of the uplink.
    let (place, event): (TraceEvent.Place, String) =
      name.hasPrefix("up.") ? (.uplink, String(name.dropFirst(3))) : (name.hasPrefix("link.") ? .link : .phone, name)
    judge.observe(TraceEvent(TraceEvent.Name(event), at: ending.time, on: place, fields), line: ending.line)
  }
  return judge.finish(ending).map(\.result)
}

private func outcome(
  _ json5: String, _ events: [(Int64, String, [TraceEvent.Field])], ends: Bool = true
) throws -> ExpectationResult.Outcome? {
  try results(json5, events, ends: ends).first?.outcome
}

private func dispatch(_ seconds: Int64, _ id: String) -> (Int64, String, [TraceEvent.Field]) {
  (seconds, "script.dispatch", [.init("message", .string(id)), .init("multiple", .int(2))])
}

@Suite struct `expectations` {
  @Test func `between includes its bounds`() throws {
    let text = "{ event: 'liveness.disconnected', between: ['10s', '12s'] }"
    for (second, expected) in [(9, "fail"), (10, "pass"), (12, "pass"), (13, "fail")] as [(Int64, String)] {
      #expect(try outcome(text, [(second, "liveness.disconnected", [])])?.rawValue == expected)
    }
    let result = try results(text, [(13, "liveness.disconnected", [])])[0]
    #expect(result.why == "no liveness.disconnected between 10s and 12s, but at 13s")
    #expect(result.lines == [2])
  }

  @Test func `never and count can be limited to a stretch, its bounds included`() throws {
    let never = "{ never: 'liveness.disconnected', between: ['10s', '12s'] }"
    for (second, expected) in [(9, "pass"), (10, "fail"), (12, "fail"), (13, "pass")] as [(Int64, String)] {
      #expect(try outcome(never, [(second, "liveness.disconnected", [])])?.rawValue == expected)
    }
    let count = "{ count: 'app.spoke', exactly: 1, between: ['10s', '12s'] }"
    let spoken = [9, 10, 13].map { second in (second, "app.spoke", []) } as [(Int64, String, [TraceEvent.Field])]
    #expect(try outcome(count, spoken) == .pass)
    #expect(try results(count, [spoken[0]])[0].why == "0 of app.spoke between 10s and 12s, expected exactly 1")
    // A trace that breaks off after the stretch leaves nothing open.
    #expect(try outcome(never, [(13, "link.up", [])], ends: false) == .pass)
    #expect(try outcome(never, [(11, "link.up", [])], ends: false) == .unknown)
    #expect(try outcome(count, [(13, "link.up", [])], ends: false) == .fail)
    #expect(try outcome(count, [(11, "link.up", [])], ends: false) == .unknown)
  }

  @Test func `never can begin after one event and end at another`() throws {
    func judge(_ text: String, _ events: [(Int64, String)]) throws -> ExpectationResult.Outcome? {
      try outcome(text, events.map { ($0.0, $0.1, []) })
    }
    let until = "{ never: 'app.spoke', until: { event: 'app.ready' } }"
    #expect(try judge(until, [(1, "app.ready"), (2, "app.spoke")]) == .pass)
    #expect(try judge(until, [(1, "app.spoke"), (2, "app.ready")]) == .fail)
    let after = "{ never: 'app.spoke', after: { event: 'app.closed' } }"
    #expect(try judge(after, [(1, "app.spoke"), (2, "app.closed")]) == .pass)
    #expect(try judge(after, [(1, "app.closed"), (9, "app.spoke")]) == .fail)
    let both = "{ never: 'app.spoke', after: { event: 'app.closed' }, until: { event: 'app.ready' } }"
    let cycle: [(Int64, String)] = [
      (1, "app.closed"), (2, "app.ready"), (3, "app.spoke"), (4, "app.closed"), (5, "app.ready"),
    ]
    #expect(try judge(both, cycle) == .pass)
    #expect(try judge(both, cycle + [(6, "app.closed"), (6, "app.spoke")]) == .fail)
    // The first `until` leaves nothing open, even if the trace breaks off.
    #expect(try outcome(until, [(1, "app.ready", [])], ends: false) == .pass)
    #expect(try outcome(until, [(1, "link.up", [])], ends: false) == .unknown)
  }

  @Test func `always judges values, bounds, order and repetition`() throws {
    func fact(_ second: Int64, _ n: Int64, _ kind: String) -> (Int64, String, [TraceEvent.Field]) {
      (second, "app.count", [.init("n", .int(n)), .init("kind", .string(kind))])
    }
    let facts = [fact(1, 1, "a"), fact(2, 5, "b"), fact(3, 2, "a"), fact(4, 6, "b")]
    let cases: [(String, String?)] = [
      ("have: { n: { atLeast: 1, atMost: 6 } }", nil),
      ("have: { n: { atMost: 5 } }", "app.count at 4s with n 6, expected at most 5"),
      ("have: { kind: 'a' }", "app.count at 2s with kind \"b\", expected \"a\""),
      ("have: { kind: 'a' }, where: { n: 1 }", nil),
      ("have: { absent: { atLeast: 0 } }", "app.count at 1s with absent null, expected at least 0"),
      ("rises: 'n'", "app.count at 3s with n 2, expected more than on line 3"),
      ("rises: 'n', each: ['kind']", nil),
      ("rises: 'kind'", "app.count at 1s with kind \"a\", expected a number"),
      ("unique: ['n']", nil),
      ("unique: ['kind']", "app.count at 3s with kind \"a\" again, expected once; first on line 2"),
      ("unique: ['kind'], between: ['2s', '3s']", nil),
      ("unique: ['node', 't']", nil),
    ]
    for (keys, why) in cases {
      let result = try results("{ always: 'app.count', \(keys) }", facts)[0]
      #expect(result.why == why && result.outcome == (why == nil ? .pass : .fail), "\(keys): \(result)")
      #expect(!result.lines.isEmpty)
    }
    #expect(try outcome("{ always: 'app.count', unique: ['n'] }", facts, ends: false) == .unknown)
    // A double cannot tell these apart.
    let now: Int64 = 1_775_975_473_122_373_783
    #expect(try outcome("{ always: 'app.count', rises: 'n' }", [fact(1, now, "a"), fact(2, now + 1, "a")]) == .pass)
    #expect(try outcome("{ always: 'app.count', rises: 'n' }", [fact(1, now + 1, "a"), fact(2, now, "a")]) == .fail)
  }

  @Test(arguments: [
    ("{ always: 'app.count' }", "one of the keys \"have\", \"rises\", \"unique\", \"after\" and \"until\" is missing"),
    ("{ always: 'app.count', unique: [] }", "found no field, expected at least one"),
    ("{ always: 'app.count', unique: ['n'], each: ['kind'] }", "each needs rises"),
    ("{ always: 'app.count', have: { n: { atLeast: 2, atMost: 1 } } }", "\"atLeast\" is more than \"atMost\""),
    ("{ always: 'app.count', have: { n: { atLeast: 2, most: 1 } } }", "unknown key \"most\""),
    ("{ always: 'script.dispatch', rises: 'multipel' }", "did you mean \"multiple\"?"),
    ("{ always: 'script.dispatch', unique: ['mesage'] }", "did you mean \"message\"?"),
    ("{ always: 'script.dispatch', have: { prioritx: 1 } }", "script.dispatch has no \"prioritx\""),
    ("{ never: 'app.count', until: { evnt: 'x' } }", "unknown key \"evnt\""),
    ("{ never: 'app.count', after: 'x' }", "expected an object"),
    ("{ never: 'app.count', for: '1s' }", "\"for\" needs \"after\""),
    ("{ never: 'app.count', after: { event: 'app.x', same: [] } }", "found no field, expected at least one"),
    ("{ never: 'app.count', after: { event: 'run.opened', same: ['n'] } }", "run.opened has no \"n\""),
    ("{ never: 'run.opened', after: { event: 'app.x', same: { n: 'workoutId' } } }", "run.opened has no \"n\""),
    ("{ never: 'run.opened', after: { event: 'app.x', same: { workoutId: 3 } } }", "expected a string"),
    (
      "{ never: 'app.count', after: { event: 'app.x', same: ['n'] }, until: { event: 'app.x', same: ['m'] } }",
      "the fields in \"same\" of \"until\" must be those of \"after\""
    ),
  ])
  func `errors in always and never are reported`(text: String, expected: String) throws {
    let collector = DiagnosticsCollector(file: "s.json5")
    let node = try JSONParser.parse("[\(text)]", dialect: .json5)
    _ = ExpectationCatalog.read(JSONValueReader(node, path: "expect", into: collector))
    #expect(collector.diagnostics.lines.contains { $0.contains(expected) }, "\(collector.diagnostics.lines)")
  }

  @Test func `the fields in same distinguish events`() throws {
    func fact(_ second: Int64, _ name: String, _ n: Int64) -> (Int64, String, [TraceEvent.Field]) {
      (second, "app.\(name)", [.init("n", .int(n)), .init("of", .int(n))])
    }
    let never =
      "{ never: 'app.spoke', after: { event: 'app.closed', same: ['n'] }, until: { event: 'app.ready', same: { n: 'of' } } }"
    #expect(try outcome(never, [fact(1, "closed", 1), fact(2, "spoke", 2)]) == .pass)
    #expect(try outcome(never, [fact(1, "closed", 1), fact(2, "closed", 2), fact(3, "spoke", 1)]) == .fail)
    #expect(try outcome(never, [fact(1, "closed", 1), fact(2, "ready", 1), fact(3, "spoke", 1)]) == .pass)
    #expect(try outcome(never, [fact(1, "closed", 1), fact(2, "ready", 2), fact(3, "spoke", 1)]) == .fail)

    let always = "{ always: 'app.spoke', after: { event: 'app.ready', same: { n: 'of' } } }"
    #expect(try outcome(always, [fact(1, "ready", 1), fact(2, "ready", 2), fact(3, "spoke", 1)]) == .pass)
    let missing = try results(always, [fact(1, "ready", 2), fact(3, "spoke", 1), fact(4, "ready", 1)])[0]
    #expect(missing.why == "app.spoke at 3s, no app.ready with the same n before it" && missing.lines == [3])

    let within = "{ event: 'app.spoke', within: '2s', after: { event: 'app.ready', same: ['n'] } }"
    #expect(
      try outcome(within, [fact(1, "ready", 1), fact(2, "ready", 2), fact(3, "spoke", 1), fact(4, "spoke", 2)]) == .pass
    )
    #expect(
      try outcome(within, [fact(1, "ready", 1), fact(2, "ready", 2), fact(2, "spoke", 2), fact(4, "spoke", 1)]) == .fail
    )
    #expect(try outcome(within, [fact(1, "ready", 1), fact(2, "spoke", 2)]) == .fail)
  }

  @Test func `for limits how long after an event another one is judged, its last instant included`() throws {
    let never = "{ never: 'app.spoke', after: { event: 'app.spoke' }, for: '30s' }"
    for (second, expected) in [(39, "fail"), (40, "fail"), (41, "pass")] as [(Int64, String)] {
      #expect(try outcome(never, [(10, "app.spoke", []), (second, "app.spoke", [])])?.rawValue == expected)
    }
    let always = "{ always: 'app.spoke', after: { event: 'app.ready' }, until: { event: 'app.closed' }, for: '30s' }"
    #expect(try outcome(always, [(10, "app.ready", []), (40, "app.spoke", [])]) == .pass)
    let late = try results(always, [(10, "app.ready", []), (41, "app.spoke", [])])[0]
    #expect(late.why == "app.spoke at 41s, no app.ready in the 30s before it, or app.closed since")
    #expect(try outcome(always, [(10, "app.ready", []), (20, "app.closed", []), (21, "app.spoke", [])]) == .fail)
    // A later event begins again.
    #expect(try outcome(always, [(10, "app.ready", []), (39, "app.ready", []), (41, "app.spoke", [])]) == .pass)
  }

  @Test func `each event after which one is expected is followed in time`() throws {
    let text = "{ event: 'liveness.reconnected', within: '2s', after: { event: 'link.up' } }"
    let good =
      [(10, "link.up", []), (12, "liveness.reconnected", []), (20, "link.up", []), (20, "liveness.reconnected", [])]
      as [(Int64, String, [TraceEvent.Field])]
    #expect(try outcome(text, good) == .pass)
    #expect(try outcome(text, [good[0], (13, "liveness.reconnected", [])]) == .fail)
    #expect(try outcome(text, [good[0], good[1], (30, "link.up", [])]) == .fail)
    #expect(try outcome(text, [good[1]]) == .pass)
    #expect(try outcome(text, [(11, "liveness.reconnected", []), (11, "link.up", [])]) == .fail)
    #expect(try results(text, [good[0]])[0].lines == [2])
  }

  @Test func `the link is the one between watch and phone, unless where says another node`() throws {
    let events: [(Int64, String, [TraceEvent.Field])] = [
      (10, "link.up", []), (12, "liveness.reconnected", []), (20, "up.link.down", []), (30, "up.link.up", []),
    ]
    #expect(
      try outcome("{ event: 'liveness.reconnected', within: '2s', after: { event: 'link.up' } }", events) == .pass)
    #expect(
      try outcome(
        "{ event: 'liveness.reconnected', within: '2s', after: { event: 'link.up', where: { node: 'uplink' } } }",
        events)
        == .fail)
    #expect(try outcome("{ never: 'link.down' }", events) == .pass)
    #expect(try outcome("{ count: 'link.down', exactly: 1, where: { node: 'uplink' } }", events) == .pass)
    #expect(try outcome("{ count: 'link.up', exactly: 1 }", events) == .pass)
  }

  @Test func `counts have bounds`() throws {
    let events = [dispatch(1, "a"), dispatch(40, "b"), dispatch(80, "b")]
    #expect(try outcome("{ count: 'script.dispatch', atLeast: 3, atMost: 3 }", events) == .pass)
    #expect(try outcome("{ count: 'script.dispatch', atLeast: 4 }", events) == .fail)
    #expect(try outcome("{ count: 'script.dispatch', atMost: 2 }", events) == .fail)
    #expect(try outcome("{ count: 'script.dispatch', exactly: 2, where: { message: 'b' } }", events) == .pass)
    #expect(try outcome("{ count: 'script.dispatch', exactly: 0 }", events) == .fail)
    for (bounds, why) in [
      ("exactly: 2", "exactly 2"), ("exactly: 4", "exactly 4"), ("atLeast: 4, atMost: 9", "at least 4"),
      ("atMost: 1", "at most 1"),
    ] {
      let result = try results("{ count: 'script.dispatch', \(bounds) }", events)[0]
      #expect(result.why == "3 of script.dispatch, expected \(why)")
    }
  }

  @Test func `never means none, and where narrows it`() throws {
    let events = [dispatch(1, "a")]
    #expect(try outcome("{ never: 'script.dispatch' }", events) == .fail)
    #expect(try outcome("{ never: 'script.dispatch', where: { message: 'b' } }", events) == .pass)
    #expect(try outcome("{ never: 'script.dispatch', where: { message: 'a', multiple: 2 } }", events) == .fail)
    #expect(try outcome("{ never: 'script.dispatch', where: { message: 'a', multiple: 3 } }", events) == .pass)
    #expect(try outcome("{ never: 'script.dispatch', where: { node: 'phone' } }", events) == .fail)
  }

  @Test func `where compares each kind of value`() throws {
    let fields: [TraceEvent.Field] = [
      .init("id", .hex(0xAB)), .init("flag", .bool(true)), .init("pace", .decimal(mantissa: 125, scale: 1)),
      .init("from", .null), .init("list", .json("[1,{\"a\":2}]")), .init("run", .uuid(high: 0, low: 10)),
      .init("last", .json("{\"epoch\":1,\"seq\":3}")),
    ]
    for text in [
      "id: '00000000000000ab'", "flag: true", "pace: 12.5", "from: null", "absent: null", "list: [1, {a: 2}]",
      "list: [1.0, {a: 2}]", "last: {seq: 3, epoch: 1}", "last: {epoch: 1, seq: 3}",
      "run: '00000000-0000-0000-0000-00000000000a'",
    ] {
      #expect(try outcome("{ count: 'x.y', exactly: 1, where: { \(text) } }", [(1, "x.y", fields)]) == .pass, "\(text)")
    }
    for text in [
      "flag: 1", "pace: 12", "from: 0", "list: [1]", "id: 171", "last: {epoch: 1}", "last: {epoch: 1, seq: 3, t: 4}",
      "last: {epoch: 1, seq: 4}", "last: [1, 3]", "list: [{a: 2}, 1]",
    ] {
      #expect(try outcome("{ count: 'x.y', exactly: 1, where: { \(text) } }", [(1, "x.y", fields)]) == .fail, "\(text)")
    }
  }

  @Test func `dispatched means exactly these in this order`() throws {
    let events = [dispatch(1, "km1"), dispatch(40, "km2")]
    #expect(try outcome("{ dispatched: ['km1', 'km2'] }", events) == .pass)
    #expect(try outcome("{ dispatched: ['km1'] }", events) == .fail)
    #expect(try outcome("{ dispatched: ['km2', 'km1'] }", events) == .fail)
    #expect(try outcome("{ dispatched: [] }", []) == .pass)
    let result = try results("{ dispatched: ['km1', 'km2', 'finish'] }", events)[0]
    #expect(result.outcome == .fail)
    #expect(result.why == "\"finish\" was not dispatched")
    #expect(result.table == ["expected  km1  km2  finish", "got       km1  km2  -"])
    let inserted = try results("{ dispatched: ['a', 'c', 'd'] }", ["a", "bb", "c", "x"].map { dispatch(1, $0) })[0]
    #expect(inserted.table == ["expected  a  -   c  d", "got       a  bb  c  x"])
    #expect(try results("{ dispatched: ['km1', 'km2'] }", events)[0].table.isEmpty)
  }

  @Test func `a failure names the nearest misses: the same event with other values`() throws {
    let events = [dispatch(11, "km1"), dispatch(12, "km2"), dispatch(40, "km3")]
    let between = try results(
      "{ event: 'script.dispatch', where: { message: 'km3' }, between: ['10s', '20s'] }", events)[0]
    #expect(
      between.why == "no script.dispatch between 10s and 20s, but at 40s; nearest: script.dispatch at 11s with message "
        + "\"km1\" instead of \"km3\", at 12s with message \"km2\" instead of \"km3\"")
    #expect(between.lines == [2, 3, 4])
    let count = try results("{ count: 'script.dispatch', atLeast: 1, where: { message: 'km9', multiple: 2 } }", events)[
      0]
    #expect(count.why?.hasSuffix("at 40s with message \"km3\" instead of \"km9\"") == true, "\(count.why ?? "")")
    #expect(try results("{ count: 'script.dispatch', exactly: 3 }", events)[0].lines == [2, 3, 4])
  }

  @Test func `a truncated trace leaves open whatever further lines could change`() throws {
    let events = [dispatch(20, "a")]
    let cases: [(String, ExpectationResult.Outcome)] = [
      ("{ never: 'script.expired' }", .unknown), ("{ never: 'script.dispatch' }", .fail),
      ("{ count: 'script.dispatch', atLeast: 1 }", .pass), ("{ count: 'script.dispatch', atLeast: 2 }", .unknown),
      ("{ count: 'script.dispatch', atMost: 2 }", .unknown), ("{ dispatched: ['a', 'b'] }", .unknown),
      ("{ dispatched: ['b'] }", .fail), ("{ event: 'link.up', between: ['1s', '2s'] }", .fail),
      ("{ event: 'link.up', between: ['1s', '30s'] }", .unknown),
      ("{ event: 'script.dispatch', between: [0, 30] }", .pass),
    ]
    for (text, expected) in cases { #expect(try outcome(text, events, ends: false) == expected, "\(text)") }
  }

  @Test(arguments: [
    "{ never: 'link.up', where: { cause: 'cut', node: 'uplink', t: 0 } }", "{ never: 'x.y', where: { anything: 1 } }",
    "{ count: 'transfer.queued', atLeast: 1, where: { kind: 'probe', n: 1 } }",
    "{ event: 'reachability', between: [0, 1], where: { told: false } }",
    "{ never: 'frame.dropped', where: { fault: null, id: 1 } }", "{ never: 'run.state', where: { from: null } }",
    "{ never: 'snapshot', where: { elapsed: 60, distance: 2.5 } }",
  ])
  func `where may ask for each field of an event, and for any of someone else's`(text: String) throws {
    _ = try results(text, [])
  }

  @Test(arguments: [
    ("{ evnt: 'link.up', between: ['1s', '2s'] }", "unknown key \"evnt\"; did you mean \"event\"?"),
    ("{ event: 'link.up' }", "found only \"event\", expected beside it"),
    ("{ never: 'script.expird' }", "did you mean \"script.expired\"?"),
    ("{ event: 'link.up', between: ['2s', '1s'] }", "the first moment is after the second"),
    ("{ event: 'link.up', between: ['2s'] }", "expected two moments"),
    ("{ count: 'link.up' }", "expected \"exactly\""),
    ("{ count: 'link.up', exactly: 1, atLeast: 1 }", "expected \"exactly\""),
    ("{ event: 'link.up', within: '1s' }", "\"after\" is missing"),
    ("{ dispatched: [1] }", "expected a string"),
    ("{ never: 'link.up', where: 5 }", "expected an object"),
    (
      "{ never: 'snapshot.stale', where: { statee: 'x', why: 'late' } }",
      "s.json5:3:38: error: expect[0].where: snapshot.stale has no \"statee\", "
        + "expected \"epoch\", \"seq\", \"why\", \"node\" or \"t\""
    ),
    (
      "{ count: 'run.state', exactly: 0, where: { two: 'ended' } }",
      "run.state has no \"two\", expected \"workoutId\", \"from\", \"to\", \"cause\", \"sentAt\", \"node\" or \"t\"; "
        + "did you mean \"to\"?"
    ),
    (
      "{ event: 'link.up', within: '1s', after: { event: 'healed', where: { fault: 'cut' } } }",
      "expect[0].after.where: healed has no \"fault\", expected \"node\" or \"t\""
    ),
    ("{ dispatched: [], where: { mesage: 'km1' } }", "script.dispatch has no \"mesage\""),
    (
      "{ count: 'end', exactly: 1, where: { verdict: 'pass', frames: 3 } }",
      "s.json5:3:39: error: expect[0].where: \"verdict\" is not known when expectations are judged"
    ),
    ("{ never: 'end', where: { violations: [] } }", "\"violations\" is not known when expectations are judged"),
    ("{ never: 'end', where: { frame: 1 } }", "expected \"frames\", \"outstanding\", \"node\" or \"t\"; did you mean"),
    (
      "{ never: 'snapshot.stale', where: { node: 'pone' } }",
      "s.json5:3:38: error: expect[0].where: node: found \"pone\", expected \"phone\"; did you mean \"phone\"?"
    ),
    ("{ never: 'snapshot', where: { node: 'phone' } }", "node: found \"phone\", expected \"watch\""),
    ("{ never: 'frame.dropped', where: { id: '7' } }", "id: found \"7\", expected a whole number"),
    ("{ never: 'frame.dropped', where: { cause: 7 } }", "cause: found 7, expected a text"),
    ("{ never: 'frame.dropped', where: { cause: null } }", "cause: found null, expected a text"),
    (
      "{ never: 'snapshot.stale', where: { why: 'latee' } }",
      "expected \"duplicate\" or \"late\"; did you mean \"late\"?"
    ),
    ("{ never: 'run.named', where: { workoutId: 'x' } }", "workoutId: found \"x\", expected a UUID in lower case"),
    ("{ never: 'context.set', where: { digest: 'AB' } }", "digest: found \"AB\", expected the 16 or 64"),
    ("{ never: 'fault.begin', where: { params: 1 } }", "params: found 1, expected an array or an object"),
    ("{ never: 'healed', where: { t: 'soon' } }", "t: found \"soon\", expected a whole number"),
    ("{ never: 'node.killed', where: { target: 'link' } }", "target: found \"link\", expected \"watch\""),
    ("{ never: 'frame.sent', where: { channel: 'files' } }", "did you mean \"file\"?"),
    ("{ never: 'crash' }", "s.json5:3:11: warning: expect[0].never: nothing of this package writes \"crash\""),
    ("{ never: 'node.crashed' }", "found \"node.crashed\", expected the name of an event"),
    ("5", "expected an object"),
  ])
  func `a wrong expectation is refused at its position`(text: String, part: String) throws {
    let collector = DiagnosticsCollector(file: "s.json5")
    let node = try JSONParser.parse("\n[\n \(text)]", dialect: .json5)
    _ = ExpectationCatalog.read(JSONValueReader(node, path: "expect", into: collector))
    #expect(collector.diagnostics.description.contains(part), "\(collector.diagnostics)")
    #expect(collector.diagnostics.list.allSatisfy { $0.position.line == 3 })
  }
}

/// What a user has to permit.
@Suite struct `onlyAfter` {
  private func act(_ second: Int64, _ name: String) -> (Int64, String, [TraceEvent.Field]) {
    (second, "app.act", [.init("do", .string(name))])
  }

  private func fact(_ second: Int64, _ name: String, run: Int64 = 1) -> (Int64, String, [TraceEvent.Field]) {
    (second, name, [.init("run", .int(run))])
  }

  @Test func `an event needs an act before it`() throws {
    let text = "{ onlyAfter: 'app.ended', act: 'stop' }"
    #expect(try outcome(text, []) == .pass)
    #expect(try outcome(text, [act(5, "stop"), fact(5, "app.ended"), fact(9, "app.ended")]) == .pass)
    #expect(try outcome(text, [act(3, "pause"), fact(5, "app.ended")]) == .fail)
    let late = try results(text, [fact(5, "app.ended"), act(6, "stop")])
    #expect(late.first?.outcome == .fail && late.first?.why == "app.ended at 5s, with no act \"stop\" before it")
    #expect(late.first?.lines == [2])
    #expect(try outcome(text, [act(5, "stop")], ends: false) == .unknown)
  }

  @Test func `once, each act permits one event`() throws {
    let text = "{ onlyAfter: 'app.ended', act: 'stop', once: true }"
    let twice = [act(5, "stop"), fact(6, "app.ended"), fact(7, "app.ended")]
    #expect(try outcome(text, twice) == .fail)
    #expect(try outcome(text, [act(4, "stop")] + twice) == .pass)
  }

  @Test func `until takes the permission back`() throws {
    let text = "{ onlyAfter: 'app.ended', act: 'stop', until: { event: 'app.began' } }"
    #expect(try outcome(text, [act(5, "stop"), fact(6, "app.began"), fact(7, "app.ended")]) == .fail)
    #expect(try outcome(text, [fact(4, "app.began"), act(5, "stop"), fact(7, "app.ended")]) == .pass)
  }

  @Test func `after permits events with the same fields`() throws {
    let text = "{ onlyAfter: 'app.ended', after: { event: 'app.asked', same: ['run'] }, once: true }"
    #expect(try outcome(text, [fact(4, "app.asked", run: 2), fact(5, "app.ended", run: 2)]) == .pass)
    #expect(try outcome(text, [fact(4, "app.asked", run: 1), fact(5, "app.ended", run: 2)]) == .fail)
  }

  @Test(arguments: [
    ("{ onlyAfter: 'app.ended' }", "found neither, expected one of the keys \"act\" and \"after\""),
    ("{ onlyAfter: 'app.ended', act: 'stop', after: { event: 'app.asked' } }", "found both, expected one of the keys"),
    ("{ onlyAfter: 'app.ended', act: 7 }", "found number 7, expected"),
    ("{ onlyAfter: 'app.ended', acts: 'stop' }", "unknown key"),
  ])
  func `mistakes are named`(text: String, expected: String) throws {
    let collector = DiagnosticsCollector(file: "s.json5")
    let node = try JSONParser.parse("[\(text)]", dialect: .json5)
    _ = ExpectationCatalog.read(JSONValueReader(node, path: "expect", into: collector))
    #expect("\(collector.diagnostics)".contains(expected), "\(collector.diagnostics)")
  }
}
