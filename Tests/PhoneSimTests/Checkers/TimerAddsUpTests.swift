import Link
import PhoneSim
import Testing

@Suite struct `timer-adds-up` {
  private func violations(_ build: (inout CoachTrace) -> Void) throws -> Int {
    var trace = CoachTrace()
    build(&trace)
    return try trace.judge(only: ["timer-adds-up"]).violations.count
  }

  private func snapshot(
    _ trace: inout CoachTrace, _ seconds: Double, elapsed: Double, _ distance: Double, _ state: String = "running",
    kilometre: Int64? = nil
  ) {
    var fields: [TraceEvent.Field] = [
      .init("epoch", .int(1)), .init("seq", .int(1)), .init("workoutId", CoachTrace.workout.traceValue),
      .init("sentAt", .int(0)), .init("elapsed", .number(elapsed, places: 3)),
      .init("distance", .number(distance, places: 2)), .init("energyKcal", .int(0)),
    ]
    if let kilometre {
      fields.append(
        .init("lastSplit", Split(kmIndex: Int(kilometre), durationSeconds: 300, paceSecPerKm: 300).traceValue))
    }
    trace.add("snapshot", seconds, on: .watch, fields + [.init("state", .string(state))])
  }

  private func saved(_ trace: inout CoachTrace, _ seconds: Double, _ distance: Double, splits: Int64) {
    trace.add(
      "health.saved", seconds, on: .watch,
      [
        .init("workout", CoachTrace.workout.traceValue), .init("aarcRunId", CoachTrace.workout.traceValue),
        .init("distance", .number(distance, places: 2)), .init("duration", .number(seconds, places: 3)),
        .init("samples", .int(1)), .init("splits", .int(splits)),
      ])
  }

  @Test func `the timer runs with the workout, and rests in a pause`() throws {
    #expect(
      try violations { trace in
        snapshot(&trace, 0, elapsed: 0, 0)
        snapshot(&trace, 1, elapsed: 1, 3)
        snapshot(&trace, 1.5, elapsed: 1.5, 5, "paused")
        snapshot(&trace, 2, elapsed: 1.5, 5, "paused")
      } == 0)
    #expect(
      try violations { trace in
        snapshot(&trace, 0, elapsed: 0, 0)
        snapshot(&trace, 1, elapsed: 0.5, 3)
      } == 1)
    #expect(
      try violations { trace in
        snapshot(&trace, 1, elapsed: 1, 5, "paused")
        snapshot(&trace, 2, elapsed: 2, 5, "paused")
      } == 1)
    #expect(
      try violations { trace in
        snapshot(&trace, 1, elapsed: 1, 5)
        snapshot(&trace, 1.2, elapsed: 3, 5)
      } == 1)
  }

  @Test func `each kilometre is reported once, as soon as a snapshot can carry it`() throws {
    #expect(try violations { snapshot(&$0, 300, elapsed: 300, 1_001, kilometre: 1) } == 0)
    #expect(try violations { snapshot(&$0, 300, elapsed: 300, 1_001) } == 1)
    #expect(try violations { snapshot(&$0, 300, elapsed: 300, 999, kilometre: 1) } == 1)
    #expect(
      try violations { trace in
        snapshot(&trace, 300, elapsed: 300, 1_001, kilometre: 1)
        snapshot(&trace, 301, elapsed: 301, 1_004, kilometre: 1)
      } == 1)
  }

  @Test func `what is saved is what was published last`() throws {
    func judged(_ distance: Double, splits: Int64) throws -> Int {
      try violations { trace in
        snapshot(&trace, 300, elapsed: 300, 1_001, "ended", kilometre: 1)
        saved(&trace, 300, distance, splits: splits)
      }
    }
    #expect(try judged(1_001, splits: 1) == 0)
    #expect(try judged(1_000, splits: 1) == 1)
    #expect(try judged(1_001, splits: 0) == 1)
  }
}
