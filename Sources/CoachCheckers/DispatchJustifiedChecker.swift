import CoachReference
package import Link

/// `dispatch-justified`: every dispatched line was due.
package struct DispatchJustifiedChecker: Checker {
  package static let invariant = "dispatch-justified"
  package static let about =
    "A dispatched message belongs to the script, its trigger holds at the fresh snapshot that the line names, and the disk has room to store that it was played."

  private var reference: ReferenceRun

  package init(header: TraceHeader) { reference = ReferenceRun(header: header) }

  package mutating func scriptDispatch(_ dispatch: ScriptDispatched, at event: Occurrence, into report: inout Report) {
    if !dispatch.rank.isReply, let objection = objection(to: dispatch, at: event.time) {
      let lines = (reference.snapshot.map { [$0.line] } ?? []) + [event.line]
      report.add("\"\(dispatch.rank.message)\" \(objection)", at: event.time, lines: lines)
    }
    reference.observe(dispatch, at: event)
  }

  package mutating func snapshotFresh(_ snapshot: SnapshotFresh, at event: Occurrence, into report: inout Report) {
    reference.observe(snapshot, at: event)
  }

  package mutating func runState(_ run: RunStateChanged, at event: Occurrence, into report: inout Report) {
    reference.observe(run, at: event)
  }

  package mutating func scriptLoaded(_ loaded: ScriptLoaded, at event: Occurrence, into report: inout Report) {
    reference.observe(loaded, at: event)
  }

  package mutating func scriptExpired(_ expired: ScriptExpired, at event: Occurrence, into report: inout Report) {
    reference.observe(expired, at: event)
  }

  package mutating func scriptSkipped(_ skipped: ScriptSkipped, at event: Occurrence, into report: inout Report) {
    reference.observe(skipped, at: event)
  }

  package mutating func faultBegin(_ fault: FaultBegan, at event: Occurrence, into report: inout Report) {
    reference.observe(fault, at: event)
  }

  package mutating func faultEnd(_ fault: FaultEnded, at event: Occurrence, into report: inout Report) {
    reference.observe(fault, at: event)
  }

  /// Why a dispatch was wrong; nil if it was not.
  private mutating func objection(to dispatch: ScriptDispatched, at time: VirtualTime) -> String? {
    guard reference.fullDisks.isEmpty else { return "was dispatched while the phone's disk was full" }
    guard let snapshot = reference.snapshot, snapshot.time == time else {
      return "was dispatched without a fresh snapshot at that instant"
    }
    guard dispatch.figures.epoch == snapshot.epoch, dispatch.figures.seq == snapshot.seq else {
      return "was dispatched with another snapshot than the fresh one"
    }
    guard dispatch.figures.elapsed == snapshot.elapsed, dispatch.figures.distance == snapshot.distance else {
      return "was dispatched with other figures than those of its snapshot"
    }
    guard let script = reference.script else { return "was dispatched before any script was loaded" }
    guard let index = script.messages.firstIndex(where: { $0.id == dispatch.rank.message }) else {
      return "is not in the script"
    }
    let message = script.messages[index]
    guard dispatch.rank.trigger == message.type else {
      return "has the trigger \(message.type), but was dispatched with another"
    }
    // Nothing is due in a run that is not running; another invariant reports that.
    guard reference.belief.isRunning else { return nil }
    reference.absorb()
    reference.evaluate()
    switch reference.standpoint(of: index) {
    case .due(let multiple):
      guard multiple > 0, dispatch.rank.multiple != multiple else { return nil }
      return "is due with its multiple \(multiple), but was dispatched with another"
    case .expired: return "is past its grace at \(snapshot.position)"
    case .notDue: return "is not due at \(snapshot.position)"
    }
  }
}
