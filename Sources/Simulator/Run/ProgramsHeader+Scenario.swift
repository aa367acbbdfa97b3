import Console
import Link

extension ProgramsHeader {
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
