import Simulator
import Console
import CSystem
import Foundation
import Link
import LinkTransport

/// Runs seeds in processes of their own and passes on their outcomes, in the order of the seeds.
///
/// Processes and not threads: a run updates reference counts all the time, which threads would contend for; and a seed
/// that crashes the simulation takes only one worker with it, and becomes a result.
package final class SweepPool {
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
  private var workers: [SweepWorker] = []
  /// Chunks in progress, by number; lookup only.
  private var chunks: [Int: Chunk] = [:]
  /// The chunk whose outcomes are passed on next.
  private var head = 0
  /// The next chunk to be ordered, and its seeds.
  private var nextChunk = 0
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
    defer { for worker in workers { worker.kill() } }
    let most = pending.reduce(UInt64(0)) { $0.addingReportingOverflow($1.seeds.count).partialValue }
    for _ in 0..<min(jobs, Int(clamping: max(1, most))) where !pending.isEmpty { try hire() }
    while true {
      if StopSignal.isRaised { return .stopped }
      try handOn()
      if hasFailed, stopsAtFailure { return .atFailure }
      if pending.isEmpty, chunks.isEmpty { return .complete }
      wait()
      for index in workers.indices { try listen(to: index) }
      try onProgress(doneCount)
    }
  }

  private func hire() throws(Failure) {
    let worker = try SweepWorker(sources.map(\.text), isDigesting: isDigesting)
    workers.append(worker)
    assign(to: worker)
  }

  /// Assigns the next seeds to a worker, unless there are none or the others are too far behind.
  private func assign(to worker: SweepWorker) {
    worker.assignment = nil
    // Results out of order wait in memory: bounded, however slow one chunk is.
    guard let next = pending.first, nextChunk - head < jobs * 16 else { return }
    let share = max(1, next.seeds.count / UInt64(jobs * 4))
    var size = min(next.seeds.count, min(share, Self.chunkMax))
    if let block = sources[next.source].strategy.block {
      // Whole blocks, since a worker that begins in the middle of one runs its beginning, too.
      size = min(next.seeds.count, block - next.seeds.lower % block)
    }
    let seeds = SeedRange(lower: next.seeds.lower, upper: next.seeds.lower + size)
    chunks[nextChunk] = Chunk(
      source: next.source, seeds: seeds, census: SituationCensus(sources[next.source].scenario))
    worker.order(
      seeds, of: next.source, chunk: nextChunk, isFirst: begun.insert(next.source).inserted,
      stopsAtFailure: stopsAtFailure)
    nextChunk += 1
    pending[pending.startIndex].seeds.lower = seeds.upper
    if pending[pending.startIndex].seeds.count == 0 { pending.removeFirst() }
  }

  /// Passes on the next outcomes in order.
  private func handOn() throws(Failure) {
    while var chunk = chunks[head] {
      let outcomes = chunk.outcomes
      // The worker says next which faults struck; the sweep ends with that.
      if stopsAtFailure, !chunk.isDone, outcomes.contains(where: { !$0.line.hasPassed }) { return }
      chunk.outcomes = []
      chunks[head] = chunk
      for outcome in outcomes {
        try onOutcome(outcome)
        if !outcome.line.hasPassed { hasFailed = true }
      }
      guard chunk.isDone else { return }
      onCoverage(chunk.source, chunk.coverage)
      onCensus(chunk.source, chunk.census)
      onWarnings(chunk.source, chunk.warnings)
      chunks[head] = nil
      head += 1
      if hasFailed, stopsAtFailure { return }
      for worker in workers where worker.assignment == nil { assign(to: worker) }
    }
  }

  /// Waits until a worker answers, the user wants to stop, or a tenth of a second has passed.
  private func wait() {
    var entries = workers.map {
      cs_poll_entry(descriptor: $0.channel.descriptor, wanted: Int16(CS_POLL_READ), ready: 0)
    }
    if let stop = StopSignal.descriptor {
      entries.append(cs_poll_entry(descriptor: stop, wanted: Int16(CS_POLL_READ), ready: 0))
    }
    _ = cs_poll(&entries, entries.count, 100_000_000)
  }

  private func listen(to index: Int) throws(Failure) {
    let worker = workers[index]
    let (answers, isGone) = worker.readAnswers()
    for answer in answers { try handle(answer, from: worker) }
    if isGone {
      try replace(index, died: worker.end())
    } else if worker.assignment != nil, worker.heardAt.secondsSince > silenceMax {
      worker.kill()
      try replace(index, died: nil)
    }
  }

  private func handle(_ answer: SweepMessage.Answer, from worker: SweepWorker) throws(Failure) {
    guard let assignment = worker.assignment else { return }
    switch answer {
    case .ready, .reached, .shrinking, .shrunk: break
    case .passed(let seed, let digest, let reached):
      settle(assignment, of: worker)
      let scenario = sources[source(assignment)].scenario
      var line = SweepLine(
        scenario: scenario.name, seed: seed, hasPassed: true, traceDigest: digest.map { String($0) })
      line.situations = SituationsReached.named(reached, of: scenario) ?? []
      add(line, nil, to: assignment.chunk)
    case .failed(let text, let circumstances):
      settle(assignment, of: worker)
      let line = try SweepLine(String(text), file: "a worker", line: 1)
      add(line, String(circumstances), to: assignment.chunk)
    case .census(let counts):
      if let census = SituationCensus(counts, of: sources[source(assignment)].scenario) {
        chunks[assignment.chunk]?.census.add(census)
      }
    case .warnings(let text):
      if let warnings = CommonWarnings(text) { chunks[assignment.chunk]?.warnings.add(warnings) }
    case .done(let coverage):
      if let coverage = FaultCoverage(coverage) { chunks[assignment.chunk]?.coverage.add(coverage) }
      chunks[assignment.chunk]?.isDone = true
      assign(to: worker)
    case .gaveUp(let status, let text):
      throw status == 2 ? .input(String(text)) : .environment(String(text))
    }
  }

  private func source(_ assignment: SweepWorker.Assignment) -> Int { chunks[assignment.chunk]?.source ?? 0 }

  private func settle(_ assignment: SweepWorker.Assignment, of worker: SweepWorker) {
    worker.assignment?.next = assignment.next + 1
  }

  private func add(_ line: SweepLine, _ circumstances: String?, to chunk: Int) {
    doneCount += 1
    guard let source = chunks[chunk]?.source else { return }
    chunks[chunk]?.outcomes.append(Outcome(source: source, line: line, circumstances: circumstances))
  }

  /// Turns the seed at which a worker died into a result, and lets another worker continue after it.
  ///
  /// - Parameter end: How it died; nil for one that exceeded the time limit.
  private func replace(_ index: Int, died end: ChildProcess.End?) throws(Failure) {
    guard let assignment = workers[index].assignment else {
      throw .environment("sweep: a worker ended before it had anything to do\(end.map { ": it \($0)" } ?? "")")
    }
    let why =
      end.map { "the process that simulated it \($0); its last words, if any, are on standard error" }
      ?? "it did not end within \(Int(silenceMax)) s of real time"
    // It dies again, in a process that reports its progress, unless something outside the simulation killed it.
    let source = sources[source(assignment)]
    let death = end == nil ? nil : try IsolatedRun.death(of: assignment.next, in: source.text, silenceMax: silenceMax)
    let finding = SweepLine.Finding(
      invariant: SeedRun.crash, time: death?.time.nanoseconds ?? 0, detail: why)
    add(
      SweepLine(scenario: source.scenario.name, seed: assignment.next, hasPassed: false, violations: [finding]),
      death?.circumstances ?? "unknown", to: assignment.chunk)
    chunks[assignment.chunk]?.died.append(assignment.next)
    let worker = try SweepWorker(sources.map(\.text), isDigesting: isDigesting)
    workers[index] = worker
    let rest = SeedRange(lower: assignment.next + 1, upper: assignment.upper)
    guard rest.count > 0, !stopsAtFailure else {
      chunks[assignment.chunk]?.isDone = true
      assign(to: worker)
      return
    }
    worker.order(
      rest, of: self.source(assignment), chunk: assignment.chunk, stopsAtFailure: false,
      skipping: chunks[assignment.chunk]?.died ?? [])
  }
}
