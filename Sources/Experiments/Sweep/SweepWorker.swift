import Simulator
import Console
import Foundation
import LinkTransport

/// The sweep's end of a process that runs seeds.
package final class SweepWorker {
  /// The option that requests the digests of passing seeds too.
  package static let digests = "--digests"

  /// The seeds in progress; nil while it is idle.
  struct Assignment {
    /// The chunk's number in the sweep.
    var chunk: Int
    /// The seed whose result comes next.
    var next: UInt64
    var upper: UInt64
  }

  private let child: ChildProcess
  let channel: LineChannel
  var assignment: Assignment?
  /// When it last answered.
  private(set) var heardAt = ContinuousClock.now

  /// Starts a process and sends it the scenarios.
  ///
  /// - Parameters:
  ///   - texts: The scenarios, as ``SweepSource/text`` writes them.
  ///   - isDigesting: Whether the digests of passing seeds are wanted too.
  ///   - isQuiet: Whether to drop its output and disable Swift's backtracer: for seeds that are known to die.
  init(_ texts: [String], isDigesting: Bool, isQuiet: Bool = false) throws(Failure) {
    do throws(SystemCallError) {
      let (ours, theirs) = try LineChannel.pair()
      channel = ours
      var words = [ProcessRun.ownPath, CommandName.sweepWorker]
      if isDigesting { words.append(Self.digests) }
      child = try ChildProcess(
        words, environment: isQuiet ? [("SWIFT_BACKTRACE", "enable=no")] : [], descriptors: [theirs.descriptor],
        output: isQuiet ? .nowhere : .standardError)
      // The descriptor stays open until the child has it, and is closed then, so that the child's end is noticed.
      withExtendedLifetime(theirs) {}
      for text in texts { try channel.send(SweepMessage.Order.scenario(text: text[...]).line) }
    } catch {
      throw .environment("sweep: a worker cannot be started: \(error)")
    }
  }

  /// Orders seeds.
  ///
  /// - Parameters:
  ///   - isFirst: Whether they begin with the first one of the sweep.
  ///   - skipped: Earlier seeds on which the simulation died.
  func order(
    _ seeds: SeedRange, of scenario: Int, chunk: Int, isFirst: Bool = false, stopsAtFailure: Bool,
    skipping skipped: [UInt64] = []
  ) {
    assignment = Assignment(chunk: chunk, next: seeds.lower, upper: seeds.upper)
    heardAt = .now
    let order = SweepMessage.Order.seeds(
      seeds, scenario: scenario, isFirst: isFirst, stopsAtFailure: stopsAtFailure, skipped: skipped)
    // The end of a dead worker is noticed at its channel.
    try? channel.send(order.line)
  }

  /// Orders one seed of the first scenario, with progress reports.
  func orderReports(of seed: UInt64) {
    heardAt = .now
    try? channel.send(SweepMessage.Order.reports(seed: seed, scenario: 0).line)
  }

  /// Orders the first scenario shrunk to a failure, with progress reports.
  func orderShrinking(to target: String) {
    heardAt = .now
    try? channel.send(SweepMessage.Order.shrink(scenario: 0, target: target[...]).line)
  }

  /// Its answers since the last call, and whether it is gone.
  func readAnswers() -> (answers: [SweepMessage.Answer], isGone: Bool) {
    guard let (lines, isAtEnd) = try? channel.receiveAvailable() else { return ([], true) }
    if !lines.isEmpty { heardAt = .now }
    return (lines.compactMap { SweepMessage.Answer($0) }, isAtEnd)
  }

  /// How it ended; waits a moment, then kills it.
  func end() -> ChildProcess.End? { child.finish(graceSeconds: 5) }

  func kill() { child.kill() }
}
