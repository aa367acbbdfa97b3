/// Which nodes are up, from the runner's lines about them.
struct NodeStates: Sendable {
  /// The lines that ``observe(_:)`` understands.
  static let interests: [TraceEvent.Name] = [
    "node.started", "node.killed", "node.failed", "node.suspended", "node.resumed",
  ]

  private var down: Set<TraceEvent.Place> = []

  /// Takes a line about a node; true where it was one.
  mutating func observe(_ event: TraceEvent) -> Bool {
    switch event.name.code {
    case TraceEvent.Name.Code.nodeStarted, TraceEvent.Name.Code.nodeResumed:
      if let place = Self.target(event) { down.remove(place) }
    case TraceEvent.Name.Code.nodeKilled, TraceEvent.Name.Code.nodeFailed, TraceEvent.Name.Code.nodeSuspended:
      if let place = Self.target(event) { down.insert(place) }
    default: return false
    }
    return true
  }

  /// Whether a node runs, as far as the trace says.
  func isUp(_ place: TraceEvent.Place) -> Bool { !down.contains(place) }

  /// The node that a runner's line is about.
  static func target(_ event: TraceEvent) -> TraceEvent.Place? {
    let text = event["target"]?.text
    return TraceEvent.Place.allCases.first { $0.text == text }
  }
}
