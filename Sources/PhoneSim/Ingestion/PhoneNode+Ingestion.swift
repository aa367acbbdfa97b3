import Link

/// The ingestion of Apple data.
extension PhoneNode {
  /// Lets the ingestion act, stores the changes, and records the events.
  mutating func updateIngestion(
    at now: VirtualTime, into output: inout NodeOutput,
    _ body: (inout Ingestion, Ingestion.Moment, inout Ingestion.Orders) -> Void
  ) {
    guard var part = ingestion else { return }
    // One owner, so that no table is copied.
    ingestion = nil
    let offset = setup.utcOffsets.last { $0.from <= now } ?? setup.utcOffsets.first
    let moment = Ingestion.Moment(
      now: now, clock: clock.reading(at: now), truth: setup.startedAt &+ now.nanoseconds, offset: offset?.seconds ?? 0)
    var orders = Ingestion.Orders()
    body(&part, moment, &orders)
    ingestion = part
    for change in orders.changes { persist(.ingestion(change), into: &output) }
    if !orders.changes.isEmpty { output.items.append(.commit) }
    guard output.isRecording else { return }
    for event in orders.events { output.record(TraceEvent(event, at: now, on: .phone)) }
  }

  /// Carries out an order of the user.
  mutating func carryOutIngestion(_ command: NodeCommand, at now: VirtualTime, into output: inout NodeOutput) {
    guard let order = IngestionCommand(command), ingestion != nil else {
      return refuse(command.name, why: "the app ingests no Apple data", at: now, into: &output)
    }
    var reason: String?
    updateIngestion(at: now, into: &output) { reason = $0.carryOut(order, $1, into: &$2) }
    if let reason { refuse(command.name, why: reason, at: now, into: &output) }
  }
}
