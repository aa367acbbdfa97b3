import Foundation
import Link

/// `sim-runner bench`: ratios measured in one run.
enum BenchCommand: Command {
  static let name = "bench"
  static let about = "the benchmark"
  static let usage = ""
  static let options: [Option] = [
    .value("--rounds", "N", "repeat each measurement N times (5)"),
    .value("--level", "nothing|judged|written", "only this level of the in-process hour"),
  ]

  static func run(_ arguments: Arguments) throws(Failure) -> Int32 {
    let rounds = try arguments.unsigned("--rounds") ?? 5
    let scenario = BenchScenario.hour()
    let only = arguments.value("--level")
    for level in [TraceSink.Level.nothing, .judged, .written] where only.map({ $0 == "\(level)" }) ?? true {
      var best = Double.infinity
      var outcome: RunOutcome?
      for _ in 0..<rounds {
        var options = RunOptions()
        options.level = level
        options.isDigested = false
        let run = try ScenarioRun.run(scenario, options)
        best = min(best, run.wallSeconds)
        outcome = run
      }
      Terminal.print(
        "\(level): \(Int(3_603 / best)) x real time, \(best * 1e9 / 3_603) ns a second, \(outcome?.steps ?? 0) steps, \(outcome?.verdict ?? .unknown) \(outcome?.violations.count ?? 0) violations, \(outcome?.events ?? 0) events"
      )
    }
    return 0
  }
}
