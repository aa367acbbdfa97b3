package import Link

/// Runs that must not start any more: they ended, were declined, or were cancelled before they started.
package struct SettledRuns: Sendable, Equatable {
  /// Limit of remembered runs; far more than can be started within ``WatchStartHandshake/startLife``.
  package static let countMax = 64

  /// Oldest first.
  package private(set) var runs: [Identifier] = []
  /// Number of runs ever added, which is the next one's number.
  ///
  /// A store overwrites the entry that it replaces.
  package private(set) var count = 0

  package init() {}

  /// Restores the latest of `count` runs, oldest first, none twice.
  package init(_ runs: [Identifier], of count: Int) {
    precondition(runs.count == min(count, Self.countMax), "\(runs.count) runs of \(count)")
    self.runs = runs
    self.count = count
  }

  package func contains(_ runId: Identifier) -> Bool { runs.contains(runId) }

  /// Adds a run, replacing the oldest beyond the limit; false if it was there.
  @discardableResult
  package mutating func insert(_ runId: Identifier) -> Bool {
    guard !runs.contains(runId) else { return false }
    if runs.count == Self.countMax { runs.removeFirst() }
    runs.append(runId)
    count += 1
    return true
  }
}
