package import Simulator
import TraceTools
import Console
package import Link

/// What went wrong in a run: the reason, the lines that show it, the story around it, and how to reproduce it.
package struct RunFindings {
  /// Limit of violations shown in full.
  package static let violationsMax = 10
  /// Limit of a quoted line, in characters.
  static let lineMax = 300

  let outcome: RunOutcome
  let excerpts: TraceExcerpts
  let repeatCommand: String
}

extension RunFindings {
  /// Quotes the lines from the trace's text, which is only read if something failed.
  package init(outcome: RunOutcome, header: TraceHeader, text: TraceText, repeatCommand: String) {
    var groups: [[Int]] = []
    if Self.areTold(outcome) {
      groups = outcome.violations.prefix(Self.violationsMax).map(\.lines)
      groups += outcome.expectations.filter { !$0.result.hasPassed }.map(\.result.lines)
    }
    self.init(
      outcome: outcome, excerpts: TraceExcerpts(of: text, header: header, for: groups), repeatCommand: repeatCommand)
  }

  private static func areTold(_ outcome: RunOutcome) -> Bool { outcome.verdict != .pass && !outcome.wasStopped }

  /// What is broken, in the order of ``paragraphs(isColored:columns:)``: at most ``violationsMax`` violations, then the
  /// expectations that are not met.
  var causes: [CaseCause] {
    guard Self.areTold(outcome) else { return [] }
    let broken = outcome.violations.prefix(Self.violationsMax).map { violation in
      CaseCause(
        check: violation.invariant, title: "\(violation.invariant) is broken at \(violation.time.text)",
        reason: TerminalText.escape(StoryText.shortened(violation.detail)), details: paragraph(violation))
    }
    let unmet = outcome.expectations.indices.filter { !outcome.expectations[$0].result.hasPassed }
    return broken
      + unmet.map { index in
        let expectation = outcome.expectations[index]
        return CaseCause(
          check: "expectation", title: "expectation \(index + 1) is not met",
          reason: TerminalText.escape(expectation.result.why ?? "not met"),
          expectation: TerminalText.escape(expectation.text), position: expectation.node.position,
          details: paragraph(expectation, index: index))
      }
  }

  /// A paragraph for each finding, and one with the command that repeats the run; none if all is well.
  package func paragraphs(isColored: Bool = false, columns: Int = 100) -> [String] {
    guard Self.areTold(outcome) else { return [] }
    var paragraphs = outcome.violations.prefix(Self.violationsMax).map {
      paragraph($0, isColored: isColored, columns: columns)
    }
    if outcome.violations.count > Self.violationsMax {
      paragraphs.append("and \(StoryText.count(outcome.violations.count - Self.violationsMax, "more violation"))")
    }
    for (index, expectation) in outcome.expectations.enumerated() where !expectation.result.hasPassed {
      paragraphs.append(paragraph(expectation, index: index, isColored: isColored, columns: columns))
    }
    if let finding = outcome.appFinding {
      let lines = finding.text.split(separator: "\n").map { "  " + TerminalText.escape(String($0)) }
      paragraphs.append(
        ([Terminal.styled(finding.title, [.red], when: isColored)] + lines).joined(separator: "\n"))
    }
    if let end = outcome.programEnd { paragraphs.append(paragraph(end, isColored: isColored, columns: columns)) }
    paragraphs.append("To repeat it:\n  \(repeatCommand)")
    return paragraphs
  }

  private func paragraph(_ violation: Violation, isColored: Bool = false, columns: Int = 100) -> String {
    paragraph(
      "\(violation.invariant) is broken at \(violation.time.text)", why: StoryText.shortened(violation.detail),
      lines: violation.lines, broken: violation, isColored: isColored, columns: columns)
  }

  private func paragraph(
    _ expectation: JudgedExpectation, index: Int, isColored: Bool = false, columns: Int = 100
  ) -> String {
    paragraph(
      "expectation \(index + 1) is not met: \(TerminalText.escape(expectation.text))",
      why: expectation.result.why ?? "not met", table: expectation.result.table, lines: expectation.result.lines,
      isColored: isColored, columns: columns)
  }

  /// How the user's program ended, and its last output.
  private func paragraph(_ end: ProgramEnd, isColored: Bool, columns: Int) -> String {
    var parts = wrap(end.text, to: columns).map { Terminal.styled($0, [.red], when: isColored) }
    for (title, lines) in [("the last that it printed:", end.lastLines), ("its backtrace:", end.backtrace)]
    where !lines.isEmpty {
      parts.append("  \(title)")
      parts += lines.map { "    \(TerminalText.escape(String($0.prefix(Self.lineMax))))" }
    }
    if let hint = end.hint { parts.append("  \(hint)") }
    return parts.joined(separator: "\n")
  }

  private func paragraph(
    _ title: String, why: String, table: [String] = [], lines: [Int], broken: Violation? = nil, isColored: Bool,
    columns: Int
  ) -> String {
    var parts = wrap(title, to: columns).map { Terminal.styled($0, [.red], when: isColored) }
    parts += wrap(TerminalText.escape(why), to: columns - 2).map { "  " + $0 }
    parts += table.map { "  " + TerminalText.escape($0) }
    for line in excerpts.lines(lines) {
      let number = String(line.number)
      let quoted = line.text.count > Self.lineMax ? line.text.prefix(Self.lineMax) + "..." : line.text[...]
      let head = "  line \(number)  "
      parts.append(Terminal.styled(head, [.dim], when: isColored) + TerminalText.escape(String(quoted)))
    }
    var around = excerpts.story(around: lines)
    if let broken, !around.isEmpty {
      let here = (broken.time, lines.max() ?? 0)
      let index = around.firstIndex { ($0.time, $0.traceLine) > here } ?? around.count
      var line = StoryLine(broken)
      line.text = "\(broken.invariant) is broken here"
      around.insert(line, at: index)
    }
    if !around.isEmpty {
      parts.append("  around it:")
      parts += around.map { $0.rendered(isColored: isColored, columns: columns) }
    }
    return parts.joined(separator: "\n")
  }
}
