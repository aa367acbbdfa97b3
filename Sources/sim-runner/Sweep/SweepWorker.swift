import Foundation
import LinkTransport

/// A process that runs seeds, as the sweep sees it.
final class SweepWorker {
  /// The seeds it is at; nil while it has nothing to do.
  struct Assignment {
    /// The chunk's place in the sweep.
    var chunk: Int
    /// The seed whose result comes next.
    var next: UInt64
    var upper: UInt64
  }

  private let child: ChildProcess
  let channel: LineChannel
  var assignment: Assignment?
  /// When it last said something.
  private(set) var heardAt = ContinuousClock.now

  /// Starts a process and tells it the scenarios.
  ///
  /// - Parameters:
  ///   - texts: The scenarios, as ``SweepSource/text`` writes them.
  ///   - isDigesting: Whether the digests of passing seeds are wanted, too.
  ///   - isQuiet: Whether what it prints is dropped and Swift's backtracer stays off: for seeds that are known to die.
  init(_ texts: [String], isDigesting: Bool, isQuiet: Bool = false) throws(Failure) {
    do throws(SystemCallError) {
      let (ours, theirs) = try LineChannel.pair()
      channel = ours
      var words = [ProcessRun.ownPath, SweepWorkerCommand.name]
      if isDigesting { words.append(SweepWorkerCommand.digests) }
      child = try ChildProcess(
        words, environment: isQuiet ? [("SWIFT_BACKTRACE", "enable=no")] : [], descriptors: [theirs.descriptor],
        output: isQuiet ? .nowhere : .standardError)
      // Its descriptor is open until the child has it, and closed then, so that the child's end is seen.
      withExtendedLifetime(theirs) {}
      for text in texts { try channel.send(SweepMessage.Order.scenario(text: text[...]).line) }
    } catch {
      throw .environment("sweep: a worker cannot be started: \(error)")
    }
  }

  /// Has it run seeds.
  func order(_ seeds: SeedRange, of scenario: Int, chunk: Int, stopsAtFailure: Bool) {
    assignment = Assignment(chunk: chunk, next: seeds.lower, upper: seeds.upper)
    heardAt = .now
    let order = SweepMessage.Order.seeds(seeds, scenario: scenario, stopsAtFailure: stopsAtFailure)
    // One that has died in the meantime is seen at its channel's end.
    try? channel.send(order.line)
  }

  /// Orders one seed of the first scenario, with reports of how far it is.
  func orderReports(of seed: UInt64) {
    heardAt = .now
    try? channel.send(SweepMessage.Order.reports(seed: seed, scenario: 0).line)
  }

  /// What it has said since the last time, and whether it is gone.
  func hear() -> (answers: [SweepMessage.Answer], isGone: Bool) {
    guard let (lines, isAtEnd) = try? channel.receiveAvailable() else { return ([], true) }
    if !lines.isEmpty { heardAt = .now }
    return (lines.compactMap { SweepMessage.Answer($0) }, isAtEnd)
  }

  /// How it ended; waits a moment for an end that is near, and ends what does not end.
  func end() -> ChildProcess.End? { child.finish(graceSeconds: 5) }

  /// Ends it.
  func kill() { child.kill() }
}
