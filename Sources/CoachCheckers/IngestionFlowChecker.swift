package import Link

/// `ingestion-fetch-flows`: fetching does not wait for parsing.
package struct IngestionFlowChecker: Checker {
  package static let invariant = "ingestion-fetch-flows"
  package static let about = "When an answer is staged and queries wait, the next one is sent at the same instant."
  package static let interests: [TraceEvent.Name] = [
    "ingestion.began", "ingestion.staged", "ingestion.requested", "ingestion.parsed", "ingestion.failed",
  ]

  /// The staged answer that makes the next query due.
  private var due: (time: VirtualTime, line: Int)?

  package init(header: TraceHeader) {}

  package mutating func observe(_ event: TypedEvent, line: Int, into report: inout [Violation]) {
    switch event.body {
    case .ingestionBegan, .ingestionRequested: due = nil
    case .ingestionStaged(let staged): if staged.left > 0 { due = (event.time, line) }
    case .ingestionParsed, .ingestionFailed:
      guard let waiting = due, event.time > waiting.time else { return }
      due = nil
      report.append(
        Self.violation(
          "the phone parses rows while queries wait that could have been sent", at: event.time,
          lines: [waiting.line, line]))
    default: break
    }
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout [Violation]) {}
}
