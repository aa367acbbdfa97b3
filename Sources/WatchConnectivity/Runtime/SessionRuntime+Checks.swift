import Foundation
import Link

/// Checks of the app that need its own process: how long its queues are held, and whether its error handlers are called.
///
/// Code takes no virtual time, so only waits hold a queue: sleeps, locks, semaphores.
extension SessionRuntime {
  private var stallMax: VirtualTime.Span? { setup?.checks.stallMax }

  /// The instant until which the app's own timers run.
  private var checkedNow: VirtualTime { checked.endsAt.map { min($0, now) } ?? now }

  // MARK: Queues

  /// Records that the session's queue begins a callback.
  func beginCallback(_ name: String) {
    condition.withLock {
      guard stallMax != nil else { return }
      checked.callback = CheckedWork.Open(name: name, since: now)
    }
    watchMain("the main queue's work after \(name)")
  }

  /// Records that the session's queue is free again; the lock is held.
  func endCallback() {
    guard let stallMax, let callback = checked.callback else { return }
    checked.callback = nil
    report(callback, longerThan: stallMax)
  }

  /// Measures how long the main queue takes to get to its next piece of work; one measurement at a time.
  func watchMain(_ name: String) {
    let begins = condition.withLock {
      guard stallMax != nil, checked.main == nil else { return false }
      checked.main = CheckedWork.Open(name: name, since: now)
      return true
    }
    guard begins else { return }
    DispatchQueue.main.async { [self] in
      condition.withLock {
        guard let stallMax, let main = checked.main else { return }
        checked.main = nil
        report(main, longerThan: stallMax)
      }
    }
  }

  private func report(_ open: CheckedWork.Open, longerThan stallMax: VirtualTime.Span) {
    let span = checkedNow - open.since
    guard span > stallMax else { return }
    addFinding("stall", "\(open.name) held its queue for \(Self.seconds(span)) s, from \(open.since.text)")
  }

  private static func seconds(_ span: VirtualTime.Span) -> String { String(format: "%.3f", span.seconds) }

  // MARK: Error handlers

  /// Records an error handler that must be called; the lock is held.
  ///
  /// - Returns: Its number.
  func oweHandler(_ code: WCError.Code) -> UInt64 {
    checked.owedCount &+= 1
    if setup?.checks.hasOwed == true {
      checked.owed[checked.owedCount] = CheckedWork.Open(name: "\(code)", since: now)
    }
    return checked.owedCount
  }

  // MARK: The settled app

  /// Reports what the checks find once every thread waits, and returns the events; the lock is held.
  ///
  /// What a suspended app holds does not count. At the run's end nothing that is held is released any more.
  func takeFindings(isAsleep: Bool, isEnding: Bool) -> [Turn.Item] {
    if isAsleep {
      checked.callback?.since = now
      checked.main?.since = now
      for number in checked.owed.keys { checked.owed[number]?.since = now }
    }
    guard isEnding, !isAsleep else { return [] }
    if checked.endsAt == nil { checked.endsAt = now }
    let before = pending.count
    if let stallMax {
      for open in [checked.callback, checked.main] {
        guard let open, checkedNow - open.since > stallMax else { continue }
        addFinding("stall", "\(open.name) holds its queue from \(open.since.text) until the run's end")
      }
    }
    for number in checked.owed.keys.sorted() {
      guard let open = checked.owed[number], checkedNow - open.since > AppChecks.patience else { continue }
      addFinding(
        "owed",
        "a message failed with \(open.name) at \(open.since.text), and its error handler is not called until the run's end"
      )
    }
    defer { pending.removeSubrange(before...) }
    return Array(pending[before...])
  }
}

/// The checks of a scenario that only the app's own process can make: late queues, and error handlers that are never called.
struct AppChecks: Sendable, Equatable {
  /// How long a callback or the main queue may be held; nil if it is not checked.
  var stallMax: VirtualTime.Span?
  /// Whether error handlers that are not called are findings.
  var hasOwed = false

  /// How long a failed message may wait for its error handler, which other callbacks may delay.
  static let patience = VirtualTime.Span.seconds(5)

  init() {}

  /// Reads the `checks` of a welcome; members that it does not know are for the conductor.
  init(_ reader: JSONObjectReader) {
    stallMax = reader.object("noMainThreadStall") { $0.duration("longerThan") } ?? nil
    hasOwed = reader.value("owedIsSaid") != nil
  }
}

/// The state of the checks while the app runs.
struct CheckedWork: Sendable {
  /// Work that began and has not ended.
  struct Open: Sendable {
    var name: String
    var since: VirtualTime
  }

  /// The callback that the session's queue runs now, if any.
  var callback: Open?
  /// The work that occupies the main queue; nil if it is free.
  var main: Open?
  /// Failed messages whose error handlers have not been called, by number.
  var owed: [UInt64: Open] = [:]
  var owedCount: UInt64 = 0
  /// When the run reached its end, from which on the app's timers stay still; nil before.
  var endsAt: VirtualTime?
}
