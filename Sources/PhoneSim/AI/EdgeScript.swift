import CoachProtocol
import Link

/// Makes the script of a run from what the edge sent, with the validator that judges every script.
enum EdgeScript {
  /// What is wrong with a script, in the order of finding.
  struct Refusal: Error, Equatable {
    /// Each with its path; at least one.
    var reasons: [String]
  }

  /// Reads a script.
  ///
  /// The edge names no branch policy: a script whose lines or triggers have branch keys is branched.
  ///
  /// - Throws: Everything that is wrong with it.
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
