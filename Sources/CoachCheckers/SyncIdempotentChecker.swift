package import Link

/// `sync-idempotent`: posting twice changes nothing.
package struct SyncIdempotentChecker: Checker {
  package static let invariant = "sync-idempotent"
  package static let about =
    "The server replaces a day's snapshot only by a later revision, however often and in whatever order days arrive."
  package static let interests: [TraceEvent.Name] = ServerDays.interests

  private var server = ServerDays()

  package init(header: TraceHeader) {}

  package mutating func observe(_ event: TypedEvent, line: Int, into report: inout [Violation]) {
    if case .dayUpserted(let day) = event.body, let known = server.days[day.day], known.revision >= day.revision {
      report.append(
        Self.violation(
          "the snapshot of revision \(day.revision) of \(day.day) replaced revision \(known.revision)", at: event.time,
          lines: [known.line, line]))
    }
    server.observe(event, line: line)
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout [Violation]) {}
}
