package import Link
import LinkStore

/// Ingests recorded data into a phone's store, with the machine that ingests in a run.
///
/// Steps are committed together: rows have random identifiers, so that a commit of 1,000 rows writes most pages of their index.
/// Of 100,000 rows, an import took 20 s with a transaction for each row, 8.6 s with one for 1,000 changes, 4.6 s with 20,000.
/// After a crash the import continues from the last commit when it is repeated; repeated after it ended, it changes
/// nothing.
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
  /// Changes after which an import commits, unless it is created with another number.
  package static let batchCount = 20_000

  private var store: DeviceStore<PhoneTables>
  private var machine: Ingestion
  private var now: VirtualTime
  private let begin: VirtualTime
  private let wasSynced: Bool
  private let clock: Int64
  private let offset: Int64
  private let batchCount: Int
  private var summary = Summary()
  /// Changes of the open transaction.
  private var uncommitted = 0

  /// Opens the store in a phone's folder; creates it if missing.
  ///
  /// - Parameters:
  ///   - clock: The phone's clock, in nanoseconds since 1970.
  ///   - batchCount: Changes after which it commits.
  package init(
    _ data: RecordedAppleData, clock: Int64, folder: String, batchCount: Int = Self.batchCount
  ) throws(StoreError) {
    store = try DeviceStore<PhoneTables>(folder: folder)
    let record = try store.load().ingestion
    wasSynced = record.syncedAt != nil
    begin = record.syncedAt ?? .start
    now = begin
    self.clock = clock
    offset = data.offset
    self.batchCount = batchCount
    machine = Ingestion(
      seed: 0, setup: IngestionSetup(), restoring: record, plants: [], startedAt: begin, recorded: data)
  }

  /// Fetches, stages and parses everything.
  package mutating func run() throws(StoreError) -> Summary {
    try carryOut(.syncNow)
    while try step() {}
    try commit()
    return summary
  }

  /// Purges every row that is parsed.
  package mutating func purge() throws(StoreError) {
    try carryOut(.purgeNow)
    while try step() {}
    try commit()
  }

  /// How many rows the staging table holds.
  package var rowCount: Int { machine.record.rows.count }

  /// Acts at the machine's next deadline; false if there is nothing left to do.
  mutating func step() throws(StoreError) -> Bool {
    guard !machine.isIdle, let next = machine.nextDeadline else { return false }
    now = max(now, next)
    var orders = Ingestion.Orders()
    machine.fire(moment, into: &orders)
    try perform(orders)
    return true
  }

  /// Carries out an order of the user.
  package mutating func carryOut(_ command: IngestionCommand) throws(StoreError) {
    var orders = Ingestion.Orders()
    _ = machine.carryOut(command, moment, into: &orders)
    try perform(orders)
  }

  private var moment: Ingestion.Moment {
    let time = clock &+ (now - begin).nanoseconds
    return Ingestion.Moment(now: now, clock: time, truth: .max, offset: offset)
  }

  private mutating func perform(_ orders: Ingestion.Orders) throws(StoreError) {
    for event in orders.events { count(event) }
    let changes = orders.changes.filter { !isKnown($0) }
    guard !changes.isEmpty else { return }
    if uncommitted == 0 { try store.beginJoinedCommits() }
    try store.commit([], changes.map { .rare(.ingestion($0)) })
    uncommitted += changes.count
    if uncommitted >= batchCount { try commit() }
  }

  /// Whether a change only says that an export was imported again.
  private func isKnown(_ change: IngestionChange) -> Bool {
    guard case .synced = change else { return false }
    return wasSynced && summary.new == 0 && summary.changed == 0
  }

  private mutating func commit() throws(StoreError) {
    guard uncommitted > 0 else { return }
    try store.endJoinedCommits()
    uncommitted = 0
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
