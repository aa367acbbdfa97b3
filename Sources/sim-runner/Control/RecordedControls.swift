import Link

/// What the control lines of a trace say was ordered, ordered again at the same instants.
///
/// The header's plan is that of the run's start; with these orders the same run is made again, byte for byte.
final class RecordedControls: LiveControls {
  private var orders: ArraySlice<(at: VirtualTime, order: LiveOrder)>

  /// - Returns: Nil for a trace into whose run nobody reached. A line that says no command is passed over.
  init?(_ events: [TraceEvent], hasEdge: Bool) {
    let found = events.compactMap { event -> (at: VirtualTime, order: LiveOrder)? in
      guard event.name == Self.control, event.place == .runner else { return nil }
      return Self.order(event, hasEdge: hasEdge).map { (event.time, $0) }
    }
    guard !found.isEmpty else { return nil }
    orders = found[...]
  }

  private static let control: TraceEvent.Name = "control"

  private static func order(_ event: TraceEvent, hasEdge: Bool) -> LiveOrder? {
    guard let text = event["command"]?.text, let origin = event["by"]?.text.flatMap(LiveOrder.Origin.init) else {
      return nil
    }
    // A mark is recorded as it is meant, without quotes.
    let words = text.hasPrefix("mark ") ? ["mark", String(text.dropFirst(5))] : split(text)
    guard let command = try? ControlCommand(words, hasEdge: hasEdge), let action = command.action else { return nil }
    return LiveOrder(origin: origin, command: text, action: action)
  }

  private static func split(_ text: String) -> [String] {
    (try? CommandWords.split(text, option: "command")) ?? []
  }

  func wait(from now: VirtualTime, to next: VirtualTime) -> LiveStep {
    guard let first = orders.first, first.at <= next else { return .advance }
    orders.removeFirst()
    return .order(first.order, at: max(first.at, VirtualTime(nanoseconds: now.nanoseconds + 1)))
  }

  func carriedOut(_ order: LiveOrder, _ outcome: LiveOutcome, plan: [PlannedFault]) {}
}
