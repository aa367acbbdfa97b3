import CoachProtocol
package import Link

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
