import CoachReference
package import Link

/// `dispatch-window`: the coach does not speak too often.
package struct DispatchWindowChecker: Checker {
  package static let invariant = "dispatch-window"
  package static let about = "At least 30 seconds lie between two dispatches of a run, replies included."

  private var belief = ReferenceBelief()
  private var last: (time: VirtualTime, line: Int)?

  package init(header: TraceHeader) {}

  package mutating func runState(_ run: RunStateChanged, at event: Occurrence, into report: inout Report) {
    if belief.observe(run) { last = nil }
  }

  package mutating func scriptDispatch(_ dispatch: ScriptDispatched, at event: Occurrence, into report: inout Report) {
    if let last, event.time - last.time < ReferenceRun.window {
      let gap = event.time - last.time
      report.add(
        "\"\(dispatch.rank.message)\" was dispatched \(gap.text) after the dispatch of \(last.time.text), less than 30 s",
        at: event.time, lines: [last.line, event.line])
    }
    last = (event.time, event.line)
  }
}
