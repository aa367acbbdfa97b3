import Console
import Foundation
package import Link
package import Simulator
import Synchronization

/// Runs a scenario on a thread of its own, as fast as possible.
package final class RunMaker: Sendable {
  /// How a run ended.
  package struct Ending: Sendable {
    /// SHA-256 of the trace's bytes; nil if there is no trace.
    package var digest: String?
    /// `pass`, `fail` or `unknown`.
    package var verdict: String
    /// Why the run broke off; nil if it did not.
    package var failure: String?
    /// The app that ended by itself, and its last lines, if any.
    package var crash: Crash?
  }

  /// How an app of the user's own ended by itself.
  package struct Crash: Sendable {
    package var role: NodeRole
    package var at: VirtualTime
    package var lines: [String]
  }

  private struct Made {
    var batches: [[TraceEvent]] = []
    var ending: Ending?
    var isUnwanted = false
  }

  private let made = Mutex(Made())
  /// Events of a batch.
  private static let batchSize = 512
  /// Limit of unreceived batches; the run pauses beyond it.
  private static let aheadMax = 800

  /// Starts the thread.
  package init(_ scenario: Scenario) {
    let thread = Thread { [self] in make(scenario) }
    // As much as the main thread has: scenarios nest.
    thread.stackSize = 8 << 20
    thread.start()
  }

  /// The next events, at most `count` batches of ``batchSize``, and how the run ended; nil until the last batch was
  /// received.
  package func receiveEvents(batches count: Int) -> (events: [TraceEvent], ending: Ending?) {
    made.withLock { made in
      let taken = made.batches.prefix(count)
      made.batches.removeFirst(taken.count)
      return (Array(taken.joined()), made.batches.isEmpty ? made.ending : nil)
    }
  }

  /// Ends the run soon.
  package func cancel() { made.withLock { $0.isUnwanted = true } }

  private func make(_ scenario: Scenario) {
    var options = RunOptions()
    options.showsPrograms = false
    options.output = { _ in }
    var batch: [TraceEvent] = []
    options.onEvent = { [self] event, _ in
      batch.append(event)
      if batch.count >= Self.batchSize { publish(&batch) }
    }
    var asked = 0
    options.isUnwanted = { [self] in
      asked &+= 1
      guard asked & 15 == 0 else { return false }
      return isUnwanted()
    }
    var ending: Ending
    do {
      let outcome = try ScenarioRun.run(scenario, options)
      ending = Ending(
        digest: outcome.traceDigest, verdict: outcome.verdict.rawValue, failure: outcome.environmentFailure)
      if let end = outcome.programEnd {
        ending.failure = end.text
        ending.crash = Crash(
          role: end.role, at: end.time, lines: [end.text] + (end.backtrace.isEmpty ? end.lastLines : end.backtrace))
      }
      if let finding = outcome.appFinding { ending.failure = "\(finding.title): \(finding.text)" }
    } catch {
      ending = Ending(digest: nil, verdict: "unknown", failure: error.text)
    }
    publish(&batch)
    made.withLock { $0.ending = ending }
  }

  private func publish(_ batch: inout [TraceEvent]) {
    guard !batch.isEmpty else { return }
    made.withLock { $0.batches.append(batch) }
    batch = []
  }

  /// Whether the run was cancelled; pauses the run while it is too far ahead.
  private func isUnwanted() -> Bool {
    while true {
      let (isUnwanted, count) = made.withLock { ($0.isUnwanted, $0.batches.count) }
      if isUnwanted || count < Self.aheadMax { return isUnwanted }
      Thread.sleep(forTimeInterval: 0.01)
    }
  }
}
