import Link

/// A change of a run from an instant on that may avert its failure.
struct Intervention: Equatable {
  /// What is done, as in "killing the phone's app".
  let name: String
  /// The fault that is added, in a scenario's spelling without its instant; nil ends all drawn faults instead.
  let fault: String?
  /// How long it may delay a failure that it does not avert.
  let length: VirtualTime.Span

  /// The id of the added fault.
  private static let id = "intervention"

  /// What is tried, in the order in which it is shown.
  static func list(for scenario: Scenario) -> [Intervention] {
    var list: [Intervention] = []
    if scenario.nemesis != nil {
      list.append(Intervention(name: "no more drawn faults", fault: nil, length: .seconds(0)))
    }
    list += [
      Intervention(
        name: "cutting the link for 30 s", fault: "{ for: \"30s\", disconnect: {} }", length: .seconds(30))
    ]
    if scenario.edge != nil {
      let fault = "{ for: \"30s\", uplink: { disconnect: {} } }"
      list.append(Intervention(name: "cutting the uplink for 30 s", fault: fault, length: .seconds(30)))
    }
    for node in ["phone", "watch"] {
      list += [
        Intervention(
          name: "killing the \(node)'s app", fault: "{ kill: \"\(node)\", restartAfter: \"5s\" }", length: .seconds(5)),
        Intervention(
          name: "killing the \(node)'s app for good", fault: "{ kill: \"\(node)\" }", length: .seconds(0)),
        Intervention(
          name: "suspending the \(node)'s app for 30 s", fault: "{ for: \"30s\", suspend: \"\(node)\", wake: false }",
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
    guard let fault else {
      other.faults.removeAll { $0.id.hasPrefix(Nemesis.idPrefix) && $0.begin >= instant }
      for index in other.faults.indices where other.faults[index].id.hasPrefix(Nemesis.idPrefix) {
        if let end = other.faults[index].end, end > instant { other.faults[index].end = instant }
      }
      return other
    }
    var planned = try Branch.read(fault, at: instant, hasUplink: scenario.edge != nil)
    planned.id = Self.id
    while other.faults.contains(where: { $0.id == planned.id }) { planned.id += "-again" }
    other.faults.append(planned)
    return other
  }
}
