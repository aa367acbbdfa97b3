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
      let app = isVirtual ? program.image.flatMap { $0.isApp ? $0 : nil } : nil
      let fields: JSONFields = [
        "command": .string(program.text), "sha256": app.map { .string($0.digest) },
        "virtualTime": app.map { _ in virtualTime(scenario.appTime) },
      ]
      members.append(JSONMember(role.text, .fields(fields)))
    }
    return JSONMember(key, .object(members))
  }

  private static func virtualTime(_ time: AppTime) -> JSONValue {
    .fields([
      "version": .integer(AppTime.version), "threads": .string(time.policy.rawValue),
      // Seeds are strings: not every JSON reader has 64-bit integers.
      "threadsSeed": time.threadsSeed.map { .string(String($0)) },
      "jitterMilliseconds": .count(time.jitterMilliseconds),
      "environment": time.environment.added.isEmpty
        ? nil : .array(time.environment.added.map { JSONNode(.string($0)) }),
    ])
  }
}
