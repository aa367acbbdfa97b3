extension EventBody {
  /// The node that starts, ends, sleeps or wakes with this event, and whether it runs after it; nil for other events.
  public var nodeChange: (target: NodeRole, isUp: Bool)? {
    switch self {
    case .nodeStarted(let event): (event.target, true)
    case .nodeResumed(let event): (event.target, true)
    case .nodeKilled(let event): (event.target, false)
    case .nodeFailed(let event): (event.target, false)
    case .nodeSuspended(let event): (event.target, false)
    default: nil
    }
  }

  /// The node whose app ends with this event; nil for other events.
  public var endedNode: NodeRole? {
    switch self {
    case .nodeKilled(let event): event.target
    case .nodeFailed(let event): event.target
    default: nil
    }
  }
}
