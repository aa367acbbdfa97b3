import Simulator
import Console
import Foundation

/// How two jobs of one sweep scale, compared with two independent sweeps of one job each.
enum JobsMeasurement: BenchMeasurement {
  static let name = "jobs"
  static let about = "a sweep with two jobs, beside two sweeps of one job each"
  static let needsAllProcessors = true

  static func measure(_ setting: BenchSetting) throws(Failure) -> [BenchRow] {
    let seeds = setting.pick(tiny: 2, quick: 300, full: 1_000)
    let folder = try BenchFolder.make()
    let path = "\(folder.path)/ten-minutes.json5"
    do {
      try BenchScenario.tenMinutesText.write(toFile: path, atomically: false, encoding: .utf8)
    } catch {
      throw .environment("bench: \(path) cannot be written: \(error.systemText)")
    }
    let rates = try BenchRounds.run(max(3, setting.rounds / 2), variants: 2) { (variant) throws(Failure) in
      let begin = ContinuousClock.now
      if variant == 0 {
        try TimedChild.run(words(path, 0, 2 * seeds, jobs: 2, folder.path))
      } else {
        try TimedChild.runTogether([
          words(path, 0, seeds, jobs: 1, folder.path), words(path, seeds, 2 * seeds, jobs: 1, folder.path),
        ])
      }
      return Double(2 * seeds) / begin.secondsSince
    }
    return [
      BenchRow("two jobs", "seeds a second", Spread(rates[0])),
      BenchRow("two sweeps of one job each, together", "seeds a second", Spread(rates[1])),
      BenchRow("two jobs / two sweeps", "ratio", .ratio(rates[0], to: rates[1]), .atLeast(0.9)),
    ]
  }

  private static func words(_ path: String, _ lower: Int, _ upper: Int, jobs: Int, _ folder: String) -> [String] {
    [
      BenchPrograms.runner, CommandName.sweep, path, "--seeds", "\(lower)..<\(upper)", "--jobs", "\(jobs)",
      "--keep-going",
      "--no-shrink", "--failures", "\(folder)/failures", "--out", "\(folder)/\(lower)-\(upper).jsonl",
    ]
  }
}
