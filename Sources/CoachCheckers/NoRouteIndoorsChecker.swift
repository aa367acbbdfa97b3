import CoachProtocol
package import Link

/// `no-route-indoors`: satellites cannot be received under a roof.
package struct NoRouteIndoorsChecker: Checker {
  package static let invariant = "no-route-indoors"
  package static let about =
    "What is indoors has no route: neither does the watch report a point of shooting or of a swim that is not in open water, nor does the phone store one."

  /// The swims in open water.
  private var openWater: Set<Identifier> = []

  package init(header: TraceHeader) {}

  package mutating func workoutState(
    _ state: WorkoutStateChanged, at event: Occurrence, into report: inout Report
  ) {
    if state.openWater == true { openWater.insert(state.workoutId) }
  }

  package mutating func transferQueued(_ transfer: TransferQueued, at event: Occurrence, into report: inout Report) {
    guard let text = transfer.details.report?.text, let workout = transfer.details.workoutId,
      let session = SessionReport(workoutId: workout, traceText: text)
    else { return }
    judge(workout, session.discipline.rawValue, Int64(session.units.count { $0.kind == .point }), event, &report)
  }

  package mutating func trainingStored(_ session: TrainingStored, at event: Occurrence, into report: inout Report) {
    judge(session.sessionId, session.discipline, session.points, event, &report)
  }

  private func judge(
    _ id: Identifier, _ discipline: String, _ points: Int64, _ event: Occurrence, _ report: inout Report
  ) {
    guard points > 0, TrainingDiscipline(rawValue: discipline)?.hasRoute == false, !openWater.contains(id) else {
      return
    }
    report.add("a session of \(discipline) has a route of \(points) points", at: event.time, lines: [event.line])
  }
}
