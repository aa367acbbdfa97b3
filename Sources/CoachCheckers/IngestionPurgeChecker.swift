package import Link

/// `ingestion-purges-parsed`: raw data is deleted only when its measures are stored.
package struct IngestionPurgeChecker: Checker {
  package static let invariant = "ingestion-purges-parsed"
  package static let about = "No row of the staging table is purged before its JSON is parsed."
  package static let interests: [TraceEvent.Name] = ["ingestion.staged", "ingestion.parsed", "ingestion.purged"]

  /// The lines that staged rows which are not parsed, by row.
  private var unparsed: [Identifier: Int] = [:]

  package init(header: TraceHeader) {}

  package mutating func observe(_ event: TypedEvent, line: Int, into report: inout [Violation]) {
    switch event.body {
    case .ingestionStaged(let staged): if staged.row != "same" { unparsed[staged.id] = line }
    case .ingestionParsed(let parsed): unparsed[parsed.id] = nil
    case .ingestionPurged(let purged):
      guard let staged = unparsed.removeValue(forKey: purged.id) else { return }
      report.append(
        Self.violation(
          "the row of \(purged.type) on \(purged.day) was purged before it was parsed", at: event.time,
          lines: [staged, line]))
    default: break
    }
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout [Violation]) {}
}
