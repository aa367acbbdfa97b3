import Link
import PhoneSim
import Testing

@Suite struct `speed-possible` {
  private func violations(_ build: (inout CoachTrace) -> Void) throws -> [String] {
    var trace = CoachTrace()
    build(&trace)
    return try trace.judge(only: ["speed-possible"]).violations.map(\.detail)
  }

  private func snapshot(
    _ trace: inout CoachTrace, _ seconds: Double, elapsed: Double? = nil, _ distance: Double,
    workout: Identifier = CoachTrace.workout
  ) {
    trace.add(
      "snapshot", seconds, on: .watch,
      [
        .init("epoch", .int(1)), .init("seq", .int(1)), .init("workoutId", workout.traceValue),
        .init("sentAt", .int(0)),
        .init("elapsed", .number(elapsed ?? seconds, places: 3)), .init("distance", .number(distance, places: 2)),
      ])
  }

  private func begin(_ trace: inout CoachTrace, sport: String?) {
    var fields: [TraceEvent.Field] = [
      .init("workoutId", CoachTrace.workout.traceValue), .init("from", .null), .init("to", .string("preparing")),
      .init("cause", .string("scenario")),
    ]
    if let sport { fields.append(.init("sport", .string(sport))) }
    trace.add("workout.state", 0, on: .watch, fields)
  }

  @Test func `a sprint of 12 metres a second holds it`() throws {
    #expect(
      try violations { trace in
        begin(&trace, sport: nil)
        for second in 0...60 { snapshot(&trace, Double(second), Double(second) * 12) }
      } == [])
  }

  @Test func `a kilometre in the first second breaks it, with the lines that show it`() throws {
    #expect(
      try violations { trace in
        snapshot(&trace, 0, 0)
        snapshot(&trace, 1, 1_000)
        snapshot(&trace, 2, 1_003)
      } == ["the watch published 1000 m in 1 s, but at most 12 m/s are possible"])
  }

  @Test func `a distance that is there before any time has passed breaks it`() throws {
    #expect(
      try violations { snapshot(&$0, 0, 5_000) } == [
        "the watch published 5000 m in 0 s, but at most 12 m/s are possible"
      ])
  }

  @Test func `a little too fast breaks it in the long run`() throws {
    let count = try violations { trace in
      for second in 0...60 { snapshot(&trace, Double(second), Double(second) * 13) }
    }.count
    #expect(count == 2, "a metre a second beyond what is possible adds up to two seconds' way every 25 s")
  }

  @Test func `a second's way within a pause holds it, and time that passes unseen too`() throws {
    #expect(
      try violations { trace in
        snapshot(&trace, 10, 100)
        snapshot(&trace, 11, elapsed: 10, 112)
        snapshot(&trace, 200, 112 + 12 * 190)
      } == [])
  }

  @Test func `the sport says what is possible`() throws {
    func ride(_ trace: inout CoachTrace, _ sport: String?, _ speed: Double) {
      begin(&trace, sport: sport)
      for second in 0...20 { snapshot(&trace, Double(second), Double(second) * speed) }
    }
    #expect(try violations { ride(&$0, "road_cycling", 30) } == [])
    #expect(try violations { ride(&$0, "running", 30) }.isEmpty == false)
    #expect(try violations { ride(&$0, nil, 30) }.isEmpty == false)
    #expect(try violations { ride(&$0, "swimming", 12) }.isEmpty == false)
    #expect(try violations { ride(&$0, "unknown", 90) } == [])
  }

  @Test func `another workout begins at nothing, as a run`() throws {
    #expect(
      try violations { trace in
        begin(&trace, sport: "cycling")
        snapshot(&trace, 100, 3_000)
        snapshot(&trace, 101, elapsed: 0, 0, workout: CoachTrace.other)
        snapshot(&trace, 102, elapsed: 1, 3, workout: CoachTrace.other)
      } == [])
  }

  @Test func `what the phone heard is not asked`() throws {
    #expect(
      try violations { trace in
        trace.add(
          "snapshot", 1, on: .phone,
          [.init("elapsed", .number(0, places: 3)), .init("distance", .number(9_000, places: 2))])
      } == [])
  }
}
