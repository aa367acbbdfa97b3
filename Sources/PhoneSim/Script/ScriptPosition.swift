package import Link

/// Where a run stands in its script: what a restart of the phone and a new script must not forget.
///
/// Belongs to the run, keyed by the lines' ids, so it fits any script. It changes with
/// ``ScriptEngine/revision``, but for ``furthestDistance``, ``furthestElapsed`` and ``looks``, which
/// move at every snapshot that is judged.
package struct ScriptPosition: Sendable, Equatable {
  /// The greatest distance of a snapshot that was judged, in metres; nil before the first.
  package var furthestDistance: Double?
  /// The greatest elapsed time of a snapshot that was judged, in seconds; nil before the first.
  package var furthestElapsed: Double?
  /// How many snapshots were judged.
  package var looks: Int64 = 0
  /// The active branch; nil for none.
  package var branch: String?
  /// When a line was last dispatched; nil for never.
  package var lastDispatch: VirtualTime?
  /// What is known of each line, by id in ascending order; lines of which nothing is known are left out.
  package var records: [Entry] = []

  /// Creates the position of a run that begins.
  package init() {}

  /// What is known of one line.
  package struct Entry: Sendable, Equatable {
    /// The line's id.
    package var message: String
    /// What is known.
    package var record: MessageRecord

    /// Creates an entry.
    package init(message: String, record: MessageRecord) {
      self.message = message
      self.record = record
    }
  }
}

/// What a run knows of one line.
package struct MessageRecord: Sendable, Equatable {
  /// Whether it was dispatched in this run.
  package var isSpoken = false
  /// Whether it was let expire; for the lines with a single point.
  package var isExpired = false
  /// The last multiple that was spoken, skipped or let expire; 0 for none.
  package var lastMultiple: Int64 = 0
  /// When it was last dispatched; nil for never.
  package var lastDispatch: VirtualTime?
  /// At which look its present stretch of being due began, from 1; 0 where it is not due.
  package var dueSince: Int64 = 0
  /// The multiple that is due since then; 0 for lines without.
  package var dueMultiple: Int64 = 0

  /// Creates the record of a line of which nothing is known.
  package init() {}

  /// A record that says nothing.
  static let blank = Self()
}
