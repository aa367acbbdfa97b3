package import Link

extension ReferenceRun {
  /// The least time between two dispatches of a run.
  package static let window = VirtualTime.Span.seconds(30)

  /// The lines that ``observe(_:line:)`` understands, and those that show that a snapshot is closed.
  package static let interestsUntilClosed: [TraceEvent.Name] =
    interests + [
      "message.received", "transfer.delivered", "context.received", "node.started", "node.killed", "node.failed",
    ]

  /// Whether this line shows that the phone has finished with the snapshot of an instant.
  ///
  /// Static, because a call on the whole reference would copy it.
  ///
  /// - Parameter changesState: Whether the snapshot itself changed the belief (``changedState``). The script that is
  ///   loaded next is then the one of the run that it opened, and the snapshot is evaluated against it.
  package static func closes(_ event: TypedEvent, at snapshot: VirtualTime?, changesState: Bool) -> Bool {
    guard event.time == snapshot else { return true }
    switch event.body {
    case .scriptLoaded: return !changesState
    case .scriptDispatch, .scriptExpired, .scriptSkipped, .nodeKilled, .nodeFailed, .faultBegin, .faultEnd: return false
    case .runState(let run): return run.cause != "snapshot"
    default: return event.place == .phone
    }
  }
}
