import CoachProtocol
import Link

/// Meals, daily aggregates and their synchronisation.
extension PhoneNode {
  /// Lets the part act, stores the changes, records the events, and sends its request.
  mutating func updateDaily(
    in turn: inout Turn,
    _ body: (inout DailySync, DailySync.Moment, inout DailySync.Orders) -> Void
  ) {
    guard var part = daily, let healthStore else { return }
    // One owner, so that no table is copied.
    daily = nil
    var orders = DailySync.Orders()
    part.isPaused = setup.mode == .race && consumer.hasRun
    body(&part, moment(at: turn.now, secondStore ?? healthStore), &orders)
    daily = part
    commit(orders.changes.map { .daily($0) }, orders.events, in: &turn)
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
