public import Foundation

/// What a test waited for did not come in time.
public struct WaitTimeout: Error, CustomStringConvertible {
  /// What was waited for.
  public var what: String
  /// The limit, in seconds of real time.
  public var seconds: Double

  public var description: String { "waited \(seconds) s for \(what)" }
}

/// Waits until a condition holds; asks every 10 ms.
///
/// - Parameters:
///   - what: What is waited for, for the failure's text.
///   - seconds: The limit in real time: far more than a slow machine needs, since it only ends a wait that is in vain.
/// - Throws: ``WaitTimeout`` when the limit has passed, and what the condition throws.
public func waitUntil(_ what: String, seconds: Double = 120, _ isMet: () throws -> Bool) throws {
  let deadline = ContinuousClock.now + .seconds(seconds)
  while try !isMet() {
    guard ContinuousClock.now < deadline else { throw WaitTimeout(what: what, seconds: seconds) }
    Thread.sleep(forTimeInterval: 0.01)
  }
}

extension Process {
  /// Starts the process, and kills it when it has not ended so many seconds of real time later.
  ///
  /// So what waits for its end or reads its output to the end always goes on; the status then is that of the signal.
  public func run(killedAfter seconds: Double) throws {
    try run()
    DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [self] in
      if isRunning { kill(processIdentifier, SIGKILL) }
    }
  }
}
