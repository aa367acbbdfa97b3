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
  /// The scenario's file, as the user named it; nil if it has none.
  var path: String?
  let excerpts: TraceExcerpts
  let repeatCommand: String
}

extension RunFindings {
  /// Quotes the lines from the trace's text, which is only read if something failed.
  package init(outcome: RunOutcome, path: String?, header: TraceHeader, text: TraceText, repeatCommand: String) {
    var groups: [[Int]] = []
    if Self.isReported(outcome) {
      groups = outcome.violations.prefix(Self.violationsMax).map(\.lines)
      groups += outcome.expectations.filter { !$0.result.hasPassed }.map(\.result.lines)
    }
    self.init(
      outcome: outcome, path: path, excerpts: TraceExcerpts(of: text, header: header, for: groups),
      repeatCommand: repeatCommand)
  }

  private static func isReported(_ outcome: RunOutcome) -> Bool { outcome.verdict != .pass && !outcome.wasStopped }

  /// What is broken, in the order of ``paragraphs(isColored:columns:)``: at most ``violationsMax`` violations, then the
  /// expectations that are not met.
  var causes: [CaseCause] {
    guard Self.isReported(outcome) else { return [] }
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
          check: "expectation", title: Self.title(expectation.node),
          reason: TerminalText.escape(expectation.result.why ?? "not met"),
          expectation: TerminalText.escape(expectation.text), position: expectation.node.position,
          details: paragraph(expectation, index: index))
      }
  }

  /// A paragraph for each finding, and one with the command that repeats the run; none if all is well.
  ///
  /// Violations of one instant that the same line shows share a paragraph, and a stretch of the story that has just been
  /// printed is not printed again.
  package func paragraphs(isColored: Bool = false, columns: Int = 100) -> [String] {
    guard Self.isReported(outcome) else { return [] }
    var paragraphs: [String] = []
    var printed: [StoryLine] = []
    for violations in Self.grouped(outcome.violations.prefix(Self.violationsMax)) {
      paragraphs.append(paragraph(violations, after: &printed, isColored: isColored, columns: columns))
    }
    if outcome.violations.count > Self.violationsMax {
      paragraphs.append("and \(StoryText.count(outcome.violations.count - Self.violationsMax, "more violation"))")
    }
    for (index, expectation) in outcome.expectations.enumerated() where !expectation.result.hasPassed {
      paragraphs.append(
        paragraph(expectation, index: index, after: &printed, isColored: isColored, columns: columns))
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

  /// Violations in groups of one cause: of the same instant, with the same last line.
  private static func grouped(_ violations: ArraySlice<Violation>) -> [[Violation]] {
    var groups: [[Violation]] = []
    for violation in violations {
      let index = groups.firstIndex { group in
        !violation.lines.isEmpty && group[0].time == violation.time && group[0].lines.max() == violation.lines.max()
      }
      if let index { groups[index].append(violation) } else { groups.append([violation]) }
    }
    return groups
  }

  /// What a paragraph begins with.
  private struct Head {
    var title: String
    var why: String
    var table: [String] = []
  }

  /// What was expected, in words.
  static func title(_ expectation: JSONNode) -> String {
    "not met: "
      + (ExpectationWords.text(expectation)
        ?? TerminalText.escape(String(decoding: JSONWriter.compact(expectation), as: UTF8.self)))
  }

  private func paragraph(_ violation: Violation) -> String {
    var printed: [StoryLine] = []
    return paragraph([violation], after: &printed, isColored: false, columns: 100)
  }

  private func paragraph(_ expectation: JudgedExpectation, index: Int) -> String {
    var printed: [StoryLine] = []
    return paragraph(expectation, index: index, after: &printed, isColored: false, columns: 100)
  }

  private func paragraph(
    _ violations: [Violation], after printed: inout [StoryLine], isColored: Bool, columns: Int
  ) -> String {
    let heads = violations.map { violation in
      Head(
        title: "\(violation.invariant) is broken at \(violation.time.text)",
        why: StoryText.shortened(violation.detail))
    }
    let lines = Set(violations.flatMap(\.lines)).sorted()
    return paragraph(
      heads, lines: lines, broken: violations, after: &printed, isColored: isColored, columns: columns)
  }

  private func paragraph(
    _ expectation: JudgedExpectation, index: Int, after printed: inout [StoryLine], isColored: Bool, columns: Int
  ) -> String {
    let position = expectation.node.position
    let place = path.map { position.line > 0 ? "\($0):\(position.line):\(position.column): " : "\($0): " } ?? ""
    let head = Head(
      title: Self.title(expectation.node), why: expectation.result.why ?? "no reason given",
      table: expectation.result.table + ["\(place)expectation \(index + 1): \(expectation.text)"])
    return paragraph(
      [head], lines: expectation.result.lines, broken: [], after: &printed, isColored: isColored, columns: columns)
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
    _ heads: [Head], lines: [Int], broken: [Violation], after printed: inout [StoryLine], isColored: Bool, columns: Int
  ) -> String {
    var parts: [String] = []
    for head in heads {
      parts += wrap(head.title, to: columns).map { Terminal.styled($0, [.red], when: isColored) }
      parts += wrap(TerminalText.escape(head.why), to: columns - 2).map { "  " + $0 }
      parts += head.table.map { "  " + TerminalText.escape($0) }
    }
    for line in excerpts.lines(lines) {
      let number = String(line.number)
      let quoted = line.text.count > Self.lineMax ? line.text.prefix(Self.lineMax) + "..." : line.text[...]
      let head = "  line \(number)  "
      parts.append(Terminal.styled(head, [.dim], when: isColored) + TerminalText.escape(String(quoted)))
    }
    var around = excerpts.story(around: lines)
    guard !around.isEmpty else { return parts.joined(separator: "\n") }
    let isPrinted = around == printed
    printed = around
    if isPrinted {
      parts.append("  around it: as above")
      return parts.joined(separator: "\n")
    }
    for violation in broken {
      let here = (violation.time, lines.max() ?? 0)
      let index = around.firstIndex { ($0.time, $0.traceLine) > here } ?? around.count
      var line = StoryLine(violation)
      line.text = "\(violation.invariant) is broken here"
      around.insert(line, at: index)
    }
    parts.append("  around it:")
    parts += around.map { $0.rendered(isColored: isColored, columns: columns) }
    return parts.joined(separator: "\n")
  }
}
