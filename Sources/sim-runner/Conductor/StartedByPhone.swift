import Link

/// Whether a run that the phone may have started is over, according to its events.
///
/// A cancelled workout of the watch does not end such a run: the phone may track it itself by then.
struct StartedByPhone {
  /// Whether a workout is on, on the watch.
  private(set) var isOnWatch = false
  /// Whether a workout was saved, or the phone's own tracker has ended.
  private(set) var isOver = false

  /// Observes an event of a node.
  mutating func observe(_ event: TraceEvent) {
    switch event.name.code {
    case TraceEvent.Name.Code.workoutState: isOnWatch = event["to"]?.text != "ended"
    case TraceEvent.Name.Code.healthSaved, Self.trackerEnded: isOver = true
    default: break
    }
  }

  private static let trackerEnded = TraceEvent.Name("tracker.ended").code
}
