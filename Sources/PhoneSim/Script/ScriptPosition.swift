package import Link

/// A run's position in its script, which must survive restarts and script changes.
///
/// Belongs to the run and is keyed by line ids, so it fits any script. ``ScriptEngine/revision`` counts its changes
/// except those of ``furthestDistance``, ``furthestElapsed`` and ``evaluations``, which change at every evaluation.
package struct ScriptPosition: Sendable, Equatable {
  /// The greatest evaluated distance, in metres; nil before the first snapshot.
  package var furthestDistance: Double?
  /// The greatest evaluated elapsed time, in seconds; nil before the first snapshot.
  package var furthestElapsed: Double?
  /// The number of evaluations.
  package var evaluations: Int64 = 0
  /// The active branch, if any.
  package var branch: String?
  /// When a line was last dispatched; nil for never.
  package var lastDispatch: VirtualTime?
  /// Non-blank records by line id in ascending order.
  package var records: [Entry] = []

  package struct Entry: Sendable, Equatable {
    package var message: String
    package var record: MessageRecord
  }
}

/// A run's record of one line.
package struct MessageRecord: Sendable, Equatable {
  /// Whether it was dispatched in this run.
  package var isSpoken = false
  /// Whether it expired; for lines with a single point.
  package var isExpired = false
  /// The last multiple that was spoken, skipped or expired; 0 for none.
  package var lastMultiple: Int64 = 0
  /// When it was last dispatched; nil for never.
  package var lastDispatch: VirtualTime?
  /// The evaluation, from 1, at which its present due stretch began; 0 if it is not due.
  package var dueSince: Int64 = 0
  /// The multiple that is due since then; 0 for lines without multiples.
  package var dueMultiple: Int64 = 0

  static let blank = Self()
}
