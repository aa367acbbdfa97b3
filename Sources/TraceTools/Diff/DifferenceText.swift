package import Console
package import Link

/// A difference of two traces, for people and for programs.
package struct DifferenceText {
  package let difference: TraceDifference
  /// The names of the two sides.
  package let names: (before: String, after: String)
  /// Steps shown before the first difference, and from it on.
  static let contextMax = 3
  static let shownMax = 12
  private static let textMax = 200
  /// The traces with their lines in words; nil to show a decision's fields.
  private let causal: (before: CausalTrace, after: CausalTrace)?

  /// - Parameter traces: The two traces, so that decisions are sentences; without them, and for a comparison of every line,
  ///   a decision is shown with its fields.
  package init(
    difference: TraceDifference, names: (before: String, after: String),
    traces: (before: RecordedTrace, after: RecordedTrace)? = nil
  ) {
    (self.difference, self.names) = (difference, names)
    causal = difference.isEmpty ? nil : traces.map { (CausalTrace($0.before), CausalTrace($0.after)) }
  }

  /// The differences, and a summary by kind; empty without a difference.
  ///
  /// The decisions of one side only come first, then those at another time, then the surroundings of the first difference.
  package func lines(isColored: Bool = false) -> [String] {
    guard let first = difference.firstDifference else { return [] }
    let steps = difference.steps
    var lines = [
      Terminal.styled("- \(TerminalText.escape(names.before))", [.red], when: isColored),
      Terminal.styled("+ \(TerminalText.escape(names.after))", [.green], when: isColored), "",
    ]
    let different = steps.filter { $0.change == .removed || $0.change == .added }
    if !different.isEmpty {
      lines.append("\(PlainText.count(different.count, "different decision")):")
      lines += shown(different, isColored: isColored)
    }
    let moved = steps.filter { $0.change == .moved }
    if !moved.isEmpty {
      lines.append("\(PlainText.count(moved.count, "equal decision")) at another time or place:")
      lines += shown(moved, isColored: isColored)
    }
    let before = steps[max(0, first - Self.contextMax)..<first].compactMap(\.before)
    lines.append("the first difference is at \(steps[first].time.text)\(before.isEmpty ? "" : "; before it:")")
    lines += before.map { "  " + text($0, causal?.before) }
    lines.append("")
    lines += summary()
    return lines
  }

  /// Renders steps; consecutive equal ones are counted after the first.
  private func shown(_ steps: [TraceDifference.Step], isColored: Bool) -> [String] {
    var lines: [String] = []
    var (index, count) = (0, 0)
    while index < steps.count {
      guard count < Self.shownMax else {
        lines.append("  ... and \(steps.count - index) more")
        break
      }
      let step = steps[index]
      var end = index + 1
      while end < steps.count, steps[end].change == step.change, text(of: steps[end]) == text(of: step) { end += 1 }
      lines += shown(step, isColored: isColored)
      if end - index > 1 {
        lines.append("  ... the same \(end - index - 1) more times, until \(steps[end - 1].time.text)")
      }
      (index, count) = (end, count + 1)
    }
    return lines
  }

  private func text(of step: TraceDifference.Step) -> String? { (step.before ?? step.after)?.text }

  private func shown(_ step: TraceDifference.Step, isColored: Bool) -> [String] {
    let delay = step.delay.map { " (\(Self.text(delay: $0)))" } ?? ""
    if let before = step.before, let after = step.after, let causal,
      causal.before.sentence(before.line) == causal.after.sentence(after.line)
    {
      return ["~ " + text(before, causal.before) + delay]
    }
    var lines: [String] = []
    if let decision = step.before {
      lines.append(Terminal.styled("- " + text(decision, causal?.before), [.red], when: isColored))
    }
    if let decision = step.after {
      let words = text(decision, causal?.after)
      lines.append(Terminal.styled("+ " + words + delay, [.green], when: isColored))
    }
    return lines
  }

  /// A delay in words: `0.5 s later`.
  static func text(delay: VirtualTime.Span) -> String {
    if delay == .zero { return "at the same time" }
    return delay > .zero ? "\(delay.text) later" : "\((delay * -1).text) earlier"
  }

  /// A decision: as a sentence with the words of its trace, or with its fields.
  private func text(_ decision: Decision, _ words: CausalTrace?) -> String {
    let sentence = words.map { "\($0.subject(decision.line)): \($0.sentence(decision.line))" }
    let text = TerminalText.escape(sentence ?? decision.text + decision.place)
    let shown = text.count > Self.textMax ? text.prefix(Self.textMax) + "..." : text[...]
    return "\(decision.time.text) (line \(decision.line)) \(shown)"
  }

  /// A summary for each kind: how many decisions are equal, and how many are not.
  func summary() -> [String] {
    var rows = [["kind", "same", "moved", "only -", "only +"]]
    for count in difference.counts {
      rows.append([count.kind] + TraceDifference.Change.allCases.map { String(count.counts[$0] ?? 0) })
    }
    return PlainText.columns(rows, indent: 2)
  }

  /// The members of a JSON object.
  package func members() -> [JSONMember] {
    var members = [JSONMember("same", .bool(difference.isEmpty))]
    if let first = difference.firstDifference {
      let step = difference.steps[first]
      members.append(
        JSONMember(
          "first",
          .fields([
            "t": .integer(step.time.nanoseconds), "change": .string(step.change.rawValue),
            "before": step.before.map { Self.object($0) } ?? .null,
            "after": step.after.map { Self.object($0) } ?? .null,
          ])))
    }
    let kinds = difference.counts.map { count in
      JSONMember(
        count.kind,
        .object(
          TraceDifference.Change.allCases.map { JSONMember($0.rawValue, .count(count.counts[$0] ?? 0)) }))
    }
    return members + [JSONMember("kinds", .object(kinds))]
  }

  private static func object(_ decision: Decision) -> JSONValue {
    .fields([
      "t": .integer(decision.time.nanoseconds), "line": .count(decision.line),
      "text": .string(decision.text + decision.place),
    ])
  }
}
