package import Console
import Foundation

extension ResultPage {
  /// Writes the page of the scenarios that `test` ran.
  ///
  /// - Parameter seconds: The real time that they took.
  package func write(_ results: [CaseResult], seconds: Double) throws(Failure) {
    let judged = results.filter { !$0.wasStopped }
    let passed = judged.count { $0.status == 0 }
    var page = self
    page.summary = "\(StoryText.count(passed)) of \(StoryText.count(results.count, "scenario")) passed"
    page.problems = judged.filter { $0.status != 0 }.map { result in
      Problem(
        title: "\(result.name): \(result.text)",
        details: result.plainFindings.isEmpty ? result.findings : result.plainFindings, trace: result.tracePath,
        bundle: result.bundlePath)
    }
    let rows = results.map { result in
      [result.name, result.seed.map { String($0) } ?? "", result.status == 0 ? "pass" : "FAIL", result.text]
    }
    let warnings = results.flatMap { result in result.warnings.map { [result.name, $0] } }
    page.tables = [
      Table(title: "Scenarios", rows: [["scenario", "seed", "", "result"]] + rows),
      Table(title: "Warnings", rows: [["scenario", "warning"]] + warnings),
    ]
    try page.write(
      ResultHistory.Entry(
        command: CommandName.test, at: Date.now.formatted(.iso8601),
        commit: CommitName.find(ProcessInfo.processInfo.environment),
        runs: Int64(judged.count), failed: Int64(judged.count - passed), seconds: seconds))
  }
}
