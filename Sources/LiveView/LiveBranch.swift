import Experiments
import Simulator
import TraceTools
import Console
import Link

/// Two futures of a live run from an instant on: as it is, and with one more fault.
struct LiveBranch {
  /// A fault that a key adds.
  struct Choice {
    let key: Character
    /// Its name in a sentence.
    let name: String
    /// The fault in a scenario's spelling, without its instant.
    let fault: String
  }

  /// In the order in which they are shown.
  static let choices = [
    Choice(key: "c", name: "link cut for 20 s", fault: "{ for: \"20s\", disconnect: {} }"),
    Choice(key: "l", name: "three frames in ten lost for 20 s", fault: "{ for: \"20s\", loss: { probability: 0.3 } }"),
    Choice(key: "d", name: "frames delayed by 2 s for 20 s", fault: "{ for: \"20s\", delay: { mean: \"2s\" } }"),
    Choice(key: "p", name: "phone's app killed", fault: "{ kill: \"phone\", restartAfter: \"5s\" }"),
    Choice(key: "w", name: "watch's app killed", fault: "{ kill: \"watch\", restartAfter: \"5s\" }"),
  ]

  /// The instant from which the futures differ.
  let instant: VirtualTime
  package let name: String
  /// The decisions of both from the instant on.
  let steps: [TraceDifference.Step]

  /// Runs both futures in this process.
  ///
  /// - Throws: If one cannot be run.
  init(_ scenario: Scenario, at instant: VirtualTime, _ choice: Choice) throws(Failure) {
    self.instant = instant
    name = choice.name
    var other = scenario
    var fault = try Branch.read(choice.fault, at: instant, hasUplink: scenario.edge != nil)
    while other.faults.contains(where: { $0.id == fault.id }) { fault.id += "-again" }
    other.faults.append(fault)
    let difference = TraceDifference(try Self.decisions(scenario), try Self.decisions(other))
    steps = difference.steps.filter { $0.time >= instant }
  }

  private static func decisions(_ scenario: Scenario) throws(Failure) -> [Decision] {
    var options = RunOptions()
    options.showsPrograms = false
    var decisions: [Decision] = []
    options.onEvent = { event, line in
      if let decision = Decision(event, line: line) { decisions.append(decision) }
    }
    let outcome = try ScenarioRun.run(scenario, options)
    if let failure = outcome.environmentFailure { throw .environment(failure) }
    return decisions
  }

  /// The decisions of both futures side by side: what is equal up to the first difference, and some after it.
  ///
  /// - Parameters:
  ///   - columns: The width of a row; two columns share it.
  ///   - rows: The most rows.
  func lines(columns: Int, rows: Int, isColored: Bool = false) -> [String] {
    let width = max(8, (columns - 3) / 2)
    var lines = [
      "two futures from \(instant.text): as it is | \(name)",
      steps.contains { $0.change != .same }
        ? "they differ in a decision at \(steps.first { $0.change != .same }?.time.text ?? "")"
        : "they decide the same at the same times",
    ]
    lines = lines.map { Self.fit($0, columns, pads: false) }
    let first = steps.firstIndex { $0.change != .same } ?? steps.count
    let room = max(0, rows - lines.count)
    let before = min(first, max(0, room / 3))
    for step in Self.withoutRepetitions(steps[(first - before)...]).prefix(room) {
      let sides = [step.before, step.after].map { decision in
        Self.fit(decision.map { "\($0.time.text) \(TerminalText.escape($0.text))" } ?? "", width)
      }
      let styles: [Terminal.Style] = step.change == .same ? [.dim] : step.change == .moved ? [.yellow] : [.red]
      lines.append(Terminal.styled("\(sides[0]) | \(sides[1])", styles, when: isColored))
    }
    return lines
  }

  /// The steps without immediate repetitions, such as a refused message each second.
  private static func withoutRepetitions(_ steps: ArraySlice<TraceDifference.Step>) -> [TraceDifference.Step] {
    var kept: [TraceDifference.Step] = []
    for step in steps {
      let isRepeated =
        kept.last.map { last in
          last.change == step.change && (last.before ?? last.after)?.text == (step.before ?? step.after)?.text
        } ?? false
      if !isRepeated { kept.append(step) }
    }
    return kept
  }

  /// Truncates a text to a width, with a mark at its end, and pads it with spaces.
  private static func fit(_ text: String, _ width: Int, pads: Bool = true) -> String {
    guard text.count <= width else { return text.prefix(max(0, width - 1)) + "…" }
    return pads ? text + String(repeating: " ", count: width - text.count) : text
  }
}
