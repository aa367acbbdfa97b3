import CoachReference
package import Link

/// `dispatch-only-running`: the coach speaks only while the runner runs.
package struct DispatchOnlyRunningChecker: Checker {
  package static let invariant = "dispatch-only-running"
  package static let about =
    "Lines of the script are dispatched only while the run is believed running; replies may come later."
  package static let interests: [TraceEvent.Name] = ["run.state", "script.dispatch"]

  private var belief = ReferenceBelief()
  private var beliefLine: Int?

  package init(header: TraceHeader) {}

  package mutating func observe(_ event: TypedEvent, line: Int, into report: inout [Violation]) {
    guard case .scriptDispatch(let dispatch) = event.body else {
      _ = belief.observe(event)
      beliefLine = line
      return
    }
    guard !belief.isRunning, !dispatch.rank.isReply else { return }
    report.append(
      Self.violation(
        "\"\(dispatch.rank.message)\" was dispatched while the phone believed that \(belief.state.map { "the run is \($0)" } ?? "there is no run")",
        at: event.time, lines: (beliefLine.map { [$0] } ?? []) + [line]))
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout [Violation]) {}
}
