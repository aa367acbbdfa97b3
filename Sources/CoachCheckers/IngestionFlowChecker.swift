package import Link

/// `ingestion-fetch-flows`: the user is asked before anything is fetched, and fetching does not wait for parsing.
package struct IngestionFlowChecker: Checker {
  package static let invariant = "ingestion-fetch-flows"
  package static let about =
    "A type is queried only after the user was asked for it. When an answer is staged and queries wait, the next one is sent at the same instant."

  /// The staged answer that makes the next query due.
  private var due: (time: VirtualTime, line: Int)?

  /// The types that were asked for; nil where an earlier run may have asked.
  private var asked: Set<Substring>?
  private var hasBegun = false

  package init(header: TraceHeader) {}

  package mutating func ingestionBegan(_ began: IngestionBegan, at event: Occurrence, into report: inout Report) {
    due = nil
    if !hasBegun, began.rows == 0 { asked = [] }
    hasBegun = true
  }

  package mutating func ingestionAsked(_ request: IngestionAsked, at event: Occurrence, into report: inout Report) {
    asked?.formUnion(request.types.split(separator: ","))
  }

  package mutating func ingestionRequested(
    _ request: IngestionRequested, at event: Occurrence, into report: inout Report
  ) {
    due = nil
    guard asked?.contains(request.type[...]) == false else { return }
    report.add(
      "the phone queries \(request.type), for which the user was not asked", at: event.time, lines: [event.line])
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
