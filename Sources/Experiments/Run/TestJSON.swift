import Simulator
import Console
package import Link

/// The results of `test` as the one JSON object of `--json`.
package enum TestJSON {
  /// The object's members.
  ///
  /// - Parameter seconds: The real time that all took.
  package static func members(_ results: [CaseResult], seconds: Double) -> [JSONMember] {
    [
      JSONMember("passed", .integer(Int64(results.count { $0.status == 0 }))),
      JSONMember("failed", .integer(Int64(results.count { $0.status != 0 && !$0.wasStopped }))),
      JSONMember("stopped", .integer(Int64(results.count { $0.wasStopped }))),
      JSONMember("wallSeconds", JSONOutput.number(seconds)),
      JSONMember("scenarios", JSONOutput.objects(results.map(members))),
    ]
  }

  /// The scenarios that would run, as `--list` has them.
  package static func members(listing cases: [ScenarioCase]) -> [JSONMember] {
    let listed = cases.map { scenario -> [JSONMember] in
      var members = [JSONMember("scenario", .string(scenario.name)), JSONMember("file", .string(scenario.path))]
      switch scenario.content {
      case .scenario(let content):
        members.append(JSONMember("seed", .string(String(content.seed))))
        members.append(JSONMember("about", .string(content.about)))
      case .unreadable(let text): members.append(JSONMember("error", .string(text)))
      }
      return members
    }
    return [JSONMember("scenarios", JSONOutput.objects(listed))]
  }

  private static func members(_ result: CaseResult) -> [JSONMember] {
    let verdict = result.wasStopped ? "stopped" : result.status == 0 ? "pass" : result.status == 1 ? "fail" : "error"
    let findings = result.plainFindings.isEmpty ? result.findings : result.plainFindings
    return [
      JSONMember("scenario", .string(result.name)), JSONMember("file", .string(result.path)),
      JSONMember("seed", JSONOutput.text(result.seed.map { String($0) })), JSONMember("verdict", .string(verdict)),
      JSONMember("exitStatus", .integer(Int64(result.status))), JSONMember("text", .string(result.text)),
      JSONMember("wallSeconds", JSONOutput.number(result.wallSeconds)),
      JSONMember("findings", JSONOutput.texts(findings)), JSONMember("trace", JSONOutput.text(result.tracePath)),
      JSONMember("bundle", JSONOutput.text(result.bundlePath)),
    ]
  }
}
