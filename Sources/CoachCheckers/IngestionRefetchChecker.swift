package import Link

/// `ingestion-refetch-same`: raw data can be deleted because fetching it again gives the same measures.
package struct IngestionRefetchChecker: Checker {
  package static let invariant = "ingestion-refetch-same"
  package static let about = "The same JSON of a type and day gives the same measures, however often it is parsed."

  private struct Key: Hashable {
    var type: String
    var day: String
    var raw: String
  }

  private var known: [Key: (measures: String, line: Int)] = [:]

  package init(header: TraceHeader) {}

  package mutating func ingestionParsed(_ parsed: IngestionParsed, at event: Occurrence, into report: inout Report) {
    let key = Key(type: parsed.type, day: parsed.day, raw: parsed.raw)
    if let before = known[key], before.measures != parsed.measures.text {
      report.add(
        "the measures of \(parsed.type) on \(parsed.day) changed, although their JSON is the same",
        at: event.time, lines: [before.line, event.line])
    }
    known[key] = (parsed.measures.text, event.line)
  }
}
