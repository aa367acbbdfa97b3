import Simulator
import TraceTools
package import Console
import Foundation
import Link

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
  }

  /// A heading with a table below it; the first row is the table's head.
  struct Table {
    var title: String
    var rows: [[String]]
  }

  /// A heading with text below it that keeps its spacing.
  struct Listing {
    var title: String
    var text: String
  }

  /// Older runs stay in the file, and are not on the page.
  private static let historyMax = 200

  package let folder: String
  var summary = ""
  var problems: [Problem] = []
  var tables: [Table] = []
  var listings: [Listing] = []

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
    for table in tables where table.rows.count > 1 { sections += Self.section(table) }
    for listing in listings {
      sections += "<section>\n<h2>\(escaped(listing.title))</h2>\n<pre>\(escaped(listing.text))</pre>\n</section>\n"
    }
    sections += Self.section(history)
    try write(page(entry, sections), to: "index.html")
  }

  private func page(_ entry: ResultHistory.Entry, _ sections: String) -> [UInt8] {
    var facts = [("finished", entry.at), ("sim-runner", Version.text)]
    if let commit = entry.commit { facts.insert(("commit", commit), at: 1) }
    let values = [
      "title": "sim-runner \(entry.command)", "verdict": entry.failed == 0 ? "pass" : "fail",
      "summary": escaped(summary), "style": PageTemplate.resultsStyle,
      "facts": facts.map { "<div><dt>\($0.0)</dt><dd>\(escaped($0.1))</dd></div>" }.joined(), "sections": sections,
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
    var text = "<article>\n<h3>\(escaped(problem.title))</h3>\n"
    for detail in problem.details { text += "<p>\(escaped(detail).replacing("\n", with: "<br>"))</p>\n" }
    if let command = problem.repeatCommand { text += "<pre>\(escaped(command))</pre>\n" }
    if !links.isEmpty { text += "<p>\(links.joined(separator: " · "))</p>\n" }
    return text + "</article>\n"
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
    var rows = [["finished", "command", "commit", "runs", "failed", "runs a second"]]
    for entry in latest.reversed() {
      rows.append([
        entry.at, entry.command, entry.commit ?? "", StoryText.count(entry.runs),
        StoryText.count(entry.failed), StoryText.count(Int(min(entry.rate, 1e12).rounded())),
      ])
    }
    var text = section(Table(title: "History", rows: rows))
    let chart = Self.chart(latest)
    if let heading = text.range(of: "</h2>\n") { text.insert(contentsOf: chart, at: heading.upperBound) }
    if history.unreadableCount > 0 {
      text +=
        "<p>\(PlainText.count(history.unreadableCount, "line")) of \(ResultHistory.fileName) cannot be read.</p>\n"
    }
    return text
  }

  /// A bar for each run, as high as its rate; those with failures are red.
  private static func chart(_ entries: [ResultHistory.Entry]) -> String {
    guard entries.count > 1, let most = entries.map(\.rate).max(), most > 0 else { return "" }
    var text =
      "<svg width=\"\(entries.count * 6)\" height=\"60\" role=\"img\" aria-label=\"runs a second, oldest first\">\n"
    for (index, entry) in entries.enumerated() {
      let height = max(1, Int((entry.rate / most * 60).rounded()))
      let style = entry.failed > 0 ? " class=\"failed\"" : ""
      text += "<rect x=\"\(index * 6)\" y=\"\(60 - height)\" width=\"5\" height=\"\(height)\"\(style)>"
      text += "<title>\(escaped(entry.at)): \(entry.failed) of \(entry.runs) failed</title></rect>\n"
    }
    return text + "</svg>\n"
  }

  private static func escaped(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { Markup.escaped(String($0)) }
      .joined(separator: "\n")
  }

  private func escaped(_ text: String) -> String { Self.escaped(text) }
}
