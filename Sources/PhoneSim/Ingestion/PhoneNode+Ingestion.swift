import CoachProtocol
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

/// What a call of the ingestion gets and gives.
extension Ingestion {
  /// What the device knows of the time at a call.
  struct Moment: Sendable {
    var now: VirtualTime
    /// The phone's clock, in nanoseconds since 1970.
    var clock: Int64
    /// The true time, in nanoseconds since 1970; only the simulated stores use it.
    var truth: Int64
    /// What local time adds to UTC, in seconds.
    var offset: Int64
    /// The phone's health store; nil if there is none, as in an import.
    var health: PhoneHealth?

    var seconds: Int64 { clock / 1_000_000_000 }
    var today: LocalDay { LocalDay(clock: clock, offset: offset) }
  }

  /// What a call orders: the changes are committed together, before the events are recorded.
  struct Orders: Sendable {
    var changes: [IngestionChange] = []
    var events: [any TraceEventKind] = []
  }

  struct Query: Sendable, Equatable {
    var day: LocalDay
    var attempt: Int32 = 1
    var type: AppleDataType
  }

  /// Reports what the store holds at a start.
  func begin(into orders: inout Orders) {
    var event = IngestionBegan()
    event.rows = Int64(record.rows.count)
    event.unparsed = Int64(record.rows.values.count { $0.parsedAt == nil })
    event.failed = Int64(record.rows.values.count { $0.failure != nil })
    orders.events.append(event)
  }
}
