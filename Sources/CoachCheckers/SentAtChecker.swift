package import Link

/// `sent-at-monotonic`: the watch never gives two messages the same time, and its times never go back.
package struct SentAtChecker: Checker {
  package static let invariant = "sent-at-monotonic"
  package static let about =
    "The stamps of the watch's snapshots rise, even if its app crashes or its clock changes; so do those of its queued events. Each has the stamp of the snapshot that reported the change, or an older one than the snapshot of the same instant: a watch that wakes late over several changes publishes one snapshot for all of them. An event that is queued later may have any stamp between those of that snapshot and of the one before it."

  /// The number of remembered changes of state whose event is not queued yet; older ones are not judged.
  private static let changesMax = 4096

  /// The last snapshot, with the stamp of the one before it.
  private var last: (stamp: Int64, after: Int64, time: VirtualTime, line: Int)?
  private var lastQueued: (stamp: Int64, line: Int)?
  /// The state that the last snapshot reported; nil before the first.
  private var state: WorkoutState?
  /// Its workout.
  private var workout: Identifier?
  /// When the workout last changed its state, which a snapshot of the same instant does not show if it changed back.
  private var changedAt: VirtualTime?
  /// The stamps of snapshots that reported a change, ascending, each with that of the snapshot before it.
  private var changes: [(after: Int64, stamp: Int64)] = []
  /// The newest that was dropped because there were too many.
  private var forgotten = Int64.min

  package init(header: TraceHeader) {}

  package mutating func snapshot(_ snapshot: SnapshotPublished, at event: Occurrence, into report: inout Report) {
    guard event.place == .watch else { return }
    observeSnapshot(snapshot.metrics, event, &report)
  }

  package mutating func workoutState(_: WorkoutStateChanged, at event: Occurrence, into report: inout Report) {
    guard event.place == .watch else { return }
    changedAt = event.time
    if let last, last.time == event.time { recordChange(last.stamp, after: last.after) }
  }

  package mutating func transferQueued(_ queued: TransferQueued, at event: Occurrence, into report: inout Report) {
    guard event.place == .watch else { return }
    if let stamp = queued.details.sentAt { observeQueued(event, stamp, &report) }
  }

  /// A clause that compares a time with that of the last snapshot; empty without one.
  private static func beside(_ stamp: Int64, _ last: Int64?) -> String {
    guard let last, last != stamp else { return "" }
    let (gap, side) = stamp < last ? (last -| stamp, "before") : (stamp -| last, "after")
    return ", \(VirtualTime.Span(nanoseconds: gap).text) \(side) that of the last one"
  }

  private mutating func observeSnapshot(
    _ metrics: SnapshotMetrics, _ event: Occurrence, _ report: inout Report
  ) {
    let stamp = metrics.sentAt
    if let last, stamp <= last.stamp {
      report.add(
        "the watch stamped a snapshot \(VirtualTime.Span(nanoseconds: last.stamp -| stamp).text) earlier than the one before it",
        at: event.time,
        lines: [last.line, event.line])
    }
    let before = last?.stamp ?? stamp
    last = (stamp, before, event.time, event.line)
    guard metrics.state != state || metrics.workoutId != workout || changedAt == event.time else { return }
    workout = metrics.workoutId
    state = metrics.state
    recordChange(stamp, after: before)
  }

  private mutating func recordChange(_ stamp: Int64, after before: Int64) {
    guard changes.last?.stamp != stamp else { return }
    if changes.count == Self.changesMax { forgotten = changes.removeFirst().stamp }
    changes.append((before, stamp))
  }

  private mutating func observeQueued(
    _ event: Occurrence, _ stamp: Int64, _ report: inout Report
  ) {
    if let lastQueued, stamp <= lastQueued.stamp {
      report.add(
        "the watch stamped an event \(VirtualTime.Span(nanoseconds: lastQueued.stamp -| stamp).text) earlier than the one before it",
        at: event.time,
        lines: [lastQueued.line, event.line])
    }
    lastQueued = (stamp, event.line)
    guard stamp > forgotten else { return }
    guard let place = changes.firstIndex(where: { $0.stamp == stamp }) else {
      if let last, last.time == event.time, stamp <= last.stamp { return }
      // Queued late, for instance because the phone's app was missing: its snapshot was for a later change as well.
      if changes.contains(where: { $0.after < stamp && stamp < $0.stamp }) { return }
      report.add(
        "the watch queued an event, but no snapshot reported a change with its stamp\(Self.beside(stamp, last?.stamp))",
        at: event.time,
        lines: [event.line])
      return
    }
    changes.removeSubrange(...place)
  }
}
