import Link
import LinkTransport

/// How a run ended, and the lines that say so.
struct RunEnding {
  private(set) var verdict = Judgement.Verdict.unknown
  private(set) var violations: [Violation] = []
  private(set) var expectations: [JudgedExpectation] = []
  /// SHA-256 of the trace's text; nil if none was made.
  private(set) var digest: String?

  /// Judges, and writes the last events.
  ///
  /// The judges first see an `end` without a verdict, because the verdict is theirs; the real one, and the findings,
  /// are written after it.
  ///
  /// - Parameters:
  ///   - failure: Why the run broke off; nil if it did not. A run that broke off is not judged: its verdict is `fail`
  ///     if a node failed, and `unknown` if the user stopped it.
  ///   - wasStopped: Whether the user stopped it.
  init(_ log: inout RunLog, failure: NodeFailure?, wasStopped: Bool) {
    if let failure {
      verdict = .fail
      var fields: [TraceEvent.Field] = [
        .init("target", .string(failure.role?.text ?? "unknown")), .init("cause", .string(failure.text)),
      ]
      if let detail = failure.detail { fields.append(.init("detail", .string(detail))) }
      Self.write("node.failed", fields, to: &log)
      if let end = ProgramEnd(failure, at: log.now) {
        let line = log.sink.lineCount
        violations = log.sink.judge?.checks.compactMap { $0.violation(of: end, line: line) } ?? []
      }
    } else if wasStopped {
      Self.write("stopped", [], to: &log)
    } else if let judgement = Self.judge(&log) {
      verdict = judgement.verdict
      violations = judgement.violations
      expectations = judgement.expectations
    }
    for (index, expectation) in expectations.enumerated() { Self.write(expectation, index: index, to: &log) }
    for violation in violations { Self.write(violation, to: &log) }
    log.sink.emit(Self.endEvent(log, self, wasStopped: wasStopped), isJudged: false)
    digest = log.sink.finish()
  }

  private static func judge(_ log: inout RunLog) -> RunJudgement? {
    guard log.sink.judge != nil else { return nil }
    let end = endEvent(log, nil, wasStopped: false)
    log.sink.judge?.observe(end, line: log.sink.lineCount + 1)
    return log.sink.judge?.finish()
  }

  private static func write(_ name: TraceEvent.Name, _ fields: [TraceEvent.Field], to log: inout RunLog) {
    log.sink.emit(TraceEvent(name, at: log.now, on: .runner, fields), isJudged: false)
  }

  private static func write(_ expectation: JudgedExpectation, index: Int, to log: inout RunLog) {
    var fields: [TraceEvent.Field] = [
      .init("index", .int(Int64(index))), .init("expectation", .json(expectation.text)),
      .init("passed", .bool(expectation.result.hasPassed)), .init("lines", .list(expectation.result.lines)),
    ]
    if let why = expectation.result.why { fields.append(.init("why", .string(why))) }
    write("expectation", fields, to: &log)
  }

  private static func write(_ violation: Violation, to log: inout RunLog) {
    write(
      "violation",
      [
        .init("invariant", .string(violation.invariant)), .init("t0", .int(violation.time.nanoseconds)),
        .init("detail", .string(violation.detail)), .init("lines", .list(violation.lines)),
      ], to: &log)
  }

  private static func endEvent(_ log: RunLog, _ ending: RunEnding?, wasStopped: Bool) -> TraceEvent {
    var outstanding = "["
    for (index, transfer) in log.sink.outstanding.enumerated() {
      if index > 0 { outstanding += "," }
      transfer.traceValue.append(to: &outstanding)
    }
    outstanding += "]"
    var fields: [TraceEvent.Field] = []
    if let ending {
      let word = wasStopped && ending.verdict == .unknown ? "unknown" : ending.verdict == .pass ? "pass" : "fail"
      fields.append(.init("verdict", .string(word)))
    }
    fields.append(.init("frames", .int(Int64(log.frames))))
    fields.append(.init("outstanding", .json(outstanding)))
    if let ending {
      let names = ending.violations.map { violation in
        var text = ""
        appendQuoted(violation.invariant, to: &text)
        return text
      }
      fields.append(.init("violations", .json("[" + names.joined(separator: ",") + "]")))
    }
    return TraceEvent(.end, at: log.now, on: .runner, fields)
  }
}

extension TraceValue {
  /// Line numbers.
  static func list(_ numbers: [Int]) -> TraceValue {
    .json("[" + numbers.map { String($0) }.joined(separator: ",") + "]")
  }
}
