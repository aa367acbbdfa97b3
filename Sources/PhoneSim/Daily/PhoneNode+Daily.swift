import CoachProtocol
import Link

/// Meals, daily aggregates and their synchronisation.
extension PhoneNode {
  /// Lets the part act, stores the changes, records the events, and sends its request.
  mutating func updateDaily(
    in turn: inout Turn,
    _ body: (inout DailySync, DailySync.Moment, inout DailySync.Orders) -> Void
  ) {
    let now = turn.now
    guard var part = daily, let healthStore else { return }
    // One owner, so that no table is copied.
    daily = nil
    let offset = setup.utcOffsets.last { $0.from <= now } ?? setup.utcOffsets.first
    let moment = DailySync.Moment(
      now: now, clock: clock.reading(at: now), truth: setup.startedAt &+ now.nanoseconds, offset: offset?.seconds ?? 0,
      health: secondStore ?? healthStore)
    var orders = DailySync.Orders()
    part.isPaused = setup.mode == .race && consumer.hasRun
    body(&part, moment, &orders)
    daily = part
    for change in orders.changes { persist(.daily(change), in: &turn) }
    if !orders.changes.isEmpty { turn.items.append(.commit) }
    if turn.isRecording {
      for event in orders.events { turn.record(TraceEvent(event, at: now, on: .phone)) }
    }
    for id in orders.forgotten { coach.uplink?.forget(id) }
    guard let request = orders.request else { return }
    coach.uplink?.send(request.id, path: EdgeCall.insightsSync.path, body: request.body, in: &turn)
  }

  /// Carries out an act of the user.
  mutating func carryOutDaily(_ command: NodeCommand, in turn: inout Turn) {
    guard let act = DailyCommand(command), daily != nil else {
      return refuse(command.name, why: "the app stores no meals", in: &turn)
    }
    var reason: String?
    updateDaily(in: &turn) { reason = $0.carryOut(act, $1, into: &$2) }
    if let reason { refuse(command.name, why: reason, in: &turn) }
  }
}
