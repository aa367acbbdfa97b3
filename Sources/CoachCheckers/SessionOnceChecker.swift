import CoachProtocol
package import Link

/// `session-once`: every workout is in the training history, and is there once.
package struct SessionOnceChecker: Checker {
  package static let invariant = "session-once"
  package static let about =
    "With `phone.training` every saved workout of a discipline is stored once as a session, before its end is handled, with the watch's figures."
  package static let interests: [TraceEvent.Name] = [
    "workout.state", "health.saved", "transfer.queued", "transfer.delivered", "training.stored", "training.refused",
  ]

  private struct Saved {
    var distance: Double
    var duration: Double
    var line: Int
  }

  private let isOn: Bool
  /// Workouts of a sport that is no discipline.
  private var others: Set<Identifier> = []
  private var saved: [Identifier: Saved] = [:]
  /// Workouts of which a report was queued.
  private var reported: Set<Identifier> = []
  private var stored: [Identifier: Int] = [:]

  package init(header: TraceHeader) {
    isOn = header.extra("phone")?["training"] != nil
  }

  package mutating func observe(_ event: TypedEvent, line: Int, into report: inout [Violation]) {
    guard isOn else { return }
    switch event.body {
    case .workoutState(let state):
      if state.from == nil, let sport = state.sport, Self.isOther(sport) { others.insert(state.workoutId) }
    case .healthSaved(let workout):
      saved[workout.aarcRunId] = Saved(distance: workout.distance, duration: workout.duration, line: line)
    case .transferQueued(let transfer):
      if transfer.details.report != nil, let workout = transfer.details.workoutId { reported.insert(workout) }
    case .transferDelivered(let transfer):
      guard event.place == .phone, transfer.details.healthKitWorkoutUUID != nil,
        let workout = transfer.details.workoutId, let known = saved[workout], !others.contains(workout),
        stored[workout] == nil
      else { return }
      report.append(
        Self.violation(
          "the phone handled the end of the workout \(workout.text) and stored no session of it", at: event.time,
          lines: [known.line, line]))
    case .trainingStored(let session): observe(session, event, line, &report)
    default: break
    }
  }

  private mutating func observe(
    _ session: TrainingStored, _ event: TypedEvent, _ line: Int, _ report: inout [Violation]
  ) {
    let workout = session.workoutId
    if let before = stored[workout] {
      report.append(
        Self.violation("the workout \(workout.text) was stored a second time", at: event.time, lines: [before, line]))
    }
    stored[workout] = line
    guard let known = saved[workout], reported.contains(workout) else { return }
    let (distance, duration) = (Double(session.distance) / 1_000, Double(session.duration) / 1_000)
    if abs(distance - known.distance) > 0.011 || abs(duration - known.duration) > 0.001 {
      report.append(
        Self.violation(
          "the session of the workout \(workout.text) has another distance or duration than the watch saved",
          at: event.time, lines: [known.line, line]))
    }
  }

  private static func isOther(_ sport: String) -> Bool {
    sport != "unknown" && sport != TrainingDiscipline.shooting.rawValue && TrainingDiscipline(sport: sport) == nil
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout [Violation]) {}
}
