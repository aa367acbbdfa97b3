import Experiments
import Simulator
import Console
import Foundation
import Link
import LinkTransport

/// `sim-runner shrink`: finds the smallest fault plan that still fails.
enum ShrinkCommand: Command {
  static let name = "shrink"
  static let about = "reduces a failing run to the smallest scenario that fails in the same way"
  static let usage = "SCENARIO [--seed N] [OPTIONS]"
  static let options: [Option] =
    [
      RunSettings.seed,
      .output("--out", "FILE", "where the shrunk scenario is written (NAME-SEED.json5 in this folder)"),
      .value("--invariant", "NAME", "the failure to preserve (the first one); also expectation-N, or crash"),
      .value("--runs", "N", "how many runs it may take (\(Shrinker.runsMaxStandard))"),
      PlantCatalog.option,
      RunSettings.json,
    ] + AppOptions.all
  static let details = """
    Drops faults, then narrows, shortens and rounds those that are left, shortens the run, drops events of watch and phone
    and lines of the script, tries an ideal link, and simplifies the workout (source, length, pauses), as long as the same
    invariant or expectation fails, with the same kind of detail and in the same phase of the run. The runs that are left
    find out what may vary: seed, kind and begin of each fault, time of each event. A run that crashes the simulation
    (--invariant crash) is repeated in processes of their own. The draws of a fault depend on its id
    alone, so the remaining faults act as before. The result is an ordinary scenario whose `about` describes the
    failure; its faults keep their ids. The same scenario and seed shrink to the same file.

    Exit status: 1 it fails, and the small scenario is written; 0 all held, and there was nothing to shrink; 2 bad
    usage or bad input; 3 the environment failed; 130 stopped by Ctrl-C: the smallest one found so far is
    written.
    """

  static func run(_ arguments: Arguments) throws(Failure) -> Int32 {
    let path = try arguments.onlyOperand("the scenario")
    var scenario = try Scenario.load(path)
    if let seed = try arguments.unsigned("--seed") { scenario.seed = seed }
    scenario.plant(try PlantCatalog.read(arguments))
    try AppOptions.apply(arguments, to: &scenario)
    try scenario.checkFiles()
    let runsMax = try arguments.count("--runs", 2...1_000_000, standard: Shrinker.runsMaxStandard)
    let isJSON = arguments.has("--json")
    // Opened first, so that an unwritable file is reported before the runs.
    let chosen = try OutputFile(named: arguments.value("--out"), as: .scenario)
    do { try StopSignal.install() } catch { throw .environment("\(error)") }
    let screen = Screen(onStandardError: isJSON)
    let begin = ContinuousClock.now
    let target = try target(arguments, scenario)
    let shrunk = try ShrunkRun.make(
      scenario, target: target, runsMax: runsMax, screen: screen, findsFreedoms: true)
    screen.endProgress()
    guard let shrunk else {
      reportNoFailure(scenario, target, screen, isJSON)
      return status(0)
    }
    let file: OutputFile
    if let chosen {
      file = chosen
    } else {
      file = try OutputFile("\(OutputName.safe(shrunk.scenario.name)).json5", as: .scenario)
    }
    try SavedScenario.write(shrunk.scenario, to: file)
    let output = file.path
    report(shrunk, output, seconds: begin.secondsSince, screen)
    if shrunk.wasStopped {
      Terminal.error("stopped early, after \(StoryText.count(shrunk.runs, "run")): there may be a smaller one")
    }
    if isJSON { printJSON(shrunk, scenario, output) }
    return status(1)
  }

  /// The failure to preserve; nil for the first one.
  ///
  /// - Throws: For a name that no failure can have.
  private static func target(_ arguments: Arguments, _ scenario: Scenario) throws(Failure) -> String? {
    guard let name = arguments.value("--invariant") else {
      // A crash of the simulation would end this process.
      return try IsolatedRun.death(of: scenario.seed, in: SweepSource.text(of: scenario.settled)) == nil
        ? nil : SeedRun.crash
    }
    if let checker = InvariantsCommand.checker(named: name) { return checker.invariant }
    let known =
      InvariantsCommand.all.map { $0.invariant } + AppCheck.Kind.allCases.map(\.invariant) + [UntakenActs.invariant]
      + scenario.expectations.indices.map(SeedRun.expectationName)
      + [SeedRun.nodeFailed, SeedRun.storesDiffer, SeedRun.crash, SeedRun.programEnded]
      + NodeFinding.endings.sorted().map(SeedRun.appFinding)
    guard known.contains(name) else {
      throw .input("--invariant: found \"\(TerminalText.escape(name))\"\(PlainText.hint(for: name, among: known))")
    }
    return name
  }

  /// The exit status, or that of a signal.
  private static func status(_ status: Int32) -> Int32 { StopSignal.number.map { 128 + $0 } ?? status }

  private static func reportNoFailure(_ scenario: Scenario, _ target: String?, _ screen: Screen, _ isJSON: Bool) {
    let what = target.map { "\(TerminalText.escape($0)) holds" } ?? "all held"
    screen.show("\(TerminalText.escape(scenario.name)), seed \(scenario.seed): \(what), nothing to shrink")
    if isJSON {
      JSONOutput.print([
        "scenario": .string(scenario.name), "seed": .string(String(scenario.seed)), "verdict": .string("pass"),
      ])
    }
  }

  private static func report(_ shrunk: ShrunkRun, _ output: String, seconds: Double, _ screen: Screen) {
    screen.show(lines: wrap(TerminalText.escape(shrunk.scenario.about), to: screen.columns).joined(separator: "\n"))
    screen.show("")
    if !shrunk.scenario.faults.isEmpty {
      let plan = JSONWriter.pretty(
        JSONNode(.array(shrunk.scenario.faults.map { JSONNode($0.json) })), width: screen.columns)
      screen.show(lines: plan.trimmingCharacters(in: .newlines))
    }
    let effort = String(format: "%@ in %.2f s", StoryText.count(shrunk.runs, "run"), seconds)
    screen.show(lines: "\n" + screen.styled("shrunk", .red) + "  \(shrunk.summary); \(effort)")
    screen.show("saved   \(output)")
    let again = [Terminal.program, RunCommand.name, output] + AppOptions.permission(for: shrunk.scenario)
    screen.show(lines: "\nTo see it:\n  \(CommandWords.join(again))")
  }

  private static func printJSON(_ shrunk: ShrunkRun, _ scenario: Scenario, _ output: String) {
    JSONOutput.print([
      "scenario": .string(scenario.name), "seed": .string(String(scenario.seed)), "verdict": .string("fail"),
      "invariant": .string(shrunk.target), "detail": .string(shrunk.finding.detail), "phase": .string(shrunk.phase),
      "saved": .string(output), "faults": .array(shrunk.scenario.faults.map { JSONNode($0.json) }),
      "faultsBefore": .count(shrunk.faultsBefore), "events": .count(shrunk.size.after.events),
      "eventsBefore": .count(shrunk.size.before.events), "scriptLines": .count(shrunk.size.after.lines),
      "scriptLinesBefore": .count(shrunk.size.before.lines), "seconds": .plain(shrunk.scenario.duration.seconds),
      "secondsBefore": .plain(shrunk.durationBefore.seconds), "mayVary": .array(shrunk.freedoms.map(\.json)),
      "runs": .count(shrunk.runs), "stopped": .bool(shrunk.wasStopped),
    ])
  }
}
