import Foundation
import Link

/// `sim-runner run`: one run of a scenario.
enum RunCommand: Command {
  static let name = "run"
  static let about = "one run of a scenario"
  static let usage = "SCENARIO [OPTIONS]"
  static let options: [Option] = [
    .value("--seed", "N", "the run's seed; wins over the scenario's"),
    .value("--mode", "processes|in-process", "where the nodes live (processes)"),
    .value("--time", "virtual|real|Nx", "how fast time passes (virtual: as fast as it goes)"),
    .value("--trace", "FILE", "write the trace here"),
    .flag("--json", "one JSON object on standard output, the rest on standard error"),
    .value("--watch-cmd", "COMMAND", "a program that plays the watch"),
    .value("--phone-cmd", "COMMAND", "a program that plays the phone"),
    .later("--report", "FILE", "the report comes with captured traces"),
    .later("--state-dir", "DIR", "durable state comes with the SQLite stores"),
    .later("--plant", "NAME", "planted bugs come with the field failures"),
    .later("--save", "FILE", "saving what was pressed comes with the live view"),
  ]

  static func run(_ arguments: Arguments) throws(Failure) -> Int32 {
    let path = try arguments.onlyOperand("the scenario")
    var scenario = try Scenario.load(path)
    if let seed = try arguments.unsigned("--seed") { scenario.seed = seed }
    var options = RunOptions()
    let mode = arguments.value("--mode") ?? RunOptions.Mode.processes.rawValue
    guard let known = RunOptions.Mode(rawValue: mode) else {
      throw .input("--mode: found \"\(mode)\", expected processes or in-process")
    }
    options.mode = known
    let outcome = try ScenarioRun.run(scenario, options)
    Terminal.print(
      "\(outcome.verdict) \(outcome.events) events, \(outcome.frames) frames, digest \(outcome.traceDigest ?? "-"), \(outcome.wallSeconds) s"
    )
    for violation in outcome.violations { Terminal.print("\(violation)") }
    for expectation in outcome.expectations { Terminal.print("\(expectation.text) \(expectation.result)") }
    return outcome.status
  }
}
