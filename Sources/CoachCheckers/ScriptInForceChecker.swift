package import Link

/// `script-in-force`: a failing edge leaves no runner in silence.
package struct ScriptInForceChecker: Checker {
  package static let invariant = "script-in-force"
  package static let about =
    "When the third attempt at a run's script has failed, a script has been loaded since the first one, or is at that instant."
  package static let interests: [TraceEvent.Name] = ["ai.requested", "ai.failed", "script.loaded"]

  /// The failed attempts after which the phone must use its own script.
  private static let failuresMax: Int64 = 3

  private struct Attempt: Sendable {
    var runId: Identifier
    var number: Int64
  }

  /// Unsettled script requests, by id; for lookup only.
  private var attempts: [Identifier: Attempt] = [:]
  /// The line of the first request for each run, until a script is loaded after it.
  private var waiting: [(runId: Identifier, line: Int)] = []
  /// Runs whose third request failed without a script, with its time and lines.
  private var overdue: [(at: VirtualTime, runId: Identifier, lines: [Int])] = []

  package init(header: TraceHeader) {}

  package mutating func observe(_ event: TypedEvent, line: Int, into report: inout [Violation]) {
    reportOverdue(before: event.time, &report)
    switch event.body {
    case .scriptLoaded:
      waiting = []
      overdue = []
    case .aiRequested(let request):
      guard request.kind == "generateScript" else { return }
      let (runId, number) = (request.runId, request.attempt ?? 1)
      attempts[request.id] = Attempt(runId: runId, number: number)
      if number == 1, !waiting.contains(where: { $0.runId == runId }) { waiting.append((runId, line)) }
    case .aiFailed(let failed):
      guard let attempt = attempts.removeValue(forKey: failed.id),
        attempt.number >= Self.failuresMax, let first = waiting.first(where: { $0.runId == attempt.runId })
      else { return }
      overdue.append((event.time, attempt.runId, [first.line, line]))
      waiting.removeAll { $0.runId == attempt.runId }
    default: break
    }
  }

  private mutating func reportOverdue(before now: VirtualTime, _ report: inout [Violation]) {
    while let first = overdue.first, first.at < now {
      overdue.removeFirst()
      report.append(
        Self.violation(
          "the third attempt at the script of run \(first.runId.text.prefix(8)) failed, but no script is in force",
          at: first.at, lines: first.lines))
    }
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout [Violation]) {
    reportOverdue(before: .distantFuture, &report)
  }
}
