import Link
import PhoneSim
import Testing

@Suite struct `the watch's words, judged` {
  private static let run = CoachTrace.workout
  private static let ghost = CoachTrace.other

  private func broken(_ write: (inout CoachTrace) -> Void) throws -> [String] {
    var trace = CoachTrace()
    write(&trace)
    trace.add("end", 900, on: .runner)
    return try trace.judge(only: ["belief-is-newest", "haptic-in-time", "start-in-time"], ends: false).broken
  }

  private func snapshot(
    _ trace: inout CoachTrace, _ seconds: Double, _ state: String, sentAt: Int64? = nil, of workout: Identifier = run,
    elapsed: Double = 0
  ) {
    trace.add(
      "snapshot.fresh", seconds,
      [
        .init("workoutId", workout.traceValue), .init("sentAt", .int(sentAt ?? Int64(seconds))),
        .init("elapsed", .number(elapsed, places: 3)), .init("state", .string(state)),
      ])
  }

  private func event(
    _ trace: inout CoachTrace, _ seconds: Double, _ kind: String, sentAt: Int64, of workout: Identifier = run
  ) {
    trace.add(
      "transfer.delivered", seconds,
      [.init("kind", .string(kind)), .init("workoutId", workout.traceValue), .init("sentAt", .int(sentAt))])
  }

  private func opened(_ trace: inout CoachTrace, _ seconds: Double, sentAt: Int64, of workout: Identifier = run) {
    trace.add(
      "run.opened", seconds, [.init("workoutId", workout.traceValue), .init("sentAt", .int(sentAt))])
  }

  private func believed(
    _ trace: inout CoachTrace, _ seconds: Double, _ to: String, sentAt: Int64?, of workout: Identifier = run,
    cause: String = "event"
  ) {
    trace.add(
      "run.state", seconds,
      [
        .init("workoutId", workout.traceValue), .init("from", .null), .init("to", .string(to)),
        .init("cause", .string(cause)), .init("sentAt", sentAt.map { .int($0) } ?? .null),
      ])
  }

  private func begin(_ trace: inout CoachTrace) {
    snapshot(&trace, 1, "running")
    opened(&trace, 1, sentAt: 1)
    believed(&trace, 1, "running", sentAt: 1)
  }

  // MARK: belief-is-newest

  @Test func `only a message that says so ends a run`() throws {
    #expect(
      try broken {
        begin(&$0)
        event(&$0, 9, "workoutEnded", sentAt: 9)
        believed(&$0, 9, "ended", sentAt: 9)
      } == [])
    // Of another workout, or at another instant.
    #expect(
      try broken {
        begin(&$0)
        event(&$0, 9, "workoutEnded", sentAt: 9, of: Self.ghost)
        believed(&$0, 9, "ended", sentAt: 9)
      } == ["belief-is-newest"])
    #expect(
      try broken {
        begin(&$0)
        believed(&$0, 9, "ended", sentAt: 1)
      } == ["belief-is-newest"])
  }

  @Test func `a snapshot of a workout that began later ends a run and opens the next`() throws {
    for (elapsed, isWrong) in [(2.0, false), (5, true), (0, true)] {
      let result = try broken {
        let second = 1_000_000_000 as Int64
        snapshot(&$0, 1, "running", sentAt: 1 * second)
        opened(&$0, 1, sentAt: 1 * second)
        believed(&$0, 1, "running", sentAt: 1 * second)
        snapshot(&$0, 5, "running", sentAt: 5 * second, of: Self.ghost, elapsed: elapsed)
        believed(&$0, 5, "ended", sentAt: 1 * second, cause: "snapshot")
        opened(&$0, 5, sentAt: 5 * second, of: Self.ghost)
        believed(&$0, 5, "running", sentAt: 5 * second, of: Self.ghost, cause: "snapshot")
      }
      #expect(result.isEmpty == !isWrong, "elapsed \(elapsed): \(result)")
    }
  }

  @Test func `the newest message is believed, and a late one changes nothing`() throws {
    let result = try broken {
      begin(&$0)
      snapshot(&$0, 10, "paused")
      believed(&$0, 10, "paused", sentAt: 10)
      snapshot(&$0, 20, "running")
      believed(&$0, 20, "running", sentAt: 20)
      event(&$0, 21, "workoutPaused", sentAt: 10)
      snapshot(&$0, 22, "running")
      event(&$0, 30, "workoutEnded", sentAt: 29)
      believed(&$0, 30, "ended", sentAt: 29)
      snapshot(&$0, 31, "running", sentAt: 28)
      event(&$0, 40, "workoutStarted", sentAt: 39, of: Self.ghost)
      opened(&$0, 40, sentAt: 39, of: Self.ghost)
      believed(&$0, 40, "running", sentAt: 39, of: Self.ghost)
    }
    #expect(result == [])
  }

  @Test func `an old word that is believed`() throws {
    let result = try broken {
      begin(&$0)
      snapshot(&$0, 20, "running")
      event(&$0, 21, "workoutPaused", sentAt: 10)
      believed(&$0, 21, "paused", sentAt: 10)
    }
    #expect(result == ["belief-is-newest"])
  }

  @Test func `a new word that is not believed`() throws {
    let result = try broken {
      begin(&$0)
      snapshot(&$0, 20, "paused")
      snapshot(&$0, 21, "paused")
    }
    #expect(result == ["belief-is-newest"])
  }

  @Test func `a phone that dies while handling an update owes nothing`() throws {
    let result = try broken {
      begin(&$0)
      snapshot(&$0, 20, "paused")
      $0.runner("node.killed", 20, target: "phone")
    }
    #expect(result == [])
  }

  @Test func `another workout opens a run while one is on`() throws {
    let result = try broken {
      begin(&$0)
      event(&$0, 20, "workoutStarted", sentAt: 20, of: Self.ghost)
      opened(&$0, 20, sentAt: 20, of: Self.ghost)
    }
    #expect(result == ["belief-is-newest"])
  }

  @Test func `a run is opened after the last one by an old start, by a mere snapshot, or twice`() throws {
    func afterTheEnd(_ write: (inout CoachTrace) -> Void) throws -> [String] {
      try broken {
        begin(&$0)
        event(&$0, 30, "workoutEnded", sentAt: 29)
        believed(&$0, 30, "ended", sentAt: 29)
        write(&$0)
      }
    }
    let old = try afterTheEnd {
      event(&$0, 40, "workoutStarted", sentAt: 29, of: Self.ghost)
      opened(&$0, 40, sentAt: 29, of: Self.ghost)
    }
    #expect(old == ["belief-is-newest"])
    let snapshot = try afterTheEnd {
      self.snapshot(&$0, 40, "running", of: Self.ghost)
      opened(&$0, 40, sentAt: 40, of: Self.ghost)
    }
    #expect(snapshot == ["belief-is-newest"])
    let twice = try afterTheEnd {
      event(&$0, 40, "workoutStarted", sentAt: 39)
      opened(&$0, 40, sentAt: 39)
    }
    #expect(twice == ["belief-is-newest"])
  }

  @Test func `a run that the phone requested may be opened by any message`() throws {
    let result = try broken {
      believed(&$0, 1, "preparing", sentAt: nil, cause: "command")
      snapshot(&$0, 5, "running", sentAt: 2)
      opened(&$0, 5, sentAt: 2)
      believed(&$0, 5, "running", sentAt: 2, cause: "snapshot")
    }
    #expect(result == [])
  }

  // MARK: haptic-in-time, start-in-time

  private func felt(_ trace: inout CoachTrace, _ seconds: Double) {
    trace.add(
      "haptic", seconds, on: .watch,
      [.init("kind", .string("companionMessageDispatched")), .init("message", .string("km"))])
  }

  private func hello(_ trace: inout CoachTrace, lasting seconds: Double) {
    trace.add(
      "frame.sent", 1, on: .phone,
      [.init("id", .int(1)), .init("to", .string("watch")), .init("kind", .string("hello"))])
    trace.add("frame.delivered", 1 + seconds, on: .link, [.init("id", .int(1)), .init("copy", .int(0))])
  }

  @Test func `a line is felt once, and soon`() throws {
    func taps(hello lasting: Double = 1, skewed: Bool = false, _ moments: Double...) throws -> [String] {
      try broken {
        hello(&$0, lasting: lasting)
        if skewed { $0.add("fault.begin", 5, on: .runner, [.init("kind", .string("clockSkew"))]) }
        $0.fresh(20, distance: 1_000)
        $0.script("dispatch", 20, "km", "distance")
        for moment in moments { felt(&$0, moment) }
      }
    }
    #expect(try taps(31) == [])
    #expect(try taps(32) == ["haptic-in-time"])
    #expect(try taps(21, 22) == ["haptic-in-time"])
    // The hello was under way for so long that the watch cannot know better.
    #expect(try taps(hello: 12, 41) == [])
    #expect(try taps(skewed: true, 500) == [])
  }

  @Test func `a start is obeyed soon, or not at all`() throws {
    func begun(_ moment: Double) throws -> [String] {
      try broken {
        hello(&$0, lasting: 1)
        $0.add("start.asked", 10, [.init("runId", Self.run.traceValue), .init("channel", .string("message"))])
        $0.add(
          "workout.state", moment, on: .watch,
          [.init("workoutId", Self.run.traceValue), .init("from", .null), .init("to", .string("preparing"))])
      }
    }
    #expect(try begun(41) == [])
    #expect(try begun(42) == ["start-in-time"])
  }
}
