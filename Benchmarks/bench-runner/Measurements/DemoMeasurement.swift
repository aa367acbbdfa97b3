import Simulator
import Console

/// The processor time of the demo with its children.
enum DemoMeasurement: BenchMeasurement {
  static let name = "demo"
  static let about = "processor time of the whole demo"

  static func measure(_ setting: BenchSetting) throws(Failure) -> [BenchRow] {
    let folder = try BenchFolder.make()
    let trace = "\(folder.path)/demo.jsonl"
    let rounds = setting.pick(tiny: 1, quick: 3, full: 7)
    let times = try BenchRounds.run(rounds, variants: 2) { (variant) throws(Failure) in
      try TimedChild.run([
        BenchPrograms.runner, CommandName.demo, "--trace", trace, "--mode", variant == 0 ? "in-process" : "processes",
      ])
    }
    return [
      BenchRow("the demo", "s of CPU", Spread(times[0]), .atMost(1)),
      BenchRow("the demo with nodes as processes", "s of CPU", Spread(times[1]), .atMost(1)),
    ]
  }
}
