import Link

extension Scenario {
  /// The same run with the athlete's days and the users' acts written out as ordinary keys; the scenario itself if none
  /// are drawn.
  ///
  /// Drawn and written days are the same run: the keys are read as those of a file.
  package var drawn: Scenario {
    guard let athlete else { return handed }
    let days = DrawnDays(athlete, for: self)
    var bare = self
    bare.athlete = nil
    (bare.programs, bare.acts, bare.expectations, bare.situations) = (UserPrograms(), [], [], [])
    let own = Self.schema.members(of: bare, .brief)
    let node = JSONNode(.object(Self.merging(days.members, days.faults, into: own)))
    let (read, diagnostics) = Self.read(node, file: "drawn", folder: "/")
    let errors = diagnostics.flatMap { $0.hasErrors ? $0.lines : [] }
    precondition(errors.isEmpty, "drawn days are valid: \(errors)")
    var scenario = read
    (scenario.programs, scenario.acts) = (programs, acts)
    (scenario.expectations, scenario.situations) = (expectations, situations)
    return scenario
  }

  /// Own keys win over drawn ones; of `phone` each, and its events are those of both.
  private static func merging(
    _ drawn: [JSONMember], _ faults: [JSONNode], into own: [JSONMember]
  ) -> [JSONMember] {
    var members = own.filter { $0.key != "workout" }
    // A scenario that says one of them says whether there is a cloud.
    let hasCloud = own.contains { $0.key == "edge" || $0.key == "uplink" }
    for member in drawn where !hasCloud || (member.key != "edge" && member.key != "uplink") {
      guard let index = members.firstIndex(where: { $0.key == member.key }) else {
        members.append(member)
        continue
      }
      switch member.key {
      case "phone": members[index].node = phone(members[index].node, member.node)
      case "startedAt", "timeZone", "duration": members[index] = member
      default: break
      }
    }
    if let index = members.firstIndex(where: { $0.key == "faults" }) {
      members[index].node = JSONNode(.array(members[index].node.elements + faults))
    } else if !faults.isEmpty {
      members.append(JSONMember("faults", .array(faults)))
    }
    if !members.contains(where: { $0.key == "truth" }) { members.append(JSONMember("truth", .bool(true))) }
    // Daily totals go to an edge.
    if !members.contains(where: { $0.key == "edge" || $0.key == "uplink" }) {
      members.append(JSONMember("edge", .object([])))
    }
    return members
  }

  private static func phone(_ own: JSONNode, _ drawn: JSONNode) -> JSONNode {
    guard case .object(var members) = own.value, case .object(let others) = drawn.value else { return own }
    for other in others {
      guard let index = members.firstIndex(where: { $0.key == other.key }) else {
        members.append(other)
        continue
      }
      guard other.key == "events" else { continue }
      members[index].node = JSONNode(.array(members[index].node.elements + other.node.elements))
    }
    return JSONNode(.object(members))
  }
}
