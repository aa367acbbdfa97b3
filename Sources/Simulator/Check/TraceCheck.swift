// Judges a trace from its text alone. Each line is dropped once it is judged, so memory does not grow with the length
// of the run, apart from the state of the checkers.

package import Console
package import Link

/// The result of judging a trace's file.
package struct TraceCheck {
  /// The trace's first line.
  package var header: TraceHeader
  /// The verdict; unknown for a trace without violations that is truncated, or in which nothing could be judged.
  package var verdict: Judgement.Verdict
  package var violations: [Violation]
  package var expectations: [JudgedExpectation]
  /// Lines after the header.
  package var events: Int
  /// How often each kind of event happened, in the order of their first appearance.
  package var counters: [(name: TraceEvent.Name, count: Int)]
  /// When the last event happened.
  package var end: VirtualTime
  /// The verdict in the trace's own `end` event; nil if it has none.
  package var ownVerdict: String?
  /// Whether the trace has no `end`.
  package var isTruncated: Bool
  /// Whether the trace has a line that an invariant or an expectation could judge.
  package var isJudged: Bool
  /// Why the run broke off, according to the trace; nil if it reached its end.
  package var brokenOff: String?
  /// SHA-256 of the file's bytes, in hexadecimal.
  package var digest: String

  /// How many invariants are judged.
  package var invariantCount: Int { RunJudge.invariantCount(header) }

  /// Judges a file.
  ///
  /// - Parameters:
  ///   - path: The file, or `-` for standard input.
  ///   - expectations: The scenario's expectations, in addition to the invariants.
  /// - Throws: ``Failure/input(_:)`` for a file that cannot be read, and at the first line that is no line of a trace.
  package static func run(_ path: String, expectations: [ReadExpectation]) throws(Failure) -> TraceCheck {
    var following: TraceFollower?
    let ending = try TraceFile.read(path) { header in
      following = TraceFollower(
        RunJudge(header: header, expectations: expectations),
        isCapture: header.extra("capture") != nil, isJudged: !expectations.isEmpty)
    } take: { event, line in
      following?.add(event, line: line)
    }
    guard var following else { preconditionFailure("a trace that was read had a header") }
    let judgement = following.judge.finish()
    var verdict = judgement.verdict
    if verdict == .pass, !following.isJudged { verdict = .unknown }
    return TraceCheck(
      header: ending.header, verdict: following.hasFailed ? .fail : verdict,
      violations: judgement.violations,
      expectations: judgement.expectations, events: ending.line - 1, counters: following.counters, end: following.end,
      ownVerdict: following.ownVerdict, isTruncated: ending.isTruncated, isJudged: following.isJudged,
      brokenOff: following.brokenOff,
      digest: ending.digest)
  }
}

/// Passes the lines of a trace to the judge, and counts them.
private struct TraceFollower {
  var judge: RunJudge
  private(set) var counters: [(name: TraceEvent.Name, count: Int)] = []
  private(set) var end: VirtualTime = .start
  private(set) var ownVerdict: String?
  private(set) var brokenOff: String?
  /// Whether a node failed; a run that the user stopped is judged by its lines.
  private(set) var hasFailed = false
  private(set) var isJudged: Bool
  private let isCapture: Bool

  /// The limit of event names that are counted separately: a hostile trace may have a new one on every line.
  private static let countersMax = 1_000

  init(_ judge: RunJudge, isCapture: Bool, isJudged: Bool) {
    (self.judge, self.isCapture, self.isJudged) = (judge, isCapture, isJudged)
  }

  mutating func add(_ event: TraceEvent, line: Int) {
    end = event.time
    count(event.name)
    if !isJudged { isJudged = isJudgeable(event) }
    guard event.place == .runner else {
      // Only the runner ends a trace.
      if event.name != TraceEnd.name { judge.observe(event, line: line) }
      return
    }
    switch event.name {
    case ExpectationJudged.name, ViolationFound.name: return  // An earlier judgement, not an event to judge.
    case NodeFailed.name:
      hasFailed = true
      brokenOff = "node failed: \(event["target"]?.text ?? "unknown"): \(event["cause"]?.text ?? "unknown")"
    case RunStopped.name: brokenOff = "it was stopped"
    case TraceEnd.name:
      ownVerdict = event["verdict"]?.text
      // Whatever a run that broke off left unfinished is not a violation.
      if brokenOff != nil { return }
    default: break
    }
    judge.observe(event, line: line)
  }

  /// Whether an invariant can judge this line.
  ///
  /// A recording made by an app numbers the frames itself, and does not know how the app handled a message, so these
  /// lines prove nothing about the app.
  private func isJudgeable(_ event: TraceEvent) -> Bool {
    switch event.place {
    case .runner: return false
    case .link, .uplink: return !isCapture
    case .watch, .phone, .edge:
      guard isCapture else { return true }
      switch event.name.text {
      case "frame.sent", "reachability": return false
      case "message.received": return event["kind"]?.text != nil
      default: return true
      }
    }
  }

  private mutating func count(_ name: TraceEvent.Name) {
    for index in counters.indices where counters[index].name == name {
      counters[index].count += 1
      return
    }
    if counters.count < Self.countersMax { counters.append((name, 1)) }
  }
}
