import CoachProtocol
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

/// `ingestion-obeys`: the app asks for what it may, one query at a time, and finishes what it began.
package struct IngestionObeysChecker: ChecksConditions {
  package static let invariant = "ingestion-obeys"
  package static let about =
    "A query is sent once the one before is answered, and for no type that is off. A store that the user has denied, or that is not available, gives nothing, and no other refuses. What is staged is parsed within a minute, and a row that is due for its purge was kept for as long as the shortest time that the scenario has. Not judged once a disk was full."

  private static let parseWithin = VirtualTime.Span.seconds(60)

  var conditions: TruthConditions
  private var pending: (type: String, day: String, line: Int)?
  /// The lines that switched types off.
  private var off: [String: Int] = [:]
  /// Rows that are not parsed, and when each row was fetched last.
  private var unparsed: [Identifier: (at: VirtualTime, line: Int)] = [:]
  private var fetched: [Identifier: (at: VirtualTime, line: Int)] = [:]
  private var shortest: VirtualTime.Span

  package init(header: TraceHeader) {
    conditions = TruthConditions(header: header)
    let phone = header.extra("phone")
    let chosen = (phone?["events"]?.elements ?? []).filter { $0["do"]?.text == "setRetention" }.map { $0["keep"] }
    // A header may have fractions of a second.
    let kept = ([phone?["ingestion"]?["keep"]] + chosen).compactMap { TruthConditions.span($0) }
    shortest = kept.min() ?? .hours(7 * 24)
  }

  package mutating func nodeChanged(_ change: NodeChange, at event: Occurrence, into report: inout Report) {
    conditions.observe(change, at: event)
    guard change.isUp(.phone) != nil else { return }
    // What was asked is lost with the process; what it has stored it parses later.
    pending = nil
    for id in unparsed.keys { unparsed[id]?.at = event.time }
  }

  package mutating func ingestionRequested(
    _ query: IngestionRequested, at event: Occurrence, into report: inout Report
  ) {
    if let pending {
      report.add(
        "the \(query.type) of \(query.day) is asked for before the \(pending.type) of \(pending.day) is answered",
        at: event.time, lines: [pending.line, event.line])
    }
    pending = (query.type, query.day, event.line)
    guard let line = off[query.type] else { return }
    report.add("the \(query.type) of \(query.day) is asked for, and is off", at: event.time, lines: [line, event.line])
  }

  package mutating func ingestionSwitched(
    _ switched: IngestionSwitched, at event: Occurrence, into report: inout Report
  ) {
    off[switched.type] = switched.on ? nil : event.line
  }

  private mutating func answer(_ type: String, _ day: String) {
    if let known = pending, known.type == type, known.day == day { pending = nil }
  }

  package mutating func ingestionRefused(_ query: IngestionRefused, at event: Occurrence, into report: inout Report) {
    answer(query.type, query.day)
    guard query.why == "denied" || query.why == "unavailable",
      !conditions.isOn(query.why, query.type, at: event.time)
    else { return }
    report.add(
      "the store is \(query.why) for the \(query.type) of \(query.day), and the scenario says no such thing",
      at: event.time, lines: [event.line])
  }

  package mutating func ingestionStaged(_ staged: IngestionStaged, at event: Occurrence, into report: inout Report) {
    answer(staged.type, staged.day)
    fetched[staged.id] = (event.time, event.line)
    if staged.row != "same" { unparsed[staged.id] = (event.time, event.line) }
    guard let why = ["denied", "unavailable"].first(where: { conditions.isOn($0, staged.type, at: event.time) }) else {
      return
    }
    report.add(
      "the \(staged.type) of \(staged.day) is fetched from a store that is \(why)", at: event.time, lines: [event.line])
  }

  package mutating func ingestionParsed(_ row: IngestionParsed, at event: Occurrence, into report: inout Report) {
    unparsed[row.id] = nil
  }

  package mutating func ingestionFailed(_ row: IngestionFailed, at event: Occurrence, into report: inout Report) {
    unparsed[row.id] = nil
  }

  package mutating func ingestionPurged(_ row: IngestionPurged, at event: Occurrence, into report: inout Report) {
    unparsed[row.id] = nil
    guard let known = fetched.removeValue(forKey: row.id), row.why == "due", !conditions.hasWrongClock,
      known.at + shortest > event.time + .seconds(2)
    else { return }
    report.add(
      "the row of \(row.type) on \(row.day) is purged before its time", at: event.time, lines: [known.line, event.line])
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout Report) {
    guard ending.isComplete, conditions.isPhoneUp, !conditions.isUnknown,
      let (_, row) = unparsed.min(by: { $0.value.line < $1.value.line }), row.at + Self.parseWithin < ending.time
    else { return }
    report.add("a row is staged, and is neither parsed nor failed", at: ending.time, lines: [row.line])
  }
}

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
