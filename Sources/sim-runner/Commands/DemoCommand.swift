import Simulator
import Console
import Foundation
import Link

/// `sim-runner` without a command: the demo.
enum DemoCommand: Command {
  static let name = CommandName.demo
  static let about = "a run with a tunnel and a lossy stretch, or a whole day; also without a command"
  static let usage = "[DEMO] [OPTIONS]"
  static let options: [Option] =
    [
      RunSettings.seed,
      .value("--mode", "processes|in-process", "where the nodes run (processes)"),
      RunSettings.time,
      .output("--trace", "FILE", "write the trace here (\(DemoCatalog.standard.trace))"),
      .output("--report", "FILE", "write the page here (\(DemoCatalog.standard.report))"),
      RunSettings.json,
      RunSettings.quiet,
    ] + LiveSettings.options
  static let details = """
    A simulated runner runs five kilometres. A tunnel cuts the link between watch and phone, later packets get lost.
    Watch and phone are processes of their own. The demo prints what happens, and writes the trace and a page for the
    browser. It needs no file; scenarios/demo.json5 is the same scenario.

    demo day runs an athlete's day on all systems, in 24 simulated hours: last night's sleep, a swim with the phone in the
    locker, meals, a ride in which the phone reboots, a run with the coach, and the day's totals on a server. It is
    scenarios/day.json5, and writes wristwire-day.jsonl and wristwire-day.html.
    """

  static func run(_ arguments: Arguments) throws(Failure) -> Int32 {
    var demo = DemoCatalog.standard
    if !arguments.operands.isEmpty { demo = try DemoCatalog.demo(named: try arguments.onlyOperand("the demo's name")) }
    let settings = try RunSettings(arguments)
    var (scenario, diagnostics) = Scenario.read(Array(demo.text.utf8), file: demo.name, folder: ".")
    precondition(!diagnostics.contains { $0.hasErrors }, "the demo is a scenario: \(diagnostics)")
    if let seed = settings.seed { scenario.seed = seed }
    let trace = arguments.value("--trace") ?? demo.trace
    let screen = Screen(onStandardError: settings.isJSON, isQuiet: settings.isQuiet)
    let again = [Terminal.program, name] + arguments.operands + ["--seed", String(scenario.seed)] + settings.words
    let status = try settings.show(
      RunShow(
        scenario: scenario, options: try settings.options(mode: .processes), tracePath: trace,
        repeatCommand: CommandWords.join(again), screen: screen,
        reportPath: arguments.value("--report") ?? demo.report, live: try LiveSettings(arguments, settings)))
    if status == 0, !screen.isQuiet { screen.show(lines: "\n" + suggestions(demo, trace)) }
    return status
  }

  /// What to try next.
  private static func suggestions(_ demo: Demo, _ trace: String) -> String {
    let program = CommandWords.join([Terminal.program])
    let again = demo.name == DemoCatalog.standard.name ? program : "\(program) \(name) \(demo.name)"
    var rows = [
      ("\(again) --seed \(demo.otherSeed)", "the same faults on another day"),
      ("grep \(demo.searched.word) \(CommandWords.join([trace]))", demo.searched.about),
      ("\(program) run \(demo.nextScenario)", "a scenario from a file"),
      ("\(program) --help", "everything else"),
    ]
    if demo.name == DemoCatalog.standard.name {
      rows.insert(("\(again) --time 60x", "the same run, a minute of it each second"), at: 0)
      rows.insert(("\(program) \(name) \(Demo.day.name)", "a whole day of an athlete, on all systems"), at: 4)
    }
    let width = rows.map(\.0.count).max() ?? 0
    return "Next:\n"
      + rows.map { "  \($0.0)\(String(repeating: " ", count: width - $0.0.count))  \($0.1)" }.joined(separator: "\n")
  }
}
