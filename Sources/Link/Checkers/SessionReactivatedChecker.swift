package import Link

/// `session-reactivated`: a phone's app does not stay without a session after a switch of watches.
package struct SessionReactivatedChecker: Checker {
  package static let invariant = "session-reactivated"
  package static let about =
    "A phone's app whose session was deactivated by a switch of watches activates it again within 10 s."

  /// The session that waits to be activated.
  private var pending: (place: TraceEvent.Place, time: VirtualTime, line: Int)?

  package init(header: TraceHeader) {}

  package mutating func sessionDeactivated(_: SessionDeactivated, at event: Occurrence, into report: inout Report) {
    pending = (event.place, event.time, event.line)
  }

  package mutating func sessionActivated(_: SessionReactivated, at event: Occurrence, into report: inout Report) {
    if event.place == pending?.place { settle(at: event.time, &report) }
  }

  package mutating func nodeChanged(_ change: NodeChange, at event: Occurrence, into report: inout Report) {
    // The next start of the app activates its session again.
    if change.hasEnded, change.target.place == pending?.place { settle(at: event.time, &report) }
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout Report) {
    settle(at: ending.time, &report)
  }

  /// Judges the wait that ends at `time`.
  private mutating func settle(at time: VirtualTime, _ report: inout Report) {
    guard let pending else { return }
    self.pending = nil
    let deadline = pending.time + Session.reactivateWithin
    guard time > deadline else { return }
    report.add(
      "the \(pending.place.text)'s app did not activate its session within 10 s of sessionDidDeactivate",
      at: deadline,
      lines: [pending.line])
  }
}
