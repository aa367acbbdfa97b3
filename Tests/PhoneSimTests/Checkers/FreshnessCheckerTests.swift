import Link
import PhoneSim
import Testing

@Suite struct `freshness, judged` {
  private func snapshot(
    _ trace: inout CoachTrace, _ name: String, _ seconds: Double, _ seq: Int64, epoch: Int64 = 1,
    distance: TraceValue = .int(10), pace: Bool = false
  ) {
    var fields: [TraceEvent.Field] = [
      .init("epoch", .int(epoch)), .init("seq", .int(seq)), .init("workoutId", CoachTrace.workout.traceValue),
      .init("sentAt", .int(seq)), .init("elapsed", .int(seq)), .init("distance", distance),
    ]
    if pace { fields.append(.init("currentPaceSecPerKm", .int(300))) }
    fields.append(.init("state", .string("running")))
    trace.add(name, seconds, on: name == "snapshot" ? .watch : .phone, fields)
  }

  private func received(_ trace: inout CoachTrace, _ seconds: Double, _ seq: Int64, kind: String = "liveMetrics") {
    trace.add(
      "message.received", seconds,
      [
        .init("from", .string("watch")), .init("kind", .string(kind)), .init("epoch", .int(1)), .init("seq", .int(seq)),
      ])
  }

  private func found(ends: Bool = true, _ write: (inout CoachTrace) -> Void) throws -> [[Int]] {
    var trace = CoachTrace()
    write(&trace)
    return try trace.judge(only: ["freshness"], ends: ends).violations.map(\.lines)
  }

  private func publish(_ trace: inout CoachTrace) { for seq in 1...3 { snapshot(&trace, "snapshot", 1, Int64(seq)) } }

  @Test func `news is fresh, and everything else is stale`() throws {
    let result = try found {
      publish(&$0)
      received(&$0, 2, 1)
      snapshot(&$0, "snapshot.fresh", 2, 1)
      received(&$0, 2, 3)
      snapshot(&$0, "snapshot.fresh", 2, 3)
      received(&$0, 3, 2)
      snapshot(&$0, "snapshot.stale", 3, 2)
      snapshot(&$0, "snapshot.stale", 3, 3)
      snapshot(&$0, "snapshot", 4, 1, epoch: 2)
      snapshot(&$0, "snapshot.fresh", 5, 1, epoch: 2)
      snapshot(&$0, "snapshot.stale", 6, 3)
    }
    #expect(result == [])
  }

  @Test func `a duplicate and a latecomer are not fresh, and news is not stale`() throws {
    for seq: Int64 in [1, 2] {
      let result = try found {
        publish(&$0)
        snapshot(&$0, "snapshot.fresh", 2, 2)
        snapshot(&$0, "snapshot.fresh", 3, seq)
      }
      #expect(result == [[5, 6]])
    }
    let stale = try found {
      publish(&$0)
      snapshot(&$0, "snapshot.fresh", 2, 1)
      snapshot(&$0, "snapshot.stale", 3, 2)
    }
    #expect(stale == [[5, 6]])
  }

  @Test func `what is fresh is what was published`() throws {
    let unpublished = try found {
      publish(&$0)
      snapshot(&$0, "snapshot.fresh", 2, 4)
    }
    #expect(unpublished == [[5]])
    let changed = try found {
      publish(&$0)
      snapshot(&$0, "snapshot.fresh", 2, 2, distance: .int(11))
    }
    #expect(changed == [[3, 5]])
    let added = try found {
      publish(&$0)
      snapshot(&$0, "snapshot.fresh", 2, 2, pace: true)
    }
    #expect(added == [[3, 5]])
    let spelt = try found {
      publish(&$0)
      snapshot(&$0, "snapshot.fresh", 2, 2, distance: .number(10, places: 2))
    }
    #expect(spelt == [], "10 and 10.00 are one number")
  }

  @Test func `a received snapshot is recorded at once`() throws {
    let later = try found {
      publish(&$0)
      received(&$0, 2, 1)
      snapshot(&$0, "snapshot.fresh", 2.001, 1)
    }
    #expect(later == [[5]])
    let other = try found {
      publish(&$0)
      received(&$0, 2, 1)
      received(&$0, 2, 2)
      snapshot(&$0, "snapshot.fresh", 2, 2)
    }
    #expect(other == [[5]])
    let other2 = try found {
      publish(&$0)
      received(&$0, 2, 1)
      snapshot(&$0, "snapshot.fresh", 2, 2)
    }
    #expect(other2 == [[5]])
    #expect(try found { received(&$0, 2, 1) } == [[2]])
    #expect(try found(ends: false) { received(&$0, 2, 1) } == [])
    #expect(try found { received(&$0, 2, 1, kind: "workoutStarted") } == [])
  }

  @Test func `a phone that dies in between says nothing more`() throws {
    let result = try found {
      received(&$0, 2, 1)
      $0.runner("node.killed", 2, target: "phone")
      $0.runner("node.started", 5, target: "phone")
    }
    #expect(result == [])
  }

  @Test func `what was published too long ago is not judged`() throws {
    let result = try found {
      for seq in 1...5000 { snapshot(&$0, "snapshot", 1, Int64(seq)) }
      snapshot(&$0, "snapshot.fresh", 2, 1, distance: .int(99))
      snapshot(&$0, "snapshot.fresh", 3, 4999)
      snapshot(&$0, "snapshot.fresh", 4, 5000, distance: .int(99))
    }
    #expect(result == [[5001, 5004]])
  }
}
