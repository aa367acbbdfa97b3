package import Link

/// `ingestion-purges-parsed`: raw data is deleted only when its measures are stored.
package struct IngestionPurgeChecker: Checker {
  package static let invariant = "ingestion-purges-parsed"
  package static let about = "No row of the staging table is purged before its JSON is parsed."

  /// The lines that staged rows which are not parsed, by row.
  private var unparsed: [Identifier: Int] = [:]

  package init(header: TraceHeader) {}

  package mutating func ingestionStaged(_ staged: IngestionStaged, at event: Occurrence, into report: inout Report) {
    if staged.row != "same" { unparsed[staged.id] = event.line }
  }

  package mutating func ingestionParsed(_ parsed: IngestionParsed, at event: Occurrence, into report: inout Report) {
    unparsed[parsed.id] = nil
  }

  package mutating func ingestionPurged(_ purged: IngestionPurged, at event: Occurrence, into report: inout Report) {
    guard let staged = unparsed.removeValue(forKey: purged.id) else { return }
    report.add(
      "the row of \(purged.type) on \(purged.day) was purged before it was parsed", at: event.time,
      lines: [staged, event.line])
  }
}
