import Link

/// Which nodes are up, from the runner's lines about them.
struct NodeStates: Sendable {
  private var down: Set<TraceEvent.Place> = []

  /// Updates the state of a node.
  mutating func observe(_ change: NodeChange) {
    if change.isUp { down.remove(change.target.place) } else { down.insert(change.target.place) }
  }

  /// Whether a node runs, according to the trace.
  func isUp(_ place: TraceEvent.Place) -> Bool { !down.contains(place) }
}
