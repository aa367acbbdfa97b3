package import Simulator
import Console
import Link

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
