import Link

/// The header's member about user programs that played nodes.
enum ProgramsHeader {
  /// The member's key; a trace without it has built-in nodes only.
  static let key = "programs"

  /// The member; nil for a run with built-in nodes only.
  ///
  /// - Parameter isVirtual: Whether the run is in virtual time: then a trace depends on the exact bytes of an app's
  ///   program.
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

  /// Whether the phone was an app, which follows grants by the session or runs freely, so that there was no coach.
  ///
  /// Other programs, such as a node in another language, may well be a coach's phone.
  static func hasAppAsPhone(_ header: TraceHeader) -> Bool { isApp(.phone, in: header) }

  /// Whether a device was an app.
  static func isApp(_ role: NodeRole, in header: TraceHeader) -> Bool {
    guard let node = header.extras.first(where: { $0.key == key })?.node.member(role.text) else { return false }
    if node.member("virtualTime") != nil { return true }
    guard case .array(let names)? = header.extras.first(where: { $0.key == "freeRunning" })?.node.value else {
      return false
    }
    return names.contains { $0.value == .string(role.text) }
  }

  private static func virtualTime(_ time: AppTime) -> JSONValue {
    var members = [
      JSONMember("version", .integer(AppTime.version)), JSONMember("threads", .string(time.policy.rawValue)),
    ]
    // Seeds are strings: not every JSON reader has 64-bit integers.
    if let seed = time.threadsSeed { members.append(JSONMember("threadsSeed", .string(String(seed)))) }
    members.append(JSONMember("jitterMilliseconds", .integer(Int64(clamping: time.jitterMilliseconds))))
    return .object(members)
  }
}
