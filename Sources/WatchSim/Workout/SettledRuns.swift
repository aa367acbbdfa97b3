package import Link

/// Runs that must not begin any more: they have ended, were declined, or were taken back before they began.
package struct SettledRuns: Sendable, Equatable {
  /// How many are remembered; far more than can be said within ``StartHandshake/startLife``.
  package static let countMax = 64

  /// Oldest first.
  package private(set) var runs: [Identifier] = []

  /// Remembers nothing.
  package init() {}

  /// Whether a run must not begin.
  package func contains(_ runId: Identifier) -> Bool { runs.contains(runId) }

  /// Adds a run, in place of the oldest where there are too many; false where it was there.
  @discardableResult
  package mutating func insert(_ runId: Identifier) -> Bool {
    guard !runs.contains(runId) else { return false }
    if runs.count == Self.countMax { runs.removeFirst() }
    runs.append(runId)
    return true
  }
}
