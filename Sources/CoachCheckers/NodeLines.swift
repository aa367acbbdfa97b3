import Link

/// The runner's lines about nodes, as the coach's checkers read them.
enum NodeLines {
  static let interests: [TraceEvent.Name] = [
    "node.started", "node.killed", "node.failed", "node.suspended", "node.resumed",
  ]

  /// Whether the phone runs after this event; nil for an event that does not change it.
  static func isPhoneUp(after event: TypedEvent) -> Bool? { isUp(.phone, after: event) }

  /// Whether a node runs after this event; nil for an event that does not change it.
  static func isUp(_ role: NodeRole, after event: TypedEvent) -> Bool? {
    guard let change = event.body.nodeChange, change.target == role else { return nil }
    return change.isUp
  }
}

extension SnapshotMetrics {
  /// Whether the snapshot is of a workout that has ended.
  @inline(__always) var hasEnded: Bool { state == .ended }
}

extension EventBody {
  /// An answer to the runner: from the edge, a stock line, or from the cache; nil for other events.
  var answer: AnswerFields? {
    switch self {
    case .aiReply(let event): event.answer
    case .aiFallback(let event): event.answer
    case .aiCached(let event): event.answer
    default: nil
    }
  }
}
