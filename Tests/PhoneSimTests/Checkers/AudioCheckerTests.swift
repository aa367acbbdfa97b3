import Link
import PhoneSim
import Testing

@Suite struct `the coach's voice, judged` {
  private func audio(
    _ trace: inout CoachTrace, _ what: String, _ seconds: Double, _ utterance: Int64, words: Int64? = nil
  ) {
    var fields: [TraceEvent.Field] = [.init("utterance", .int(utterance)), .init("message", .string("m"))]
    if let words { fields.append(.init("words", .int(words))) }
    trace.add("audio.\(what)", seconds, fields)
  }

  private func found(
    endsAt: Double = 100, _ write: (inout CoachTrace) -> Void
  ) throws -> [String] {
    var trace = CoachTrace()
    write(&trace)
    return try trace.judge(only: ["audio-serial", "duck-balanced"], endsAt: endsAt).violations
      .map { "\($0.invariant) \($0.lines)" }
  }

  /// Four words take 2 s.
  private func spoken(_ trace: inout CoachTrace, _ seconds: Double, _ utterance: Int64) {
    trace.add("audio.duck", seconds)
    audio(&trace, "start", seconds, utterance, words: 4)
    audio(&trace, "end", seconds + 2, utterance)
    trace.add("audio.unduck", seconds + 2)
  }

  @Test func `one after the other, ducked in turn`() throws {
    let result = try found {
      spoken(&$0, 1, 1)
      spoken(&$0, 3, 2)
      $0.add("audio.duck", 9)
      audio(&$0, "start", 9, 3, words: 4)
      audio(&$0, "interrupted", 10, 3)
      $0.add("audio.unduck", 10)
    }
    #expect(result == [])
  }

  private func voice(_ trace: inout CoachTrace, _ seconds: Double, _ name: String, by chooser: String) {
    trace.add("audio.voice", seconds, [.init("voice", .string(name)), .init("by", .string(chooser))])
  }

  @Test func `a line lasts as its voice speaks, and the chosen voice outlives the app`() throws {
    func spoken(_ name: String, for seconds: Double) throws -> [String] {
      try found {
        voice(&$0, 0, name, by: "user")
        audio(&$0, "start", 1, 1, words: 4)
        audio(&$0, "end", 1 + seconds, 1)
      }
    }
    #expect(try spoken("Daniel", for: 1.6) == [] && spoken("Petra", for: 2.4) == [])
    #expect(try spoken("Daniel", for: 2) == ["audio-serial [3, 4]"])
    func restarted(_ name: String, by chooser: String) throws -> [String] {
      try found {
        voice(&$0, 0, "Ava", by: "system")
        voice(&$0, 1, "Daniel", by: "user")
        $0.runner("node.killed", 2, target: "phone")
        $0.runner("node.started", 3, target: "phone")
        voice(&$0, 3, name, by: chooser)
      }
    }
    #expect(try restarted("Daniel", by: "user") == [])
    #expect(try restarted("Ava", by: "system") == ["audio-serial [3, 6]"])
  }

  @Test func `music goes down only in the audio session, which ends with the workout`() throws {
    func run(_ first: Double, _ last: Double, leftAt: Double?) throws -> [String] {
      try found {
        $0.add("run.state", first, [.init("to", .string("running"))])
        $0.add("audio.session", first, [.init("active", .bool(true))])
        $0.add("run.state", last, [.init("to", .string("ended"))])
        if let leftAt { $0.add("audio.session", leftAt, [.init("active", .bool(false))]) }
        spoken(&$0, 20, 1)
      }
    }
    #expect(try run(1, 30, leftAt: nil) == ["duck-balanced [3, 9]"], "it is never left")
    #expect(try run(1, 10, leftAt: 10) == ["duck-balanced [5, 6]"], "a line is spoken after it")
  }

  @Test func `two at once`() throws {
    let result = try found {
      audio(&$0, "start", 1, 1, words: 4)
      audio(&$0, "start", 2, 2, words: 4)
      audio(&$0, "end", 4, 2)
    }
    #expect(result == ["audio-serial [2, 3]"])
  }

  @Test func `an utterance that never stops, unless the run ends first`() throws {
    #expect(try found { audio(&$0, "start", 1, 1, words: 4) } == ["audio-serial [2, 3]"])
    #expect(try found(endsAt: 2.5) { audio(&$0, "start", 1, 1, words: 4) } == [])
  }

  @Test func `an end of nothing, of another one, or at another time than its words take`() throws {
    #expect(try found { audio(&$0, "end", 1, 1) } == ["audio-serial [2]"])
    let other = try found {
      audio(&$0, "start", 1, 1, words: 4)
      audio(&$0, "end", 3, 2)
    }
    #expect(other == ["audio-serial [2, 3]"])
    let late = try found {
      audio(&$0, "start", 1, 1, words: 4)
      audio(&$0, "end", 3.1, 1)
    }
    #expect(late == ["audio-serial [2, 3]"])
    let interrupted = try found {
      audio(&$0, "start", 1, 1, words: 4)
      audio(&$0, "interrupted", 3.1, 1)
    }
    #expect(interrupted == ["audio-serial [2, 3]"])
  }

  @Test func `a phone that sleeps speaks on late, and one that dies not at all`() throws {
    let asleep = try found {
      audio(&$0, "start", 1, 1, words: 4)
      $0.runner("node.suspended", 2, target: "phone")
      $0.runner("node.resumed", 8, target: "phone")
      audio(&$0, "end", 8, 1)
    }
    #expect(asleep == [])
    let dead = try found {
      $0.add("audio.duck", 1)
      audio(&$0, "start", 1, 1, words: 4)
      $0.runner("node.killed", 2, target: "phone")
      $0.runner("node.started", 2.5, target: "phone")
      spoken(&$0, 3, 2)
    }
    #expect(dead == [])
  }

  @Test func `ducked twice, brought back twice, or never`() throws {
    #expect(
      try found {
        $0.add("audio.duck", 1)
        $0.add("audio.duck", 2)
        $0.add("audio.unduck", 3)
      } == ["duck-balanced [2, 3]"])
    #expect(
      try found {
        spoken(&$0, 1, 1)
        $0.add("audio.unduck", 4)
      } == ["duck-balanced [5, 6]"])
    #expect(try found { $0.add("audio.duck", 1) } == ["duck-balanced [2, 3]"])
  }
}
