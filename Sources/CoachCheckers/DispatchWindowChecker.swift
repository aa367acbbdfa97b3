import CoachReference
package import Link

/// `dispatch-window`: the coach does not speak too often.
package struct DispatchWindowChecker: Checker {
  package static let invariant = "dispatch-window"
  package static let about = "At least 30 seconds lie between two dispatches of a run, replies included."
  package static let interests: [TraceEvent.Name] = ["run.state", "script.dispatch"]

  private var belief = ReferenceBelief()
  private var last: (time: VirtualTime, line: Int)?

  package init(header: TraceHeader) {}

  package mutating func observe(_ event: TypedEvent, line: Int, into report: inout [Violation]) {
    guard case .scriptDispatch(let dispatch) = event.body else {
      if belief.observe(event) { last = nil }
      return
    }
    if let last, event.time - last.time < ReferenceRun.window {
      let gap = event.time - last.time
      report.append(
        Self.violation(
          "\"\(dispatch.rank.message)\" was dispatched \(gap.text) after the dispatch of \(last.time.text), less than 30 s",
          at: event.time, lines: [last.line, line]))
    }
    last = (event.time, line)
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout [Violation]) {}
}
