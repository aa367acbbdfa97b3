package import Link

/// `complication-budget`: no side queues more complication transfers in a day than it may.
package struct ComplicationBudgetChecker: Checker {
  package static let invariant = "complication-budget"
  package static let about =
    "A device queues at most 50 complication transfers in a day of its clock; a clock that is set to another day begins a new count."

  /// The most complication transfers in a day.
  private static let perDay = 50
  private static let day: Int64 = 86_400_000_000_000

  private struct Count {
    var day: Int64?
    var count = 0
  }

  /// The run's start in nanoseconds since 1970; nil if the header does not name it.
  private let startedAt: Int64?
  private var counts = Array(repeating: Count(), count: TraceEvent.Place.allCases.count)
  private var skews = ActiveFaults(["clockSkew"])

  package init(header: TraceHeader) { startedAt = header.unixStart }

  package mutating func faultBegin(_ fault: FaultBegan, at event: Occurrence, into report: inout Report) {
    skews.observe(fault, at: event.time)
    restart(event)
  }

  package mutating func faultEnd(_ fault: FaultEnded, at event: Occurrence, into report: inout Report) {
    skews.observe(fault, at: event.time)
    restart(event)
  }

  /// Its clock may show another day, or begin one.
  private mutating func restart(_ event: Occurrence) {
    for place in [TraceEvent.Place.watch, .phone] where skews.isActive(on: place) || skews.lastEnd == event.time {
      counts[Int(place.rawValue)] = Count()
    }
  }

  package mutating func transferQueued(_ queued: TransferQueued, at event: Occurrence, into report: inout Report) {
    guard queued.identity.complication == true, let startedAt else { return }
    let place = Int(event.place.rawValue)
    let isSkewed = skews.isActive(on: event.place)
    let (sum, overflows) = startedAt.addingReportingOverflow(event.time.nanoseconds)
    let day = isSkewed || overflows ? 0 : sum / Self.day
    if counts[place].day != day { counts[place] = Count(day: day) }
    counts[place].count += 1
    // A day may begin while the clock is wrong.
    guard counts[place].count == (isSkewed ? 2 : 1) * Self.perDay + 1 else { return }
    report.add(
      "the \(event.place.text) queued more than \(Self.perDay) complication transfers in a day", at: event.time,
      lines: [event.line])
  }
}
