package import Link

/// `sent-at-monotonic`: the watch never says two things with one time, and its times never go back.
package struct SentAtChecker: Checker {
  package static let invariant = "sent-at-monotonic"
  package static let about =
    "The stamps of the watch's snapshots rise, whatever becomes of its app and its clock; so do those of its queued events. Each has the stamp of the snapshot that reported the change, or an older one than the snapshot of the same instant: a watch that wakes late over several changes publishes one snapshot for all of them."
  package static let interests: [TraceEvent.Name] = ["snapshot", "transfer.queued"]

  /// Changes of state that are remembered until their event is queued; of older ones nothing is said.
  private static let changesMax = 4096

  private var last: (stamp: Int64, time: VirtualTime, line: Int)?
  private var lastQueued: (stamp: Int64, line: Int)?
  /// The state that the last snapshot reported; nil before the first, and for one that told none.
  private var state: String?
  /// Its workout.
  private var workout: Identifier?
  /// The stamps of snapshots that reported a change, rising.
  private var changes: [Int64] = []
  /// The newest that was forgotten because there were too many.
  private var forgotten = Int64.min

  package init(header: TraceHeader) {}

  package mutating func observe(_ event: TraceEvent, line: Int, into report: inout [Violation]) {
    guard event.place == .watch else { return }
    var fields = FieldCursor(event)
    if event.name.code == TraceEvent.Name.Code.snapshot {
      fields.skip("epoch")
      fields.skip("seq")
      let workout = fields.identifier("workoutId")
      guard let stamp = fields.integer("sentAt") else { return }
      observeSnapshot(event, of: workout, stamp, line, &report)
    } else if let stamp = fields.integer("sentAt") {
      observeQueued(event, stamp, line, &report)
    }
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout [Violation]) {}

  private mutating func observeSnapshot(
    _ event: TraceEvent, of workout: Identifier?, _ stamp: Int64, _ line: Int, _ report: inout [Violation]
  ) {
    if let last, stamp <= last.stamp {
      report.append(
        Self.violation(
          "a snapshot is stamped \(stamp), after one that was stamped \(last.stamp)", at: event.time,
          lines: [last.line, line]))
    }
    last = (stamp, event.time, line)
    // Nearly always the same as before: compared where it stands.
    if let state, workout == self.workout, event.lastSays("state", state) { return }
    let now = event.lastText("state")
    guard now != state || workout != self.workout else { return }
    self.workout = workout
    state = now
    if changes.count == Self.changesMax { forgotten = changes.removeFirst() }
    changes.append(stamp)
  }

  private mutating func observeQueued(
    _ event: TraceEvent, _ stamp: Int64, _ line: Int, _ report: inout [Violation]
  ) {
    if let lastQueued, stamp <= lastQueued.stamp {
      report.append(
        Self.violation(
          "an event is stamped \(stamp), after one that was stamped \(lastQueued.stamp)", at: event.time,
          lines: [lastQueued.line, line]))
    }
    lastQueued = (stamp, line)
    guard stamp > forgotten else { return }
    guard let place = changes.firstIndex(of: stamp) else {
      if let last, last.time == event.time, stamp <= last.stamp { return }
      report.append(
        Self.violation(
          "an event is stamped \(stamp), and no snapshot reported a change with that stamp", at: event.time,
          lines: [line]))
      return
    }
    changes.removeSubrange(...place)
  }
}
