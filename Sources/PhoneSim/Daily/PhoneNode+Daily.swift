import CoachProtocol
import Link

/// Meals, daily aggregates and their synchronisation.
extension PhoneNode {
  /// Lets the part act, stores the changes, records the events, and sends its request.
  mutating func updateDaily(
    at now: VirtualTime, into output: inout NodeOutput,
    _ body: (inout DailySync, DailySync.Moment, inout DailySync.Orders) -> Void
  ) {
    guard var part = daily else { return }
    // One owner, so that no table is copied.
    daily = nil
    let offset = setup.utcOffsets.last { $0.from <= now } ?? setup.utcOffsets.first
    let moment = DailySync.Moment(
      now: now, clock: clock.reading(at: now), truth: setup.startedAt &+ now.nanoseconds, offset: offset?.seconds ?? 0)
    var orders = DailySync.Orders()
    part.setPaused(setup.mode == .race && consumer.state != nil && consumer.state != .ended)
    body(&part, moment, &orders)
    daily = part
    for change in orders.changes { persist(.daily(change), into: &output) }
    if !orders.changes.isEmpty { output.items.append(.commit) }
    if output.isRecording {
      for event in orders.events { output.record(TraceEvent(event, at: now, on: .phone)) }
    }
    for id in orders.forgotten { uplink?.forget(id) }
    guard let request = orders.request else { return }
    uplink?.send(request.id, path: EdgeCall.insightsSync.path, body: request.body, at: now, into: &output)
  }

  /// Carries out an act of the user.
  mutating func carryOutDaily(_ command: NodeCommand, at now: VirtualTime, into output: inout NodeOutput) {
    guard let act = DailyCommand(command), daily != nil else {
      return refuse(command.name, why: "the app stores no meals", at: now, into: &output)
    }
    var reason: String?
    updateDaily(at: now, into: &output) { reason = $0.carryOut(act, $1, into: &$2) }
    if let reason { refuse(command.name, why: reason, at: now, into: &output) }
  }
}
