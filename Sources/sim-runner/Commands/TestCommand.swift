import Foundation
import Link
import LinkTransport

/// `sim-runner test`: runs scenarios and judges them, a line each.
enum TestCommand: Command {
  static let name = "test"
  static let about = "runs scenarios and judges them, a line each"
  static let usage = "SCENARIO|FOLDER... [OPTIONS]"
  static let options: [Option] =
    [
      .output("--junit", "FILE", "write the results here as JUnit XML"),
      .flag("--list", "list what would run, and run nothing"),
      .value("--filter", "TEXT", "only scenarios whose name or path holds this text"),
      .value("--mode", "processes|in-process", "where the nodes live (in-process)"),
      .value("--jobs", "N", "how many run at a time (1); what is printed keeps its order"),
      .value("--traces", "DIR", "write the trace of every scenario here, NAME.jsonl"),
      PlantCatalog.option,
    ] + AppOptions.all
  static let details = """
    A folder stands for every .json5 file in it and below it, in the order of their names. What fails is told with the
    lines that show it and the command that repeats it.

    Exit status: 0 all passed; 1 an expectation or invariant failed; 2 a scenario cannot be read, or none was found;
    3 a node, the disk or the system failed; 130 stopped by Ctrl-C: the report has what was run by then.
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
      guard !cases.isEmpty else { throw .input("--filter: no name or path holds \"\(TerminalText.escape(text))\"") }
    }
    if arguments.has("--list") { return list(cases) }
    let jobs = try Self.jobs(arguments)
    if let folder = arguments.value("--traces") { try placeTraces(&cases, in: folder) }
    // Opened first: a report that cannot be written should not cost the wait for the runs.
    let report: OutputFile?
    if let path = arguments.value("--junit") { report = try OutputFile(path, as: .report) } else { report = nil }
    do { try StopSignal.install() } catch { throw .environment("\(error)") }
    let screen = Screen(onStandardError: false)
    let width = cases.map(\.name.count).max() ?? 0
    let begin = ContinuousClock.now
    var results: [CaseResult] = []
    run(cases, mode, jobs, screen) { result in
      results.append(result)
      guard !result.wasStopped else { return }
      screen.show(line(result, width: width))
      for paragraph in result.findings { screen.show(lines: indented(paragraph)) }
    }
    screen.endProgress()
    let count = results.count { !$0.wasStopped }
    if count < cases.count {
      Terminal.error("stopped; \(StoryText.count(count)) of \(StoryText.count(cases.count)) scenarios were run")
    } else {
      screen.show(lines: summary(results, seconds: begin.secondsSince))
    }
    if let report {
      do { try report.write(Array(JUnitReport.text(results).utf8)) } catch {
        throw .environment("\(report.path): error: the report cannot be written: \(error.systemText)")
      }
      try report.commit()
    }
    return results.map(\.status).max() ?? 0
  }

  /// Runs the cases and hands their results on in their order; once a signal came, none is begun any more.
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

  private static func jobs(_ arguments: Arguments) throws(Failure) -> Int {
    let jobs = try arguments.unsigned("--jobs") ?? 1
    guard (1...256).contains(jobs) else { throw .input("--jobs: found \(jobs), expected a number from 1 to 256") }
    return Int(jobs)
  }

  /// Gives each case the file of its trace; two of one name get different ones.
  private static func placeTraces(_ cases: inout [ScenarioCase], in folder: String) throws(Failure) {
    try OutputFolder.make(folder)
    var taken: Set<String> = []
    for index in cases.indices {
      let base = "\(folder)/\(OutputName.safe(cases[index].name))"
      var (path, count) = ("\(base).jsonl", 1)
      while !taken.insert(path).inserted {
        count += 1
        path = "\(base)-\(count).jsonl"
      }
      cases[index].tracePath = path
    }
  }

  private static func list(_ cases: [ScenarioCase]) -> Int32 {
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
      Terminal.print("\(padded(scenario.name, to: width))  \(about)")
    }
    return status
  }

  private static func line(_ result: CaseResult, width: Int) -> String {
    let (word, style): (String, Terminal.Style) = result.status == 0 ? ("pass", .green) : ("FAIL", .red)
    return Terminal.styled(word, style) + "  \(padded(result.name, to: width))  " + result.text
  }

  private static func summary(_ results: [CaseResult], seconds: Double) -> String {
    let passed = results.count { $0.status == 0 }
    let style: Terminal.Style = passed == results.count ? .green : .red
    let failed = results.count - passed
    let tail = failed == 0 ? "" : ", \(StoryText.count(failed)) failed"
    return "\n"
      + Terminal.styled("\(StoryText.count(passed)) of \(StoryText.count(results.count)) passed\(tail)", style)
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
