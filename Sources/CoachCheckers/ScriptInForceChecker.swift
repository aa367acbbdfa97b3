package import Link

/// `script-in-force`: a failing edge leaves no athlete in silence.
package struct ScriptInForceChecker: Checker {
  package static let invariant = "script-in-force"
  package static let about =
    "When the third attempt at a run's script has failed, one of that run is in force, or is loaded at that instant."

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
  /// The run of the script in force; nil before the first, or if the script names none.
  private var scripted: Identifier?
  /// Runs whose third request failed without a script, with its time and lines.
  private var overdue: [(at: VirtualTime, runId: Identifier, lines: [Int])] = []

  package init(header: TraceHeader) {}

  package mutating func scriptLoaded(_ loaded: ScriptLoaded, at event: Occurrence, into report: inout Report) {
    reportOverdue(before: event.time, &report)
    let script = try? JSONParser.parse(loaded.script.text, dialect: .json)
    scripted = script?["runId"]?.text.flatMap { Identifier(text: $0) }
    waiting = []
    overdue = []
  }

  package mutating func aiRequested(_ request: AIRequested, at event: Occurrence, into report: inout Report) {
    reportOverdue(before: event.time, &report)
    guard request.kind == "generateScript" else { return }
    let (runId, number) = (request.runId, request.attempt ?? 1)
    attempts[request.id] = Attempt(runId: runId, number: number)
    // The coach asks again for a run that already speaks the phone's own script.
    if number == 1, runId != scripted, !waiting.contains(where: { $0.runId == runId }) {
      waiting.append((runId, event.line))
    }
  }

  package mutating func aiFailed(_ failed: AIFailed, at event: Occurrence, into report: inout Report) {
    reportOverdue(before: event.time, &report)
    guard let attempt = attempts.removeValue(forKey: failed.id),
      attempt.number >= Self.failuresMax, let first = waiting.first(where: { $0.runId == attempt.runId })
    else { return }
    overdue.append((event.time, attempt.runId, [first.line, event.line]))
    waiting.removeAll { $0.runId == attempt.runId }
  }

  private mutating func reportOverdue(before now: VirtualTime, _ report: inout Report) {
    while let first = overdue.first, first.at < now {
      overdue.removeFirst()
      report.add(
        "the third attempt at the script of run \(first.runId.text.prefix(8)) failed, but no script is in force",
        at: first.at, lines: first.lines)
    }
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout Report) {
    reportOverdue(before: .distantFuture, &report)
  }
}
