import Link
import Testing

private func read(_ json5: String) throws -> (expectations: [ReadExpectation], problems: [String]) {
  let collector = DiagnosticsCollector(file: "s.json5")
  let node = try JSONParser.parse("[\(json5)]", dialect: .json5)
  let expectations = ExpectationCatalog.read(JSONValueReader(node, path: "expect", into: collector))
  return (expectations, collector.diagnostics.list.map(\.message))
}

/// The scope of an expectation about facts of an app, by what follows its event.
@Suite struct `scopes of expectations` {
  @Test(arguments: [
    ("{ never: 'app.lost' }", VerdictScope.safety),
    ("{ never: 'app.lost', after: { event: 'app.ended' } }", .safety),
    ("{ never: 'app.lost', after: { event: 'app.ended' }, for: '9s' }", .timed),
    ("{ never: 'app.lost', between: ['1s', '9s'] }", .timed),
    ("{ always: 'app.lap', rises: 'number' }", .safety),
    ("{ always: 'app.lap', rises: 'number', between: ['1s', '9s'] }", .timed),
    ("{ onlyAfter: 'app.ended', act: 'stop' }", .safety),
    ("{ count: 'app.lap', atMost: 3 }", .safety),
    ("{ count: 'app.lap', atLeast: 0, atMost: 3 }", .safety),
    ("{ count: 'app.lap', atLeast: 3 }", .eventual),
    ("{ count: 'app.lap', exactly: 3 }", .eventual),
    ("{ count: 'app.lap', exactly: 3, between: ['1s', '9s'] }", .timed),
    ("{ count: 'transfer.delivered', exactly: 3 }", .eventual),
    ("{ event: 'app.lap', between: ['1s', '9s'] }", .timed),
    ("{ event: 'app.lap', within: '9s', after: { event: 'app.tap' } }", .timed),
    // What the faults of a run do to its link is expected of those faults only.
    ("{ never: 'link.down' }", .timed),
    ("{ count: 'fault.begin', atMost: 1 }", .timed),
    ("{ dispatched: ['km1'] }", .timed),
    ("{ never: 'link.down', scope: 'safety' }", .safety),
    ("{ count: 'app.lap', exactly: 3, scope: 'timed' }", .timed),
  ])
  func `follow from the form, or are written`(text: String, scope: VerdictScope) throws {
    let (expectations, problems) = try read(text)
    #expect(problems == [])
    #expect(expectations.map(\.scope) == [scope])
    let written = try #require(expectations.first?.withWrittenScope)
    let again = try read(String(decoding: JSONWriter.compact(written.node), as: UTF8.self))
    #expect(again.problems == [] && again.expectations.first?.writtenScope == scope)
  }

  @Test func `a scope that does not exist is refused`() throws {
    let (expectations, problems) = try read("{ never: 'app.lost', scope: 'safe' }")
    let expected = "expected \"safety\", \"eventual\" or \"timed\"; did you mean \"safety\"?"
    #expect(problems.count == 1 && problems[0].hasSuffix("found \"safe\", \(expected)"), "\(problems)")
    #expect(expectations.first?.writtenScope == nil)
  }

  /// A run with one act, whose phone's app is killed and may start again.
  private func judge(
    _ scope: String, restarts: Bool = true, isTaken: Bool = true, and more: TraceEvent? = nil
  ) throws -> ExpectationResult {
    let read = try read("{ count: 'app.lap', exactly: 1\(scope) }").expectations
    var judge = ExpectationJudge(read, acts: 1)
    var events = [TraceEvent(NodeKilled.self, at: .start, on: .runner) { $0.target = .phone }]
    if isTaken { events.append(TraceEvent(AppActTaken.self, at: .start, on: .watch) { $0.action = "lap" }) }
    if restarts { events.append(TraceEvent(NodeStarted.self, at: .start, on: .runner) { $0.target = .phone }) }
    if let more { events.append(more) }
    for (index, event) in events.enumerated() { judge.observe(event, line: index + 2) }
    return judge.finish(TraceEnding(isComplete: true, time: .start + .seconds(9), line: 9))[0].result
  }

  @Test func `eventual is judged where both apps run at the end and every act was taken`() throws {
    let eventual = ", scope: 'eventual'"
    #expect(try judge(eventual, restarts: true, isTaken: true).outcome == .fail)
    let dead = try judge(eventual, restarts: false, isTaken: true)
    #expect(dead.hasPassed && !dead.isJudged && dead.why == "not judged: the phone's app does not run at the end")
    let missed = try judge(eventual, restarts: true, isTaken: false)
    #expect(missed.hasPassed && !missed.isJudged && missed.why == "not judged: 1 of 1 acts was not taken")
    let dropped = try judge(eventual, and: TraceEvent(CommandDropped.self, at: .start, on: .runner))
    #expect(dropped.hasPassed && dropped.why == "not judged: 1 command had no effect")
    #expect(try judge(eventual, and: TraceEvent(CommandRefused.self, at: .start, on: .phone)).hasPassed)
    #expect(try judge("", and: TraceEvent(CommandDropped.self, at: .start, on: .runner)).outcome == .fail)
    // The scenario as written gets no such mercy.
    #expect(try judge("", restarts: false, isTaken: false).outcome == .fail)
  }
}
