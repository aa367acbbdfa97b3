import CoachProtocol
package import Link

/// `no-route-indoors`: satellites cannot be received under a roof.
package struct NoRouteIndoorsChecker: Checker {
  package static let invariant = "no-route-indoors"
  package static let about =
    "A discipline without positions has no route: neither does the watch report a point of a swim or of shooting, nor does the phone store one."

  package init(header: TraceHeader) {}

  package mutating func transferQueued(_ transfer: TransferQueued, at event: Occurrence, into report: inout Report) {
    guard let text = transfer.details.report?.text, let workout = transfer.details.workoutId,
      let session = SessionReport(workoutId: workout, traceText: text)
    else { return }
    judge(session.discipline.rawValue, Int64(session.units.count { $0.kind == .point }), event, &report)
  }

  package mutating func trainingStored(_ session: TrainingStored, at event: Occurrence, into report: inout Report) {
    judge(session.discipline, session.points, event, &report)
  }

  private func judge(
    _ discipline: String, _ points: Int64, _ event: Occurrence, _ report: inout Report
  ) {
    guard points > 0, TrainingDiscipline(rawValue: discipline)?.hasRoute == false else { return }
    report.add("a session of \(discipline) has a route of \(points) points", at: event.time, lines: [event.line])
  }
}
