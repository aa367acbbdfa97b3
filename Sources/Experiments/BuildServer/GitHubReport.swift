import Console
import Foundation
import Link

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
