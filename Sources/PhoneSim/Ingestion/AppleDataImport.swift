package import Link
import LinkStore

/// Ingests recorded data into a phone's store, with the machine that ingests in a run.
///
/// Each step is a transaction. After a crash the import continues when it is repeated; repeated after it ended, it changes no measure.
package struct AppleDataImport {
  /// The counts of an import.
  package struct Summary: Sendable, Equatable {
    /// Staged rows: new, changed, and unchanged ones.
    package var new = 0
    package var changed = 0
    package var same = 0
    package var parsed = 0
    /// Rows that did not parse, with their reasons; at most ``failuresMax``.
    package var failures: [(type: AppleDataType, day: String, reason: String)] = []
    package var failed = 0

    package static func == (left: Self, right: Self) -> Bool {
      (left.new, left.changed, left.same, left.parsed, left.failed)
        == (right.new, right.changed, right.same, right.parsed, right.failed)
    }
  }

  /// Limit of the listed failures.
  package static let failuresMax = 20

  private var store: DeviceStore<PhoneTables>
  private var machine: Ingestion
  private var now: VirtualTime
  private let begin: VirtualTime
  private let clock: Int64
  private let offset: Int64
  private var summary = Summary()

  /// Opens the store in a phone's folder; creates it if missing.
  ///
  /// - Parameter clock: The phone's clock, in nanoseconds since 1970.
  package init(_ data: RecordedAppleData, clock: Int64, folder: String) throws(StoreError) {
    store = try DeviceStore<PhoneTables>(folder: folder)
    let record = try store.begin().app.ingestion
    begin = record.syncedAt ?? .start
    now = begin
    self.clock = clock
    offset = data.offset
    machine = Ingestion(
      seed: 0, setup: IngestionSetup(), restoring: record, plants: [], startedAt: begin, recorded: data)
  }

  /// Fetches, stages and parses everything.
  package mutating func run() throws(StoreError) -> Summary {
    try carryOut(.syncNow)
    while try step() {}
    return summary
  }

  /// Purges every row that is parsed.
  package mutating func purge() throws(StoreError) {
    try carryOut(.purgeNow)
    while try step() {}
  }

  /// How many rows the staging table holds.
  package var rowCount: Int { machine.record.rows.count }

  /// Acts at the machine's next deadline; false if there is nothing left to do.
  mutating func step() throws(StoreError) -> Bool {
    guard !machine.isIdle, let next = machine.nextDeadline else { return false }
    now = max(now, next)
    var orders = Ingestion.Orders()
    machine.fire(moment, into: &orders)
    try commit(orders)
    return true
  }

  /// Carries out an order of the user.
  package mutating func carryOut(_ command: IngestionCommand) throws(StoreError) {
    var orders = Ingestion.Orders()
    _ = machine.carryOut(command, moment, into: &orders)
    try commit(orders)
  }

  private var moment: Ingestion.Moment {
    let time = clock &+ (now - begin).nanoseconds
    return Ingestion.Moment(now: now, clock: time, truth: .max, offset: offset)
  }

  private mutating func commit(_ orders: Ingestion.Orders) throws(StoreError) {
    if !orders.changes.isEmpty { try store.commit([], orders.changes.map { .rare(.ingestion($0)) }) }
    for event in orders.events { count(event) }
  }

  private mutating func count(_ event: any TraceEventKind) {
    switch event {
    case let event as IngestionStaged:
      switch event.row {
      case "new": summary.new += 1
      case "changed": summary.changed += 1
      default: summary.same += 1
      }
    case is IngestionParsed: summary.parsed += 1
    case let event as IngestionFailed:
      summary.failed += 1
      guard summary.failures.count < Self.failuresMax, let type = AppleDataType(rawValue: event.type) else { return }
      summary.failures.append((type, event.day, event.why))
    default: break
    }
  }
}
