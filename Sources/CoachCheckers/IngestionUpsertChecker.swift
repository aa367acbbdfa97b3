package import Link

/// `ingestion-upserts`: what is fetched again replaces what was there.
package struct IngestionUpsertChecker: Checker {
  package static let invariant = "ingestion-upserts"
  package static let about =
    "The staging table has one row for each type and day, wherever the user travels, and a day has one action."

  private struct Key: Hashable {
    var type: String
    var day: String
  }

  /// The row of each key, with the line that staged it.
  private var rows: [Key: (id: Identifier, line: Int)] = [:]
  private var keys: [Identifier: Key] = [:]
  private var actions: [String: (id: Identifier, line: Int)] = [:]

  package init(header: TraceHeader) {}

  package mutating func ingestionStaged(_ staged: IngestionStaged, at event: Occurrence, into report: inout Report) {
    let key = Key(type: staged.type, day: staged.day)
    if staged.row == "new", let known = rows[key] {
      report.add(
        "the \(staged.type) of \(staged.day) has a second row", at: event.time, lines: [known.line, event.line])
    }
    rows[key] = (staged.id, event.line)
    keys[staged.id] = key
  }

  package mutating func ingestionPurged(_ purged: IngestionPurged, at event: Occurrence, into report: inout Report) {
    if let key = keys.removeValue(forKey: purged.id), rows[key]?.id == purged.id { rows[key] = nil }
  }

  package mutating func ingestionParsed(_ parsed: IngestionParsed, at event: Occurrence, into report: inout Report) {
    if let known = actions[parsed.day], known.id != parsed.action {
      report.add("the day \(parsed.day) has a second action", at: event.time, lines: [known.line, event.line])
    }
    actions[parsed.day] = (parsed.action, event.line)
  }
}
