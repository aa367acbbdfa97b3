package import Link

/// `stores-converge`: once everything has arrived, both phones show the same.
package struct StoresConvergeChecker: Checker {
  package static let invariant = "stores-converge"
  package static let about =
    "With `phone.training.sync` both phones hold equal rows whenever nothing is on its way between them, in whatever order and however often rows came."

  private struct State {
    var settled: TrainingSettled
    var line: Int
    var time: VirtualTime
  }

  /// The first phone's state, until the second one's follows.
  private var first: State?

  package init(header: TraceHeader) {}

  package mutating func trainingSettled(_ settled: TrainingSettled, at event: Occurrence, into report: inout Report) {
    let state = State(settled: settled, line: event.line, time: event.time)
    guard settled.phone == 2 else {
      if let alone = first { Self.object(to: alone, &report) }
      return first = state
    }
    guard let other = first, other.time == event.time else { return Self.object(to: state, &report) }
    first = nil
    guard other.settled.digest != settled.digest || other.settled.rows != settled.rows else { return }
    let rows =
      other.settled.rows == settled.rows
      ? "other values in \(settled.rows) rows" : "\(other.settled.rows) and \(settled.rows) rows"
    report.add(
      "the phones show \(rows), and nothing is on its way between them", at: event.time,
      lines: [other.line, event.line])
  }

  /// Objects to a phone whose other one reports nothing.
  private static func object(to state: State, _ report: inout Report) {
    report.add("the other phone does not report what it has at the same time", at: state.time, lines: [state.line])
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout Report) {
    if ending.isComplete, let alone = first { Self.object(to: alone, &report) }
  }
}
