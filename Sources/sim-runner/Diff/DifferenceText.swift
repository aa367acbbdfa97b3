import Link

/// A difference of two traces, for people and for programs.
struct DifferenceText {
  let difference: TraceDifference
  /// What the sides are called.
  let names: (before: String, after: String)
  /// Steps shown before the first difference, and from it on.
  static let contextMax = 3
  static let shownMax = 12
  private static let textMax = 200

  /// The first difference with its surroundings, then a summary by kind; empty without a difference.
  func lines(isColored: Bool = false) -> [String] {
    guard let first = difference.firstDifference else { return [] }
    let steps = difference.steps
    var lines = ["first difference at \(StoryText.clock(steps[first].time)):"]
    lines.append(Terminal.styled("- \(TerminalText.escape(names.before))", [.red], when: isColored))
    lines.append(Terminal.styled("+ \(TerminalText.escape(names.after))", [.green], when: isColored))
    for step in steps[max(0, first - Self.contextMax)..<first] {
      if let decision = step.before { lines.append("  " + text(decision)) }
    }
    for step in steps[first...].prefix(Self.shownMax) { lines += shown(step, isColored: isColored) }
    let rest = steps[first...].dropFirst(Self.shownMax).count { $0.change != .same }
    if rest > 0 { lines.append("  ... and \(PlainText.count(rest, "further difference"))") }
    lines.append("")
    lines += summary()
    return lines
  }

  private func shown(_ step: TraceDifference.Step, isColored: Bool) -> [String] {
    if step.change == .same, let decision = step.before { return ["  " + text(decision)] }
    var lines: [String] = []
    if let decision = step.before { lines.append(Terminal.styled("- " + text(decision), [.red], when: isColored)) }
    if let decision = step.after { lines.append(Terminal.styled("+ " + text(decision), [.green], when: isColored)) }
    return lines
  }

  private func text(_ decision: Decision) -> String {
    let text = TerminalText.escape(decision.text + decision.place)
    let shown = text.count > Self.textMax ? text.prefix(Self.textMax) + "..." : text[...]
    return "\(DurationText.text(decision.time - .start)) (line \(decision.line)) \(shown)"
  }

  /// How much is the same of each kind, and what is not.
  func summary() -> [String] {
    var rows = [["kind", "same", "moved", "only -", "only +"]]
    for count in difference.counts {
      rows.append([count.kind] + TraceDifference.Change.allCases.map { String(count.counts[$0] ?? 0) })
    }
    return PlainText.columns(rows, indent: 2)
  }

  /// The members of a JSON object.
  func members() -> [JSONMember] {
    var members = [JSONMember("same", .bool(difference.isEmpty))]
    if let first = difference.firstDifference {
      let step = difference.steps[first]
      members.append(
        JSONMember(
          "first",
          .object([
            JSONMember("t", .integer(step.time.nanoseconds)), JSONMember("change", .string(step.change.rawValue)),
            JSONMember("before", step.before.map { Self.object($0) } ?? .null),
            JSONMember("after", step.after.map { Self.object($0) } ?? .null),
          ])))
    }
    let kinds = difference.counts.map { count in
      JSONMember(
        count.kind,
        .object(
          TraceDifference.Change.allCases.map { JSONMember($0.rawValue, .integer(Int64(count.counts[$0] ?? 0))) }))
    }
    return members + [JSONMember("kinds", .object(kinds))]
  }

  private static func object(_ decision: Decision) -> JSONValue {
    .object([
      JSONMember("t", .integer(decision.time.nanoseconds)), JSONMember("line", .integer(Int64(decision.line))),
      JSONMember("text", .string(decision.text + decision.place)),
    ])
  }
}
