import LiveView
import CoachReference
import Experiments
package import Simulator
import TraceTools
package import Console
import Foundation
import Link
import PhoneSim

/// One run as people see it: the story as it happens, the summary, what went wrong, the trace's file.
package struct RunShow {
  var scenario: Scenario
  var options: RunOptions
  /// The scenario's file, if any.
  var scenarioPath: String?
  /// The trace's file, if any.
  var tracePath: String?
  /// The command that repeats this run.
  var repeatCommand: String
  let screen: Screen
  /// The report's file, if any.
  var reportPath: String?
  /// The live view, if any.
  var live: LiveSettings?
  /// The file for the run as a scenario, rewritten after controls, if any.
  var savePath: String?
  /// The bundle's file, if any.
  var bundle: OutputFile?

  /// A run whose story nobody reads, as the benchmark measures it.
  package static func unread(_ scenario: Scenario, _ options: RunOptions) -> RunShow {
    RunShow(scenario: scenario, options: options, repeatCommand: "", screen: Screen { _ in })
  }

  /// Runs and shows it.
  package func run() throws(Failure) -> RunOutcome {
    let text = TraceText()
    let file = try OutputFile(named: tracePath, as: .trace)
    let report = try reportPath.map { path throws(Failure) in
      try RunReport(path, header: scenario.header, about: scenario.about)
    }
    var teller = Storyteller(header: scenario.header)
    let reached = SituationsReached(scenario)
    var watched = screen.isQuiet ? nil : RunWarnings(scenario)
    var inquiry = screen.isQuiet ? nil : LineInquiry(header: scenario.header)
    // What the live view showed is printed when it is gone.
    var toldLive: [StoryLine] = []
    let screen = self.screen
    let control = try live?.control(scenario, pace: options.pace)
    let view =
      try live?.isLive == true
      ? control.map { control throws(Failure) in try LiveView(control) { [self] in controlled($0) } } : nil
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
      reached.observe(event)
      watched?.observe(event)
      inquiry?.observe(event, line: line)
      control?.observe(event, story: lines)
      if view != nil { toldLive += lines }
      guard view == nil, !screen.isQuiet else { return }
      for line in lines { screen.show(lines: line.rendered(isColored: screen.isColored, columns: screen.columns)) }
    }
    let duration = scenario.duration
    options.onProgress = { instant in
      screen.progress {
        "\(StoryText.clock(instant)) of at most \(StoryText.clock(VirtualTime.start + duration)): \(teller.situation)"
      }
    }
    if let control {
      // The live view sets the pace, and shows the progress.
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
    for line in screen.isQuiet ? [] : toldLive {
      screen.show(lines: line.rendered(isColored: screen.isColored, columns: screen.columns))
    }
    let again = try save(control)
    if outcome.traceError == nil { try file?.commit() }
    try report?.finish(digest: outcome.traceDigest, repeatCommand: again)
    conclude(outcome, teller.tally, reached, inquiry?.finish() ?? [])
    if !screen.isQuiet, !outcome.wasStopped {
      for warning in watched?.finish(outcome.expectations) ?? [] {
        let lines = wrap("warning: \(TerminalText.escape(warning.text))", to: screen.columns)
        screen.show(lines: "\n" + lines.map { screen.styled($0, .yellow) }.joined(separator: "\n"))
      }
    }
    let findings = RunFindings(
      outcome: outcome, path: scenarioPath, header: scenario.header, text: text, repeatCommand: again)
    for paragraph in findings.paragraphs(isColored: screen.isColored, columns: screen.columns) {
      screen.show(lines: "\n" + paragraph)
    }
    if let bundle, !outcome.wasStopped { try write(bundle, of: outcome, control) }
    return outcome
  }

  /// Shrinks the run if it failed, and writes its bundle.
  private func write(_ bundle: OutputFile, of outcome: RunOutcome, _ control: RunControl?) throws(Failure) {
    let run = controlled(control)
    // A run that broke off is bundled unshrunk.
    let fails = outcome.verdict == .fail && outcome.environmentFailure == nil
    let shrunk = fails ? try ShrunkRun.make(run, screen: screen) : nil
    screen.endProgress()
    try BundleWriter(scenario: run, shrunk: shrunk?.scenario, command: repeatCommand).write(to: bundle)
    guard !screen.isQuiet else { return }
    if let shrunk { screen.show(lines: "\nshrunk  \(shrunk.summary)") }
    let again = CommandWords.join([Terminal.program, ReproCommand.name, bundle.path] + AppOptions.permission(for: run))
    screen.show(lines: "\nTo repeat it on another machine, from \(bundle.path) alone:\n  \(again)")
  }

  /// Saves the scenario again if there were controls.
  ///
  /// - Returns: The command that repeats the run.
  private func save(_ control: RunControl?) throws(Failure) -> String {
    guard control?.plan != nil else { return repeatCommand }
    guard let savePath else {
      return "\(repeatCommand)\n  and repeat its control lines by hand; --save FILE writes them to a scenario"
    }
    try SavedScenario.write(controlled(control), to: savePath)
    return CommandWords.join([Terminal.program, RunCommand.name, savePath] + AppOptions.permission(for: scenario))
  }

  /// The run as a scenario, with what controls did to it.
  private func controlled(_ control: RunControl?) -> Scenario {
    var saved = scenario.settled
    guard let plan = control?.plan else { return saved }
    saved.faults = plan
    saved.acts += control?.acts ?? []
    return saved
  }

  private func announce() {
    guard !screen.isQuiet else { return }
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

  /// Lines of the script that never came due, each with its nearest miss; none in a run without a script.
  private static func neverDue(_ answers: [LineInquiry.Answer]) -> [(head: String, text: String)] {
    let answers = answers.filter { !$0.history.hasComeDue }
    let shown = answers.prefix(neverDueMax).enumerated().map { index, answer in
      (
        head: index == 0 ? "not due" : "",
        text: "\"\(TerminalText.escape(answer.id))\" (\(answer.trigger)) \(answer.outcome)"
      )
    }
    let rest = answers.count - shown.count
    return shown + (rest > 0 ? [(head: "", text: "and \(StoryText.count(rest, "line")) more")] : [])
  }

  private static let neverDueMax = 8

  private func conclude(
    _ outcome: RunOutcome, _ tally: StoryTally, _ reached: SituationsReached, _ lines: [LineInquiry.Answer]
  ) {
    // A run that never began has no counts.
    var rows = outcome.nodeFailure != nil && tally.published == 0 ? [] : StorySummary.rows(tally)
    let real = String(format: "%.2f", outcome.wallSeconds)
    rows.append(
      (
        "time",
        "\(StoryText.length(outcome.simulated, places: 0)) of the athlete's, \(real) s of yours; "
          + StoryText.count(outcome.events, "event")
      ))
    if let tracePath, outcome.traceError == nil {
      let digest = outcome.traceDigest.map { ", SHA-256 \($0.prefix(16))..." } ?? ""
      rows.append(("trace", "\(tracePath)\(digest)"))
    }
    if let reportPath { rows.append(("report", reportPath)) }
    if let summary = reached.summary { rows.append(("sometimes", summary)) }
    rows += Self.neverDue(lines)
    if !screen.isQuiet {
      screen.show(lines: "\n" + StorySummary.text(rows, isColored: screen.isColored, columns: screen.columns))
    }
    let hasPassed = outcome.verdict == .pass && !outcome.wasStopped && outcome.environmentFailure == nil
    guard !screen.isQuiet || !hasPassed else { return }
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
