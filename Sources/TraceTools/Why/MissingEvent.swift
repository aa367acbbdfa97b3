import Console
import Link

/// Why a kind of event never happened: the last step towards it that did.
struct MissingEvent {
  /// What each event needs before it.
  private static let needs: [String: String] = [
    "audio.end": "audio.start", "audio.interrupted": "audio.start", "audio.dropped": "script.dispatch",
    "audio.duck": "audio.start", "audio.unduck": "audio.duck",
    "audio.start": "script.dispatch", "script.dispatch": "snapshot.fresh", "script.expired": "snapshot.fresh",
    "script.skipped": "snapshot.fresh", "script.branch": "script.dispatch", "haptic": "message.received",
    "snapshot.fresh": "message.received", "snapshot.stale": "message.received", "message.received": "frame.delivered",
    "message.duplicate": "frame.delivered", "frame.delivered": "frame.sent", "frame.dropped": "frame.sent",
    "frame.duplicated": "frame.sent", "run.state": "snapshot.fresh", "run.opened": "snapshot.fresh",
    "run.history": "message.received", "run.finished": "transfer.delivered",
    "transfer.delivered": "transfer.queued", "transfer.finished": "transfer.delivered",
    "transfer.failed": "transfer.queued", "transfer.cancelled": "transfer.queued",
    "transfer.setAside": "transfer.queued", "transfer.redelivered": "transfer.delivered",
    "transfer.queued": "workout.state", "liveness.disconnected": "snapshot.fresh",
    "liveness.reconnected": "liveness.disconnected", "snapshot": "workout.state", "health.saved": "workout.state",
    "link.up": "link.down", "link.down": "fault.begin", "fault.end": "fault.begin", "node.killed": "fault.begin",
    "ai.reply": "ai.requested", "ai.fallback": "ai.requested", "ai.late": "ai.requested",
    "ai.failed": "ai.requested", "edge.request": "ai.requested", "edge.response": "edge.request",
    "ai.requested": "voice.received", "voice.transcribed": "voice.received", "voice.received": "transfer.delivered",
    "start.acked": "start.asked", "start.failed": "start.asked", "start.accepted": "start.asked",
    "start.declined": "start.asked", "start.late": "start.failed", "context.received": "context.set",
  ]

  /// One step on the way to the event.
  struct Step: Equatable {
    var name: String
    var count: Int
    /// The last one; 0 for none.
    var line: Int
    var time: VirtualTime
  }

  /// From the event in question back to the first that did happen.
  let steps: [Step]

  init(_ name: String, in trace: RecordedTrace) {
    var counts: [String: Step] = [:]
    for (index, event) in trace.events.enumerated() {
      let text = event.name.text
      let count = (counts[text]?.count ?? 0) + 1
      counts[text] = Step(name: text, count: count, line: trace.line(of: index), time: event.time)
    }
    var steps: [Step] = []
    var next: String? = name
    // Apps decide for themselves when they send: only the link's own steps lead to others.
    let isOfApps = AppRemarks.areApps(trace.header)
    while let name = next, !steps.contains(where: { $0.name == name }) {
      let step = counts[name] ?? Step(name: name, count: 0, line: 0, time: .start)
      steps.append(step)
      if step.count > 0 { break }
      next = Self.needs[name].flatMap { isOfApps && !(AppRemarks.isOfLink(name) && AppRemarks.isOfLink($0)) ? nil : $0 }
    }
    self.steps = steps
  }
}
