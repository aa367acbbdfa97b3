package import Link

/// `stores-converge`: once everything has arrived, both phones show the same.
package struct StoresConvergeChecker: Checker {
  package static let invariant = "stores-converge"
  package static let about =
    "With `phone.training.sync` both phones hold equal rows whenever nothing is on its way between them, in whatever order and however often rows came."
  package static let interests: [TraceEvent.Name] = ["training.settled"]

  private struct State {
    var settled: TrainingSettled
    var line: Int
    var time: VirtualTime
  }

  /// The first phone's state, until the second one's follows.
  private var first: State?

  package init(header: TraceHeader) {}

  package mutating func observe(_ event: TypedEvent, line: Int, into report: inout [Violation]) {
    guard case .trainingSettled(let settled) = event.body else { return }
    let state = State(settled: settled, line: line, time: event.time)
    guard settled.phone == 2 else {
      if let alone = first { report.append(Self.alone(alone)) }
      return first = state
    }
    guard let other = first, other.time == event.time else { return report.append(Self.alone(state)) }
    first = nil
    guard other.settled.digest != settled.digest || other.settled.rows != settled.rows else { return }
    let rows =
      other.settled.rows == settled.rows
      ? "other values in \(settled.rows) rows" : "\(other.settled.rows) and \(settled.rows) rows"
    report.append(
      Self.violation(
        "the phones show \(rows), and nothing is on its way between them", at: event.time, lines: [other.line, line]))
  }

  private static func alone(_ state: State) -> Violation {
    violation("the other phone does not report what it has at the same time", at: state.time, lines: [state.line])
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout [Violation]) {
    if ending.isComplete, let alone = first { report.append(Self.alone(alone)) }
  }
}
