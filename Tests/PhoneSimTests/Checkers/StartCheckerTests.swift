import Link
import PhoneSim
import Testing

/// The invariants about runs that the phone starts.
@Suite struct StartCheckerTests {
  private static let run = CoachTrace.workout

  private static func broken(_ invariant: String, endsAt: Double? = nil, _ write: (inout CoachTrace) -> Void) throws
    -> Int
  {
    var trace = CoachTrace()
    write(&trace)
    let judgement = try trace.judge(only: [invariant], endsAt: endsAt)
    return judgement.violations.count
  }

  // MARK: start-in-time

  private static func asks(
    _ moments: [Double], failed: Double? = nil, acked: Double? = nil, away: ClosedRange<Double>? = nil
  ) throws -> Int {
    try broken("start-in-time", endsAt: 100) { trace in
      var lines: [(Double, (inout CoachTrace) -> Void)] = []
      for (index, moment) in moments.enumerated() {
        lines.append((moment, { $0.start("asked", moment, [.init("attempt", .int(Int64(index) + 1))]) }))
      }
      if let failed { lines.append((failed, { $0.start("failed", failed) })) }
      if let acked { lines.append((acked, { $0.start("acked", acked) })) }
      if let away {
        lines.append((away.lowerBound, { $0.runner("node.killed", away.lowerBound, target: "phone") }))
        lines.append((away.upperBound, { $0.runner("node.started", away.upperBound, target: "phone") }))
      }
      // At one instant the runner's line comes first.
      for (_, line) in lines.enumerated().sorted(by: {
        ($0.element.0, -$0.offset) < ($1.element.0, -$1.offset)
      }).map(\.element) { line(&trace) }
    }
  }

  @Test func `a start is asked for twice, ten seconds apart, and has failed after ten more`() throws {
    #expect(try Self.asks([5, 15], failed: 25) == 0)
    #expect(try Self.asks([5, 15], acked: 25) == 0)
    #expect(try Self.asks([5], acked: 15) == 0)
    #expect(try Self.asks([5]) == 1)
    #expect(try Self.asks([5, 14.9], failed: 24.9) == 1)
    #expect(try Self.asks([5, 15.1], failed: 25.1) == 1)
    #expect(try Self.asks([5, 15]) == 1)
    #expect(try Self.asks([5, 15], failed: 24) == 1)
    #expect(try Self.asks([5, 15], failed: 26) == 1)
    #expect(try Self.asks([5], failed: 15) == 1)
    #expect(try Self.asks([5, 15, 25], failed: 35) == 1)
  }

  @Test func `a phone that was away does it when it is back, and gives up after twenty seconds`() throws {
    #expect(try Self.asks([5, 18], failed: 28, away: 8...18) == 0)
    #expect(try Self.asks([5, 19], failed: 29, away: 8...18) == 1)
    #expect(try Self.asks([5], failed: 30, away: 8...30) == 0)
    #expect(try Self.asks([5, 30], failed: 40, away: 8...30) == 1)
    #expect(try Self.asks([5, 15], failed: 40, away: 20...40) == 0)
    #expect(try Self.asks([5], away: 8...100) == 0)
  }

  @Test func `test traffic that asks for a run is not waited for`() throws {
    #expect(try Self.broken("start-in-time", endsAt: 100) { $0.start("asked", 5) } == 0)
  }

  // MARK: one-tracker

  /// A run that the phone tracks from second 25 to 200, and what else there is.
  private static func overlap(
    _ write: (inout CoachTrace) -> Void, endsAt: Double = 210
  ) throws -> Int {
    try broken("one-tracker", endsAt: endsAt) { trace in
      for place in [TraceEvent.Place.watch, .phone] {
        trace.add("reachability", 1, on: place, [.init("reachable", .bool(true))])
      }
      trace.workout("preparing", 6)
      trace.tracker("started", 25)
      trace.state(25, "running", from: "preparing", cause: "command")
      write(&trace)
    }
  }

  @Test(arguments: [("workoutEnded", 0), ("workoutPaused", 1)])
  func `a watch that has ended the run gets no further stop`(kind: String, violations: Int) throws {
    #expect(
      try Self.overlap {
        $0.fresh(30, distance: 10)
        $0.start("late", 30)
        $0.workout("ended", 40)
        $0.add(
          "transfer.delivered", 41,
          [
            .init("transfer", Self.run.traceValue), .init("channel", .string("userInfo")), .init("seq", .int(1)),
            .init("bytes", .int(1)), .init("digest", .hex(1)), .init("kind", .string(kind)),
            .init("workoutId", Self.run.traceValue),
          ])
        // Sent before the end, and late.
        $0.fresh(45, distance: 20)
      } == violations)
  }

  @Test func `a late message gives an order to the watch at once, and again after ten seconds`() throws {
    #expect(
      try Self.overlap {
        $0.fresh(30, distance: 10)
        $0.start("late", 30)
        $0.fresh(39, distance: 20)
        $0.fresh(40, distance: 20)
        $0.start("late", 40)
        $0.workout("ended", 41)
      } == 0)
    #expect(
      try Self.overlap {
        $0.fresh(30, distance: 10)
        $0.workout("ended", 41)
      } == 1)
    #expect(
      try Self.overlap {
        $0.fresh(30, distance: 10)
        $0.start("late", 30)
        $0.fresh(40, distance: 20)
        $0.workout("ended", 41)
      } == 1)
    #expect(
      try Self.overlap {
        $0.fresh(30, distance: 10)
        $0.runner("node.killed", 30, target: "phone")
      } == 0)
  }

  @Test func `an overlap counts as well while a fault or a cancellation is in the way`() throws {
    func inTheWay(_ end: Double, _ write: (inout CoachTrace) -> Void) throws -> Int {
      try Self.overlap {
        $0.add("fault.begin", 26, on: .link, [.init("kind", .string("loss"))])
        write(&$0)
        $0.workout("ended", end)
      }
    }
    #expect(try inTheWay(41) { $0.fresh(30, distance: 10) } == 1)
    let cancel: (inout CoachTrace) -> Void = {
      $0.add(
        "message.received", 40, on: .watch,
        [
          .init("from", .string("phone")), .init("kind", .string("cancelStart")),
          .init("workoutId", Self.run.traceValue),
        ])
    }
    #expect(try inTheWay(40.1, cancel) == 1)
    #expect(try inTheWay(40, cancel) == 0)
  }

  @Test func `a watch that gets the order ends the workout at once`() throws {
    func told(_ end: Double, killed: Double? = nil) throws -> Int {
      try Self.overlap {
        $0.add(
          "message.received", 40, on: .watch,
          [
            .init("from", .string("phone")), .init("kind", .string("cancelStart")),
            .init("workoutId", Self.run.traceValue),
          ])
        if let killed { $0.runner("node.killed", killed, target: "watch") }
        $0.workout("ended", end)
      }
    }
    #expect(try told(40) == 0)
    #expect(try told(40.1) == 1)
    #expect(try told(50, killed: 40) == 0)
  }

  @Test func `both do not continue without an obstacle`() throws {
    func ending(_ moment: Double, fault: ClosedRange<Double>? = nil) throws -> Int {
      try Self.overlap {
        if let fault {
          $0.add("fault.begin", fault.lowerBound, on: .link, [.init("kind", .string("loss"))])
          $0.add("fault.end", fault.upperBound, on: .link, [.init("kind", .string("loss"))])
        }
        $0.workout("ended", moment)
      }
    }
    #expect(try ending(85) == 0)
    #expect(try ending(86) == 1)
    #expect(try ending(140, fault: 60...100) == 0)
    #expect(try ending(170, fault: 60...100) == 1)
  }

  @Test func `the watch's messages do not change it, and the phone tracks no run of the watch`() throws {
    #expect(
      try Self.overlap {
        $0.workout("ended", 26)
        $0.add("run.opened", 30, [.init("workoutId", Self.run.traceValue), .init("sentAt", .int(0))])
      } == 1)
    #expect(
      try Self.overlap {
        $0.workout("ended", 26)
        $0.state(30, "paused", from: "running")
      } == 1)
    #expect(
      try Self.overlap {
        $0.workout("ended", 26)
        $0.tracker("started", 40)
      } == 1)
    #expect(
      try Self.broken("one-tracker") {
        $0.start("acked", 10)
        $0.tracker("started", 25)
      } == 1)
    #expect(
      try Self.broken("one-tracker") {
        $0.start("acked", 10, of: CoachTrace.other)
        $0.tracker("started", 25)
      } == 0)
  }

  @Test func `the belief of the newest message leaves a run of the phone's own alone`() throws {
    func judge(_ cause: String) throws -> Int {
      try Self.broken("belief-is-newest", endsAt: 50) {
        $0.state(5, "preparing", cause: "command")
        if cause != "command" {
          $0.add("run.opened", 25, [.init("workoutId", Self.run.traceValue), .init("sentAt", .int(0))])
        }
        $0.state(25, "running", from: "preparing", cause: cause)
        // The watch's clock is behind all that was believed.
        $0.add(
          "transfer.delivered", 30,
          [
            .init("kind", .string("workoutPaused")), .init("workoutId", Self.run.traceValue), .init("sentAt", .int(9)),
          ])
      }
    }
    #expect(try judge("command") == 0)
    #expect(try judge("event") == 1)
  }

  @Test func `no line of the script is due in it`() throws {
    var trace = CoachTrace()
    trace.state(5, "preparing", cause: "command")
    trace.state(25, "running", from: "preparing", cause: "command")
    trace.fresh(30, distance: 1_500)
    trace.fresh(31, distance: 1_504)
    let script = #"{"id":"km","triggerSpec":{"type":"distance","atMeters":1400},"text":"x"}"#
    #expect(try trace.judge(script: script, only: ["no-missed-dispatch"]).violations.isEmpty)
    trace.events.removeAll { $0.name == "run.state" }
    var other = CoachTrace()
    other.state(25, "running")
    other.fresh(30, distance: 1_500)
    other.fresh(31, distance: 1_504)
    #expect(!(try other.judge(script: script, only: ["no-missed-dispatch"]).violations.isEmpty))
  }
}

extension CoachTrace {
  fileprivate mutating func start(
    _ what: String, _ seconds: Double, of run: Identifier = Self.workout, _ fields: [TraceEvent.Field] = []
  ) {
    add("start.\(what)", seconds, [.init("runId", run.traceValue)] + fields)
  }

  fileprivate mutating func start(_ what: String, _ seconds: Double, _ fields: [TraceEvent.Field]) {
    start(what, seconds, of: Self.workout, fields)
  }

  fileprivate mutating func tracker(_ what: String, _ seconds: Double) {
    add("tracker.\(what)", seconds, [.init("workoutId", Self.workout.traceValue), .init("by", .string("phone"))])
  }

  fileprivate mutating func workout(_ to: String, _ seconds: Double) {
    add("workout.state", seconds, on: .watch, [.init("workoutId", Self.workout.traceValue), .init("to", .string(to))])
  }
}
