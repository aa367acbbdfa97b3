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
  static let about = "finds the last instant at which a failure could still be averted"
  static let usage = "SCENARIO [--seed N] [OPTIONS]"
  static let options: [Option] =
    [
      RunSettings.seed,
      .value("--invariant", "NAME", "which failure (the first one); an invariant, expectation-N"),
      .value("--within", "SECONDS|any", "how far from its instant the same failure may be (5)"),
      .value("--grain", "SECONDS", "how precisely to find the instant (0.5)"),
      PlantCatalog.option,
      RunSettings.json,
    ] + AppOptions.all
  static let details = """
    Repeats the failing run and intervenes once, at instants from the failure backwards: no more drawn faults, a cut of a
    link for 30 s, an app killed, for 5 s or for good, or suspended for 30 s, an external service gone for good. It shows
    until when each of them averts the failure - the same invariant and kind of detail, at most --within from its
    instant - and the story from ten seconds before the last way out.

    Exit status: 1 the run fails; 0 all held, and there was nothing to find; 2 bad usage or bad input; 3 the environment
    failed; 130 stopped by Ctrl-C: what was found so far is shown.
    """

  static func run(_ arguments: Arguments) throws(Failure) -> Int32 {
    let path = try arguments.onlyOperand("the scenario")
    var scenario = try Scenario.load(path)
    if let seed = try arguments.unsigned("--seed") { scenario.seed = seed }
    scenario.plant(try PlantCatalog.read(arguments))
    try AppOptions.apply(arguments, to: &scenario)
    let grain = try grain(arguments)
    let within = try within(arguments)
    let isJSON = arguments.has("--json")
    do { try StopSignal.install() } catch { throw .environment("\(error)") }
    let screen = Screen(onStandardError: isJSON)
    let begin = ContinuousClock.now
    let target = arguments.value("--invariant")
    let found = try InevitableSearch(scenario, target: target, within: within, grain: grain) { search in
      screen.progress { StoryText.count(search.runs, "run") }
    }
    guard var search = found else {
      showNothing(scenario, target, screen, isJSON)
      return 0
    }
    try search.findWaysOut()
    screen.endProgress()
    show(search, scenario, try tellStory(of: scenario), screen, seconds: begin.secondsSince)
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
    let ways = text.waysOut(columns: screen.columns - 2)
    if !ways.isEmpty { screen.show(lines: "\n" + ways.map { "  " + $0 }.joined(separator: "\n")) }
    screen.show(lines: "\n" + wrap(text.conclusion, to: screen.columns).joined(separator: "\n"))
    let excerpt = InevitableText.excerpt(story, of: search)
    if !excerpt.isEmpty { screen.show("") }
    for line in excerpt { screen.show(lines: line.rendered(isColored: screen.isColored, columns: screen.columns)) }
    let effort = "\(StoryText.count(search.runs, "run")) in \(String(format: "%.2f", seconds)) s"
    screen.show(lines: "\n" + effort)
  }

  /// The story of the run as it was.
  private static func tellStory(of scenario: Scenario) throws(Failure) -> [StoryLine] {
    var teller = Storyteller(header: scenario.header)
    var lines: [StoryLine] = []
    var options = RunOptions()
    options.showsPrograms = false
    options.level = .judged
    options.onEvent = { event, line in lines += teller.observe(event, line: line) }
    _ = try ScenarioRun.run(scenario, options)
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
