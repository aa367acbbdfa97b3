import Benchmark
import Console
import Foundation
import LiveView
import Simulator

extension BenchPeerCommand {
  /// Simulates an hour, and writes its peak memory and its largest child's to descriptor 3, in KiB.
  static func runHour(seconds: Int, _ mode: RunOptions.Mode) throws(Failure) {
    var options = RunOptions()
    options.mode = mode
    let show = RunShow(
      scenario: BenchScenario.hour(seconds: Int64(seconds)), options: options, repeatCommand: "",
      screen: Screen { _ in })
    let outcome = try show.run()
    if let failure = outcome.environmentFailure { throw .environment("bench: \(failure)") }
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage)
    let own = try ProcessMemory.peak()
    Terminal.write("\(own) \(usage.ru_maxrss)", to: 3)
  }
}
