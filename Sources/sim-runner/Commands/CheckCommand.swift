import Simulator
import Console
import Link
import TraceTools

/// `sim-runner check`: judges a trace from any source.
enum CheckCommand: Command {
  static let name = CommandName.check
  static let about = "judges a trace from any source"
  static let usage = "TRACE [--scenario SCENARIO] [--json]"
  static let options: [Option] = [
    .value("--scenario", "SCENARIO", "judge this scenario's expectations too"),
    .flag("--json", "one JSON object on standard output, the rest on standard error"),
  ]
  static let details = """
    TRACE is a file of JSON lines (docs/internals/trace-format.md), or - for standard input. Every invariant of
    `sim-runner invariants` is judged from its lines alone; its own `expectation` and `violation` lines are
    ignored. A trace without its `end` line is truncated: violations are reported, and without one the verdict is
    "unknown". The verdict is also unknown if nothing in the trace can be judged, as in an app's recording of
    messages only.
    Exit status: 0 all held; 1 something did not, or the verdict is unknown; 2 the file is no trace.
    """

  static func run(_ arguments: Arguments) throws(Failure) -> Int32 {
    let path = try arguments.onlyOperand("the trace")
    let scenario: Scenario?
    if let path = arguments.value("--scenario") { scenario = try Scenario.load(path) } else { scenario = nil }
    let begin = ContinuousClock.now
    let check = try TraceCheck.run(path, expectations: scenario?.expectations ?? [])
    let (seconds, attoseconds) = begin.duration(to: .now).components
    let isJSON = arguments.has("--json")
    if isJSON {
      printJSON(check, wallSeconds: Double(seconds) + Double(attoseconds) / 1e18)
    } else {
      for line in report(check, path: path) { Terminal.print(line) }
    }
    for note in remarks(check, scenario) { Terminal.error("\(path): note: \(note)") }
    return check.verdict == .pass ? 0 : 1
  }

  private static func report(_ check: TraceCheck, path: String) -> [String] {
    var lines: [String] = []
    for violation in check.violations {
      let location = violation.lines.last.map { "\(path):\($0)" } ?? path
      lines.append(
        "\(location): violation: \(violation.invariant) at \(violation.time.text): \(TerminalText.escape(violation.detail))"
          + shownBy(violation.lines))
    }
    for (number, judged) in check.expectations.enumerated() {
      let words = ExpectationWords.text(judged.node) ?? TerminalText.escape(judged.text)
      let why = judged.result.why.map { ": \(TerminalText.escape($0))" } ?? ""
      lines.append(
        "\(path): expectation \(number + 1): \(judged.result.outcome.rawValue): \(words)\(why)"
          + shownBy(judged.result.lines))
    }
    lines.append(summary(check, path: path))
    return lines
  }

  private static func summary(_ check: TraceCheck, path: String) -> String {
    let style: Terminal.Style =
      switch check.verdict {
      case .pass: .green
      case .fail: .red
      case .unknown: .yellow
      }
    // A limited number of violations is kept for each invariant; an invariant with one is broken.
    var broken: [String] = []
    for violation in check.violations where !broken.contains(violation.invariant) { broken.append(violation.invariant) }
    guard check.isJudged || check.verdict != .unknown else {
      let verdict = Terminal.styled("not judged", .bold, style)
      return "\(verdict): \(path): \(run(check)): nothing in it that an invariant could judge"
    }
    var parts = ["\(check.invariantCount) invariants checked"]
    parts.append(broken.isEmpty ? "none broken" : "\(broken.count) broken (\(broken.joined(separator: ", ")))")
    if !check.expectations.isEmpty {
      let met = check.expectations.filter(\.result.hasPassed).count
      parts.append("\(met) of \(PlainText.count(check.expectations.count, "expectation")) met")
    }
    let verdict = Terminal.styled(check.verdict.rawValue, .bold, style)
    return "\(verdict): \(path): \(run(check)): \(parts.joined(separator: ", "))"
  }

  private static func run(_ check: TraceCheck) -> String {
    "scenario \(TerminalText.escape(check.header.scenario)), seed \(check.header.seed), "
      + "\(PlainText.count(check.events, "event")) in \(check.end.text)"
  }

  /// Remarks beside the verdict.
  private static func remarks(_ check: TraceCheck, _ scenario: Scenario?) -> [String] {
    var notes: [String] = []
    if check.isTruncated {
      notes.append("the trace is truncated after line \(check.events + 1): it has no \"end\" line")
    }
    if let why = check.brokenOff { notes.append("the run broke off: \(TerminalText.escape(why))") }
    if let own = check.ownVerdict, own != check.verdict.rawValue {
      let hint = scenario == nil ? "; --scenario judges expectations too" : ""
      notes.append("the trace says \"\(TerminalText.escape(own))\" of itself\(hint)")
    }
    if let scenario, scenario.name != check.header.scenario {
      let names = [check.header.scenario, scenario.name].map(TerminalText.escape)
      notes.append("the trace is of scenario \"\(names[0])\", not of \"\(names[1])\"")
    }
    if check.violations.count >= Judge.violationsMax {
      notes.append("of each invariant at most \(Judge.violationsMax) violations are shown")
    }
    return notes
  }

  private static func shownBy(_ lines: [Int]) -> String {
    guard !lines.isEmpty else { return "" }
    let numbers = lines.map { String($0) }.joined(separator: ", ")
    return " (line\(lines.count == 1 ? "" : "s") \(numbers))"
  }

  private static func printJSON(_ check: TraceCheck, wallSeconds: Double) {
    JSONOutput.print([
      "scenario": .string(check.header.scenario), "seed": .string(String(check.header.seed)),
      "verdict": .string(check.verdict.rawValue), "simulatedSeconds": .seconds(check.end - .start),
      "wallSeconds": .decimal(wallSeconds), "events": .count(check.events),
      "violations": .objects(check.violations, members), "expectations": .objects(check.expectations, members),
      "counters": .object(check.counters.map { JSONMember($0.name.text, .count($0.count)) }),
      "traceDigest": .string(check.digest), "invariants": .count(check.invariantCount),
      "truncated": .bool(check.isTruncated), "judged": .bool(check.isJudged), "brokenOff": .text(check.brokenOff),
    ])
  }

  private static func members(_ violation: Violation) -> JSONFields {
    [
      "invariant": .string(violation.invariant), "t": .integer(violation.time.nanoseconds),
      "detail": .string(violation.detail), "lines": .counts(violation.lines),
    ]
  }

  private static func members(_ judged: JudgedExpectation) -> JSONFields {
    [
      "expectation": judged.node.value, "passed": .bool(judged.result.hasPassed),
      "outcome": .string(judged.result.outcome.rawValue), "lines": .counts(judged.result.lines),
      "why": judged.result.why.map { .string($0) },
    ]
  }
}
