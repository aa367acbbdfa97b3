import Foundation
import Link

/// One run with all that people see of it: the story as it happens, the summary, what went wrong, the trace's file.
struct RunShow {
  var scenario: Scenario
  var options: RunOptions
  /// Where the trace is written; nil for nowhere.
  var tracePath: String?
  /// The command that repeats this run.
  var repeatCommand: String
  /// Where everything goes.
  let screen: Screen
  /// Where the report is written; nil for nowhere.
  var reportPath: String?
  /// How it is looked at while it goes on; nil for not at all.
  var live: LiveSettings?
  /// Where the run is saved as a scenario, once more when somebody reached into it; nil for nowhere.
  var savePath: String?

  /// Runs it and tells of it.
  func run() throws(Failure) -> RunOutcome {
    let text = TraceText()
    let file: OutputFile?
    if let tracePath { file = try OutputFile(tracePath, as: .trace) } else { file = nil }
    let report = try reportPath.map { path throws(Failure) in
      try RunReport(path, header: scenario.header)
    }
    var teller = Storyteller(header: scenario.header)
    let screen = self.screen
    let control = try live?.control(scenario, pace: options.pace)
    let view = try live?.isLive == true ? control.map { control throws(Failure) in try LiveView(control) } : nil
    defer { view?.end() }
    var options = self.options
    options.isStoppable = true
    options.output = { bytes in
      text.append(bytes)
      try file?.write(bytes)
    }
    options.onEvent = { event, line in
      let lines = teller.observe(event, line: line)
      report?.observe(event, line: line)
      control?.observe(event, story: lines)
      guard view == nil else { return }
      for line in lines { screen.show(lines: line.rendered(isColored: screen.isColored, columns: screen.columns)) }
    }
    let duration = scenario.duration
    options.onProgress = { instant in
      screen.progress {
        "\(StoryText.clock(instant)) of at most \(StoryText.clock(VirtualTime.start + duration)): \(teller.situation)"
      }
    }
    if let control {
      // It sets the pace, and shows how far the run is.
      if view == nil, let onProgress = options.onProgress {
        control.onRefresh = { [unowned control] in onProgress(control.position) }
      }
      (options.live, options.pace, options.onProgress) = (control, nil, nil)
    }
    if view == nil { announce() }
    defer { screen.endProgress() }
    let outcome = try ScenarioRun.run(scenario, options)
    screen.endProgress()
    view?.end()
    if view != nil { announce() }
    let again = try save(control)
    if outcome.traceError == nil { try file?.commit() }
    try report?.finish(digest: outcome.traceDigest, repeatCommand: again)
    conclude(outcome, teller.tally)
    let findings = Findings(outcome: outcome, header: scenario.header, text: text, repeatCommand: again)
    for paragraph in findings.paragraphs(isColored: screen.isColored, columns: screen.columns) {
      screen.show(lines: "\n" + paragraph)
    }
    return outcome
  }

  /// Writes the scenario anew when somebody reached into the run.
  ///
  /// - Returns: The command that repeats the run.
  private func save(_ control: RunControl?) throws(Failure) -> String {
    guard let plan = control?.plan else { return repeatCommand }
    guard let savePath else {
      return "\(repeatCommand)\n  and do by hand what its control lines say; --save FILE makes a scenario of it"
    }
    var saved = scenario.settled
    saved.faults = plan
    try SavedScenario.write(saved, to: savePath)
    return CommandWords.join([Terminal.program, RunCommand.name, savePath])
  }

  private func announce() {
    screen.show(
      screen.styled(TerminalText.escape(scenario.name), .bold) + screen.styled(", seed \(scenario.seed)", .dim))
    if !scenario.about.isEmpty {
      screen.show(lines: wrap(TerminalText.escape(scenario.about), to: screen.columns).joined(separator: "\n"))
    }
    if !scenario.plants.isEmpty {
      screen.show(screen.styled("planted: " + PlantCatalog.names(scenario.plants).joined(separator: ", "), .yellow))
    }
    screen.show("")
  }

  private func conclude(_ outcome: RunOutcome, _ tally: StoryTally) {
    // Of a run that never began there is nothing to count.
    var rows = outcome.nodeFailure != nil && tally.published == 0 ? [] : StorySummary.rows(tally)
    let real = String(format: "%.2f", outcome.wallSeconds)
    rows.append(
      (
        "time",
        "\(StoryText.length(outcome.simulated, places: 0)) of the runner's, \(real) s of yours; "
          + StoryText.count(outcome.events, "event")
      ))
    if let tracePath, outcome.traceError == nil {
      let digest = outcome.traceDigest.map { ", SHA-256 \($0.prefix(16))..." } ?? ""
      rows.append(("trace", "\(tracePath)\(digest)"))
    }
    if let reportPath { rows.append(("report", reportPath)) }
    screen.show(lines: "\n" + StorySummary.text(rows, isColored: screen.isColored, columns: screen.columns))
    let (word, style): (String, Terminal.Style) =
      switch outcome.verdict {
      case _ where outcome.wasStopped: ("STOPPED", .yellow)
      case _ where outcome.environmentFailure != nil: ("FAIL", .red)
      case .pass: ("PASS", .green)
      case .fail, .unknown: ("FAIL", .red)
      }
    screen.show(
      lines: "\n" + Terminal.styled(word, [style, .bold], when: screen.isColored) + "  " + outcome.verdictText)
  }
}

extension RunOutcome {
  /// What the run came to, in a sentence without its verdict.
  var verdictText: String {
    if wasStopped { return "stopped before its end, so not judged" }
    if let environmentFailure { return TerminalText.escape(environmentFailure) }
    if let appFinding { return appFinding.title }
    if let programEnd { return programEnd.text }
    let broken = Set(violations.map(\.invariant)).count
    let met = expectations.filter(\.result.hasPassed).count
    var text =
      broken == 0
      ? "all \(RunJudge.invariantCount) invariants held"
      : "\(StoryText.count(broken, "invariant")) of \(RunJudge.invariantCount) broken"
    if !expectations.isEmpty { text += ", \(met) of \(StoryText.count(expectations.count, "expectation")) met" }
    return text
  }
}
