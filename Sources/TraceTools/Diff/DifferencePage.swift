package import Console
import Link

/// A page with two runs side by side, without scripts or other files.
///
/// Its size is bounded: at most ``stepsMax`` decisions are listed.
package struct DifferencePage {
  let difference: TraceDifference
  let traces: (before: RecordedTrace, after: RecordedTrace)
  /// The traces with their lines in words.
  private let causal: (before: CausalTrace, after: CausalTrace)

  package init(difference: TraceDifference, traces: (before: RecordedTrace, after: RecordedTrace)) {
    self.difference = difference
    self.traces = traces
    causal = (CausalTrace(traces.before), CausalTrace(traces.after))
  }

  /// The most decisions on a page; if there are more, those that differ take precedence.
  static let stepsMax = 5_000
  /// How many consecutive equal decisions are shown beside a difference; further ones are folded.
  private static let contextMax = 2
  private static let textMax = 200

  /// Writes the page, completely or not at all.
  package func write(to path: String) throws(Failure) {
    try OutputFile(path, as: .report).finish(bytes, "page")
  }

  /// The page in HTML.
  var bytes: [UInt8] {
    let counts = TraceDifference.Change.allCases.map { change in difference.steps.count { $0.change == change } }
    let words = ["the same", "at another time", "only in A", "only in B"]
    let summary = zip(counts, words).map { "\($0) \($1)" }.joined(separator: ", ")
    let style = PageTemplate.resultsStyle + String(decoding: PackageResources.diff_css, as: UTF8.self)
    let values = [
      "title": "sim-runner diff", "verdict": difference.isEmpty ? "pass" : "fail",
      "summary": difference.isEmpty ? "The same decisions at the same times" : "Decisions: \(summary)", "style": style,
      "facts": fact("A", traces.before) + fact("B", traces.after), "sections": decisions + kinds,
      "script": "",
    ]
    return PageTemplate.fill(PageTemplate.results) { name in values[name].map { Array($0.utf8) } }
  }

  private func fact(_ name: String, _ trace: RecordedTrace) -> String {
    let header = trace.header
    let text = "\(trace.path): \(header.scenario), seed \(header.seed)\(trace.isTruncated ? ", truncated" : "")"
    return "<div><dt>\(name)</dt><dd>\(escaped(text))</dd></div>"
  }

  private var kinds: String {
    var html = "<section>\n<h2>By kind</h2>\n<div class=\"scroll\"><table>\n<tr>"
    for title in ["kind", "the same", "at another time", "only in A", "only in B"] { html += "<th>\(title)</th>" }
    html += "</tr>\n"
    for count in difference.counts {
      html += "<tr><td>\(escaped(count.kind))</td>"
      for change in TraceDifference.Change.allCases { html += "<td>\(count.counts[change] ?? 0)</td>" }
      html += "</tr>\n"
    }
    return html + "</table></div>\n</section>\n"
  }

  private var decisions: String {
    var html =
      "<section>\n<h2>Decisions</h2>\n<div class=\"pair head\"><div>only in A</div><div>only in B</div></div>\n"
    let steps = difference.steps.prefix(Self.stepsMax)
    var index = 0
    while index < steps.count {
      guard steps[index].change == .same else {
        html += row(steps[index])
        index += 1
        continue
      }
      var end = index
      while end < steps.count, steps[end].change == .same { end += 1 }
      html += equal(steps[index..<end], isFirst: index == 0, isLast: end == steps.count)
      index = end
    }
    let rest = difference.steps.count - steps.count
    if rest > 0 { html += "<p>\(PlainText.count(rest, "further decision")) left out</p>\n" }
    return html + "</section>\n"
  }

  /// Renders consecutive equal decisions: those next to a difference are shown, the others folded.
  private func equal(_ steps: ArraySlice<TraceDifference.Step>, isFirst: Bool, isLast: Bool) -> String {
    let head = steps.prefix(isFirst ? 0 : Self.contextMax)
    let tail = steps.dropFirst(head.count).suffix(isLast ? 0 : Self.contextMax)
    let folded = steps.dropFirst(head.count).dropLast(tail.count)
    var html = head.map(row).joined()
    if !folded.isEmpty {
      let count = PlainText.count(folded.count, "equal decision")
      html += "<details class=\"fold\"><summary>\(count)</summary>\n\(folded.map(row).joined())</details>\n"
    }
    return html + tail.map(row).joined()
  }

  /// What both did is one sentence across both columns; what one did alone is in its column.
  private func row(_ step: TraceDifference.Step) -> String {
    var cell = ""
    switch step.change {
    case .same, .moved:
      guard let before = step.before, let after = step.after else { return "" }
      let delay = step.change == .moved ? step.delay.map { DifferenceText.text(delay: $0) } : nil
      let lines = before.line == after.line ? "line \(before.line)" : "line \(before.line) in A, \(after.line) in B"
      cell = sentence(before, in: causal.before, note: delay.map { "\($0) in B" } ?? "")
      cell += raw([before], title: lines)
    case .removed: if let before = step.before { cell = alone(before, in: causal.before, "A") }
    case .added: if let after = step.after { cell = alone(after, in: causal.after, "B") }
    }
    return "<div class=\"pair \(step.change.rawValue)\"><div>\(cell)</div></div>\n"
  }

  private func alone(_ decision: Decision, in trace: CausalTrace, _ side: String) -> String {
    sentence(decision, in: trace, note: "") + "<small><b>only in \(side)</b></small>"
      + raw([decision], title: "line \(decision.line)")
  }

  private func sentence(_ decision: Decision, in trace: CausalTrace, note: String) -> String {
    let words = "\(trace.subject(decision.line)): \(trace.sentence(decision.line))"
    let extra = note.isEmpty ? "" : " <em>\(escaped(note))</em>"
    return "<p><time>\(decision.time.text)</time>\(escaped(words))\(extra)</p>"
  }

  /// The line as the trace has it, folded.
  private func raw(_ decisions: [Decision], title: String) -> String {
    let texts = decisions.map { decision in
      let text = decision.text + decision.place
      let shown = text.count > Self.textMax ? text.prefix(Self.textMax) + "..." : text[...]
      return "<code>\(escaped(String(shown)))</code>"
    }
    return "<details><summary>\(escaped(title))</summary>\(texts.joined())</details>"
  }

  private func escaped(_ text: String) -> String { Markup.escaped(TerminalText.escape(text)) }
}
