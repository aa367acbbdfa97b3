import Experiments
import Simulator
import Console
import CSystem
import Foundation
import Link
import LinkTransport

/// `sim-runner sweep-worker`: one of the processes in which a sweep runs its seeds.
enum SweepWorkerCommand: Command {
  static let name = CommandName.sweepWorker
  static let about = "runs seeds for a sweep, which orders them over descriptor 3"
  static let usage = ""
  static let isHidden = true
  static let options: [Option] = [
    .flag(SweepWorker.digests, "report the digests of passing seeds' traces too")
  ]

  static func run(_ arguments: Arguments) throws(Failure) -> Int32 {
    _ = cs_die_with_parent(SIGKILL, 0)
    guard fcntl(3, F_GETFD) >= 0 else {
      throw .input("sim-runner \(name): found no descriptor 3, expected to be started by a sweep")
    }
    do throws(SystemCallError) {
      try work(LineChannel(SocketDescriptor(adopting: 3)), isDigesting: arguments.has(SweepWorker.digests))
    } catch {
      // The sweep has ended, and nothing reads the results.
      return 0
    }
    return 0
  }

  private static func work(_ channel: LineChannel, isDigesting: Bool) throws(SystemCallError) {
    var scenarios: [SeedRun] = []
    var sources: [SweepSource] = []
    // Empty ones, to be copied for each order.
    var censuses: [SituationCensus] = []
    var warnings: [CommonWarnings] = []
    while let line = try channel.receive() {
      guard let order = SweepMessage.Order(line) else { continue }
      do throws(Failure) {
        switch order {
        case .scenario(let text):
          let source = try SweepSource(text: text)
          scenarios.append(SeedRun(source.scenario, strategy: source.strategy, comparesApps: true))
          sources.append(source)
          censuses.append(SituationCensus(source.scenario))
          warnings.append(CommonWarnings())
        case .seeds(let seeds, let scenario, let isFirst, let stops, let skipped):
          scenarios[scenario].skip(skipped)
          try report(
            seeds, of: scenarios[scenario], censuses[scenario], isFirst: isFirst, stops, isDigesting,
            &warnings[scenario], to: channel)
        case .reports(let seed, let scenario): try reportProgress(seed, of: scenarios[scenario], to: channel)
        case .shrink(let scenario, let target): try shrink(sources[scenario].scenario, to: String(target), channel)
        }
      } catch {
        try channel.send(SweepMessage.Answer.gaveUp(status: error.status, text: error.text[...]).line)
        return
      }
    }
  }

  /// Runs seeds in order and reports each.
  private static func report(
    _ seeds: SeedRange, of scenario: SeedRun, _ census: SituationCensus, isFirst: Bool, _ stopsAtFailure: Bool,
    _ isDigesting: Bool, _ warnings: inout CommonWarnings, to channel: LineChannel
  ) throws(Failure) {
    var coverage = FaultCoverage()
    var census = census
    for seed in seeds.lower..<seeds.upper {
      let result = try scenario.run(
        seed, isDigesting: isDigesting,
        comparesStores: seed % SeedRun.comparisonInterval == 0 || (isFirst && seed == seeds.lower),
        warns: !warnings.isSettled, onEvent: trap)
      if let found = result.warnings { warnings.add(found) }
      coverage.add(result.met)
      census.add(result.reached)
      guard result.line.hasPassed else {
        try send(.failed(line: result.line.text[...], circumstances: (result.circumstances ?? "")[...]), to: channel)
        if stopsAtFailure { break }
        continue
      }
      try send(.passed(seed, digest: result.line.traceDigest?[...], reached: result.reached.text[...]), to: channel)
    }
    if !census.counts.isEmpty { try send(.census(census.text[...]), to: channel) }
    try send(.warnings(warnings.text[...]), to: channel)
    try send(.done(coverage: coverage.text[...]), to: channel)
  }

  /// Runs a seed, and reports each change of circumstances and each second of virtual time.
  private static func reportProgress(
    _ seed: UInt64, of scenario: SeedRun, to channel: LineChannel
  ) throws(Failure) {
    let beginning = Circumstances(ofApps: scenario.isOfApps)
    var circumstances = beginning
    var reported: (time: VirtualTime, text: String)?
    _ = try scenario.run(seed) { event in
      // The second run of a failing seed starts from the beginning.
      if let last = reported, event.time < last.time { (circumstances, reported) = (beginning, nil) }
      circumstances.observe(event)
      let text = circumstances.text
      if reported.map({ $0.text != text || $0.time + .seconds(1) <= event.time }) ?? true {
        reported = (event.time, text)
        // If the sweep has ended, sending fails and this process ends too.
        try? channel.send(SweepMessage.Answer.reached(event.time.nanoseconds, circumstances: text[...]).line)
      }
      trap?(event)
    }
    try send(.done(coverage: FaultCoverage().text[...]), to: channel)
  }

  /// Shrinks a scenario, and reports before each run.
  private static func shrink(_ scenario: Scenario, to target: String, _ channel: LineChannel) throws(Failure) {
    if ProcessInfo.processInfo.environment[trapVariable] == shrinkTrap { fatalError("trap at \(shrinkTrap)") }
    let text = try ShrunkRun.text(of: scenario, target: target) { progress in
      // If the sweep has ended, sending fails and this process ends too.
      try? channel.send(SweepMessage.Answer.shrinking(progress[...]).line)
    }
    try send(.shrunk(text[...]), to: channel)
  }

  /// The environment variable of an event at which the simulation crashes, for tests of the sweep.
  static let trapVariable = "WRISTWIRE_TRAP_AT"
  /// Its value for a crash of the shrinker.
  static let shrinkTrap = "shrink"
  private static let trap: (@Sendable (TraceEvent) -> Void)? = {
    guard let name = ProcessInfo.processInfo.environment[trapVariable] else { return nil }
    return { event in if event.name.text == name { fatalError("trap at \(name)") } }
  }()

  private static func send(_ answer: SweepMessage.Answer, to channel: LineChannel) throws(Failure) {
    do throws(SystemCallError) { try channel.send(answer.line) } catch { throw .environment("\(error)") }
  }
}
