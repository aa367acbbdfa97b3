import Link

/// The outcome of a run as the one JSON object of `--json` (spec 5.4).
package enum RunJSON {
  /// The object's text, without a line feed.
  package static func text(_ outcome: RunOutcome, mode: RunOptions.Mode, tracePath: String?) -> String {
    var members = [
      JSONMember("scenario", .string(outcome.scenario)), JSONMember("seed", .string(String(outcome.seed))),
      JSONMember("verdict", .string(outcome.wasStopped ? "unknown" : outcome.verdict == .pass ? "pass" : "fail")),
      JSONMember("simulatedSeconds", .plain(outcome.simulated.seconds)),
      JSONMember("wallSeconds", .plain((outcome.wallSeconds * 1e6).rounded() / 1e6)),
      JSONMember("events", .integer(Int64(outcome.events))),
      JSONMember("violations", .array(outcome.violations.map { JSONNode(object($0)) })),
      JSONMember("expectations", .array(outcome.expectations.map { JSONNode(object($0)) })),
      JSONMember(
        "counters", .object(outcome.counters.map { JSONMember($0.name.text, .integer(Int64($0.count))) })),
      JSONMember("traceDigest", outcome.traceDigest.map { .string($0) } ?? .null),
      JSONMember("frames", .integer(Int64(clamping: outcome.frames))), JSONMember("mode", .string(mode.rawValue)),
    ]
    if let tracePath { members.append(JSONMember("trace", .string(tracePath))) }
    if let failure = outcome.environmentFailure { members.append(JSONMember("error", .string(failure))) }
    if let finding = outcome.appFinding { members.append(JSONMember("appFinding", finding.object)) }
    if let end = outcome.programEnd { members.append(JSONMember("programEnd", end.object)) }
    if outcome.wasStopped { members.append(JSONMember("stopped", .bool(true))) }
    return String(decoding: JSONWriter.compact(JSONNode(.object(members))), as: UTF8.self)
  }

  private static func object(_ violation: Violation) -> JSONValue {
    .object([
      JSONMember("invariant", .string(violation.invariant)), JSONMember("t", .integer(violation.time.nanoseconds)),
      JSONMember("detail", .string(violation.detail)), JSONMember("lines", lines(violation.lines)),
    ])
  }

  private static func object(_ expectation: JudgedExpectation) -> JSONValue {
    var members = [
      JSONMember("expectation", expectation.node.value), JSONMember("passed", .bool(expectation.result.hasPassed)),
      JSONMember("lines", lines(expectation.result.lines)),
    ]
    if let why = expectation.result.why { members.append(JSONMember("why", .string(why))) }
    return .object(members)
  }

  private static func lines(_ numbers: [Int]) -> JSONValue {
    .array(numbers.map { JSONNode(.integer(Int64($0))) })
  }
}
