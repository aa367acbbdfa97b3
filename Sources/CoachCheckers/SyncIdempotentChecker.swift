package import Link

/// `sync-idempotent`: posting twice changes nothing.
package struct SyncIdempotentChecker: Checker {
  package static let invariant = "sync-idempotent"
  package static let about =
    "The server replaces a day's snapshot only by a later revision, however often and in whatever order days arrive."

  private var server = ServerDays()

  package init(header: TraceHeader) {}

  package mutating func dayUpserted(_ day: DayUpserted, at event: Occurrence, into report: inout Report) {
    if let known = server.days[day.day], known.revision >= day.revision {
      report.add(
        "the snapshot of revision \(day.revision) of \(day.day) replaced revision \(known.revision)", at: event.time,
        lines: [known.line, event.line])
    }
    server.observe(day, at: event)
  }

  package mutating func serverRestarted(_ start: ServerRestarted, at event: Occurrence, into report: inout Report) {
    server.observe(start, at: event)
  }

  package mutating func fileDamaged(_ damage: FileDamaged, at event: Occurrence, into report: inout Report) {
    server.observe(damage, at: event)
  }
}
