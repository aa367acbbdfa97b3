import Simulator
import Console
import Foundation
import Link
import LinkTransport

/// The peak memory of a run, and that it does not grow with the run's length.
enum MemoryMeasurement: BenchMeasurement {
  static let name = "memory"
  static let about = "the peak memory of a process of `run`: judged, with story and trace"
  static let hasFreeFigures = false

  static func measure(_ setting: BenchSetting) throws(Failure) -> [BenchRow] {
    let hour = setting.pick(tiny: 60, quick: 3_600, full: 3_600)
    let rounds = setting.pick(tiny: 1, quick: 1, full: 3)
    var rows: [BenchRow] = []
    for mode in [RunOptions.Mode.inProcess, .processes] {
      var short: [Peak] = []
      var long: [Peak] = []
      let isAlone = mode == .inProcess
      // A day of processes takes a minute of real time.
      let hours = isAlone ? 24 : 4
      for _ in 0..<rounds {
        short.append(try peak(seconds: hour, mode))
        long.append(try peak(seconds: hours * hour, mode))
      }
      let parts: [(String, (Peak) -> Double)] =
        isAlone ? [("in one process", \.own)] : [("conductor", \.own), ("larger of the nodes", \.child)]
      for (name, part) in parts {
        rows.append(
          BenchRow("\(name), one hour", "MiB", Spread(short.map(part)), .atMost(64)))
        rows.append(
          BenchRow(
            "\(name), \(hours) hours / one hour", "ratio", .ratio(long.map(part), to: short.map(part)), .atMost(1.1)))
      }
    }
    return rows
  }

  /// Peaks of resident memory, in MiB.
  private struct Peak {
    var own: Double
    /// Of the largest child; 0 without children.
    var child: Double
  }

  /// Runs for this many seconds in a separate process, and returns its peak.
  private static func peak(seconds: Int, _ mode: RunOptions.Mode) throws(Failure) -> Peak {
    let numbers = try TimedChild.numbers(2, of: "the hour for memory", ["hour", "\(seconds)", mode.rawValue])
    return Peak(own: numbers[0] / 1_024, child: numbers[1] / 1_024)
  }
}
