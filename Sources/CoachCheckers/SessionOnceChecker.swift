import CoachProtocol
package import Link

/// `session-once`: every workout is in the training history, and is there once.
package struct SessionOnceChecker: Checker {
  package static let invariant = "session-once"
  package static let about =
    "With `phone.training` every saved workout of a discipline is stored once as a session, before its end is handled, with the watch's figures."

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

  package mutating func workoutState(_ state: WorkoutStateChanged, at event: Occurrence, into report: inout Report) {
    guard isOn else { return }
    if state.from == nil, let sport = state.sport, Self.isOther(sport) { others.insert(state.workoutId) }
  }

  package mutating func healthSaved(_ workout: HealthSaved, at event: Occurrence, into report: inout Report) {
    guard isOn else { return }
    saved[workout.aarcRunId] = Saved(distance: workout.distance, duration: workout.duration, line: event.line)
  }

  package mutating func transferQueued(_ transfer: TransferQueued, at event: Occurrence, into report: inout Report) {
    guard isOn else { return }
    if transfer.details.report != nil, let workout = transfer.details.workoutId { reported.insert(workout) }
  }

  package mutating func transferDelivered(
    _ transfer: TransferDelivered, at event: Occurrence, into report: inout Report
  ) {
    guard isOn else { return }
    guard event.place == .phone, transfer.details.healthKitWorkoutUUID != nil,
      let workout = transfer.details.workoutId, let known = saved[workout], !others.contains(workout),
      stored[workout] == nil
    else { return }
    report.add(
      "the phone handled the end of the workout \(workout.text) and stored no session of it", at: event.time,
      lines: [known.line, event.line])
  }

  package mutating func trainingStored(_ session: TrainingStored, at event: Occurrence, into report: inout Report) {
    guard isOn else { return }
    observe(session, event, &report)
  }

  private mutating func observe(
    _ session: TrainingStored, _ event: Occurrence, _ report: inout Report
  ) {
    let workout = session.workoutId
    if let before = stored[workout] {
      report.add("the workout \(workout.text) was stored a second time", at: event.time, lines: [before, event.line])
    }
    stored[workout] = event.line
    guard let known = saved[workout], reported.contains(workout) else { return }
    let (distance, duration) = (Double(session.distance) / 1_000, Double(session.duration) / 1_000)
    if abs(distance - known.distance) > 0.011 || abs(duration - known.duration) > 0.001 {
      report.add(
        "the session of the workout \(workout.text) has another distance or duration than the watch saved",
        at: event.time, lines: [known.line, event.line])
    }
  }

  private static func isOther(_ sport: String) -> Bool {
    sport != "unknown" && sport != TrainingDiscipline.shooting.rawValue && TrainingDiscipline(sport: sport) == nil
  }
}
