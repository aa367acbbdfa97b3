import Console
import Link

/// The outcome of a run as the one JSON object of `--json` (spec 5.4).
package enum RunJSON {
  /// The object's text, without a line feed.
  package static func text(_ outcome: RunOutcome, mode: RunOptions.Mode, tracePath: String?) -> String {
    JSONOutput.line(
      [JSONMember]([
        "version": JSONOutput.version, "scenario": .string(outcome.scenario), "seed": .string(String(outcome.seed)),
        "verdict": .string(outcome.wasStopped ? "unknown" : outcome.verdict == .pass ? "pass" : "fail"),
        "simulatedSeconds": .plain(outcome.simulated.seconds),
        "wallSeconds": .plain((outcome.wallSeconds * 1e6).rounded() / 1e6), "events": .count(outcome.events),
        "violations": .objects(outcome.violations, fields),
        "expectations": .objects(outcome.expectations, fields),
        "counters": .object(outcome.counters.map { JSONMember($0.name.text, .count($0.count)) }),
        "traceDigest": .text(outcome.traceDigest), "frames": .count(outcome.frames),
        "mode": .string(mode.rawValue),
        "trace": tracePath.map { .string($0) }, "error": outcome.environmentFailure.map { .string($0) },
        "appFinding": outcome.appFinding?.object, "programEnd": outcome.programEnd?.object,
        "stopped": outcome.wasStopped ? .bool(true) : nil,
      ]))
  }

  private static func fields(_ violation: Violation) -> JSONFields {
    [
      "invariant": .string(violation.invariant), "t": .integer(violation.time.nanoseconds),
      "detail": .string(violation.detail), "lines": .counts(violation.lines),
    ]
  }

  private static func fields(_ expectation: JudgedExpectation) -> JSONFields {
    [
      "expectation": expectation.node.value, "passed": .bool(expectation.result.hasPassed),
      "lines": .counts(expectation.result.lines), "why": expectation.result.why.map { .string($0) },
    ]
  }
}
