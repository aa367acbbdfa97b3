import Link

/// The user's programs that play a scenario's nodes, and their settings for virtual time.
extension Scenario {
  /// Reads `phone.command` and `watch.command`.
  mutating func takeProgram(_ reader: JSONObjectReader, as role: NodeRole, folder: String) {
    guard let value = reader.value("command"), let text = value.string() else { return }
    do throws(Failure) {
      programs[role] = try UserProgram(text, option: "\(role.text).command", in: folder)
    } catch {
      value.refuse(expected: "a program and its arguments, quotes in pairs")
    }
  }

  /// Reads `apps`.
  mutating func takeAppTime(_ reader: JSONObjectReader) {
    reader.object("apps") { apps in
      if let policy = apps.oneOf("threads", AppTime.Policy.allCases.map { ($0.rawValue, $0) }) {
        appTime.policy = policy
      }
      appTime.threadsSeed = apps.unsigned("threadsSeed")
      if let value = apps.value("jitter"), let jitter = value.duration() {
        let milliseconds = jitter.nanoseconds / 1_000_000
        if jitter < .zero || milliseconds > Int64(AppTime.jitterMax) {
          value.refuse(expected: "0 to \(AppTime.jitterMax)ms")
        } else {
          appTime.jitterMilliseconds = UInt64(milliseconds)
        }
      }
      return ()
    }
  }

  /// The nodes that are apps, which only have the session's crash points.
  var appRoles: [NodeRole] { [NodeRole.watch, .phone].filter { programs[$0] != nil } }

  /// Writes the programs into the members of the file, so that a sweep's processes and saved scenarios have them.
  ///
  /// - Parameter folder: The folder of the file.
  static func setPrograms(of scenario: Scenario, in members: inout [JSONMember], folder: String) {
    for role in [NodeRole.watch, .phone] {
      guard let program = scenario.programs[role] else { continue }
      let command = JSONMember("command", .string(program.text(relativeTo: folder)))
      if let index = members.firstIndex(where: { $0.key == role.text }),
        case .object(let old) = members[index].node.value
      {
        members[index].node.value = .object(old.filter { $0.key != "command" } + [command])
      } else {
        members.append(JSONMember(role.text, .object([command])))
      }
    }
    members.removeAll { $0.key == "apps" }
    let apps = scenario.appTime.members
    if !scenario.programs.isEmpty, !apps.isEmpty { members.append(JSONMember("apps", .object(apps))) }
  }

  /// The members of a file without programs, as a node receives them.
  static func withoutPrograms(_ members: [JSONMember]) -> [JSONMember] {
    members.compactMap { member in
      guard member.key != "apps" else { return nil }
      guard [NodeRole.phone.text, NodeRole.watch.text].contains(member.key),
        case .object(let fields) = member.node.value
      else { return member }
      var member = member
      let left = fields.filter { $0.key != "command" && $0.key != "acts" }
      if left.isEmpty, member.key == NodeRole.watch.text { return nil }
      member.node.value = .object(left)
      return member
    }
  }
}

extension AppTime {
  /// The settings that differ from the default, in a scenario's spelling.
  var members: [JSONMember] {
    var members: [JSONMember] = []
    if policy != AppTime().policy { members.append(JSONMember("threads", .string(policy.rawValue))) }
    if let threadsSeed { members.append(JSONMember("threadsSeed", .string(String(threadsSeed)))) }
    if jitterMilliseconds > 0 { members.append(JSONMember("jitter", .string("\(jitterMilliseconds)ms"))) }
    return members
  }
}
