import Experiments
import Simulator
import Console
import Foundation
import Link

/// Ten minutes of two apps in virtual time; each has a timer of 1 Hz, and the watch's sends its metrics to the phone.
///
/// Beside the built-in pair in processes it shows the cost of an app's threads. A seed includes starting two programs.
enum AppsMeasurement: BenchMeasurement {
  static let name = "apps"
  static let about = "two apps of 1 Hz in virtual time, each in its own process"

  /// A program of the tests, which acts by its arguments.
  private static let program = "\(FilePath.folder(of: ProcessRun.ownPath))SessionProbe"

  static func measure(_ setting: BenchSetting) throws(Failure) -> [BenchRow] {
    guard FileManager.default.isExecutableFile(atPath: program),
      FileManager.default.isReadableFile(atPath: AppTime.library)
    else {
      let note =
        "not measured: needs SessionProbe and libVirtualTime.so beside the program: swift build -c release makes them"
      return [BenchRow("apps at 1 Hz, judged, trace written", "x real time", nil, .atLeast(1_000), note: note)]
    }
    let subject = try Subject(seconds: setting.pick(tiny: 20, quick: 600, full: 3_600), setting)
    let speeds = try BenchRounds.run(setting.rounds, variants: 1) { (_) throws(Failure) in try subject.speed() }
    let seeds = setting.pick(tiny: 1, quick: 10, full: 20)
    let rate = try BenchRounds.run(setting.rounds, variants: 1) { (_) throws(Failure) in try subject.seedRate(seeds) }
    return [
      BenchRow("apps at 1 Hz, judged, trace written", "x real time", Spread(speeds[0]), .atLeast(1_000)),
      BenchRow("ten-minute seeds of apps, start and end included", "a second", Spread(rate[0]), .atLeast(20)),
    ]
  }

  private struct Subject {
    private var scenario: Scenario
    private let setting: BenchSetting

    init(seconds: Int, _ setting: BenchSetting) throws(Failure) {
      self.setting = setting
      scenario = BenchScenario.hour(seconds: Int64(seconds))
      scenario.programs.watch = try UserProgram("\(program) /dev/null 0.5:tick:1000 0.5:hertz:1000", option: "bench")
      scenario.programs.phone = try UserProgram("\(program) /dev/null 0.5:tick:1000", option: "bench")
    }

    /// How many times faster than real time a run is, from its first grant to its last.
    func speed() throws(Failure) -> Double {
      var options = RunOptions()
      options.sharesProcessor = setting.isPinned
      options.isDigested = false
      options.showsPrograms = false
      options.output = { _ in }
      let outcome = try ScenarioRun.run(scenario, options)
      if let failure = outcome.nodeFailure { throw .environment("bench: \(failure)") }
      return scenario.duration.seconds / outcome.wallSeconds
    }

    /// Judged seeds of ten minutes a second, without a trace.
    func seedRate(_ count: Int) throws(Failure) -> Double {
      let run = SeedRun(scenario.lasting(.seconds(min(600, Int64(scenario.duration.seconds)))))
      let begin = ContinuousClock.now
      for seed in 0..<UInt64(count) {
        let result = try run.run(seed)
        guard result.line.hasPassed else { throw .environment("bench: seed \(seed) failed: \(result.line.text)") }
      }
      return Double(count) / begin.secondsSince
    }
  }
}
