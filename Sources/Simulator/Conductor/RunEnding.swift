import Console
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
      Self.write(failure, to: &log)
      if let end = ProgramEnd(failure, at: log.now) {
        let line = log.sink.lineCount
        violations = log.sink.judge?.checks.compactMap { $0.violation(of: end, line: line) } ?? []
      }
    } else if wasStopped {
      log.sink.emit(TraceEvent(RunStopped.self, at: log.now, on: .runner), isJudged: false)
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

  private static func write(_ failure: NodeFailure, to log: inout RunLog) {
    guard let role = failure.role else {
      // No node is to blame, such as when the runner cannot wait for one: the line is not of the documented kind.
      let fields: [TraceEvent.Field] = [.init("target", .string("unknown")), .init("cause", .string(failure.text))]
      return log.sink.emit(TraceEvent(NodeFailed.name, at: log.now, on: .runner, fields), isJudged: false)
    }
    let event = TraceEvent(NodeFailed.self, at: log.now, on: .runner) {
      $0.target = role
      $0.cause = failure.text
      $0.detail = failure.detail
    }
    log.sink.emit(event, isJudged: false)
  }

  private static func write(_ expectation: JudgedExpectation, index: Int, to log: inout RunLog) {
    let event = TraceEvent(ExpectationJudged.self, at: log.now, on: .runner) {
      $0.index = Int64(index)
      $0.expectation = JSONText(expectation.text)
      $0.passed = expectation.result.hasPassed
      $0.lines = JSONText(lines: expectation.result.lines)
      $0.why = expectation.result.why
    }
    log.sink.emit(event, isJudged: false)
  }

  private static func write(_ violation: Violation, to log: inout RunLog) {
    let event = TraceEvent(ViolationFound.self, at: log.now, on: .runner) {
      $0.invariant = violation.invariant
      $0.t0 = violation.time.nanoseconds
      $0.detail = violation.detail
      $0.lines = JSONText(lines: violation.lines)
    }
    log.sink.emit(event, isJudged: false)
  }

  private static func endEvent(_ log: RunLog, _ ending: RunEnding?, wasStopped: Bool) -> TraceEvent {
    var end = TraceEnd()
    end.frames = Int64(log.frames)
    end.outstanding = JSONText(items: log.sink.outstanding.map(\.traceValue.jsonText))
    if let ending {
      let isUnknown = wasStopped && ending.verdict == .unknown
      end.verdict = isUnknown ? "unknown" : ending.verdict == .pass ? "pass" : "fail"
      end.violations = JSONText(
        items: ending.violations.map { violation in
          var text = ""
          appendQuoted(violation.invariant, to: &text)
          return text
        })
    }
    return TraceEvent(end, at: log.now, on: .runner)
  }
}

extension JSONText {
  /// An array of line numbers.
  fileprivate init(lines: [Int]) { self.init(items: lines.map { String($0) }) }

  /// An array of values that are JSON.
  fileprivate init(items: [String]) { self.init("[" + items.joined(separator: ",") + "]") }
}

/// When a run ends: at its duration or soon after its workout, and then once its queues have drained.
struct RunLength {
  /// How long the queues may drain after the end.
  static let drainMax = VirtualTime.Span.seconds(600)
  /// How long a run with a free-running node continues after all owed transfers have arrived.
  static let settlingMax = VirtualTime.Span.seconds(30)
  /// How long a run continues after its workout.
  static let afterglow = VirtualTime.Span.seconds(5)

  /// When the faults end and the drain begins.
  private(set) var endAt: VirtualTime
  private let drain: VirtualTime.Span
  /// When the drain ends.
  private(set) var drainedAt = VirtualTime.start
  /// Whether the run continues after its workouts, up to its duration.
  private let lastsWholeDuration: Bool
  /// The transfers owed at the end of a run with a free-running node; nil before the end, and once they have arrived.
  var owed: [Identifier]?

  init(_ duration: VirtualTime.Span, drain: VirtualTime.Span, lastsWholeDuration: Bool) {
    endAt = .start + duration
    self.drain = drain
    self.lastsWholeDuration = lastsWholeDuration
  }

  /// Ends the run soon after its workouts; call it at every instant after they are over.
  mutating func shortenAfterWorkouts(at now: VirtualTime) {
    if !lastsWholeDuration { endAt = min(endAt, now + Self.afterglow) }
  }

  /// Sets how long the queues may drain.
  ///
  /// Delayed frames keep their delay and their order, and everything sent after them comes later still. A drain that
  /// such frames would outlast continues until they have arrived, and half as long again for the answers.
  mutating func beginDrain(heldUpUntil: VirtualTime) {
    drainedAt = max(endAt + drain, heldUpUntil + VirtualTime.Span(nanoseconds: drain.nanoseconds / 2))
  }

  /// Ends the drain soon after what was owed at the end has arrived, whatever free-running nodes still send.
  mutating func boundDrain(_ exchange: inout Exchange) {
    guard let owed, !owed.contains(where: { exchange.log.sink.outstanding.contains($0) }) else { return }
    self.owed = nil
    drainedAt = min(drainedAt, max(exchange.log.now, exchange.heldUpUntil) + Self.settlingMax)
  }
}
