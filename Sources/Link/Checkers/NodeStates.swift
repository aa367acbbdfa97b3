import Link

/// Which nodes are up, from the runner's lines about them.
struct NodeStates: Sendable {
  /// The lines that ``observe(_:)`` understands.
  static let interests: [TraceEvent.Name] = [
    "node.started", "node.killed", "node.failed", "node.suspended", "node.resumed",
  ]

  private var down: Set<TraceEvent.Place> = []

  /// Updates the state of the node that an event is about; false for any other event.
  mutating func observe(_ event: TypedEvent) -> Bool {
    guard let change = event.body.nodeChange else { return false }
    if change.isUp { down.remove(change.target.place) } else { down.insert(change.target.place) }
    return true
  }

  /// Whether a node runs, according to the trace.
  func isUp(_ place: TraceEvent.Place) -> Bool { !down.contains(place) }
}
