package import Console
import Foundation
import Link
import Simulator
import TraceTools

/// The page of `--html DIR`: what `test` or `sweep` ran, a report of each failure, and the history of earlier runs.
///
/// Its size is bounded: a sweep has at most 50 groups of failures, and the history shows the latest 200 runs.
package struct ResultPage {
  package static let option = Option.value(
    "--html", "DIR", "write a page of the results here, with a report of each failure; keeps a history")

  /// One thing that failed.
  struct Problem {
    var title: String
    /// What was found, in sentences.
    var details: [String]
    /// The command that repeats it; nil if there is none.
    var repeatCommand: String?
    /// The shrunk scenario; nil if there is none.
    var scenario: String?
    /// The trace, of which a report is made; nil if there is none.
    var trace: String?
    /// The bundle; nil if there is none.
    var bundle: String?
    /// The seeds that failed so, of those that are known; the trace is the first one's.
    var seeds: [UInt64] = []
  }

  /// A heading with a table below it; the first row is the table's head.
  struct Table {
    var title: String
    var rows: [[String]]
  }

  /// Older runs stay in the file, and are not on the page.
  private static let historyMax = 200

  package let folder: String
  var summary = ""
  var problems: [Problem] = []
  var cases: [Case] = []
  var tables: [Table] = []
  var matrices: [ResultMatrix] = []
  /// Whether all seeds were run, so that the share of failures is a rate.
  var isRate = false

  /// - Throws: For a folder that cannot be used, before anything runs.
  init(_ folder: String) throws(Failure) {
    try OutputFolder.check(folder)
    self.folder = folder
  }

  /// The page that the command line asks for, if any.
  package static func make(_ arguments: Arguments) throws(Failure) -> ResultPage? {
    guard let folder = arguments.value(option.name) else { return nil }
    return try ResultPage(folder)
  }

  /// Writes the reports, adds the run to the history, and writes the page.
  func write(_ entry: ResultHistory.Entry) throws(Failure) {
    try OutputFolder.make(folder)
    var history = try ResultHistory(folder: folder)
    try history.add(entry, to: folder)
    var sections = ""
    if !problems.isEmpty {
      sections += "<section>\n<h2>Failures</h2>\n"
      for (index, problem) in problems.enumerated() { sections += try article(problem, number: index + 1) }
      sections += "</section>\n"
    }
    sections += section(cases)
    for table in tables where table.rows.count > 1 { sections += Self.section(table) }
    for matrix in matrices { sections += matrix.html }
    sections += Self.section(history)
    try write(page(entry, sections), to: "index.html")
  }

  private func page(_ entry: ResultHistory.Entry, _ sections: String) -> [UInt8] {
    var facts = [("finished", entry.at), ("sim-runner", Version.text)]
    if let commit = entry.commit { facts.insert(("commit", commit), at: 1) }
    if isRate, entry.runs > 0 {
      facts.insert(("failure rate", RateText.rate(failed: Int(entry.failed), of: Int(entry.runs))), at: 0)
    }
    let values = [
      "title": "sim-runner \(entry.command)", "verdict": entry.failed == 0 ? "pass" : "fail",
      "summary": escaped(summary), "style": PageTemplate.resultsStyle,
      "facts": facts.map { "<div><dt>\($0.0)</dt><dd>\(escaped($0.1))</dd></div>" }.joined(), "sections": sections,
      "script": PageTemplate.resultsScript,
    ]
    return PageTemplate.fill(PageTemplate.results) { name in values[name].map { Array($0.utf8) } }
  }

  private func article(_ problem: Problem, number: Int) throws(Failure) -> String {
    var links: [String] = []
    if let trace = problem.trace {
      let name = "report-\(number).html"
      try writeReport(of: trace, to: name)
      links.append(Self.link(name, "report"))
      links.append(Self.link(linkPath(trace), "trace"))
    }
    if let scenario = problem.scenario { links.append(Self.link(linkPath(scenario), "shrunk scenario")) }
    if let bundle = problem.bundle { links.append(Self.link(linkPath(bundle), "bundle")) }
    var text = "<article id=\"problem-\(number)\">\n<h3>\(escaped(problem.title))</h3>\n"
    for detail in problem.details { text += "<p>\(escaped(detail).replacing("\n", with: "<br>"))</p>\n" }
    if !problem.seeds.isEmpty { text += seeds(problem, number: number) }
    if let command = problem.repeatCommand {
      text += "<pre id=\"command-\(number)\" tabindex=\"0\">\(escaped(command))</pre>\n"
    }
    if !links.isEmpty { text += "<p>\(links.joined(separator: " · "))</p>\n" }
    return text + "</article>\n"
  }

  /// The seeds as links: the first to its report, the others to the command, into which the page's script puts them.
  private func seeds(_ problem: Problem, number: Int) -> String {
    var text = "<p class=\"seeds\"><span>\(problem.seeds.count == 1 ? "seed" : "seeds")</span>"
    for (index, seed) in problem.seeds.enumerated() {
      text +=
        index == 0 && problem.trace != nil
        ? " \(Self.link("report-\(number).html", String(seed)))"
        : " <a href=\"#command-\(number)\" data-seed=\"\(seed)\">\(seed)</a>"
    }
    return text + "</p>\n"
  }

  private func writeReport(of trace: String, to name: String) throws(Failure) {
    let file = try OutputFile("\(folder)/\(name)", as: .report)
    _ = try TraceExport.run(trace, as: HTMLExporter.self, window: ExportWindow()) { bytes throws(Failure) in
      try file.put(bytes)
    }
    try file.commit()
  }

  private func write(_ bytes: [UInt8], to name: String) throws(Failure) {
    try OutputFile("\(folder)/\(name)", as: .report).finish(bytes, "page")
  }

  /// A file's path as the page links to it.
  private func linkPath(_ path: String) -> String {
    let current = FileManager.default.currentDirectoryPath
    return FilePath.relative(FilePath.resolve(path, in: current), to: FilePath.resolve(folder, in: current))
  }

  private static func link(_ path: String, _ text: String) -> String {
    let target = path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? path
    return "<a href=\"\(Markup.escaped(target))\">\(text)</a>"
  }

  private static func section(_ table: Table) -> String {
    var text =
      "<section>\n<h2>\(escaped(table.title))</h2>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"\(escaped(table.title))\"><table>\n"
    for (index, row) in table.rows.enumerated() {
      let tag = index == 0 ? "th" : "td"
      text += "<tr>" + row.map { $0.isEmpty ? "<td></td>" : "<\(tag)>\(escaped($0))</\(tag)>" }.joined() + "</tr>\n"
    }
    return text + "</table></div>\n</section>\n"
  }

  private static func section(_ history: ResultHistory) -> String {
    let latest = Array(history.entries.suffix(historyMax))
    var rows = [["finished", "command", "commit", "runs", "failed", "rate, 95 % interval", "runs a second"]]
    for entry in latest.reversed() {
      let (runs, failed) = (Int(clamping: entry.runs), Int(clamping: entry.failed))
      rows.append([
        entry.at, entry.command, entry.commit ?? "", StoryText.count(entry.runs), StoryText.count(entry.failed),
        runs > 0 ? RateText.rate(failed: failed, of: runs).replacing("95 % interval: ", with: "") : "",
        StoryText.count(Int(min(entry.rate, 1e12).rounded())),
      ])
    }
    var text = section(Table(title: "History", rows: rows))
    let chart = ResultChart(latest).html
    if let heading = text.range(of: "</h2>\n") { text.insert(contentsOf: chart, at: heading.upperBound) }
    if history.unreadableCount > 0 {
      text +=
        "<p>\(PlainText.count(history.unreadableCount, "line")) of \(ResultHistory.fileName) cannot be read.</p>\n"
    }
    return text
  }

  static func escaped(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { Markup.escaped(String($0)) }
      .joined(separator: "\n")
  }

  private func escaped(_ text: String) -> String { Self.escaped(text) }
}

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

/// Which faults met which channels in which phases of the run, as a table: a row for each fault and channel.
struct ResultMatrix {
  let title: String
  let coverage: FaultCoverage
  /// The kinds of faults of the scenario, by index.
  let kinds: [Int]
  /// How many seeds were run.
  let seeds: Int

  /// The section; empty without faults.
  var html: String {
    guard !kinds.isEmpty, seeds > 0 else { return "" }
    var (rows, all, never) = ("", 0, 0)
    for kind in kinds {
      let channels = FaultCoverage.channels(of: kind)
      for (index, channel) in channels.enumerated() {
        rows += "<tr\(index == 0 ? " class=\"first\"" : "")>"
        let name = Markup.escaped(FaultCoverage.kinds[kind])
        if index == 0 { rows += "<th scope=\"rowgroup\" rowspan=\"\(channels.count)\">\(name)</th>" }
        rows += "<th scope=\"row\">\(Markup.escaped(channel.text))</th>"
        for phase in RunPhase.allCases {
          let count = coverage[kind, channel, phase]
          all += 1
          never += count == 0 ? 1 : 0
          rows += count == 0 ? "<td class=\"never\">never</td>" : cell(count)
        }
        rows += "</tr>\n"
      }
    }
    let heads = RunPhase.allCases.map { "<th scope=\"col\">\($0.text)</th>" }.joined()
    let name = Markup.escaped(title)
    return """
      <section>
      <h2>\(name)</h2>
      <p class="hint">In how many of \(StoryText.count(seeds, "seed")) a frame of the channel was sent under the fault, by the \
      phase of the run: \(StoryText.count(all - never)) of \(StoryText.count(all)) met, \(StoryText.count(never)) never.</p>
      <div class="scroll" tabindex="0" role="region" aria-label="\(name)"><table class="matrix">
      <thead><tr><th scope="col">fault</th><th scope="col">channel</th>\(heads)</tr></thead>
      <tbody>
      \(rows)</tbody></table></div>
      </section>

      """
  }

  private func cell(_ count: Int) -> String {
    let hundredths = min(100, count * 100 / max(seeds, 1))
    return "<td class=\"met\" style=\"--share: \(Double(hundredths) / 100)\">\(StoryText.count(count))</td>"
  }
}
