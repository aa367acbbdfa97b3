import Experiments
import Simulator
import Console
import Foundation
import Link

/// A sweep of ten-minute runs under a nemesis: seeds a second, and memory.
///
/// Every checker judges, the stores are in memory, and no trace is made. Reference is a loop of the standard library:
/// an idle core of the processor for which the goal was set counts 20 million texts a second, so 30 seeds for a million
/// of them are 600 a second.
enum SweepMeasurement: BenchMeasurement {
  static let name = "sweep"
  static let about = "ten-minute runs under a nemesis, judged by every checker"

  static func measure(_ setting: BenchSetting) throws(Failure) -> [BenchRow] {
    let seeds = setting.pick(tiny: 2, quick: 150, full: 300)
    let subject = Subject(try BenchScenario.tenMinutes())
    _ = try subject.rate(seeds)
    subject.forget()
    let texts = setting.pick(tiny: 1_000, quick: 4_000_000, full: 8_000_000)
    let rates = try BenchRounds.run(setting.rounds, variants: 2) { (variant) throws(Failure) in
      variant == 0 ? try subject.rate(seeds) : ReferenceLoop.rate(texts)
    }
    var rows = [
      BenchRow("seeds, one job", "a second", Spread(rates[0]), .atLeast(600)),
      BenchRow("seeds, a second of processor time", "a second", Spread(subject.byProcessor)),
      BenchRow("short texts counted in a dictionary", "millions a second", Spread(rates[1])),
      BenchRow("seeds / a million texts", "ratio", .ratio(rates[0], to: rates[1]), .atLeast(30)),
    ]
    guard setting.isPinned else { return rows }
    let few = try peak(seeds: setting.pick(tiny: 1, quick: 1_000, full: 2_000))
    let many = try peak(seeds: setting.pick(tiny: 2, quick: 10_000, full: 20_000))
    rows.append(BenchRow("peak of a worker after many short seeds", "MiB", Spread([many]), .atMost(64)))
    rows.append(BenchRow("ten times as many seeds / that tenth", "ratio", Spread([many / few]), .atMost(1.1)))
    return rows
  }

  /// The peak memory of a process that runs this many seeds of a short run, in MiB.
  private static func peak(seeds: Int) throws(Failure) -> Double {
    let text = try TimedChild.output([ProcessRun.ownPath, BenchPeerCommand.name, "seeds", "\(seeds)"])
    guard let kilobytes = Double(text) else { throw .environment("bench: the seeds for memory gave no figure") }
    return kilobytes / 1_024
  }

  /// The other side: runs this many seeds of `seconds` each.
  static func runSeeds(_ count: Int, seconds: Int64) throws(Failure) {
    var scenario = try BenchScenario.tenMinutes()
    if seconds != 600 { scenario = scenario.lasting(.seconds(seconds)) }
    let run = SeedRun(scenario)
    for seed in 0..<UInt64(count) { _ = try run.run(seed) }
  }

  /// The repeated sweep, and its processor time.
  private final class Subject {
    private let run: SeedRun
    private(set) var byProcessor: [Double] = []

    init(_ scenario: Scenario) { run = SeedRun(scenario) }

    /// Seeds a second.
    func rate(_ count: Int) throws(Failure) -> Double {
      let processorBegin = ProcessorTime.own
      let begin = ContinuousClock.now
      for seed in 0..<UInt64(count) {
        let result = try run.run(seed)
        guard result.line.hasPassed else {
          throw .environment("bench: seed \(seed) failed: \(result.line.text)")
        }
      }
      byProcessor.append(Double(count) / (ProcessorTime.own - processorBegin))
      return Double(count) / begin.secondsSince
    }

    /// Drops the figures of the warm-up.
    func forget() { byProcessor = [] }
  }
}
