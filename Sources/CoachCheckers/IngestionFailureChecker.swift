package import Link

/// `ingestion-keeps-failures`: what does not parse waits for a version that understands it.
package struct IngestionFailureChecker: Checker {
  package static let invariant = "ingestion-keeps-failures"
  package static let about =
    "A row that does not parse is kept with its reason, also over a restart, and an updated app parses it again."
  package static let interests: [TraceEvent.Name] = [
    "ingestion.began", "ingestion.staged", "ingestion.parsed", "ingestion.failed", "ingestion.purged",
    "ingestion.updated",
  ]

  /// The lines of failures, by row.
  private var failed: [Identifier: Int] = [:]

  package init(header: TraceHeader) {}

  package mutating func observe(_ event: TypedEvent, line: Int, into report: inout [Violation]) {
    switch event.body {
    case .ingestionFailed(let row):
      failed[row.id] = line
      if row.why.isEmpty {
        report.append(Self.violation("a row failed without a reason", at: event.time, lines: [line]))
      }
    case .ingestionStaged(let row): if row.row != "same" { failed[row.id] = nil }
    case .ingestionParsed(let row): failed[row.id] = nil
    case .ingestionPurged(let row):
      guard let failure = failed.removeValue(forKey: row.id) else { return }
      report.append(Self.violation("a row that did not parse was purged", at: event.time, lines: [failure, line]))
    case .ingestionBegan(let start):
      if start.failed < Int64(failed.count) { report.append(missing(start.failed, at: event.time, line)) }
    case .ingestionUpdated(let update):
      if update.unparsed < Int64(failed.count) { report.append(missing(update.unparsed, at: event.time, line)) }
      failed = [:]
    default: break
    }
  }

  private func missing(_ found: Int64, at time: VirtualTime, _ line: Int) -> Violation {
    let lines = failed.values.sorted().prefix(3) + [line]
    return Self.violation(
      "the phone has \(failed.count) rows that did not parse, but only \(found) of them wait for another attempt",
      at: time,
      lines: Array(lines))
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout [Violation]) {}
}
