import CoachProtocol
import Link

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
