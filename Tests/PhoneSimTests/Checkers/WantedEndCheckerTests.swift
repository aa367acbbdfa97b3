import Link
import PhoneSim
import Testing

/// Orders that somebody wanted, and rows of every run.
@Suite struct WantedEndCheckerTests {
  private static let run = CoachTrace.workout
  private static let other = CoachTrace.other

  private func broken(_ write: (inout CoachTrace) -> Void) throws -> [String] {
    var trace = CoachTrace()
    write(&trace)
    trace.add("end", 900, on: .runner)
    return try trace.judge(only: ["end-was-wanted", "run-has-row"], ends: false).broken
  }

  private func open(_ trace: inout CoachTrace, _ seconds: Double) {
    trace.add("run.opened", seconds, [.init("workoutId", Self.run.traceValue), .init("sentAt", .int(1))])
  }

  // MARK: end-was-wanted

  private func receive(_ trace: inout CoachTrace, _ seconds: Double, of run: Identifier?) {
    trace.add(
      "message.received", seconds, on: .watch,
      [
        .init("from", .string("phone")), .init("kind", .string("endWorkout")), .init("epoch", .int(1)),
        .init("seq", .int(4)), .init("digest", .hex(1)),
      ] + (run.map { [.init("workoutId", $0.traceValue)] } ?? []))
  }

  private func ask(_ trace: inout CoachTrace, _ seconds: Double, by asker: String) {
    trace.add("end.asked", seconds, [.init("runId", Self.run.traceValue), .init("by", .string(asker))])
  }

  @Test func `an order for a run that the athlete ended on the phone may come, also twice`() throws {
    #expect(
      try broken {
        open(&$0, 1)
        ask(&$0, 10, by: "runner")
        receive(&$0, 11, of: Self.run)
        receive(&$0, 22, of: Self.run)
      } == [])
  }

  @Test func `an order without a reason, one for another run and one that names none are reported`() throws {
    #expect(
      try broken {
        open(&$0, 1)
        receive(&$0, 11, of: Self.run)
      } == ["end-was-wanted"])
    for run in [Self.other, nil] {
      #expect(
        try broken {
          ask(&$0, 10, by: "runner")
          receive(&$0, 11, of: run)
        } == ["end-was-wanted"])
    }
  }

  @Test func `a start that was not taken back is no reason to end its run`() throws {
    for isCancelled in [true, false] {
      #expect(
        try broken {
          if isCancelled { $0.add("start.cancelled", 5, [.init("runId", Self.run.traceValue)]) }
          ask(&$0, 10, by: "cancelledStart")
          receive(&$0, 11, of: Self.run)
        } == (isCancelled ? [] : ["end-was-wanted"]))
    }
  }

  @Test func `the orders of a phone that does not write what it believes are not judged`() throws {
    #expect(try broken { receive(&$0, 11, of: nil) } == [])
  }

  // MARK: run-has-row

  private func deliver(_ trace: inout CoachTrace, _ seconds: Double, _ kind: String, of run: Identifier = other) {
    trace.add(
      "transfer.delivered", seconds,
      [.init("kind", .string(kind)), .init("workoutId", run.traceValue), .init("sentAt", .int(5))])
  }

  private func record(_ trace: inout CoachTrace, _ seconds: Double, _ kind: String) {
    trace.add(
      "run.recorded", seconds,
      [.init("workoutId", Self.other.traceValue), .init("kind", .string(kind)), .init("sentAt", .int(5))])
  }

  @Test func `a start or an end leaves its row by opening the run or by recording it`() throws {
    #expect(
      try broken {
        deliver(&$0, 1, "workoutStarted", of: Self.run)
        open(&$0, 1)
        deliver(&$0, 10, "workoutStarted")
        record(&$0, 10, "workoutStarted")
        // There is one.
        deliver(&$0, 20, "workoutEnded")
        deliver(&$0, 21, "workoutEnded", of: Self.run)
      } == [])
  }

  @Test(arguments: ["workoutStarted", "workoutEnded"])
  func `one without a row is reported, also where the row comes later`(kind: String) throws {
    for at in [nil, 11.0] {
      #expect(
        try broken {
          open(&$0, 1)
          deliver(&$0, 10, kind)
          if let at { record(&$0, at, kind) }
        } == ["run-has-row"])
    }
  }

  @Test func `other events, and messages to a phone that dies or keeps its belief to itself, need no row`() throws {
    #expect(
      try broken {
        open(&$0, 1)
        deliver(&$0, 10, "workoutPaused")
        deliver(&$0, 20, "workoutStarted")
        $0.add("node.killed", 20, on: .runner, [.init("target", .string("phone")), .init("cause", .string("kill"))])
      } == [])
    #expect(try broken { deliver(&$0, 10, "workoutStarted") } == [])
  }
}
