import Link
import PhoneSim
import Testing

@Suite struct `liveness, judged` {
  private let invariants = ["liveness-deadline", "liveness-clears"]

  private func broken(endsAt: Double? = nil, ends: Bool = true, _ write: (inout CoachTrace) -> Void) throws -> [String]
  {
    var trace = CoachTrace()
    write(&trace)
    return try trace.judge(only: invariants, ends: ends, endsAt: endsAt).broken
  }

  private func raise(_ trace: inout CoachTrace, _ seconds: Double, seq: Int64 = 1) {
    trace.add(
      "liveness.disconnected", seconds,
      [.init("reason", .string("silence")), .init("lastFresh", .json("{\"epoch\":1,\"seq\":\(seq),\"t\":0}"))])
  }

  private func clear(_ trace: inout CoachTrace, _ seconds: Double, _ reason: String = "fresh") {
    trace.add("liveness.reconnected", seconds, [.init("reason", .string(reason))])
  }

  private func run(_ trace: inout CoachTrace) {
    trace.state(0, "running")
    trace.fresh(1, distance: 3)
  }

  @Test func `raised after exactly ten seconds and cleared by the next snapshot`() throws {
    let result = try broken(endsAt: 20) {
      run(&$0)
      raise(&$0, 11)
      $0.fresh(15, distance: 50)
      clear(&$0, 15)
    }
    #expect(result == [])
  }

  @Test(arguments: [10.999999999, 11.000000001, 12])
  func `a nanosecond early or late is reported`(second: Double) throws {
    let result = try broken(endsAt: 12) {
      run(&$0)
      raise(&$0, second)
    }
    #expect(result == ["liveness-deadline"])
  }

  @Test func `a missing alarm is reported once the run continues, and is unknown if the trace ends before`() throws {
    #expect(try broken(endsAt: 11.5) { run(&$0) } == ["liveness-deadline"])
    #expect(try broken(endsAt: 11) { run(&$0) } == [])
    #expect(try broken(ends: false) { run(&$0) } == [])
  }

  @Test func `a snapshot at the very instant comes first`() throws {
    let good = try broken(endsAt: 20) {
      run(&$0)
      $0.fresh(11, distance: 30)
    }
    #expect(good == [])
    let bad = try broken(endsAt: 20) {
      run(&$0)
      $0.fresh(11, distance: 30)
      raise(&$0, 11, seq: 2)
      clear(&$0, 11)
    }
    #expect(bad.contains("liveness-deadline"))
  }

  @Test func `no deadline runs in a pause, and a new one begins with the resume`() throws {
    let result = try broken(endsAt: 60) {
      run(&$0)
      $0.state(5, "paused", from: "running")
      $0.state(40, "running", from: "paused")
      raise(&$0, 50)
    }
    #expect(result == [])
    let early = try broken(endsAt: 45) {
      run(&$0)
      $0.state(5, "paused", from: "running")
      raise(&$0, 11)
    }
    #expect(early == ["liveness-deadline"])
  }

  @Test func `a raised indicator stays through a pause and is not raised again`() throws {
    let good = try broken(endsAt: 100) {
      run(&$0)
      raise(&$0, 11)
      $0.state(20, "paused", from: "running")
      $0.state(40, "running", from: "paused")
    }
    #expect(good == [])
    let twice = try broken(endsAt: 30) {
      run(&$0)
      raise(&$0, 11)
      raise(&$0, 21)
    }
    #expect(twice == ["liveness-deadline"])
  }

  @Test func `the phone's start begins another ten seconds, and while it is down nothing is due`() throws {
    let result = try broken(endsAt: 60) {
      run(&$0)
      $0.runner("node.killed", 9, target: "phone")
      $0.runner("node.started", 30, target: "phone")
      raise(&$0, 40)
    }
    #expect(result == [])
    let down = try broken(endsAt: 20) {
      run(&$0)
      $0.runner("node.killed", 9, target: "phone")
      raise(&$0, 11)
    }
    #expect(down == ["liveness-deadline"])
  }

  @Test func `a provisional run counts from when it was believed to run`() throws {
    let result = try broken(endsAt: 20) {
      $0.fresh(1, distance: 3)
      $0.add("run.opened", 1, [.init("workoutId", CoachTrace.workout.traceValue)])
      $0.state(1, "running", cause: "snapshot")
      raise(&$0, 11)
    }
    #expect(result == [])
  }

  @Test func `a wrong last fresh snapshot is reported`() throws {
    let result = try broken(endsAt: 12) {
      run(&$0)
      raise(&$0, 11, seq: 9)
    }
    #expect(result == ["liveness-deadline"])
  }

  @Test func `a stale snapshot is no sign of life and clears nothing`() throws {
    let result = try broken(endsAt: 20) {
      run(&$0)
      raise(&$0, 11)
      $0.add("snapshot.stale", 12, [.init("why", .string("duplicate"))])
      clear(&$0, 12)
    }
    #expect(result == ["liveness-clears"])
  }

  @Test func `an indicator that stays up is reported`() throws {
    let stuck = try broken(endsAt: 20) {
      run(&$0)
      raise(&$0, 11)
      $0.fresh(15, distance: 50)
    }
    #expect(stuck == ["liveness-clears"])
  }

  @Test func `the end of the run clears with its own reason`() throws {
    for (reason, expected) in [("ended", [String]()), ("fresh", ["liveness-clears"])] {
      let result = try broken(endsAt: 20) {
        run(&$0)
        raise(&$0, 11)
        $0.state(15, "ended", from: "running")
        clear(&$0, 15, reason)
      }
      #expect(result == expected)
    }
  }

  @Test func `a snapshot that ends the run clears as a fresh one`() throws {
    let result = try broken(endsAt: 20) {
      run(&$0)
      raise(&$0, 11)
      $0.fresh(15, distance: 50)
      $0.state(15, "ended", from: "running", cause: "snapshot")
      clear(&$0, 15, "fresh")
    }
    #expect(result == [])
  }

  @Test func `a phone killed at the instant of the snapshot need not have cleared`() throws {
    let result = try broken(endsAt: 21) {
      run(&$0)
      raise(&$0, 11)
      $0.fresh(15, distance: 50)
      $0.runner("node.killed", 15, target: "phone")
      $0.runner("node.started", 18, target: "phone")
      $0.fresh(19, distance: 60)
      clear(&$0, 19)
    }
    #expect(result == [])
  }
}
