import Link

/// The ingestion of Apple data.
extension PhoneNode {
  /// Lets the ingestion act, stores the changes, and records the events.
  mutating func updateIngestion(
    in turn: inout Turn,
    _ body: (inout Ingestion, Ingestion.Moment, inout Ingestion.Orders) -> Void
  ) {
    let now = turn.now
    guard var part = ingestion else { return }
    // One owner, so that no table is copied.
    ingestion = nil
    let offset = setup.utcOffsets.last { $0.from <= now } ?? setup.utcOffsets.first
    let moment = Ingestion.Moment(
      now: now, clock: clock.reading(at: now), truth: setup.startedAt &+ now.nanoseconds, offset: offset?.seconds ?? 0,
      health: healthStore)
    var orders = Ingestion.Orders()
    body(&part, moment, &orders)
    ingestion = part
    for change in orders.changes { persist(.ingestion(change), in: &turn) }
    if !orders.changes.isEmpty { turn.items.append(.commit) }
    guard turn.isRecording else { return }
    for event in orders.events { turn.record(TraceEvent(event, at: now, on: .phone)) }
  }

  /// Carries out an order of the user.
  mutating func carryOutIngestion(_ command: NodeCommand, in turn: inout Turn) {
    guard let order = IngestionCommand(command), ingestion != nil else {
      return refuse(command.name, why: "the app ingests no Apple data", in: &turn)
    }
    var reason: String?
    updateIngestion(in: &turn) { reason = $0.carryOut(order, $1, into: &$2) }
    if let reason { refuse(command.name, why: reason, in: &turn) }
  }
}
