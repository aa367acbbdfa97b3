import Experiments
import Simulator
import Console
import CSystem
import Foundation
import Link
import LinkTransport

/// `sim-runner worker`: one of the processes in which a sweep runs its seeds, a search its branches, and a shrinker.
enum WorkerCommand: Command {
  static let name = CommandName.worker
  static let about = "runs seeds for a sweep or placements for a search, ordered over descriptor 3"
  static let usage = ""
  static let isHidden = true
  static let options: [Option] = []

  static func run(_ arguments: Arguments) throws(Failure) -> Int32 {
    _ = cs_die_with_parent(SIGKILL, 0)
    guard fcntl(3, F_GETFD) >= 0 else {
      throw .input("sim-runner \(name): found no descriptor 3, expected to be started by a sweep or a search")
    }
    let channel = LineChannel(SocketDescriptor(adopting: 3))
    do throws(Failure) {
      var desk = WorkerDesk(channel)
      while let line = try? channel.receive() {
        if let order = WorkerMessage.Order(line) { try desk.carryOut(order) }
      }
    } catch {
      // If nothing reads it, the sweep or the search has ended.
      try? channel.send(WorkerMessage.Answer.gaveUp(status: error.status, text: error.text[...]).line)
    }
    return 0
  }
}

/// A worker's scenarios, and what it does with them.
private struct WorkerDesk {
  private let channel: LineChannel
  private var scenarios: [SeedRun] = []
  private var sources: [SweepSource] = []
  /// Empty ones, to be copied for each order.
  private var censuses: [SituationCensus] = []
  private var warnings: [CommonWarnings] = []
  private var exploration: Exploration?

  init(_ channel: LineChannel) { self.channel = channel }

  mutating func carryOut(_ order: WorkerMessage.Order) throws(Failure) {
    switch order {
    case .scenario(let text):
      let source = try SweepSource(text: text)
      scenarios.append(SeedRun(source.scenario, strategy: source.strategy, comparesApps: true))
      sources.append(source)
      censuses.append(SituationCensus(source.scenario))
      warnings.append(CommonWarnings())
    case .scope(let scope):
      var prepared = try Exploration(sources[0].scenario, scope)
      _ = try prepared.runSingles()
      exploration = prepared
    case .seeds(let job): try run(job)
    case .reports(let seed): try reportProgress(seed)
    case .shrink(let target): try shrink(to: String(target))
    case .branch(let job):
      guard let exploration, exploration.singles.indices.contains(job.place) else { return }
      try send(.branch(try exploration.branch(job.place, size: job.size, stopsAtFailure: job.stopsAtFailure)))
    }
  }

  /// Runs seeds in order and reports each.
  private mutating func run(_ job: WorkerMessage.SeedsJob) throws(Failure) {
    scenarios[job.scenario].skip(job.skipped)
    let scenario = scenarios[job.scenario]
    var coverage = FaultCoverage()
    var census = censuses[job.scenario]
    for seed in job.seeds.lower..<job.seeds.upper {
      let result = try scenario.run(
        seed, isDigesting: job.isDigesting,
        comparesStores: seed % SeedRun.comparisonInterval == 0 || (job.isFirst && seed == job.seeds.lower),
        warns: !warnings[job.scenario].isSettled, onEvent: WorkerTrap.trap)
      if let found = result.warnings { warnings[job.scenario].add(found) }
      coverage.add(result.met)
      census.add(result.reached)
      guard result.line.hasPassed else {
        try send(.failed(line: result.line.text[...], circumstances: (result.circumstances ?? "")[...]))
        if job.stopsAtFailure { break }
        continue
      }
      try send(.passed(seed, digest: result.line.traceDigest?[...], reached: result.reached.text[...]))
    }
    if !census.counts.isEmpty { try send(.census(census.text[...])) }
    try send(.warnings(warnings[job.scenario].text[...]))
    try send(.done(coverage: coverage.text[...]))
  }

  /// Runs a seed, and reports each change of circumstances and each second of virtual time.
  private func reportProgress(_ seed: UInt64) throws(Failure) {
    let beginning = Circumstances(ofApps: scenarios[0].isOfApps)
    var circumstances = beginning
    var reported: (time: VirtualTime, text: String)?
    _ = try scenarios[0].run(seed) { event in
      // The second run of a failing seed starts from the beginning.
      if let last = reported, event.time < last.time { (circumstances, reported) = (beginning, nil) }
      circumstances.observe(event)
      let text = circumstances.text
      if reported.map({ $0.text != text || $0.time + .seconds(1) <= event.time }) ?? true {
        reported = (event.time, text)
        // If the sweep has ended, sending fails and this process ends too.
        try? channel.send(WorkerMessage.Answer.reached(event.time.nanoseconds, circumstances: text[...]).line)
      }
      WorkerTrap.trap?(event)
    }
    try send(.done(coverage: FaultCoverage().text[...]))
  }

  /// Shrinks a scenario, and reports before each run.
  private func shrink(to target: String) throws(Failure) {
    WorkerTrap.springInShrinker()
    let text = try ShrunkRun.text(of: sources[0].scenario, target: target) { progress in
      // If the sweep has ended, sending fails and this process ends too.
      try? channel.send(WorkerMessage.Answer.shrinking(progress[...]).line)
    }
    try send(.shrunk(text[...]))
  }

  private func send(_ answer: WorkerMessage.Answer) throws(Failure) {
    do throws(SystemCallError) { try channel.send(answer.line) } catch { throw .environment("\(error)") }
  }
}

/// Where the simulation crashes on purpose, for tests of the sweep.
enum WorkerTrap {
  /// The environment variable of an event at which it does.
  static let variable = "WRISTWIRE_TRAP_AT"
  /// Its value for a crash of the shrinker.
  static let shrinker = "shrink"
  fileprivate static let trap: (@Sendable (TraceEvent) -> Void)? = {
    guard let name = ProcessInfo.processInfo.environment[variable] else { return nil }
    return { event in if event.name.text == name { fatalError("trap at \(name)") } }
  }()

  fileprivate static func springInShrinker() {
    if ProcessInfo.processInfo.environment[variable] == shrinker { fatalError("trap at \(shrinker)") }
  }
}
