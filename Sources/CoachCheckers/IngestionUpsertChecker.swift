package import Link

/// `ingestion-upserts`: what is fetched again replaces what was there.
package struct IngestionUpsertChecker: Checker {
  package static let invariant = "ingestion-upserts"
  package static let about =
    "The staging table has one row for each type and day, wherever the user travels, and a day has one action."
  package static let interests: [TraceEvent.Name] = ["ingestion.staged", "ingestion.parsed", "ingestion.purged"]

  private struct Key: Hashable {
    var type: String
    var day: String
  }

  /// The row of each key, with the line that staged it.
  private var rows: [Key: (id: Identifier, line: Int)] = [:]
  private var keys: [Identifier: Key] = [:]
  private var actions: [String: (id: Identifier, line: Int)] = [:]

  package init(header: TraceHeader) {}

  package mutating func observe(_ event: TypedEvent, line: Int, into report: inout [Violation]) {
    switch event.body {
    case .ingestionStaged(let staged):
      let key = Key(type: staged.type, day: staged.day)
      if staged.row == "new", let known = rows[key] {
        report.append(
          Self.violation(
            "the \(staged.type) of \(staged.day) has a second row", at: event.time, lines: [known.line, line]))
      }
      rows[key] = (staged.id, line)
      keys[staged.id] = key
    case .ingestionPurged(let purged):
      if let key = keys.removeValue(forKey: purged.id), rows[key]?.id == purged.id { rows[key] = nil }
    case .ingestionParsed(let parsed):
      if let known = actions[parsed.day], known.id != parsed.action {
        report.append(
          Self.violation("the day \(parsed.day) has a second action", at: event.time, lines: [known.line, line]))
      }
      actions[parsed.day] = (parsed.action, line)
    default: break
    }
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout [Violation]) {}
}
