import CSystem
package import Console
import Foundation
import Link
package import Simulator

/// A problem, in the form that build servers show beside the code.
package struct BuildFinding: Equatable {
  enum Severity: String { case error, warning }

  var severity = Severity.error
  /// The affected file, as the user named it.
  var file: String
  /// From 1; nil for the file as a whole.
  var line: Int?
  var column: Int?
  /// What failed: the name of an invariant, `expectation`, or `scenario` for an unreadable file.
  var check: String
  /// A short title.
  var title: String
  /// What a reader needs beside the code, in lines.
  var text: String
  /// All details, in lines, for a page of their own; nil if `text` has them.
  var details: String?
}

extension BuildFinding {
  /// The problems of a case of `test`, failures before warnings; empty if it was not run.
  package static func findings(_ result: CaseResult) -> [BuildFinding] {
    guard !result.wasStopped else { return [] }
    return failures(result) + warnings(result.warnings, of: result.name, in: result.path)
  }

  private static func warnings(_ texts: [String], of name: String, in file: String) -> [BuildFinding] {
    texts.map { BuildFinding(severity: .warning, file: file, check: "warning", title: "\(name): warning", text: $0) }
  }

  private static func failures(_ result: CaseResult) -> [BuildFinding] {
    guard result.status != 0 else { return [] }
    let paragraphs = result.plainFindings.isEmpty ? result.findings : result.plainFindings
    guard result.status == 1 else {
      let check = result.status == 2 ? "scenario" : "environment"
      return paragraphs.flatMap { $0.split(separator: "\n") }.map { problem in
        let (line, column) = position(in: String(problem), of: result.path)
        return BuildFinding(
          file: result.path, line: line, column: column, check: check, title: "\(result.name): \(result.text)",
          text: String(problem))
      }
    }
    guard result.causes.isEmpty else { return result.causes.map { finding($0, of: result) } }
    let text = ([result.text] + paragraphs).joined(separator: "\n\n")
    return [
      BuildFinding(
        file: result.path, check: check(of: paragraphs.first ?? ""), title: "\(result.name): \(result.text)", text: text
      )
    ]
  }

  /// A broken invariant or an unmet expectation, at the expectation's position.
  private static func finding(_ cause: CaseCause, of result: CaseResult) -> BuildFinding {
    let place = cause.position.flatMap { $0.line > 0 ? $0 : nil }
    let again = "To repeat it:\n  \(result.repeatCommand)"
    return BuildFinding(
      file: result.path, line: place?.line, column: place?.column, check: cause.check,
      title: "\(result.name): \(cause.title)",
      text: ([cause.reason] + (cause.expectation.map { [$0] } ?? []) + ["", again]).joined(separator: "\n"),
      details: "\(cause.details)\n\n\(again)")
  }

  /// The kinds of failures that a sweep found.
  static func findings(_ report: SweepReport) -> [BuildFinding] {
    report.groups.map { group in
      let source = report.sources[group.source]
      let place = SeedRun.expectation(named: group.invariant, in: source.scenario)?.position
      var lines = [report.reason(of: group)]
      if let files = group.files {
        lines.append("shrunk: \(files.scenario)" + (files.trace.map { ", trace: \($0)" } ?? ""))
      }
      lines.append("to repeat it: \(report.repeatCommand(of: group))")
      return BuildFinding(
        file: source.path, line: place?.line, column: place?.column, check: group.invariant,
        title: "\(report.title(of: group)): \(StoryText.count(group.count, "seed"))",
        text: lines.joined(separator: "\n"))
    }
      + report.fileIndices.flatMap { index in
        let source = report.sources[index]
        return warnings(report.warningTexts(of: index), of: TerminalText.escape(source.scenario.name), in: source.path)
      }
  }

  /// The problems of validated files.
  package static func findings(_ files: [InputFile]) -> [BuildFinding] {
    files.flatMap(\.problems).map { problem in
      let position = problem.diagnostic.position
      let isPlaced = position.line > 0
      return BuildFinding(
        severity: problem.diagnostic.severity == .error ? .error : .warning, file: problem.file,
        line: isPlaced ? position.line : nil, column: isPlaced ? position.column : nil, check: "scenario",
        title: "sim-runner validate", text: problem.diagnostic.message)
    }
  }

  /// The invariant that a paragraph begins with.
  private static func check(of paragraph: String) -> String {
    let words = paragraph.split(separator: " ")
    if paragraph.hasPrefix("expectation") { return "expectation" }
    return words.count > 2 && words[1] == "is" && words[2] == "broken" ? String(words[0]) : "run"
  }

  /// The position that a problem's line begins with: `file:line:column: error: text`.
  private static func position(in problem: String, of file: String) -> (Int?, Int?) {
    guard problem.hasPrefix(file + ":") else { return (nil, nil) }
    let parts = problem.dropFirst(file.count + 1).split(separator: ":", maxSplits: 2)
    guard parts.count == 3, let line = Int(parts[0]), let column = Int(parts[1]) else { return (nil, nil) }
    return (line, column)
  }
}

/// Findings in GitLab's code quality format, a subset of Code Climate's: a merge request shows them beside the code.
package enum CodeQualityReport {
  /// The option of commands that write one.
  package static let option = Option.output(
    "--code-quality", "FILE", "write what is wrong here, as GitLab's code quality JSON")

  /// The document: an array, empty without findings.
  static func text(_ findings: [BuildFinding]) -> String {
    var seen: [String: Int] = [:]
    let entries = findings.map { finding -> JSONNode in
      // Fingerprints contain no line numbers: GitLab drops entries with a known fingerprint, and compares them between
      // branches.
      let key = [finding.check, finding.file, finding.text].joined(separator: "\u{0}")
      let count = seen[key, default: 0]
      seen[key] = count + 1
      let fingerprint = Digest.text(Digest.sha256(Array("\(key)\u{0}\(count)".utf8)))
      return JSONNode(
        .fields([
          "description": .string("\(finding.title): \(finding.text)"), "check_name": .string(finding.check),
          "fingerprint": .string(fingerprint), "severity": .string(finding.severity == .error ? "major" : "minor"),
          "location": .fields([
            "path": .string(relative(finding.file)), "lines": .fields(["begin": .count(finding.line ?? 1)]),
          ]),
        ]))
    }
    return String(decoding: JSONWriter.compact(JSONNode(.array(entries))), as: UTF8.self) + "\n"
  }

  /// GitLab wants paths without a leading `./`.
  private static func relative(_ path: String) -> String { path.hasPrefix("./") ? String(path.dropFirst(2)) : path }

  /// Opens the file that the option names, before the runs, so that an unwritable report is noticed at once.
  package static func file(_ arguments: Arguments) throws(Failure) -> OutputFile? {
    try OutputFile(named: arguments.value(option.name), as: .report)
  }

  /// Writes the document to the file that the option names.
  package static func write(_ findings: [BuildFinding], to file: OutputFile) throws(Failure) {
    try file.finish(Array(text(findings).utf8))
  }
}

/// Findings where GitHub Actions shows them: annotations beside the code, and a page of Markdown for the job.
package struct GitHubReport {
  /// The path of the job's page; nil if the runner gave none.
  let summaryPath: String?

  /// The most annotations of one step that GitHub shows.
  static let annotationsMax = 10
  /// GitHub refuses a summary of more than 1 MiB; several commands of one step share it.
  static let summaryMax = 200_000

  /// - Parameter environment: The process's variables.
  /// - Returns: Nil outside GitHub Actions.
  package init?(_ environment: [String: String]) {
    guard environment["GITHUB_ACTIONS"] == "true" else { return nil }
    summaryPath = environment["GITHUB_STEP_SUMMARY"].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Prints the annotations, and adds a section to the job's page.
  ///
  /// A page that cannot be written is reported, and changes no result.
  package func publish(_ findings: [BuildFinding], title: String, table: [[String]]) {
    for line in Self.annotations(findings) { Terminal.error(line) }
    guard let summaryPath else { return }
    let text = Self.summary(findings, title: title, table: table)
    do {
      if !FileManager.default.fileExists(atPath: summaryPath) {
        _ = FileManager.default.createFile(atPath: summaryPath, contents: nil)
      }
      let handle = try FileHandle(forWritingTo: URL(filePath: summaryPath))
      defer { try? handle.close() }
      try handle.seekToEnd()
      try handle.write(contentsOf: Data(text.utf8))
    } catch {
      Terminal.error("\(summaryPath): warning: the job's summary cannot be written: \(error.systemText)")
    }
  }

  /// Commands for the runner, which reads them from either output of a step.
  static func annotations(_ findings: [BuildFinding]) -> [String] {
    var lines = findings.prefix(annotationsMax).map(annotation)
    if findings.count > annotationsMax {
      lines.append("::notice::and \(findings.count - annotationsMax) more; the job's summary has all")
    }
    return lines
  }

  private static func annotation(_ finding: BuildFinding) -> String {
    var properties = ["file=\(property(finding.file))"]
    if let line = finding.line { properties.append("line=\(line)") }
    if let column = finding.column { properties.append("col=\(column)") }
    properties.append("title=\(property(finding.title))")
    return "::\(finding.severity.rawValue) \(properties.joined(separator: ","))::\(data(finding.text))"
  }

  /// The section of the page: a heading, a table, and what went wrong, folded.
  ///
  /// - Parameter table: Rows of cells; the first row is the heading.
  static func summary(_ findings: [BuildFinding], title: String, table: [[String]]) -> String {
    var text = "## \(html(title))\n\n"
    if let head = table.first, table.count > 1 {
      text += Markdown.table(head, table.dropFirst().map { $0.map { html($0.replacing("\n", with: " ")) } }) + "\n"
    }
    for finding in findings {
      let details = html(finding.details ?? finding.text)
      let section =
        "<details><summary>\(html(finding.title))</summary>\n\n<pre>\(details)</pre>\n\n</details>\n\n"
      guard text.utf8.count + section.utf8.count < summaryMax else {
        text += "More findings than fit here: the log has all.\n\n"
        break
      }
      text += section
    }
    return text
  }

  /// Text, escaped for a runner's command.
  static func data(_ text: String) -> String {
    text.replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
  }

  private static func property(_ text: String) -> String {
    data(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
  }

  static func html(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
