import Simulator
import Console
import EdgeSim
import Link

/// A change of a run from an instant on that may avert its failure.
struct Intervention: Equatable {
  /// What changes from the instant on.
  enum Change: Equatable {
    /// Drawn faults end, and none begins.
    case noDrawnFaults
    /// A fault is added, in a scenario's spelling without its instant.
    case fault(String)
    /// The external service, from which the server fetches workouts, no longer answers.
    case serviceGone
  }

  /// What is done, as in "killing the phone's app".
  let name: String
  /// What changes.
  let change: Change
  /// How long it may delay a failure that it does not avert.
  let length: VirtualTime.Span
  /// Whose decisions no longer happen, as in "the phone's app", where it is gone for good; nil for what ends.
  var decider: String?

  /// The id of the added fault.
  private static let id = "intervention"

  /// What is tried, in the order in which it is shown.
  static func list(for scenario: Scenario) -> [Intervention] {
    var list: [Intervention] = []
    if scenario.nemesis != nil {
      list.append(Intervention(name: "no more drawn faults", change: .noDrawnFaults, length: .seconds(0)))
    }
    list += [
      Intervention(
        name: "cutting the link for 30 s", change: .fault("{ for: \"30s\", disconnect: {} }"), length: .seconds(30))
    ]
    if scenario.edge != nil {
      let fault = "{ for: \"30s\", uplink: { disconnect: {} } }"
      list.append(Intervention(name: "cutting the uplink for 30 s", change: .fault(fault), length: .seconds(30)))
    }
    if scenario.edge?.workouts != nil {
      list.append(
        Intervention(
          name: "losing the external service for good", change: .serviceGone, length: .seconds(0),
          decider: "the external service"))
    }
    for node in ["phone", "watch"] {
      list += [
        Intervention(
          name: "killing the \(node)'s app", change: .fault("{ kill: \"\(node)\", restartAfter: \"5s\" }"),
          length: .seconds(5)),
        Intervention(
          name: "killing the \(node)'s app for good", change: .fault("{ kill: \"\(node)\" }"), length: .seconds(0),
          decider: "the \(node)'s app"),
        Intervention(
          name: "suspending the \(node)'s app for 30 s",
          change: .fault("{ for: \"30s\", suspend: \"\(node)\", wake: false }"),
          length: .seconds(30)),
      ]
    }
    return list
  }

  /// The same run with the intervention at an instant.
  ///
  /// - Throws: Never for a name in ``list(for:)``.
  func applied(to scenario: Scenario, at instant: VirtualTime) throws(Failure) -> Scenario {
    var other = scenario.settled
    switch change {
    case .noDrawnFaults:
      other.faults.removeAll { $0.id.hasPrefix(Nemesis.idPrefix) && $0.begin >= instant }
      for index in other.faults.indices where other.faults[index].id.hasPrefix(Nemesis.idPrefix) {
        if let end = other.faults[index].end, end > instant { other.faults[index].end = instant }
      }
    case .fault(let fault):
      var planned = try Branch.read(fault, at: instant, hasUplink: scenario.edge != nil)
      planned.id = Self.id
      while other.faults.contains(where: { $0.id == planned.id }) { planned.id += "-again" }
      other.faults.append(planned)
    case .serviceGone:
      var failure = ServiceFailure(.unavailable)
      failure.begin = instant
      other.edge?.workouts?.failures.insert(failure, at: 0)
    }
    return other
  }
}
