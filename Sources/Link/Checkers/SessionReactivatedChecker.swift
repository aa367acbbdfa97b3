/// `session-reactivated`: a phone's app does not stay without a session after a switch of watches.
public struct SessionReactivatedChecker: Checker {
  public static let invariant = "session-reactivated"
  public static let about =
    "A phone's app whose session was deactivated by a switch of watches activates it again within 10 s."
  public static let interests: [TraceEvent.Name] = [
    "session.deactivated", "session.activated", "node.killed", "node.failed",
  ]

  /// The time within which an app must activate it.
  public static let limit = VirtualTime.Span.seconds(10)

  /// The session that waits to be activated.
  private var pending: (place: TraceEvent.Place, time: VirtualTime, line: Int)?

  public init(header: TraceHeader) {}

  public mutating func observe(_ event: TypedEvent, line: Int, into report: inout [Violation]) {
    switch event.body {
    case .sessionDeactivated: pending = (event.place, event.time, line)
    case .sessionActivated: if event.place == pending?.place { settle(at: event.time, &report) }
    default:
      // The next start of the app activates its session again.
      if let node = event.body.endedNode, node.place == pending?.place { settle(at: event.time, &report) }
    }
  }

  public mutating func finish(_ ending: TraceEnding, into report: inout [Violation]) {
    settle(at: ending.time, &report)
  }

  /// Judges the wait that ends at `time`.
  private mutating func settle(at time: VirtualTime, _ report: inout [Violation]) {
    guard let pending else { return }
    self.pending = nil
    let deadline = pending.time + Self.limit
    guard time > deadline else { return }
    report.append(
      Self.violation(
        "the \(pending.place.text)'s app did not activate its session within 10 s of sessionDidDeactivate",
        at: deadline,
        lines: [pending.line]))
  }
}
