import CoachProtocol
import CoachReference
package import Link

/// `no-network-in-race-mode`: a race needs only watch and phone.
package struct NoNetworkInRaceChecker: Checker {
  package static let invariant = "no-network-in-race-mode"
  package static let about = "In race mode the phone requests nothing from the edge during the run."

  private let isRace: Bool
  private var belief = ReferenceBelief()
  private var beliefLine = 0

  package init(header: TraceHeader) {
    let workout = header.extras.first { $0.key == "workout" }
    isRace = workout?.node["mode"]?.text == "race"
  }

  package mutating func runState(_ run: RunStateChanged, at event: Occurrence, into report: inout Report) {
    guard isRace else { return }
    _ = belief.observe(run)
    beliefLine = event.line
  }

  package mutating func aiRequested(_ request: AIRequested, at event: Occurrence, into report: inout Report) {
    guard isRace, let state = belief.state, state != "ended" else { return }
    report.add(
      "the phone asked the edge in the middle of a race (\(request.kind))", at: event.time,
      lines: [beliefLine, event.line])
  }
}
