import Experiments
import Simulator
import TraceTools
import Console
import Link

/// `sim-runner run`: one run of a scenario.
enum RunCommand: Command {
  static let name = CommandName.run
  static let about = "runs a scenario, and prints what happens"
  static let usage = "SCENARIO [OPTIONS]"
  static let options: [Option] =
    [
      RunSettings.seed,
      .value("--mode", "processes|in-process", "where the nodes run (processes)"),
      RunSettings.time,
      .output("--trace", "FILE", "write the trace here, one event a line"),
      RunSettings.json,
      RunSettings.quiet,
      .output("--save", "FILE", "write this run as a scenario here: its seed, and the faults that the nemesis drew"),
      .output(
        "--bundle", "FILE",
        "write a bundle of the run here (NAME.wristwire), which `repro` repeats"),
      AppOptions.watch, AppOptions.phone, AppOptions.runPrograms, AppOptions.threads, AppOptions.threadsSeed,
      AppOptions.jitter, AppOptions.variable,
      .value("--edge-cmd", "COMMAND", "program that acts as the edge, in a scenario that has one"),
      .value("--proxy", "URL", "use a real proxy over HTTP as the edge; needs --time real or Nx"),
      .value("--state-dir", "DIR", "keep the nodes' databases and files here, a folder each; new or empty"),
      RunReport.option,
      PlantCatalog.option,
      TruthOption.option,
    ] + LiveSettings.options
  static let details = """
    Prints what happens as it happens, a summary, and whether every invariant and expectation held. The same scenario
    and seed give the same trace, byte for byte, in either mode and at any pace. Ctrl-C ends a run cleanly.
    On a terminal, --time real or Nx, or --live, shows a live view; keys cut the link, lose and delay frames, kill
    apps, pause time (? lists them). Controls are recorded in the trace, and --save writes them to a scenario.

    Exit status: 0 all held; 1 an expectation or invariant failed, or an app of yours ended by itself; 2 bad usage or
    bad input; 3 a node, the disk or the system failed; 130 stopped by Ctrl-C.
    """

  static func run(_ arguments: Arguments) throws(Failure) -> Int32 {
    let path = try arguments.onlyOperand("the scenario")
    let settings = try RunSettings(arguments)
    var scenario = try Scenario.load(path)
    if let seed = settings.seed { scenario.seed = seed }
    scenario.plant(settings.plants)
    try AppOptions.apply(arguments, to: &scenario)
    TruthOption.apply(arguments, to: &scenario)
    if settings.mode == .inProcess, !scenario.programs.isEmpty {
      throw .input("--mode: found in-process, expected processes: the scenario names a program")
    }
    if settings.proxy != nil, scenario.edge == nil {
      throw .input("--proxy: the scenario has no edge, expected its key uplink or edge")
    }
    let live = try LiveSettings(arguments, settings)
    let bundle = try bundleFile(arguments, settings, scenario)
    let save = arguments.value("--save")
    if let save { try SavedScenario.write(scenario, to: save) }
    let again = [Terminal.program, name, path, "--seed", String(scenario.seed)] + settings.words
    return try settings.show(
      RunShow(
        scenario: scenario, options: try settings.options(mode: .processes), scenarioPath: path,
        tracePath: arguments.value("--trace"), repeatCommand: CommandWords.join(again),
        screen: Screen(onStandardError: settings.isJSON, isQuiet: settings.isQuiet),
        reportPath: arguments.value(RunReport.option.name), live: live, savePath: save, bundle: bundle))
  }

  /// The file of `--bundle`; nil if none is requested.
  ///
  /// - Throws: For a run that its scenario cannot repeat.
  private static func bundleFile(
    _ arguments: Arguments, _ settings: RunSettings, _ scenario: Scenario
  ) throws(Failure) -> OutputFile? {
    guard let path = arguments.value("--bundle") else { return nil }
    for option in ["--edge-cmd", "--proxy"] where arguments.value(option) != nil {
      throw .input("--bundle: found \(option), which no scenario can name, expected a run without it")
    }
    if settings.pace != nil, !scenario.programs.isEmpty {
      throw .input("--bundle: found --time real or Nx, expected virtual time: apps in real time do not repeat")
    }
    return try OutputFile(path, as: .bundle)
  }
}
