import Link
import PhoneSim
import Testing

@Suite struct `the run, judged` {
  private func snapshot(
    _ trace: inout CoachTrace, _ seconds: Double, _ state: String = "running", workout: Identifier = CoachTrace.workout
  ) {
    trace.add(
      "snapshot", seconds, on: .watch,
      [
        .init("epoch", .int(1)), .init("seq", .int(1)), .init("workoutId", workout.traceValue),
        .init("state", .string(state)),
      ])
  }

  @Test func `a state is read under its key, at any position`() throws {
    let result = try broken {
      start(&$0)
      $0.add(
        "snapshot", 6.25, on: .watch,
        [
          .init("epoch", .int(1)), .init("seq", .int(1)), .init("workoutId", CoachTrace.workout.traceValue),
          .init("state", .string("ended")), .init("before", .string("running")),
        ])
      queued(&$0, 6.25, "workoutEnded")
      snapshot(&$0, 7)
    }
    #expect(result == ["ended-is-final"])
  }

  private func queued(_ trace: inout CoachTrace, _ seconds: Double, _ kind: String) {
    trace.add(
      "transfer.queued", seconds, on: .watch,
      [.init("kind", .string(kind)), .init("workoutId", CoachTrace.workout.traceValue)])
  }

  private func broken(endsAt: Double = 100, ends: Bool = true, _ write: (inout CoachTrace) -> Void) throws -> [String] {
    var trace = CoachTrace()
    write(&trace)
    return try trace.judge(only: ["run-survives-disconnect", "ended-is-final"], ends: ends, endsAt: endsAt).broken
  }

  private func start(_ trace: inout CoachTrace) {
    snapshot(&trace, 2.5, "preparing")
    snapshot(&trace, 3.5, "preparing")
    snapshot(&trace, 4.5, "running")
    queued(&trace, 4.5, "workoutStarted")
    snapshot(&trace, 5.5)
  }

  private func end(_ trace: inout CoachTrace) {
    snapshot(&trace, 6.25, "ended")
    queued(&trace, 6.25, "workoutEnded")
  }

  @Test func `a workout with every whole second and an end is complete`() throws {
    let result = try broken {
      start(&$0)
      snapshot(&$0, 5.75, "paused")
      end(&$0)
    }
    #expect(result == [])
  }

  @Test func `a missing second, also after a change of state off the second`() throws {
    let gap = try broken {
      start(&$0)
      snapshot(&$0, 7.5)
      snapshot(&$0, 8, "ended")
      queued(&$0, 8, "workoutEnded")
    }
    #expect(gap == ["run-survives-disconnect"])
    let afterPause = try broken {
      start(&$0)
      snapshot(&$0, 5.75, "paused")
      snapshot(&$0, 6.75, "paused")
      snapshot(&$0, 7, "ended")
      queued(&$0, 7, "workoutEnded")
    }
    #expect(afterPause == ["run-survives-disconnect"])
  }

  @Test func `a workout without an end, or whose end was not queued`() throws {
    #expect(try broken { start(&$0) } == ["run-survives-disconnect"])
    #expect(try broken(ends: false) { start(&$0) } == [])
    let unqueued = try broken {
      start(&$0)
      snapshot(&$0, 6.25, "ended")
    }
    #expect(unqueued == ["run-survives-disconnect"])
  }

  @Test func `what a watch did not publish while it was down is not missing`() throws {
    let result = try broken {
      start(&$0)
      $0.runner("node.killed", 5.6, target: "watch")
      $0.runner("node.started", 9.1, target: "watch")
      snapshot(&$0, 9.5)
      snapshot(&$0, 10.5)
      snapshot(&$0, 11, "ended")
      queued(&$0, 11, "workoutEnded")
    }
    #expect(result == [])
    let dead = try broken {
      start(&$0)
      $0.runner("node.killed", 5.6, target: "watch")
    }
    #expect(dead == [])
  }

  private func begin(_ trace: inout CoachTrace, _ seconds: Double) {
    trace.add(
      "workout.state", seconds, on: .watch,
      [
        .init("workoutId", CoachTrace.workout.traceValue), .init("from", .null), .init("to", .string("preparing")),
        .init("cause", .string("command")),
      ])
  }

  @Test func `a watch that dies before the first snapshot publishes the seconds since the workout began`() throws {
    let result = try broken {
      begin(&$0, 2)
      $0.runner("node.killed", 2, target: "watch")
      $0.runner("node.started", 2.125, target: "watch")
      for second in [2.125, 3, 4, 5, 6] { snapshot(&$0, second, "preparing") }
      end(&$0)
    }
    #expect(result == [])
  }

  @Test func `a workout that begins after the watch was down has its seconds from its first snapshot`() throws {
    let result = try broken {
      $0.runner("node.killed", 1, target: "watch")
      $0.runner("node.started", 2, target: "watch")
      begin(&$0, 2.5)
      for second in [2.5, 2.75, 3.625, 4.5, 5.5] { snapshot(&$0, second, "preparing") }
      end(&$0)
    }
    #expect(result == ["run-survives-disconnect"])
  }

  @Test func `a workout that is heard of and never published is not complete`() throws {
    #expect(try broken { queued(&$0, 4.5, "workoutStarted") } == ["run-survives-disconnect"])
    #expect(try broken(ends: false) { queued(&$0, 4.5, "workoutStarted") } == [])
    #expect(try broken { $0.fresh(5, distance: 10) } == ["run-survives-disconnect"])
    #expect(try broken(ends: false) { $0.fresh(5, distance: 10) } == ["run-survives-disconnect"])
    let other = try broken {
      start(&$0)
      $0.fresh(5.6, distance: 10, workout: CoachTrace.other)
      end(&$0)
    }
    #expect(other == ["run-survives-disconnect"])
    let received = try broken {
      start(&$0)
      $0.fresh(5.6, distance: 10)
      end(&$0)
      $0.fresh(6.3, distance: 10)
    }
    #expect(received == [])
  }

  @Test func `a snapshot after the final one is reported`() throws {
    let result = try broken {
      start(&$0)
      end(&$0)
      snapshot(&$0, 7.5, "running")
    }
    #expect(result.contains("ended-is-final"))
  }

  @Test(arguments: [false, true])
  func `a watch publishes again what it did not live to store, and nothing that it had stored`(isStored: Bool) throws {
    let result = try broken {
      start(&$0)
      snapshot(&$0, 6.25, "ended")
      if isStored {
        $0.add(
          "workout.state", 6.25, on: .watch,
          [
            .init("workoutId", CoachTrace.workout.traceValue), .init("from", .string("running")),
            .init("to", .string("ended")), .init("cause", .string("command")),
          ])
      }
      $0.add("node.killed", 6.25, on: .runner, [.init("target", .string("watch")), .init("cause", .string("kill"))])
      snapshot(&$0, 9, "running")
    }
    #expect(result.contains("ended-is-final") == isStored)
  }

  @Test func `a run that ended is not believed to run again`() throws {
    let revived = try broken {
      $0.state(0, "running")
      $0.state(5, "ended", from: "running")
      $0.state(6, "running", from: "ended")
    }
    #expect(revived == ["ended-is-final"])
    let next = try broken {
      $0.state(0, "running")
      $0.state(5, "ended", from: "running")
      $0.add("run.finished", 7, [.init("workoutId", CoachTrace.workout.traceValue)])
      $0.add("run.opened", 9, [.init("workoutId", CoachTrace.other.traceValue)])
      $0.state(9, "running", workout: CoachTrace.other)
    }
    #expect(next == [])
  }

  @Test func `a run is finished once and not opened again`() throws {
    let twice = try broken {
      $0.state(0, "running")
      $0.state(5, "ended", from: "running")
      $0.add("run.finished", 7, [.init("workoutId", CoachTrace.workout.traceValue)])
      $0.add("run.finished", 8, [.init("workoutId", CoachTrace.workout.traceValue)])
    }
    #expect(twice == ["ended-is-final"])
    let reopened = try broken {
      $0.state(0, "running")
      $0.state(5, "ended", from: "running")
      $0.add("run.opened", 7, [.init("workoutId", CoachTrace.workout.traceValue)])
    }
    #expect(reopened == ["ended-is-final"])
  }
}
