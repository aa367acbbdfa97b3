import Link
import Testing

/// Facts and true workouts, judged.
@Suite struct `what agrees with the truth` {
  private typealias Line = (second: Int64, name: String, place: TraceEvent.Place, fields: [TraceEvent.Field])

  private func result(_ json5: String, _ lines: [Line], ends: Bool = true) throws -> ExpectationResult {
    let (expectations, errors) = try read(json5)
    try #require(errors.isEmpty, "\(errors)")
    var judge = ExpectationJudge(expectations)
    var ending = TraceEnding(isComplete: ends, time: .start, line: 1)
    for line in lines {
      ending.line += 1
      ending.time = .start + .seconds(line.second)
      judge.observe(
        TraceEvent(TraceEvent.Name(line.name), at: ending.time, on: line.place, line.fields), line: ending.line)
    }
    return try #require(judge.finish(ending).map(\.result).first)
  }

  private func read(_ json5: String) throws -> ([ReadExpectation], [String]) {
    let collector = DiagnosticsCollector(file: "s.json5")
    let node = try JSONParser.parse("[\(json5)]", dialect: .json5)
    let expectations = ExpectationCatalog.read(JSONValueReader(node, path: "expect", into: collector))
    return (expectations, collector.diagnostics.lines)
  }

  private func workout(_ second: Int64, millimetres: Int64, active: Int64 = 60_000) -> Line {
    (
      second, "truth.workoutEnded", .runner,
      [
        .init("workout", .int(1)), .init("discipline", .string("running")), .init("by", .string("hand")),
        .init("active", .int(active)), .init("distance", .int(millimetres)),
      ]
    )
  }

  private func summary(_ second: Int64, _ value: TraceValue, on place: TraceEvent.Place = .phone) -> Line {
    (second, "app.summary", place, [.init("distance", value)])
  }

  private let metres = "{ agrees: 'app.summary', field: 'distance', with: 'truth.workout.distance', within: '1 %' }"

  @Test(arguments: [(1_980, true), (1_979, false), (2_020, true), (2_021, false)] as [(Int64, Bool)])
  func `a share of the truth is allowed, and not more`(_ distance: Int64, isGood: Bool) throws {
    let found = try result(metres, [workout(10, millimetres: 2_000_000), summary(12, .int(distance))])
    #expect(found.hasPassed == isGood)
  }

  @Test func `a failure names the nearest fact and how far off it is`() throws {
    let lines = [workout(10, millimetres: 2_000_000), summary(11, .int(500)), summary(12, .int(1_893))]
    let why = try result(metres, lines).why
    #expect(
      why == "workout 1 has 2000 m, and no app.summary of its own agrees; nearest: app.summary at 12s on the phone has"
        + " distance 1893 (5.35 % off, at most 1 % allowed)")
  }

  @Test func `each workout needs a fact of its own`() throws {
    let both = [workout(10, millimetres: 2_000_000), workout(20, millimetres: 2_000_000)]
    #expect(try result(metres, both + [summary(12, .int(2_000))]).why?.hasPrefix("workout 2 has") == true)
    #expect(try result(metres, both + [summary(12, .int(2_000)), summary(22, .int(2_001))]).hasPassed)
  }

  @Test func `a fact that agrees with no workout fails, a second one of the same workout does not`() throws {
    let one = [workout(10, millimetres: 2_000_000), summary(12, .int(2_000))]
    #expect(try result(metres, one + [summary(13, .int(2_000), on: .watch)]).hasPassed)
    #expect(
      try result(metres, one + [summary(13, .int(900))]).why
        == "app.summary at 13s on the phone has distance 900 and agrees with no workout; nearest: workout 1 with 2000 m"
        + " (55 % off, at most 1 % allowed)")
    #expect(try result(metres, [summary(13, .int(0))]).why?.hasSuffix("and the athlete ended no workout") == true)
    #expect(try result(metres, []).hasPassed)
  }

  @Test(
    arguments: [
      ("'5 m'", "", 1_995, true), ("'5 m'", "", 1_994, false), ("'0.01 km'", "", 1_990, true), ("'5'", "", 2_000, nil),
      ("'20 m'", ", unit: 'km'", 2, true), ("'20 m'", ", unit: 'ft'", 6_562, true), ("5", "", 2_000, nil),
      ("'5 s'", "", 2_000, nil), ("'x %'", "", 2_000, nil),
    ] as [(String, String, Int64, Bool?)])
  func `distances have units`(_ within: String, _ unit: String, _ distance: Int64, isGood: Bool?) throws {
    let text =
      "{ agrees: 'app.summary', field: 'distance', with: 'truth.workout.distance', within: \(within)\(unit) }"
    guard let isGood else {
      let errors = try read(text).1
      #expect(errors.count == 1 && errors[0].contains("expected a share such as \"1 %\", or a number with one of"))
      return
    }
    #expect(
      try result(text, [workout(10, millimetres: 2_000_000), summary(12, .int(distance))]).hasPassed == isGood)
  }

  @Test func `a text against a number fails or is refused`() throws {
    let why = try result(metres, [workout(10, millimetres: 2_000_000), summary(12, .string("far"))]).why
    #expect(
      why == "app.summary at 12s on the phone has distance \"far\", expected a number, as truth.workout.distance is one"
    )
    let errors = try read("{ agrees: 'health.saved', field: 'distance', with: 'truth.workout.by' }").1
    #expect(
      errors.count == 1 && errors[0].hasPrefix("s.json5:1:") && errors[0].contains("found a text, expected a number"))
    let sport = "{ agrees: 'app.summary', field: 'distance', with: 'truth.workout.discipline' }"
    #expect(
      try result(sport, [workout(10, millimetres: 1), summary(12, .string("running"))]).hasPassed)
    #expect(try !result(sport, [workout(10, millimetres: 1), summary(12, .string("riding"))]).hasPassed)
  }

  @Test(arguments: [
    ("with: 'truth.workout.distanse'", "did you mean \"truth.workout.distance\"?"),
    ("with: 'truth.nights'", "expected \"truth.workout.active\""), ("with: 'truth.acts.'", "truth.acts.NAME"),
    ("with: 'truth.workouts', unit: 'm'", "expected no \"unit\" beside a number"),
    ("with: 'truth.workout.by', within: '1 %'", "expected no \"within\" beside a text"),
    ("with: 'truth.workout.endedAt', within: '1 %'", "expected a number with one of the units s, ms, ns"),
    ("within: '1 %'", "\"with\""),
  ])
  func `what does not exist is refused with its place and what does`(_ keys: String, _ part: String) throws {
    let errors = try read("{ agrees: 'app.summary', field: 'distance', \(keys) }").1
    #expect(errors.count == 1 && errors[0].hasPrefix("s.json5:1:") && errors[0].contains(part), "\(errors)")
  }

  @Test func `numbers of a whole run are compared with the last event of each device`() throws {
    let laps = "{ agrees: 'app.laps', field: 'count', with: 'truth.acts.lap' }"
    let act: (Int64) -> Line = { ($0, "app.act", .watch, [.init("do", .string("lap"))]) }
    let fact: (Int64, Int64) -> Line = { ($0, "app.laps", .phone, [.init("count", .int($1))]) }
    #expect(try result(laps, [act(1), fact(2, 1), act(3), fact(4, 2)]).hasPassed)
    #expect(
      try result(laps, [act(1), fact(2, 1), act(3)]).why
        == "app.laps at 2s on the phone has count 1, and truth.acts.lap is 2 (1 off, none allowed)")
    #expect(try result(laps, [act(1)]).why == "truth.acts.lap is 1, and there is no app.laps")
    #expect(try result(laps, [act(1)], ends: false).outcome == .unknown)
    let workouts = "{ agrees: 'app.laps', field: 'count', with: 'truth.workouts' }"
    #expect(try result(workouts, [workout(1, millimetres: 5), fact(2, 1)]).hasPassed)
  }

  @Test func `its scope is eventual for facts of apps`() throws {
    #expect(try read(metres).0.first?.scope == .eventual)
    let saved = "{ agrees: 'health.saved', field: 'distance', with: 'truth.workout.distance' }"
    #expect(try read(saved).0.first?.scope == .timed)
  }
}
