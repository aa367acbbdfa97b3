import Link

/// Whether a run that the phone may have started is over, according to its events.
///
/// A cancelled workout of the watch does not end such a run: the phone may track it itself by then.
struct StartedByPhone {
  /// Whether a workout is on, on the watch.
  private(set) var isOnWatch = false
  /// Whether a workout was saved, or the phone's own tracker has ended.
  private(set) var isOver = false
  /// When the last of several workouts starts: the end of an earlier one is not the run's.
  private let lastStart: VirtualTime

  init(from lastStart: VirtualTime) { self.lastStart = lastStart }

  /// Observes an event of a node.
  mutating func observe(_ event: TraceEvent) {
    switch event.name.code {
    case TraceEvent.Name.Code.workoutState: isOnWatch = event["to"]?.text != "ended"
    case TraceEvent.Name.Code.healthSaved, Self.trackerEnded: isOver = isOver || event.time >= lastStart
    default: break
    }
  }

  private static let trackerEnded = TraceEvent.Name("tracker.ended").code
}
