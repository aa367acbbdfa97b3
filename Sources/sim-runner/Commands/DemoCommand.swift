import Foundation
import Link

/// `sim-runner` without a command: the demo.
enum DemoCommand: Command {
  static let name = "demo"
  static let about = "a run with a tunnel and a lossy stretch; also without a command"
  static let usage = "[OPTIONS]"
  static let options: [Option] =
    [
      RunSettings.seed,
      .value("--mode", "processes|in-process", "where the nodes run (processes)"),
      RunSettings.time,
      .output("--trace", "FILE", "write the trace here (\(standardTrace))"),
      .output("--report", "FILE", "write the page here (\(standardReport))"),
      RunSettings.json,
      RunSettings.quiet,
    ] + LiveSettings.options
  static let details = """
    A simulated runner runs five kilometres. A tunnel cuts the link between watch and phone, later packets get lost.
    Watch and phone are processes of their own. The demo prints what happens, and writes the trace and a page for the
    browser. It needs no file; scenarios/demo.json5 is the same scenario.
    """

  /// The demo's trace file.
  static let standardTrace = "wristwire-demo.jsonl"
  /// The demo's report.
  static let standardReport = "wristwire-demo.html"

  static func run(_ arguments: Arguments) throws(Failure) -> Int32 {
    guard arguments.operands.isEmpty else {
      throw .input("found \"\(arguments.operands[0])\", expected only options (--help lists them)")
    }
    let settings = try RunSettings(arguments)
    var (scenario, diagnostics) = Scenario.read(Array(DemoScenario.text.utf8), file: "demo", folder: ".")
    precondition(!diagnostics.contains { $0.hasErrors }, "the demo is a scenario: \(diagnostics)")
    if let seed = settings.seed { scenario.seed = seed }
    let trace = arguments.value("--trace") ?? standardTrace
    let screen = Screen(onStandardError: settings.isJSON, isQuiet: settings.isQuiet)
    let again = [Terminal.program, name, "--seed", String(scenario.seed)] + settings.words
    let status = try settings.show(
      RunShow(
        scenario: scenario, options: try settings.options(mode: .processes), tracePath: trace,
        repeatCommand: CommandWords.join(again), screen: screen,
        reportPath: arguments.value("--report") ?? standardReport, live: try LiveSettings(arguments, settings)))
    if status == 0, !screen.isQuiet { screen.show(lines: "\n" + suggestions(trace)) }
    return status
  }

  /// What to try next.
  private static func suggestions(_ trace: String) -> String {
    let program = CommandWords.join([Terminal.program])
    let rows = [
      ("\(program) --time 60x", "the same run, a minute of it each second"),
      ("\(program) --seed 8", "the same faults on another day"),
      ("grep liveness \(CommandWords.join([trace]))", "what the phone said of the watch, as the trace has it"),
      ("\(program) run scenarios/tunnel-at-2k.json5", "a scenario from a file"),
      ("\(program) --help", "everything else"),
    ]
    let width = rows.map(\.0.count).max() ?? 0
    return "Next:\n"
      + rows.map { "  \($0.0)\(String(repeating: " ", count: width - $0.0.count))  \($0.1)" }.joined(separator: "\n")
  }
}
