package import Console
import Foundation

extension ResultPage {
  /// Writes the page of the scenarios that `test` ran: failures first.
  ///
  /// - Parameter seconds: The real time that they took.
  package func write(_ results: [CaseResult], seconds: Double) throws(Failure) {
    let judged = results.filter { !$0.wasStopped }
    let passed = judged.count { $0.status == 0 }
    var page = self
    page.summary = "\(StoryText.count(passed)) of \(StoryText.count(results.count, "scenario")) passed"
    let failed = judged.filter { $0.status != 0 }
    page.problems = failed.map { result in
      Problem(
        title: "\(result.name): \(result.text)",
        details: result.plainFindings.isEmpty ? result.findings : result.plainFindings,
        repeatCommand: result.repeatCommand.isEmpty ? nil : result.repeatCommand, trace: result.tracePath,
        bundle: result.bundlePath)
    }
    page.cases =
      failed.enumerated().map { Case($0.element, problem: $0.offset + 1) }
      + results.filter { $0.status == 0 || $0.wasStopped }.map { Case($0, problem: nil) }
    try page.write(
      ResultHistory.Entry(
        command: CommandName.test, at: Date.now.formatted(.iso8601),
        commit: CommitName.find(ProcessInfo.processInfo.environment),
        runs: Int64(judged.count), failed: Int64(judged.count - passed), seconds: seconds))
  }

  /// A scenario in the list.
  struct Case {
    let result: CaseResult
    /// The number of its problem on the page, from 1; nil if it has none.
    let problem: Int?

    init(_ result: CaseResult, problem: Int?) { (self.result, self.problem) = (result, problem) }
  }

  /// The list with its filter, which the page's script shows.
  func section(_ cases: [Case]) -> String {
    guard !cases.isEmpty else { return "" }
    let failed = cases.count { $0.problem != nil }, warned = cases.count { !$0.result.warnings.isEmpty }
    let kinds = [
      ("all", "All", cases.count), ("failed", "Failed", failed),
      ("passed", "Passed", cases.count { $0.result.status == 0 }), ("warned", "Warned", warned),
    ]
    var text = "<section>\n<h2>Scenarios</h2>\n<div id=\"filter\" role=\"search\" hidden>"
    text += "<input type=\"search\" placeholder=\"Find\" aria-label=\"Find in the scenarios\">"
    for (kind, title, count) in kinds where kind == "all" || count > 0 {
      text += "<button type=\"button\" data-kind=\"\(kind)\">\(title) \(count)</button>"
    }
    text += "<button type=\"button\" aria-pressed=\"false\">Slowest first</button>"
    text += "<output></output></div>\n<ul class=\"cases\">\n"
    for one in cases { text += item(one) }
    return text + "</ul>\n</section>\n"
  }

  private func item(_ one: Case) -> String {
    let result = one.result
    var kinds = ["case", result.status == 0 ? "passed" : "failed"]
    if !result.warnings.isEmpty { kinds.append("warned") }
    let name = Self.escaped(result.name)
    let seconds = String(format: "%.3f", max(0, result.wallSeconds))
    var text = "<li class=\"\(kinds.joined(separator: " "))\" data-seconds=\"\(seconds)\"><b>\(result.verdict)</b>"
    text += "<span>\(one.problem.map { "<a href=\"#problem-\($0)\">\(name)</a>" } ?? name)</span>"
    text += "<span class=\"result\">\(Self.escaped(result.status == 0 ? result.text : result.reason))</span>"
    let seed = result.seed.map { "seed \($0), " } ?? ""
    text += "<span class=\"meta\">\(seed)\(String(format: "%.1f", max(0, result.wallSeconds))) s</span>"
    for warning in result.warnings { text += "<span class=\"warning\">\(Self.escaped(warning))</span>" }
    return text + "</li>\n"
  }
}
