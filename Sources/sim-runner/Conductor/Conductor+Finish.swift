import Link
import LinkTransport

extension Conductor {
  /// Judges, and writes the last events.
  ///
  /// The judges first see an `end` without a verdict, because the verdict is theirs; the real one, and the findings,
  /// are written after it.
  ///
  /// - Parameter failure: Why the run broke off; nil if it did not. A run that broke off is not judged: its verdict is
  ///   `fail` if a node failed, and `unknown` if the user stopped it.
  mutating func finish(failure: NodeFailure?) -> RunEnding {
    var ending = RunEnding(verdict: .fail)
    giveUpFrames()
    if let failure {
      var fields: [TraceEvent.Field] = [
        .init("target", .string(failure.role?.text ?? "unknown")), .init("cause", .string(failure.text)),
      ]
      if let detail = failure.detail { fields.append(.init("detail", .string(detail))) }
      write("node.failed", fields)
      if let end = ProgramEnd(failure, at: now) {
        let line = sink.lineCount
        ending.violations = sink.judge?.checks.compactMap { $0.violation(of: end, line: line) } ?? []
        for violation in ending.violations { write(violation) }
      }
    } else if wasStopped {
      write("stopped", [])
      ending.verdict = .unknown
    } else if let judgement = judge() {
      ending.verdict = judgement.verdict
      ending.violations = judgement.violations
      ending.expectations = judgement.expectations
      for (index, expectation) in judgement.expectations.enumerated() { write(expectation, index: index) }
      for violation in judgement.violations { write(violation) }
    } else {
      ending.verdict = .unknown
    }
    sink.emit(endEvent(ending), isJudged: false)
    ending.digest = sink.finish()
    return ending
  }

  /// Stored state that a node lost through another process, such as its state folder; nil for none.
  mutating func stateLoss() -> NodeFailure? { watch.stateLoss() ?? phone.stateLoss() }

  private mutating func judge() -> RunJudgement? {
    guard sink.judge != nil else { return nil }
    let end = endEvent(nil)
    sink.judge?.observe(end, line: sink.lineCount + 1)
    return sink.judge?.finish()
  }

  private mutating func write(_ name: TraceEvent.Name, _ fields: [TraceEvent.Field]) {
    sink.emit(TraceEvent(name, at: now, on: .runner, fields), isJudged: false)
  }

  private mutating func write(_ expectation: JudgedExpectation, index: Int) {
    var fields: [TraceEvent.Field] = [
      .init("index", .int(Int64(index))), .init("expectation", .json(expectation.text)),
      .init("passed", .bool(expectation.result.hasPassed)), .init("lines", .list(expectation.result.lines)),
    ]
    if let why = expectation.result.why { fields.append(.init("why", .string(why))) }
    write("expectation", fields)
  }

  private mutating func write(_ violation: Violation) {
    write(
      "violation",
      [
        .init("invariant", .string(violation.invariant)), .init("t0", .int(violation.time.nanoseconds)),
        .init("detail", .string(violation.detail)), .init("lines", .list(violation.lines)),
      ])
  }

  private func endEvent(_ ending: RunEnding?) -> TraceEvent {
    var outstanding = "["
    for (index, transfer) in sink.outstanding.enumerated() {
      if index > 0 { outstanding += "," }
      transfer.append(to: &outstanding)
    }
    outstanding += "]"
    var fields: [TraceEvent.Field] = []
    if let ending {
      let word = wasStopped && ending.verdict == .unknown ? "unknown" : ending.verdict == .pass ? "pass" : "fail"
      fields.append(.init("verdict", .string(word)))
    }
    fields.append(.init("frames", .int(Int64(frames))))
    fields.append(.init("outstanding", .json(outstanding)))
    if let ending {
      let names = ending.violations.map { violation in
        var text = ""
        appendQuoted(violation.invariant, to: &text)
        return text
      }
      fields.append(.init("violations", .json("[" + names.joined(separator: ",") + "]")))
    }
    return TraceEvent(.end, at: now, on: .runner, fields)
  }
}

/// How a run ended.
struct RunEnding {
  var verdict: Judgement.Verdict
  var violations: [Violation] = []
  var expectations: [JudgedExpectation] = []
  /// SHA-256 of the trace's text; nil if none was made.
  var digest: String?
}

extension TraceValue {
  /// Line numbers.
  static func list(_ numbers: [Int]) -> TraceValue {
    .json("[" + numbers.map { String($0) }.joined(separator: ",") + "]")
  }
}
