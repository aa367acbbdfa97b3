import Link

/// What a trace's header says of the programs of the user's that played its nodes.
enum ProgramsHeader {
  /// The member's key; a trace without it has built-in nodes alone.
  static let key = "programs"

  /// The member; nil for a run of built-in nodes.
  ///
  /// - Parameter isVirtual: Whether the run is in virtual time: then a trace belongs to the very bytes of an app's program.
  static func member(_ scenario: Scenario, isVirtual: Bool) -> JSONMember? {
    guard !scenario.programs.isEmpty else { return nil }
    var members: [JSONMember] = []
    for role in [NodeRole.watch, .phone] {
      guard let program = scenario.programs[role] else { continue }
      var fields = [JSONMember("command", .string(program.text))]
      if isVirtual, let image = program.image, image.isApp {
        fields.append(JSONMember("sha256", .string(image.digest)))
        fields.append(JSONMember("virtualTime", virtualTime(scenario.appTime)))
      }
      members.append(JSONMember(role.text, .object(fields)))
    }
    return JSONMember(key, .object(members))
  }

  private static func virtualTime(_ time: AppTime) -> JSONValue {
    var members = [
      JSONMember("version", .integer(AppTime.version)), JSONMember("threads", .string(time.policy.rawValue)),
    ]
    // Seeds are texts: not every reader of JSON has whole numbers of 64 bits.
    if let seed = time.threadsSeed { members.append(JSONMember("threadsSeed", .string(String(seed)))) }
    members.append(JSONMember("jitterMilliseconds", .integer(Int64(clamping: time.jitterMilliseconds))))
    return .object(members)
  }
}
