import Link

/// Whether a run that the phone may have started, or one of several workouts, is over, according to its events.
///
/// A cancelled workout of the watch does not end a run that the phone started: the phone may track it itself by then.
struct StartedByPhone {
  /// Whether a workout is on, on the watch.
  private var isOnWatch = false
  /// Whether a workout was saved, or the phone's own tracker has ended.
  private(set) var isOver = false
  /// Whether a workout is on, on the watch, or another of several may still start.
  var isOpen: Bool { isOnWatch || lastStart > .start && !isOver }
  /// When the last of several workouts starts: the end of an earlier one is not the run's.
  private let lastStart: VirtualTime

  /// Whether only the watch starts workouts, so that the end of the last one is the run's.
  private let isWatchOnly: Bool

  init(from lastStart: VirtualTime, isWatchOnly: Bool) {
    self.lastStart = lastStart
    self.isWatchOnly = isWatchOnly
  }

  /// Observes an event of a node.
  mutating func observe(_ event: TraceEvent) {
    switch event.name {
    case WorkoutStateChanged.name:
      isOnWatch = event["to"]?.text != "ended"
      if isWatchOnly, !isOnWatch, event.time >= lastStart { isOver = true }
    case HealthSaved.name, TrackerEnded.name: isOver = isOver || event.time >= lastStart
    default: break
    }
  }
}
