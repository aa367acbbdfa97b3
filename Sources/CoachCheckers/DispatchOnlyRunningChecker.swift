import CoachReference
package import Link

/// `dispatch-only-running`: the coach speaks only while the athlete runs.
package struct DispatchOnlyRunningChecker: Checker {
  package static let invariant = "dispatch-only-running"
  package static let about =
    "Lines of the script are dispatched only while the run is believed running; replies may come later."

  private var belief = ReferenceBelief()
  private var beliefLine: Int?

  package init(header: TraceHeader) {}

  package mutating func runState(_ run: RunStateChanged, at event: Occurrence, into report: inout Report) {
    _ = belief.observe(run)
    beliefLine = event.line
  }

  package mutating func scriptDispatch(_ dispatch: ScriptDispatched, at event: Occurrence, into report: inout Report) {
    guard !belief.isRunning, !dispatch.rank.isReply else { return }
    report.add(
      "\"\(dispatch.rank.message)\" was dispatched while the phone believed that \(belief.state.map { "the run is \($0)" } ?? "there is no run")",
      at: event.time, lines: (beliefLine.map { [$0] } ?? []) + [event.line])
  }
}
