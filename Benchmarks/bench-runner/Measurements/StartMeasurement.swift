import Simulator
import Console
import Foundation
import LinkTransport

/// `sim-runner --version`, compared with a program that only loads Foundation.
enum StartMeasurement: BenchMeasurement {
  static let name = "start"
  static let about = "sim-runner --version from start to exit"

  private static let trivial = "import Foundation\n\nprint(Data([1]).count)\n"

  static func measure(_ setting: BenchSetting) throws(Failure) -> [BenchRow] {
    let starts = setting.pick(tiny: 1, quick: 10, full: 20)
    let folder = try BenchFolder.make()
    let program = try compile(in: folder.path)
    let times = try BenchRounds.run(setting.rounds, variants: program == nil ? 1 : 2) { (variant) throws(Failure) in
      let words = variant == 0 ? [BenchPrograms.runner, "--version"] : [program ?? ""]
      return try milliseconds(words, starts)
    }
    guard program != nil else {
      return [
        BenchRow("sim-runner --version", "ms", Spread(times[0])),
        BenchRow(
          "--version / an empty Foundation program", "ratio", nil, .atMost(3),
          note: "not measured: there is no swiftc in $PATH that compiles the empty program"),
      ]
    }
    return [
      BenchRow("sim-runner --version", "ms", Spread(times[0])),
      BenchRow("an empty Foundation program", "ms", Spread(times[1])),
      BenchRow("--version / an empty Foundation program", "ratio", .ratio(times[0], to: times[1]), .atMost(3)),
    ]
  }

  private static func milliseconds(_ words: [String], _ starts: Int) throws(Failure) -> Double {
    let begin = ContinuousClock.now
    for _ in 0..<starts { try TimedChild.run(words) }
    return begin.secondsSince * 1e3 / Double(starts)
  }

  /// Compiles the empty program; nil if that is impossible.
  private static func compile(in folder: String) throws(Failure) -> String? {
    let source = "\(folder)/empty.swift"
    let program = "\(folder)/empty"
    do {
      try trivial.write(toFile: source, atomically: false, encoding: .utf8)
    } catch {
      throw .environment("bench: \(error)")
    }
    let words = ["swiftc", "-O", source, "-o", program]
    guard let compiler = try? ChildProcess(words, output: .nowhere), compiler.finish(graceSeconds: 120) == .exited(0)
    else { return nil }
    return program
  }
}
