package import Link

/// Runs that must not begin any more: they have ended, were declined, or were taken back before they began.
package struct SettledRuns: Sendable, Equatable {
  /// How many are remembered; far more than can be said within ``StartHandshake/startLife``.
  package static let countMax = 64

  /// Oldest first.
  package private(set) var runs: [Identifier] = []
  /// How many were ever added: the next one's number, from 0.
  ///
  /// A store keeps each where the one was that it replaces.
  package private(set) var count = 0

  /// Remembers nothing.
  package init() {}

  /// Remembers what was kept: the latest runs of `count`, oldest first, none twice.
  package init(_ runs: [Identifier], of count: Int) {
    precondition(runs.count == min(count, Self.countMax), "\(runs.count) runs of \(count)")
    self.runs = runs
    self.count = count
  }

  /// Whether a run must not begin.
  package func contains(_ runId: Identifier) -> Bool { runs.contains(runId) }

  /// Adds a run, in place of the oldest where there are too many; false where it was there.
  @discardableResult
  package mutating func insert(_ runId: Identifier) -> Bool {
    guard !runs.contains(runId) else { return false }
    if runs.count == Self.countMax { runs.removeFirst() }
    runs.append(runId)
    count += 1
    return true
  }
}
