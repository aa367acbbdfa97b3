package import Link

/// `ended-is-final`: a run that ended stays ended.
package struct EndedIsFinalChecker: Checker {
  package static let invariant = "ended-is-final"
  package static let about =
    "After a workout ended no word changes what is believed of it, nothing is dispatched for it, and its watch publishes nothing more."
  package static let interests: [TraceEvent.Name] = [
    "run.state", "run.opened", "run.finished", "script.dispatch", "snapshot",
  ]

  private var ended: [Identifier: Int] = [:]
  private var finished: [Identifier: Int] = [:]
  private var belief = ReckonedBelief()
  /// The workout whose last snapshot said that it ended.
  private var endedOnWatch: (workout: Identifier, line: Int)?

  package init(header: TraceHeader) {}

  package mutating func observe(_ event: TraceEvent, line: Int, into report: inout [Violation]) {
    switch event.name.code {
    case TraceEvent.Name.Code.snapshot: observeSnapshot(event, line, &report)
    case TraceEvent.Name.Code.scriptDispatch:
      guard event["trigger"]?.text != "ai_reply", let workout = belief.workout, let end = ended[workout] else { return }
      report.append(
        Self.violation(
          "\"\(event["message"]?.text ?? "")\" was dispatched after the run ended", at: event.time, lines: [end, line]))
    default:
      var fields = FieldCursor(event)
      guard let workout = fields.identifier("workoutId") else { return }
      observeWord(event, of: workout, line, &report)
    }
  }

  private mutating func observeWord(
    _ event: TraceEvent, of workout: Identifier, _ line: Int, _ report: inout [Violation]
  ) {
    if event.name.code == TraceEvent.Name.Code.runFinished {
      // The one word that may come after the end, and once; the end itself may stand just before or after it.
      if let before = finished[workout] {
        report.append(
          Self.violation("workout \(workout.text) was finished again", at: event.time, lines: [before, line]))
      }
      finished[workout] = line
      return
    }
    if let end = ended[workout] {
      report.append(
        Self.violation(
          "\(event.name.text) for workout \(workout.text), which ended", at: event.time, lines: [end, line]))
    }
    guard event.name.code == TraceEvent.Name.Code.runState else { return }
    _ = belief.observe(event)
    if belief.state == "ended" { ended[workout] = line }
  }

  private mutating func observeSnapshot(_ event: TraceEvent, _ line: Int, _ report: inout [Violation]) {
    var fields = FieldCursor(event)
    fields.skip("epoch")
    fields.skip("seq")
    guard let workout = fields.identifier("workoutId") else { return }
    if let end = endedOnWatch, end.workout == workout {
      report.append(
        Self.violation(
          "the watch published a snapshot after the one that ended", at: event.time, lines: [end.line, line]))
    }
    if event.saysEnded { endedOnWatch = (workout, line) }
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout [Violation]) {}
}
