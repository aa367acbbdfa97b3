package import Console
package import Link

/// Repeats the users' controls of a recorded run at the same instants.
package final class RecordedControls: LiveControls {
  private var orders: [(at: VirtualTime, order: LiveOrder)] = []
  private var next = 0
  private let last: VirtualTime?

  /// Nil if there were no controls.
  ///
  /// - Parameter last: The last instant of the run; nil for its own end.
  package init?(_ trace: RecordedTrace, hasEdge: Bool, last: VirtualTime?) {
    self.last = last
    for event in trace.events where event.place == .runner && event.name.text == "control" {
      guard let command = event.text("command") else { continue }
      var action = LiveOrder.Action.record(event.text("effect") ?? "")
      // A mark is recorded without quotes.
      let words =
        command.hasPrefix("mark ")
        ? ["mark", String(command.dropFirst(5))] : try? CommandWords.split(command, option: "control")
      if let words, let known = try? ControlCommand(words, hasEdge: hasEdge), let ordered = known.action {
        action = ordered
      }
      let origin = event.text("by").flatMap(LiveOrder.Origin.init(rawValue:)) ?? .ctl
      orders.append((event.time, LiveOrder(origin: origin, command: command, action: action)))
    }
    guard !orders.isEmpty else { return nil }
  }

  package func wait(from now: VirtualTime, to next: VirtualTime) -> LiveStep {
    // Controls come first: the last ones of a stopped run lie between its last event and its end.
    if self.next < orders.count {
      // A control's instant is unique: one that would lie in the past follows immediately.
      let at = max(orders[self.next].at, now + VirtualTime.Span(nanoseconds: 1))
      if at <= min(next, last ?? next) {
        self.next += 1
        return .order(orders[self.next - 1].order, at: at)
      }
    }
    if let last, next > last { return .stop(at: last) }
    return .advance
  }

  package func carriedOut(_ order: LiveOrder, _ outcome: LiveOutcome, plan: [PlannedFault]) {}
}
