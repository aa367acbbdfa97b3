package import Link

/// `ingestion-fetch-flows`: fetching does not wait for parsing.
package struct IngestionFlowChecker: Checker {
  package static let invariant = "ingestion-fetch-flows"
  package static let about = "When an answer is staged and queries wait, the next one is sent at the same instant."

  /// The staged answer that makes the next query due.
  private var due: (time: VirtualTime, line: Int)?

  package init(header: TraceHeader) {}

  package mutating func ingestionBegan(_: IngestionBegan, at event: Occurrence, into report: inout Report) {
    due = nil
  }

  package mutating func ingestionRequested(_: IngestionRequested, at event: Occurrence, into report: inout Report) {
    due = nil
  }

  package mutating func ingestionStaged(_ staged: IngestionStaged, at event: Occurrence, into report: inout Report) {
    if staged.left > 0 { due = (event.time, event.line) }
  }

  package mutating func ingestionParsed(_: IngestionParsed, at event: Occurrence, into report: inout Report) {
    guard let waiting = due, event.time > waiting.time else { return }
    due = nil
    report.add(
      "the phone parses rows while queries wait that could have been sent", at: event.time,
      lines: [waiting.line, event.line])
  }

  package mutating func ingestionFailed(_: IngestionFailed, at event: Occurrence, into report: inout Report) {
    guard let waiting = due, event.time > waiting.time else { return }
    due = nil
    report.add(
      "the phone parses rows while queries wait that could have been sent", at: event.time,
      lines: [waiting.line, event.line])
  }
}
