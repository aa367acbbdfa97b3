import Experiments
import Simulator
import TraceTools
import Console
import Foundation
import Link
import LinkTransport

/// `sim-runner inevitable`: when a failure could no longer be avoided.
enum InevitableCommand: Command {
  static let name = "inevitable"
  static let about = "finds the instant from which on a failing run was bound to fail"
  static let usage = "SCENARIO [--seed N] [OPTIONS]"
  static let options: [Option] =
    [
      RunSettings.seed,
      .value("--invariant", "NAME", "which failure (the first one); an invariant, expectation-N"),
      .value("--within", "SECONDS|any", "how far from its instant the same failure may be in a future (5)"),
      .value("--futures", "N", "how many futures each instant gets (\(InevitableSearch.futuresStandard))"),
      .value("--grain", "SECONDS", "how precisely to find the instant (0.5)"),
      .output("--report", "FILE", "write the run and its curve as a page here (HTML)"),
      PlantCatalog.option,
      RunSettings.json,
    ] + AppOptions.all
  static let details = """
    Keeps everything up to an instant, redraws what comes after it - delays, losses, reconnect times, the faults of the
    nemesis, how long active ones last - and counts how many of these futures have the same failure: the same invariant and
    kind of detail, at most --within from its instant. It does so on a grid over the run, and halves two intervals until
    they are shorter than --grain: the last one at whose beginning a future is without the failure, and the one with the
    largest rise. It shows the curve and the story around the first. The scenario's own faults and what the nodes draw stay
    as they are; a scenario without a nemesis has only its links to redraw. The same scenario and seed give the same curve.

    Then it looks for the last way out: it repeats the run, with nothing redrawn, and intervenes once, at instants from the
    failure backwards: no more drawn faults, a cut of a link for 30 s, an app killed, for 5 s or for good, or suspended
    for 30 s. It shows until when each of them averts the failure.

    Exit status: 1 the run fails, and the curve is shown; 0 all held, and there was nothing to find; 2 bad usage or bad
    input; 3 the environment failed; 130 stopped by Ctrl-C: the curve as far as it was measured is shown.
    """

  static func run(_ arguments: Arguments) throws(Failure) -> Int32 {
    let path = try arguments.onlyOperand("the scenario")
    var scenario = try Scenario.load(path)
    if let seed = try arguments.unsigned("--seed") { scenario.seed = seed }
    // Those of the file need no words in the command that repeats the run.
    let written = scenario.plants
    scenario.plant(try PlantCatalog.read(arguments))
    try AppOptions.apply(arguments, to: &scenario)
    let futures = try arguments.count("--futures", 2...10_000, standard: InevitableSearch.futuresStandard)
    let grain = try grain(arguments)
    let within = try within(arguments)
    let isJSON = arguments.has("--json")
    do { try StopSignal.install() } catch { throw .environment("\(error)") }
    // Opened first, so that an unwritable file is reported before the runs.
    let report = try arguments.value("--report").map { (path) throws(Failure) in
      try RunReport(path, header: scenario.header)
    }
    let screen = Screen(onStandardError: isJSON)
    let begin = ContinuousClock.now
    let target = arguments.value("--invariant")
    let found = try InevitableSearch(
      scenario, target: target, within: within, futures: futures, grain: grain
    ) { search in
      screen.progress { "\(StoryText.count(search.runs, "run")), \(search.curve.count) instants" }
    }
    guard var search = found else {
      showNothing(scenario, target, screen, isJSON)
      return 0
    }
    try search.search()
    try search.findWaysOut()
    screen.endProgress()
    let seconds = begin.secondsSince
    let story = try story(of: scenario, to: report, InevitableText(search: search)) {
      let plants = PlantCatalog.words(scenario.plants.subtracting(written))
      return CommandWords.join(
        [Terminal.program, RunCommand.name, path, "--seed", String(scenario.seed)] + AppOptions.words(arguments)
          + plants)
    }
    show(search, scenario, story, screen, seconds: seconds)
    if let path = arguments.value("--report") { screen.show("report  \(path)") }
    if isJSON { JSONOutput.print(InevitableText.members(search, scenario)) }
    return StopSignal.number.map { 128 + $0 } ?? 1
  }

  private static func within(_ arguments: Arguments) throws(Failure) -> VirtualTime.Span? {
    guard let text = arguments.value("--within") else { return InevitableSearch.withinStandard }
    guard text != "any" else { return nil }
    guard let seconds = Double(text), (0.001...1e6).contains(seconds) else {
      throw .input("--within: found \"\(TerminalText.escape(text))\", expected seconds from 0.001 to 1000000, or any")
    }
    return VirtualTime.Span(nanoseconds: Int64((seconds * 1e9).rounded()))
  }

  private static func grain(_ arguments: Arguments) throws(Failure) -> VirtualTime.Span {
    guard let text = arguments.value("--grain") else { return InevitableSearch.grainStandard }
    guard let seconds = Double(text), (0.001...3_600).contains(seconds) else {
      throw .input("--grain: found \"\(TerminalText.escape(text))\", expected seconds from 0.001 to 3600")
    }
    return VirtualTime.Span(nanoseconds: Int64((seconds * 1e9).rounded()))
  }

  private static func show(
    _ search: InevitableSearch, _ scenario: Scenario, _ story: [StoryLine], _ screen: Screen, seconds: Double
  ) {
    let finding = search.finding
    let instant = VirtualTime(nanoseconds: max(0, finding.time)).text
    screen.show(
      screen.styled("FAIL", .red)
        + "  \(TerminalText.escape(scenario.name)), seed \(scenario.seed): \(finding.invariant) at \(instant)")
    let detail = wrap(TerminalText.escape(finding.detail), to: screen.columns - 6)
    screen.show(lines: detail.map { "      " + $0 }.joined(separator: "\n"))
    let text = InevitableText(search: search)
    screen.show(lines: "\n  kept until   failing futures\n" + text.curve.map { "  " + $0 }.joined(separator: "\n"))
    screen.show(lines: "\n" + wrap(text.conclusion, to: screen.columns).joined(separator: "\n"))
    if let lastWayOut = text.lastWayOut {
      screen.show(lines: "\n" + text.waysOut.map { "  " + $0 }.joined(separator: "\n"))
      screen.show(lines: "\n" + wrap(lastWayOut, to: screen.columns).joined(separator: "\n"))
    }
    let excerpt = InevitableText.excerpt(story, of: search)
    if !excerpt.isEmpty { screen.show("") }
    for line in excerpt { screen.show(lines: line.rendered(isColored: screen.isColored, columns: screen.columns)) }
    let effort = "\(StoryText.count(search.runs, "run")) in \(String(format: "%.2f", seconds)) s"
    screen.show(lines: "\n" + effort)
  }

  /// The story of the run as it was, which also goes into the report if one is wanted.
  private static func story(
    of scenario: Scenario, to report: RunReport?, _ curve: InevitableText, repeatCommand: () -> String
  ) throws(Failure) -> [StoryLine] {
    var teller = Storyteller(header: scenario.header)
    var lines: [StoryLine] = []
    var options = RunOptions()
    options.showsPrograms = false
    options.level = report == nil ? .judged : .written
    options.onEvent = { event, line in
      lines += teller.observe(event, line: line)
      report?.observe(event, line: line)
    }
    let outcome = try ScenarioRun.run(scenario, options)
    try report?.finish(digest: outcome.traceDigest, repeatCommand: repeatCommand(), curve: curve.page)
    return lines
  }

  private static func showNothing(_ scenario: Scenario, _ target: String?, _ screen: Screen, _ isJSON: Bool) {
    let what = target.map { "\(TerminalText.escape($0)) holds" } ?? "all held"
    screen.show("\(TerminalText.escape(scenario.name)), seed \(scenario.seed): \(what), nothing to find")
    if isJSON {
      JSONOutput.print([
        "scenario": .string(scenario.name), "seed": .string(String(scenario.seed)), "verdict": .string("pass"),
      ])
    }
  }
}
