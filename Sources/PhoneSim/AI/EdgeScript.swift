import CoachProtocol
import Link

/// Builds a run's script from an edge response, using the common validator.
enum EdgeScript {
  /// The validator's errors, in the order of detection.
  struct Refusal: Error, Equatable {
    /// One message with its path each; never empty.
    var reasons: [String]
  }

  /// Reads and validates a script.
  ///
  /// The response has no branch policy: a script in which a line or trigger has a branch key is branched.
  ///
  /// - Throws: All errors.
  static func make(
    _ response: GenerateScriptResponse, for request: AIRequest, personality: String, plan: Plan
  ) throws(Refusal) -> Script {
    let isBranched = response.messages.contains { $0.branchKey != nil || hasBranch($0.triggerSpec) }
    guard case .object(let answer) = response.json, let messages = answer.first(where: { $0.key == "messages" }) else {
      preconditionFailure("a response is an object with messages")
    }
    guard !response.messages.isEmpty else { throw Refusal(reasons: ["messages: found none, expected a line"]) }
    let members = [
      JSONMember("id", .string(response.scriptId)), JSONMember("runId", .string(request.runId.text)),
      JSONMember("personality", .string(personality)), JSONMember("model", .string("edge")),
      JSONMember("inputDigest", .string(String(request.digest.prefix(16)))),
      JSONMember("branchPolicy", .string((isBranched ? BranchPolicy.branched : .linear).rawValue)), messages,
    ]
    let collector = DiagnosticsCollector(file: "script")
    let script = ScriptValidator.read(JSONValueReader(JSONNode(.object(members)), into: collector), plan: plan)
    let errors = collector.diagnostics.list.filter { $0.severity == .error }
    guard let script, errors.isEmpty else {
      throw Refusal(reasons: errors.prefix(CoachSettings.refusalCountMax).map(\.message))
    }
    return script
  }

  private static func hasBranch(_ spec: JSONValue) -> Bool {
    guard case .object(let members) = spec else { return false }
    return members.contains { $0.key == "branchKey" }
  }
}
