import Console
import Foundation
import Link
import LinkTransport
import Simulator

/// Runs the seeds of a sweep and passes on their outcomes, in the order of the seeds.
///
/// A seed that crashes the simulation becomes a result, and another worker continues after it.
package final class SweepPool: PooledWork {
  /// The outcome of one seed.
  struct Outcome {
    var source: Int
    var line: SweepLine
    /// The circumstances of its failure; nil for one that passed.
    var circumstances: String?
  }

  /// How a sweep ended.
  enum End {
    case complete, atFailure, stopped
  }

  /// Seeds of one scenario that are ordered at once.
  private struct Chunk {
    var source: Int
    /// The seeds whose results have not come yet.
    var seeds: SeedRange
    var outcomes: [Outcome] = []
    var coverage = FaultCoverage()
    /// Seeds on which the simulation died.
    var died: [UInt64] = []
    var census: SituationCensus
    var warnings = CommonWarnings()
    var isDone = false
  }

  /// The default time limit for one seed, in seconds of real time; thousands of times what one takes.
  package static let silenceMaxStandard = 120.0
  /// The time limit for one seed, in seconds of real time.
  var silenceMax = silenceMaxStandard
  /// Whether the digests of passing seeds are wanted too.
  var isDigesting = false
  private static let chunkMax: UInt64 = 64

  private let sources: [SweepSource]
  private let stopsAtFailure: Bool
  private let jobs: Int
  /// Chunks in progress, by number; lookup only.
  private var chunks: [Int: Chunk] = [:]
  private var pending: ArraySlice<(source: Int, seeds: SeedRange)>
  private var hasFailed = false
  /// The scenarios of which seeds were ordered.
  private var begun: Set<Int> = []

  /// Receives each outcome, in the order of scenarios and seeds.
  var onOutcome: (Outcome) throws(Failure) -> Void = { _ in }
  /// Receives the fault coverage of each scenario.
  var onCoverage: (Int, FaultCoverage) -> Void = { _, _ in }
  /// Receives how many seeds of each scenario reached its situations.
  var onCensus: (Int, SituationCensus) -> Void = { _, _ in }
  /// Receives the warnings that some seeds of each scenario have in common.
  var onWarnings: (Int, CommonWarnings) -> Void = { _, _ in }
  /// Called now and then, with the number of finished seeds.
  var onProgress: (Int) throws(Failure) -> Void = { _ in }
  private var doneCount = 0

  /// - Parameters:
  ///   - parts: The seeds of each source.
  ///   - jobs: Number of processes.
  init(_ sources: [SweepSource], parts: [SeedRange], jobs: Int, stopsAtFailure: Bool) {
    precondition(jobs > 0 && parts.count == sources.count)
    self.sources = sources
    self.stopsAtFailure = stopsAtFailure
    self.jobs = jobs
    pending = zip(sources.indices, parts).filter { $0.1.count > 0 }.map { (source: $0.0, seeds: $0.1) }[...]
  }

  /// Runs them all, or up to and including the first failure.
  ///
  /// - Throws: If a worker cannot be started, or cannot read a scenario.
  func run() throws(Failure) -> End {
    let pool = WorkerPool(
      sources.map { .scenario(text: $0.text[...]) }, jobs: jobs, silenceMax: silenceMax)
    return switch try pool.run(self) {
    case .complete: .complete
    case .enough: .atFailure
    case .stopped: .stopped
    }
  }

  // MARK: Jobs

  func order(ofJob number: Int) -> WorkerMessage.Order? {
    guard let next = pending.first else { return nil }
    let share = max(1, next.seeds.count / UInt64(jobs * 4))
    var size = min(next.seeds.count, min(share, Self.chunkMax))
    if let block = sources[next.source].strategy.block {
      // Whole blocks, since a worker that begins in the middle of one runs its beginning, too.
      size = min(next.seeds.count, block - next.seeds.lower % block)
    }
    let seeds = SeedRange(lower: next.seeds.lower, upper: next.seeds.lower + size)
    chunks[number] = Chunk(
      source: next.source, seeds: seeds, census: SituationCensus(sources[next.source].scenario))
    pending[pending.startIndex].seeds.lower = seeds.upper
    if pending[pending.startIndex].seeds.count == 0 { pending.removeFirst() }
    return .seeds(
      .init(
        seeds: seeds, scenario: next.source, isFirst: begun.insert(next.source).inserted,
        stopsAtFailure: stopsAtFailure, isDigesting: isDigesting))
  }

  func receive(_ answer: WorkerMessage.Answer, ofJob number: Int) throws(Failure) -> Bool {
    guard let source = chunks[number]?.source else { return false }
    let scenario = sources[source].scenario
    switch answer {
    case .reached, .shrinking, .shrunk, .branch, .gaveUp: break
    case .passed(let seed, let digest, let reached):
      var line = SweepLine(
        scenario: scenario.name, seed: seed, hasPassed: true, traceDigest: digest.map { String($0) })
      line.situations = SituationsReached.named(reached, of: scenario) ?? []
      add(line, nil, to: number)
    case .failed(let text, let circumstances):
      add(try SweepLine(String(text), file: "a worker", line: 1), String(circumstances), to: number)
    case .census(let counts):
      if let census = SituationCensus(counts, of: scenario) { chunks[number]?.census.add(census) }
    case .warnings(let text):
      if let warnings = CommonWarnings(text) { chunks[number]?.warnings.add(warnings) }
    case .done(let coverage):
      if let coverage = FaultCoverage(coverage) { chunks[number]?.coverage.add(coverage) }
      chunks[number]?.isDone = true
      return true
    }
    return false
  }

  /// Adds the result of a chunk's next seed.
  private func add(_ line: SweepLine, _ circumstances: String?, to number: Int) {
    doneCount += 1
    guard let source = chunks[number]?.source else { return }
    chunks[number]?.seeds.lower += 1
    chunks[number]?.outcomes.append(Outcome(source: source, line: line, circumstances: circumstances))
  }

  /// Turns the seed at which a worker died into a result; another worker continues after it.
  func continueJob(_ number: Int, after end: ChildProcess.End?) throws(Failure) -> WorkerMessage.Order? {
    guard let chunk = chunks[number] else { return nil }
    let seed = chunk.seeds.lower
    let why =
      end.map { "the process that simulated it \($0); its last words, if any, are on standard error" }
      ?? "it did not end within \(Int(silenceMax)) s of real time"
    // It dies again, in a process that reports its progress, unless something outside the simulation killed it.
    let source = sources[chunk.source]
    let death = end == nil ? nil : try IsolatedRun.death(of: seed, in: source.text, silenceMax: silenceMax)
    let finding = SweepLine.Finding(
      invariant: SeedRun.crash, time: death?.time.nanoseconds ?? 0, detail: why)
    add(
      SweepLine(scenario: source.scenario.name, seed: seed, hasPassed: false, violations: [finding]),
      death?.circumstances ?? "unknown", to: number)
    chunks[number]?.died.append(seed)
    guard let rest = chunks[number]?.seeds, rest.count > 0, !stopsAtFailure else {
      chunks[number]?.isDone = true
      return nil
    }
    return .seeds(
      .init(
        seeds: rest, scenario: chunk.source, isDigesting: isDigesting, skipped: chunks[number]?.died ?? []))
  }

  func passOn(_ number: Int) throws(Failure) -> PassedOn {
    guard var chunk = chunks[number] else { return .wait }
    let outcomes = chunk.outcomes
    // The worker says next which faults struck; the sweep ends with that.
    if stopsAtFailure, !chunk.isDone, outcomes.contains(where: { !$0.line.hasPassed }) { return .wait }
    chunk.outcomes = []
    chunks[number] = chunk
    for outcome in outcomes {
      try onOutcome(outcome)
      if !outcome.line.hasPassed { hasFailed = true }
    }
    guard chunk.isDone else { return .wait }
    onCoverage(chunk.source, chunk.coverage)
    onCensus(chunk.source, chunk.census)
    onWarnings(chunk.source, chunk.warnings)
    chunks[number] = nil
    return hasFailed && stopsAtFailure ? .stop : .next
  }

  func progress() throws(Failure) { try onProgress(doneCount) }
}
