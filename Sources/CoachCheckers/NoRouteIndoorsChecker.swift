import CoachProtocol
package import Link

/// `no-route-indoors`: satellites cannot be received under a roof.
package struct NoRouteIndoorsChecker: Checker {
  package static let invariant = "no-route-indoors"
  package static let about =
    "A discipline without positions has no route: neither does the watch report a point of a swim or of shooting, nor does the phone store one."
  package static let interests: [TraceEvent.Name] = ["transfer.queued", "training.stored"]

  package init(header: TraceHeader) {}

  package mutating func observe(_ event: TypedEvent, line: Int, into report: inout [Violation]) {
    switch event.body {
    case .transferQueued(let transfer):
      guard let text = transfer.details.report?.text, let workout = transfer.details.workoutId,
        let session = SessionReport(workoutId: workout, traceText: text)
      else { return }
      judge(session.discipline.rawValue, Int64(session.units.count { $0.kind == .point }), event, line, &report)
    case .trainingStored(let session): judge(session.discipline, session.points, event, line, &report)
    default: break
    }
  }

  private func judge(
    _ discipline: String, _ points: Int64, _ event: TypedEvent, _ line: Int, _ report: inout [Violation]
  ) {
    guard points > 0, TrainingDiscipline(rawValue: discipline)?.hasRoute == false else { return }
    report.append(
      Self.violation("a session of \(discipline) has a route of \(points) points", at: event.time, lines: [line]))
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout [Violation]) {}
}
