import Link
import PhoneSim
import Testing

/// Orders that end a run, and ends that finish it.
@Suite struct OrderAndEndCheckerTests {
  private static let run = CoachTrace.workout
  private static let saved = Identifier(high: 3, low: 3)

  private func broken(_ write: (inout CoachTrace) -> Void) throws -> [String] {
    var trace = CoachTrace()
    write(&trace)
    trace.add("end", 900, on: .runner)
    return try trace.judge(only: ["order-ends-its-run", "end-finishes-run"], ends: false).broken
  }

  // MARK: order-ends-its-run

  private func send(_ trace: inout CoachTrace, _ seconds: Double, seq: Int64) {
    trace.add(
      "frame.sent", seconds,
      [
        .init("id", .int(seq)), .init("to", .string("watch")), .init("kind", .string("data")),
        .init("channel", .string("message")), .init("epoch", .int(1)), .init("seq", .int(seq)),
        .init("bytes", .int(10)),
        .init("digest", .hex(1)),
      ])
  }

  private func receive(_ trace: inout CoachTrace, _ seconds: Double, _ kind: String, seq: Int64) {
    trace.add(
      "message.received", seconds, on: .watch,
      [
        .init("from", .string("phone")), .init("kind", .string(kind)), .init("epoch", .int(1)), .init("seq", .int(seq)),
        .init("digest", .hex(1)),
      ])
  }

  private func state(
    _ trace: inout CoachTrace, _ seconds: Double, from: String?, _ to: String, cause: String = "scenario"
  ) {
    trace.add(
      "workout.state", seconds, on: .watch,
      [
        .init("workoutId", Self.run.traceValue), .init("from", from.map { .string($0) } ?? .null),
        .init("to", .string(to)), .init("cause", .string(cause)),
      ])
  }

  @Test func `an order sent while the workout was on ends it`() throws {
    #expect(
      try broken {
        state(&$0, 1, from: nil, "preparing")
        send(&$0, 10, seq: 4)
        receive(&$0, 11, "endWorkout", seq: 4)
        state(&$0, 11, from: "running", "ended", cause: "command")
      } == [])
  }

  @Test func `an order sent before the workout began must not end it`() throws {
    #expect(
      try broken {
        send(&$0, 10, seq: 4)
        state(&$0, 12, from: nil, "preparing")
        receive(&$0, 30, "endWorkout", seq: 4)
        state(&$0, 30, from: "running", "ended", cause: "command")
      } == ["order-ends-its-run"])
  }

  @Test func `an end at another instant, or by a cancelled start, is not the order's`() throws {
    for (kind, at) in [("endWorkout", 31.0), ("cancelStart", 30.0)] {
      #expect(
        try broken {
          send(&$0, 10, seq: 4)
          state(&$0, 12, from: nil, "preparing")
          receive(&$0, 30, kind, seq: 4)
          state(&$0, at, from: "running", "ended", cause: "command")
        } == [])
    }
  }

  // MARK: end-finishes-run

  private func open(_ trace: inout CoachTrace) {
    trace.add("run.opened", 1, [.init("workoutId", Self.run.traceValue), .init("sentAt", .int(1))])
  }

  private func deliverEnd(_ trace: inout CoachTrace, _ seconds: Double, savedAs uuid: Identifier? = saved) {
    trace.add(
      "transfer.delivered", seconds,
      [.init("kind", .string("workoutEnded")), .init("workoutId", Self.run.traceValue)]
        + (uuid.map { [.init("healthKitWorkoutUUID", $0.traceValue)] } ?? []) + [.init("sentAt", .int(5))])
  }

  private func finish(_ trace: inout CoachTrace, _ seconds: Double) {
    trace.add(
      "run.finished", seconds,
      [
        .init("workoutId", Self.run.traceValue), .init("healthKitWorkoutUUID", Self.saved.traceValue),
        .init("sentAt", .int(5)),
      ])
  }

  @Test func `an end that is delivered finishes its run at once`() throws {
    #expect(
      try broken {
        open(&$0)
        deliverEnd(&$0, 10)
        finish(&$0, 10)
        // Again: the run is finished.
        deliverEnd(&$0, 20)
      } == [])
  }

  @Test func `an end without effect is reported, also one with a late effect`() throws {
    for at in [nil, 11.0] {
      #expect(
        try broken {
          open(&$0)
          deliverEnd(&$0, 10)
          if let at { finish(&$0, at) }
        } == ["end-finishes-run"])
    }
  }

  @Test func `a discarded workout and one that the phone never opened finish nothing`() throws {
    #expect(try broken { deliverEnd(&$0, 10) } == [])
    #expect(
      try broken {
        open(&$0)
        deliverEnd(&$0, 10, savedAs: nil)
      } == [])
  }
}
