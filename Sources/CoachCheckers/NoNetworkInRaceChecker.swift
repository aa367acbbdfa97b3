import CoachProtocol
import CoachReference
package import Link

/// `no-network-in-race-mode`: a race needs only watch and phone.
package struct NoNetworkInRaceChecker: Checker {
  package static let invariant = "no-network-in-race-mode"
  package static let about = "In race mode the phone requests nothing from the edge during the run."
  package static let interests: [TraceEvent.Name] = ["run.state", "ai.requested"]

  private let isRace: Bool
  private var belief = ReferenceBelief()
  private var beliefLine = 0

  package init(header: TraceHeader) {
    let workout = header.extras.first { $0.key == "workout" }
    isRace = workout?.node["mode"]?.text == "race"
  }

  package mutating func observe(_ event: TypedEvent, line: Int, into report: inout [Violation]) {
    guard isRace else { return }
    guard case .aiRequested(let request) = event.body else {
      _ = belief.observe(event)
      beliefLine = line
      return
    }
    guard let state = belief.state, state != "ended" else { return }
    report.append(
      Self.violation(
        "the phone asked the edge in the middle of a race (\(request.kind))", at: event.time,
        lines: [beliefLine, line]))
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout [Violation]) {}
}
