import CSystem
import Foundation
import Link
import LinkTransport

/// `sim-runner sweep-worker`: one of the processes in which a sweep runs its seeds.
enum SweepWorkerCommand: Command {
  static let name = "sweep-worker"
  static let about = "runs seeds for a sweep, which orders them over descriptor 3"
  static let usage = ""
  static let isHidden = true
  /// Asks for the digests of passing seeds, too.
  static let digests = "--digests"
  static let options: [Option] = [.flag(digests, "tell the digest of a passing seed's trace, too")]

  static func run(_ arguments: Arguments) throws(Failure) -> Int32 {
    _ = cs_die_with_parent(SIGKILL, 0)
    guard fcntl(3, F_GETFD) >= 0 else {
      throw .input("sim-runner \(name): found no descriptor 3, expected to be started by a sweep")
    }
    do throws(SystemCallError) {
      try work(LineChannel(SocketDescriptor(adopting: 3)), isDigesting: arguments.has(digests))
    } catch {
      // The sweep is gone, and with it everybody who would read of it.
      return 0
    }
    return 0
  }

  private static func work(_ channel: LineChannel, isDigesting: Bool) throws(SystemCallError) {
    var scenarios: [SeedRun] = []
    while let line = try channel.receive() {
      guard let order = SweepMessage.Order(line) else { continue }
      do throws(Failure) {
        switch order {
        case .scenario(let text): scenarios.append(SeedRun(try SweepSource(text: text).scenario))
        case .seeds(let seeds, let scenario, let stops):
          try report(seeds, of: scenarios[scenario], stops, isDigesting, to: channel)
        }
      } catch {
        try channel.send(SweepMessage.Answer.gaveUp(status: error.status, text: error.text[...]).line)
        return
      }
    }
  }

  /// Runs seeds in their order and tells of each.
  private static func report(
    _ seeds: SeedRange, of scenario: SeedRun, _ stopsAtFailure: Bool, _ isDigesting: Bool,
    to channel: LineChannel
  ) throws(Failure) {
    var coverage = FaultCoverage()
    for seed in seeds.lower..<seeds.upper {
      let result = try scenario.run(seed, isDigesting: isDigesting)
      coverage.add(result.met)
      guard result.line.hasPassed else {
        try send(.failed(line: result.line.text[...], circumstances: (result.circumstances ?? "")[...]), to: channel)
        if stopsAtFailure { break }
        continue
      }
      try send(.passed(seed, digest: result.line.traceDigest?[...]), to: channel)
    }
    try send(.done(coverage: coverage.text[...]), to: channel)
  }

  private static func send(_ answer: SweepMessage.Answer, to channel: LineChannel) throws(Failure) {
    do throws(SystemCallError) { try channel.send(answer.line) } catch { throw .environment("\(error)") }
  }
}
