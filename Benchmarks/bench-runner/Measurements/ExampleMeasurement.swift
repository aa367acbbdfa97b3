import Experiments
import Simulator
import Console
import Foundation
import Link

/// The app of Examples/RunBuddy, with its scenario: a tunnel, two crashes of the phone's app, and frames that come twice.
///
/// A seed includes four starts of a program.
enum ExampleMeasurement: BenchMeasurement {
  static let name = "example"
  static let about = "the apps of Examples/RunBuddy: seeds, and how many fresh runs of a seed are equal"

  static func measure(_ setting: BenchSetting) throws(Failure) -> [BenchRow] {
    let equal = "fresh runs of the example with the trace of their seed's first"
    let rate = "seeds of the example, four starts of an app each"
    guard let scenario = try scenario(), FileManager.default.isReadableFile(atPath: AppTime.library) else {
      let note =
        "not measured: needs libVirtualTime.so beside sim-runner, and swift build -c release in Examples/RunBuddy"
      return [
        BenchRow(equal, "%", nil, .atLeast(100), note: note), BenchRow(rate, "a second", nil, .atLeast(20), note: note),
      ]
    }
    let (seeds, runs) = (setting.pick(tiny: 1, quick: 2, full: 5), setting.pick(tiny: 2, quick: 5, full: 10))
    let equals = try percentOfEqualRuns(scenario, seeds: seeds, runs: runs)
    let count = setting.pick(tiny: 1, quick: 10, full: 20)
    let rates = try BenchRounds.run(setting.rounds, variants: 1) { (_) throws(Failure) in
      try seedRate(scenario, count)
    }
    return [
      BenchRow(equal, "%", Spread([equals]), .atLeast(100), note: "\(seeds) seeds, \(runs) runs each"),
      BenchRow(rate, "a second", Spread(rates[0]), .atLeast(20)),
    ]
  }

  /// The example's scenario with its programs; nil if they are not built.
  private static func scenario() throws(Failure) -> Scenario? {
    let own = FilePath.folder(of: ProcessRun.ownPath)
    // From .build/PLATFORM/CONFIGURATION.
    let example = "\(own)../../../Examples/RunBuddy"
    let folders = [own, "\(example)/.build/release/", "\(example)/.build/debug/"]
    let path = "\(example)/tunnel.json5"
    guard FileManager.default.isReadableFile(atPath: path),
      let folder = folders.first(where: { folder in
        ["Phone", "Watch"].allSatisfy { FileManager.default.isExecutableFile(atPath: "\(folder)RunBuddy\($0)") }
      })
    else { return nil }
    var scenario = try Scenario.load(path)
    scenario.programs.phone = try UserProgram(CommandWords.join(["\(folder)RunBuddyPhone"]), option: "bench")
    scenario.programs.watch = try UserProgram(CommandWords.join(["\(folder)RunBuddyWatch"]), option: "bench")
    return scenario
  }

  private static func percentOfEqualRuns(_ scenario: Scenario, seeds: Int, runs: Int) throws(Failure) -> Double {
    var equal = 0
    for seed in 0..<seeds {
      var scenario = scenario
      scenario.seed = UInt64(seed)
      var first: String?
      for _ in 0..<runs {
        var options = RunOptions()
        options.showsPrograms = false
        let outcome = try ScenarioRun.run(scenario.settled, options)
        if let failure = outcome.nodeFailure { throw .environment("bench: \(failure)") }
        if first == nil { first = outcome.traceDigest }
        if outcome.traceDigest == first { equal += 1 }
      }
    }
    return 100 * Double(equal) / Double(seeds * runs)
  }

  /// Judged seeds a second, without a trace.
  private static func seedRate(_ scenario: Scenario, _ count: Int) throws(Failure) -> Double {
    let run = SeedRun(scenario)
    let begin = ContinuousClock.now
    for seed in 0..<UInt64(count) {
      let result = try run.run(seed)
      guard result.line.hasPassed else { throw .environment("bench: seed \(seed) failed: \(result.line.text)") }
    }
    return Double(count) / begin.secondsSince
  }
}
