import Link

/// When a run is over that the phone may have started, as far as its lines tell.
///
/// A workout of the watch that was taken back does not end such a run: the phone may track it itself by then.
struct StartedByPhone {
  /// Whether a workout is on, on the watch.
  private(set) var isOnWatch = false
  /// Whether a workout was saved, or the phone's own tracker has ended.
  private(set) var isOver = false

  /// Takes a line of a node.
  mutating func observe(_ event: TraceEvent) {
    switch event.name.code {
    case TraceEvent.Name.Code.workoutState: isOnWatch = event["to"]?.text != "ended"
    case TraceEvent.Name.Code.healthSaved, Self.trackerEnded: isOver = true
    default: break
    }
  }

  private static let trackerEnded = TraceEvent.Name("tracker.ended").code
}
