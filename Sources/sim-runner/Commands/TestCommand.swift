import Experiments
import Simulator
import Console
import Foundation
import Link
import LinkTransport

/// `sim-runner test`: runs and judges scenarios, one line each.
enum TestCommand: Command {
  static let name = CommandName.test
  static let about = "runs and judges scenarios, one line each"
  static let usage = "SCENARIO|FOLDER... [OPTIONS]"
  static let options: [Option] =
    [
      JUnitReport.option,
      CodeQualityReport.option,
      ResultPage.option,
      .flag("--list", "list what would run, and run nothing"),
      .value("--filter", "TEXT", "only scenarios whose name, path or search words contain this text"),
      .value("--mode", "processes|in-process", "where the nodes run (in-process)"),
      .value("--jobs", "N", "how many run at a time (1); the output keeps its order"),
      .value("--traces", "DIR", "write the trace of every scenario here, NAME.jsonl"),
      .value("--bundles", "DIR", "write a bundle of every failing run here, NAME.wristwire, which `repro` repeats"),
      .value("--seed", "N", "run every scenario with this seed, not its own"),
      .flag("--strict", "fail if an expectation or a fault cannot matter, as `run` warns"),
      PlantCatalog.option,
      TruthOption.option,
      RunSettings.json,
      RunSettings.quiet,
    ] + AppOptions.all
  static let details = """
    A folder means every .json5 file in it and its subfolders, sorted by name. A failure is reported with the lines
    that show it and the command that repeats it.

    Exit status: 0 all passed; 1 an expectation or invariant failed; 2 a scenario cannot be read, or none was found;
    3 a node, the disk or the system failed; 130 stopped by Ctrl-C: the report has the results so far.
    """

  static func run(_ arguments: Arguments) throws(Failure) -> Int32 {
    guard !arguments.operands.isEmpty else { throw .input("the scenarios are missing: name files or folders") }
    let mode = try RunSettings.mode(arguments) ?? .inProcess
    let plants = try PlantCatalog.read(arguments)
    var cases: [ScenarioCase] = []
    for path in try ScenarioFiles.find(arguments.operands) {
      cases.append(try ScenarioCase(path, plants: plants, arguments))
    }
    guard !cases.isEmpty else { throw .input("no scenario found in \(arguments.operands.joined(separator: ", "))") }
    if let text = arguments.value("--filter") {
      cases = cases.filter { $0.matches(text) }
      guard !cases.isEmpty else {
        throw .input("--filter: no name, path or search word holds \"\(TerminalText.escape(text))\"")
      }
    }
    let isJSON = arguments.has("--json")
    let isStrict = arguments.has("--strict")
    if arguments.has("--list") { return list(cases, isJSON: isJSON) }
    let jobs = try arguments.count("--jobs", 1...256, standard: 1)
    let page = try ResultPage.make(arguments)
    if let folder = arguments.value("--traces") ?? page.map({ "\($0.folder)/traces" }) {
      try assignTraceFiles(&cases, in: folder)
    }
    // Opened first, so that an unwritable report is noticed before the runs.
    let report = try OutputFile(named: arguments.value("--junit"), as: .report)
    let quality = try CodeQualityReport.file(arguments)
    if let folder = arguments.value("--bundles") { try OutputFolder.check(folder) }
    do { try StopSignal.install() } catch { throw .environment("\(error)") }
    let screen = Screen(onStandardError: isJSON, isQuiet: arguments.has(RunSettings.quiet.name))
    let width = cases.map(\.name.count).max() ?? 0
    let begin = ContinuousClock.now
    var results: [CaseResult] = []
    run(cases, mode, jobs, screen) { result in
      results.append(result)
      guard !result.wasStopped, !screen.isQuiet || result.status != 0 else { return }
      screen.show(line(result, width: width, screen))
      for paragraph in result.findings { screen.show(lines: indented(paragraph)) }
      // With --strict they are among the findings.
      guard !isStrict else { return }
      for warning in result.warnings { screen.show(screen.styled("      warning: \(warning)", .yellow)) }
    }
    screen.endProgress()
    let count = results.count { !$0.wasStopped }
    if count < cases.count {
      Terminal.error("stopped; \(StoryText.count(count)) of \(StoryText.count(cases.count)) scenarios were run")
    } else if !screen.isQuiet || results.contains(where: { $0.status != 0 }) {
      screen.show(lines: summary(results, seconds: begin.secondsSince, screen))
    }
    let seconds = begin.secondsSince
    if let folder = arguments.value("--bundles") { try writeBundles(cases, &results, to: folder, screen) }
    if isJSON { JSONOutput.print(TestJSON.members(results, seconds: seconds)) }
    try report?.finish(Array(JUnitReport.text(results).utf8))
    if let page { try page.write(results, seconds: seconds) }
    let wrong = results.flatMap { BuildFinding.findings($0) }
    if let quality { try CodeQualityReport.write(wrong, to: quality) }
    let passed = results.count { $0.status == 0 }
    GitHubReport(Terminal.environment)?.publish(
      wrong, title: "sim-runner test: \(passed) of \(StoryText.count(results.count, "scenario")) passed",
      table: [["verdict", "scenario", "seed", "result"]]
        + results.map { [$0.verdict, $0.name, $0.seed.map { String($0) } ?? "", $0.reason] })
    return results.map(\.status).max() ?? 0
  }

  /// Shrinks the runs that failed, and writes their bundles.
  private static func writeBundles(
    _ cases: [ScenarioCase], _ results: inout [CaseResult], to folder: String, _ screen: Screen
  ) throws(Failure) {
    var taken: Set<String> = []
    for index in results.indices where results[index].status == 1 {
      guard !StopSignal.isRaised, case .scenario(let scenario) = cases[index].content else { return }
      try OutputFolder.make(folder)
      let path = freePath("\(folder)/\(OutputName.safe(cases[index].name))", RunBundle.suffix, &taken)
      let shrunk = try ShrunkRun.make(scenario, screen: screen)
      screen.endProgress()
      try BundleWriter(scenario: scenario, shrunk: shrunk?.scenario, command: results[index].repeatCommand)
        .write(to: OutputFile(path, as: .bundle))
      results[index].bundlePath = path
      if !screen.isQuiet { screen.show("bundle  \(path)") }
    }
  }

  /// A path that no other case has.
  private static func freePath(_ base: String, _ suffix: String, _ taken: inout Set<String>) -> String {
    var (path, count) = ("\(base)\(suffix)", 1)
    while !taken.insert(path).inserted {
      count += 1
      path = "\(base)-\(count)\(suffix)"
    }
    return path
  }

  /// Runs the cases and passes on their results in order; after a signal no further case starts.
  private static func run(
    _ cases: [ScenarioCase], _ mode: RunOptions.Mode, _ jobs: Int, _ screen: Screen, _ take: (CaseResult) -> Void
  ) {
    let layout = ScenarioCase.Layout(isColored: screen.isColored, columns: screen.columns)
    guard jobs > 1 else {
      for scenario in cases {
        take(
          StopSignal.isRaised
            ? scenario.skipped : scenario.run(mode: mode, layout: layout) { text in screen.progress { text } })
      }
      return
    }
    CaseQueue(cases).run(
      jobs: jobs, { StopSignal.isRaised ? $0.skipped : $0.run(mode: mode, layout: layout) }, take: take)
  }

  /// Assigns each case a trace file; cases with the same name get different ones.
  private static func assignTraceFiles(_ cases: inout [ScenarioCase], in folder: String) throws(Failure) {
    try OutputFolder.make(folder)
    var taken: Set<String> = []
    for index in cases.indices {
      cases[index].tracePath = freePath("\(folder)/\(OutputName.safe(cases[index].name))", ".jsonl", &taken)
    }
  }

  private static func list(_ cases: [ScenarioCase], isJSON: Bool) -> Int32 {
    let width = cases.map(\.name.count).max() ?? 0
    var status: Int32 = 0
    for scenario in cases {
      let about: String
      switch scenario.content {
      case .scenario(let scenario): about = TerminalText.escape(scenario.about)
      case .unreadable(let text):
        about = "cannot be read"
        Terminal.error(text)
        status = 2
      }
      if !isJSON { Terminal.print("\(padded(scenario.name, to: width))  \(about)") }
    }
    if isJSON { JSONOutput.print(TestJSON.members(listing: cases)) }
    return status
  }

  private static func line(_ result: CaseResult, width: Int, _ screen: Screen) -> String {
    let (word, style): (String, Terminal.Style) = result.status == 0 ? ("pass", .green) : ("FAIL", .red)
    return screen.styled(word, style) + "  \(padded(result.name, to: width))  " + result.text
  }

  private static func summary(_ results: [CaseResult], seconds: Double, _ screen: Screen) -> String {
    let passed = results.count { $0.status == 0 }
    let style: Terminal.Style = passed == results.count ? .green : .red
    let failed = results.count - passed
    let warnings = results.reduce(0) { $0 + $1.warnings.count }
    let tail =
      (failed == 0 ? "" : ", \(StoryText.count(failed)) failed")
      + (warnings == 0 ? "" : ", \(StoryText.count(warnings, "warning"))")
    return "\n"
      + screen.styled("\(StoryText.count(passed)) of \(StoryText.count(results.count)) passed\(tail)", style)
      + String(format: " in %.2f s", seconds)
  }

  private static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  private static func indented(_ paragraph: String) -> String {
    "\n"
      + paragraph.split(separator: "\n", omittingEmptySubsequences: false).map { "      \($0)" }
      .joined(separator: "\n")
  }
}
