import CoachProtocol
package import Link

/// `speed-possible`: no workout covers ground faster than its sport allows.
package struct SpeedPossibleChecker: Checker {
  package static let invariant = "speed-possible"
  package static let about =
    "The distance that the watch publishes grows no faster than its sport allows: 12 m/s on a run."

  /// How many seconds of distance may come at once, because the watch's pauses begin and end on whole seconds, and the
  /// recording's do not.
  private static let slackSeconds = 2.0

  private var workout: Identifier?
  private var speedMax = Sport.running.speedMax
  /// Elapsed seconds, distance in metres and line of the last snapshot; 0 before the first.
  private var last = (elapsed: 0.0, distance: 0.0, line: 0)
  /// Metres in excess of the sport's limit; passing time reduces them.
  private var excess = 0.0

  package init(header: TraceHeader) {}

  package mutating func workoutState(_ state: WorkoutStateChanged, at event: Occurrence, into report: inout Report) {
    guard event.place == .watch else { return }
    if state.from == nil { begin(state.workoutId, Sport(named: state.sport ?? Sport.running.rawValue)) }
  }

  package mutating func snapshot(_ snapshot: SnapshotPublished, at event: Occurrence, into report: inout Report) {
    guard event.place == .watch else { return }
    observeSnapshot(snapshot.metrics, event, &report)
  }

  private mutating func observeSnapshot(
    _ metrics: SnapshotMetrics, _ event: Occurrence, _ report: inout Report
  ) {
    let (workout, elapsed, distance) = (metrics.workoutId, metrics.elapsed, metrics.distance)
    if workout != self.workout { begin(workout, .running) }
    let way = distance - last.distance
    let seconds = max(0, elapsed - last.elapsed)
    excess = max(0, excess + way - speedMax * seconds)
    if excess > speedMax * Self.slackSeconds {
      report.add(
        "the watch published \(Self.text(way)) m in \(Self.text(seconds)) s, but at most \(Int(speedMax)) m/s are possible",
        at: event.time,
        lines: last.line == 0 ? [event.line] : [last.line, event.line])
      excess = 0
    }
    last = (elapsed, distance, event.line)
  }

  private mutating func begin(_ workout: Identifier?, _ sport: Sport) {
    self.workout = workout
    speedMax = sport.speedMax
    last = (0, 0, 0)
    excess = 0
  }

  /// One decimal.
  private static func text(_ value: Double) -> String {
    guard abs(value) < 1e11 else { return "\(value)" }
    var text = ""
    TraceValue.number((value * 10).rounded() / 10, places: 1).append(to: &text)
    return text
  }
}
