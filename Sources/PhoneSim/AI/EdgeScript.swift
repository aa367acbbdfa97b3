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
    guard !response.messages.isEmpty else { throw Refusal(reasons: ["messages: found none, expected a line"]) }
    let json = JSONValue.object(of: [
      "id": response.scriptId, "runId": request.runId.text, "personality": personality, "model": "edge",
      "inputDigest": String(request.digest.prefix(16)),
      "branchPolicy": (isBranched ? BranchPolicy.branched : .linear).rawValue, "messages": response.messages,
    ])
    let collector = DiagnosticsCollector(file: "script")
    let script = ScriptValidator.read(JSONValueReader(JSONNode(json), into: collector), plan: plan)
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
