import CoachProtocol
package import Link

/// A user's order about the ingestion: a `do` of `phone.events`.
package enum IngestionCommand: ScenarioCommand, Equatable {
  case syncNow
  case refetchWeek
  case purgeNow
  case setIngestion(AppleDataType, isOn: Bool)
  case setRetention([AppleDataType], VirtualTime.Span)
  case updateParser

  private struct Draft: Sendable {
    var type: AppleDataType?
    var isOn = false
    var keep = VirtualTime.Span.zero
  }

  package static let forms: [CommandForm<Self>] = [
    CommandForm("syncNow", "fetches what is new", syncNow),
    CommandForm("refetchWeek", "queries the last seven days again", refetchWeek),
    CommandForm("purgeNow", "deletes all parsed rows", purgeNow),
    CommandForm(
      "setIngestion", "switches the fetching of a type on or off", Draft(),
      [
        Field("type", \.type, .word, "the type", .required),
        Field("on", \.isOn, .bool, "whether it is fetched", .required),
      ]
    ) { draft, _ in draft.type.map { setIngestion($0, isOn: draft.isOn) } },
    CommandForm(
      "setRetention", "sets how long rows are kept after they were fetched", Draft(),
      [
        Field("type", \.type, .word, "the type", .otherwise("all")),
        Field("keep", \.keep, .duration(max: .hours(400 * 24)), "how long", .required),
      ]
    ) { draft, _ in setRetention(draft.type.map { [$0] } ?? AppleDataType.allCases, draft.keep) },
    CommandForm("updateParser", "installs an app that understands the JSON of a newer system", updateParser),
  ]
}

/// The ingestion of Apple data.
extension PhoneNode {
  /// Lets the ingestion act, stores the changes, and records the events.
  mutating func updateIngestion(
    in turn: inout Turn,
    _ body: (inout Ingestion, Ingestion.Moment, inout Ingestion.Orders) -> Void
  ) {
    guard var part = ingestion else { return }
    // One owner, so that no table is copied.
    ingestion = nil
    var orders = Ingestion.Orders()
    body(&part, moment(at: turn.now, healthStore), &orders)
    ingestion = part
    commit(orders.changes.map { .ingestion($0) }, orders.events, in: &turn)
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
  typealias Moment = PartMoment

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
