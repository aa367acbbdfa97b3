package import Link

/// `ingestion-keeps-failures`: what does not parse waits for a version that understands it.
package struct IngestionFailureChecker: Checker {
  package static let invariant = "ingestion-keeps-failures"
  package static let about =
    "A row that does not parse is kept with its reason, also over a restart, and an updated app parses it again."

  /// The lines of failures, by row.
  private var failed: [Identifier: Int] = [:]

  package init(header: TraceHeader) {}

  package mutating func ingestionFailed(_ row: IngestionFailed, at event: Occurrence, into report: inout Report) {
    failed[row.id] = event.line
    if row.why.isEmpty {
      report.add("a row failed without a reason", at: event.time, lines: [event.line])
    }
  }

  package mutating func ingestionStaged(_ row: IngestionStaged, at event: Occurrence, into report: inout Report) {
    if row.row != "same" { failed[row.id] = nil }
  }

  package mutating func ingestionParsed(_ row: IngestionParsed, at event: Occurrence, into report: inout Report) {
    failed[row.id] = nil
  }

  package mutating func ingestionPurged(_ row: IngestionPurged, at event: Occurrence, into report: inout Report) {
    guard let failure = failed.removeValue(forKey: row.id) else { return }
    report.add("a row that did not parse was purged", at: event.time, lines: [failure, event.line])
  }

  package mutating func ingestionBegan(_ start: IngestionBegan, at event: Occurrence, into report: inout Report) {
    if start.failed < Int64(failed.count) { objectMissing(start.failed, event, &report) }
  }

  package mutating func ingestionUpdated(_ update: IngestionUpdated, at event: Occurrence, into report: inout Report) {
    if update.unparsed < Int64(failed.count) { objectMissing(update.unparsed, event, &report) }
    failed = [:]
  }

  private func objectMissing(_ found: Int64, _ event: Occurrence, _ report: inout Report) {
    let lines = failed.values.sorted().prefix(3) + [event.line]
    report.add(
      "the phone has \(failed.count) rows that did not parse, but only \(found) of them wait for another attempt",
      at: event.time, lines: Array(lines))
  }
}
