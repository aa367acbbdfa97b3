import Link
import PhoneSim
import Testing

private let note = Identifier(high: 0x3333_3333_3333_4333, low: 0x8333_3333_3333_3333)

@Suite struct `voice-note-whole` {
  private func violations(ends: Bool = true, _ build: (inout CoachTrace) -> Void) throws -> [String] {
    var trace = CoachTrace()
    build(&trace)
    return try trace.judge(only: ["voice-note-whole"], ends: ends).violations.map(\.detail)
  }

  private func fields(_ bytes: Int64) -> [TraceEvent.Field] {
    [.init("note", note.traceValue), .init("bytes", .int(bytes))]
  }

  private func deliver(_ trace: inout CoachTrace, _ seconds: Double, bytes: Int64 = 100) {
    trace.add(
      "transfer.delivered", seconds,
      [
        .init("transfer", CoachTrace.other.traceValue), .init("channel", .string("file")), .init("seq", .int(1)),
        .init("bytes", .int(bytes)), .init("kind", .string("voiceNote")), .init("note", note.traceValue),
      ])
  }

  private func whole(_ trace: inout CoachTrace) {
    trace.add("voice.recorded", 1, on: .watch, fields(100))
    deliver(&trace, 5)
    trace.add("voice.received", 5, fields(100))
    trace.add("voice.transcribed", 7, [.init("note", note.traceValue), .init("status", .string("done"))])
  }

  @Test func `a note that arrives whole holds it, also where its file comes again`() throws {
    #expect(try violations { whole(&$0) } == [])
    #expect(
      try violations {
        whole(&$0)
        deliver(&$0, 9)
      } == [])
  }

  @Test func `a note without its file, twice, or with other bytes breaks it`() throws {
    #expect(try violations { $0.add("voice.received", 5, fields(100)) }.count == 1)
    #expect(
      try violations {
        whole(&$0)
        deliver(&$0, 9)
        $0.add("voice.received", 9, fields(100))
      }.count == 1)
    #expect(
      try violations {
        deliver(&$0, 5)
        $0.add("voice.received", 5, fields(99))
      }.count == 1)
    #expect(
      try violations {
        $0.add("voice.recorded", 1, on: .watch, fields(80))
        deliver(&$0, 5)
        $0.add("voice.received", 5, fields(100))
      }.count == 1)
  }

  @Test func `a file whose note is not received breaks it, unless the phone dies or the trace does`() throws {
    #expect(try violations { deliver(&$0, 5) }.count == 1)
    #expect(try violations(ends: false) { deliver(&$0, 5) } == [])
    #expect(
      try violations {
        deliver(&$0, 5)
        $0.runner("node.killed", 5, target: "phone")
        $0.runner("node.started", 8, target: "phone")
      } == [])
    #expect(
      try violations {
        deliver(&$0, 5)
        $0.add("voice.received", 6, fields(100))
      }.count == 2)
  }

  @Test func `words found twice, or in a note that is not there, break it`() throws {
    #expect(
      try violations {
        whole(&$0)
        $0.add("voice.transcribed", 8, [.init("note", note.traceValue), .init("status", .string("done"))])
      }.count == 1)
    #expect(try violations { $0.add("voice.transcribed", 8, [.init("note", note.traceValue)]) }.count == 1)
    // A note that the phone recorded itself is there.
    #expect(
      try violations {
        $0.add("voice.recorded", 1, fields(100))
        $0.add("voice.transcribed", 8, [.init("note", note.traceValue)])
      } == [])
  }
}

@Suite struct `sent-at-monotonic` {
  private func violations(_ build: (inout CoachTrace) -> Void) throws -> Int {
    var trace = CoachTrace()
    build(&trace)
    return try trace.judge(only: ["sent-at-monotonic"]).violations.count
  }

  private func publish(_ trace: inout CoachTrace, _ seconds: Double, _ stamp: Int64, _ state: String) {
    trace.add(
      "snapshot", seconds, on: .watch,
      [
        .init("epoch", .int(1)), .init("seq", .int(stamp)), .init("workoutId", CoachTrace.workout.traceValue),
        .init("sentAt", .int(stamp)), .init("elapsed", .int(0)), .init("state", .string(state)),
      ])
  }

  private func queue(_ trace: inout CoachTrace, _ seconds: Double, _ stamp: Int64) {
    trace.add(
      "transfer.queued", seconds, on: .watch,
      [
        .init("transfer", CoachTrace.other.traceValue), .init("channel", .string("userInfo")),
        .init("kind", .string("workoutPaused")), .init("sentAt", .int(stamp)),
      ])
  }

  @Test func `stamps that rise, and events queued late with the stamp of their change, hold it`() throws {
    #expect(
      try violations {
        publish(&$0, 1, 10, "running")
        publish(&$0, 2, 11, "paused")
        $0.runner("node.killed", 2.5, target: "watch")
        $0.runner("node.started", 3, target: "watch")
        publish(&$0, 3, 12, "paused")
        publish(&$0, 4, 13, "running")
        for stamp in [10, 11, 13] as [Int64] { queue(&$0, 5, stamp) }
      } == 0)
  }

  @Test func `a start and an end of one instant share a snapshot, also if they are queued late`() throws {
    func share(_ late: Double, _ start: Int64) throws -> Int {
      try violations {
        publish(&$0, 1, 10, "preparing")
        publish(&$0, 2, 20, "ended")
        queue(&$0, late, start)
        queue(&$0, late, 20)
      }
    }
    #expect(try share(2, 19) == 0)
    #expect(try share(9, 19) == 0)
    // The stamp of no change.
    #expect(try share(9, 9) == 1)
    #expect(try share(9, 10) == 0)
  }

  @Test func `a pause and its end of one instant share a snapshot that shows neither`() throws {
    func change(_ trace: inout CoachTrace, _ from: String, _ to: String) {
      trace.add(
        "workout.state", 2, on: .watch,
        [
          .init("workoutId", CoachTrace.workout.traceValue), .init("from", .string(from)), .init("to", .string(to)),
          .init("cause", .string("source")),
        ])
    }
    for isFirst in [true, false] {
      let count = try violations {
        publish(&$0, 1, 10, "running")
        if isFirst { change(&$0, "running", "paused") }
        publish(&$0, 2, 21, "running")
        if !isFirst { change(&$0, "running", "paused") }
        change(&$0, "paused", "running")
        publish(&$0, 3, 30, "running")
        for stamp in [20, 21] as [Int64] { queue(&$0, 4, stamp) }
        // The stamp of a snapshot without a change.
        queue(&$0, 4, 30)
      }
      #expect(count == 1)
    }
  }

  @Test func `a stamp given twice or less, and an event with no snapshot's, break it`() throws {
    #expect(
      try violations {
        publish(&$0, 1, 10, "running")
        publish(&$0, 2, 10, "running")
      } == 1)
    #expect(
      try violations {
        publish(&$0, 1, 10, "running")
        $0.runner("node.killed", 2.5, target: "watch")
        $0.runner("node.started", 3, target: "watch")
        publish(&$0, 3, 9, "running")
      } == 1)
    #expect(
      try violations {
        publish(&$0, 1, 10, "running")
        queue(&$0, 1, 11)
      } == 1)
    #expect(
      try violations {
        publish(&$0, 1, 10, "running")
        publish(&$0, 2, 11, "paused")
        queue(&$0, 3, 11)
        queue(&$0, 3, 10)
      } == 2)
  }
}
