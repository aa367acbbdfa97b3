package import CoachProtocol
package import Link
import LinkStore

/// A durable change of the training sessions.
package enum TrainingChange: Sendable, Equatable {
  /// A row is new, or replaces the one with its id.
  case row(TrainingRow)
  /// The row of a table is gone; its parts went before it.
  case removed(table: Int, Identifier)
  /// The user removed a session, whose report must not bring it back.
  case sessionRemoved(Identifier)
  /// A row as both phones exchange it is new, or replaces the one with its key.
  case synced(SyncRow)
  /// The other phone may not have the newest copy of a row.
  case queued(SyncKey)
  /// The other phone has it.
  case delivered(SyncKey)
  /// So many acts of the scenario were carried out on the second phone.
  case edited(Int)
  /// A part of a report arrived, and others are missing.
  case part(SessionReport)
  /// All parts of a workout's report are stored as rows.
  case complete(Identifier)
}

/// What the phone stores of training sessions.
package struct TrainingRecord: Sendable, Equatable {
  /// The rows of each table of ``TrainingCatalog``.
  package fileprivate(set) var tables = [[Identifier: TrainingRow]](repeating: [:], count: TrainingCatalog.all.count)
  var parts: [ReportPart.Key: ReportPart] = [:]
  var removedSessions: [Identifier: RemovedSession] = [:]
  /// The rows as both phones exchange them, also removed and waiting ones; empty without a second phone.
  package var synced: [SyncKey: SyncRow] = [:]
  var queue: [SyncKey: QueuedRow] = [:]
  var state = SyncState()

  /// The parts of incomplete reports so far, by workout.
  package var pending: [Identifier: [SessionReport]] {
    Dictionary(grouping: parts.values.map(\.report).sorted { $0.part < $1.part }, by: \.workoutId)
  }

  /// The sessions that the user removed.
  package var removed: Set<Identifier> { Set(removedSessions.keys) }

  /// The rows whose newest copy the other phone may not have.
  package var queued: Set<SyncKey> { Set(queue.keys) }

  /// Acts of the scenario that were carried out on this phone, if it is the second one.
  package var editsDone: Int { state.editsDone }

  package var isEmpty: Bool {
    parts.isEmpty && removedSessions.isEmpty && synced.isEmpty && editsDone == 0 && tables.allSatisfy(\.isEmpty)
  }

  /// A row; nil if there is none.
  package func row(_ table: String, _ id: Identifier) -> TrainingRow? { tables[TrainingCatalog.index(of: table)][id] }

  /// The rows of a table, by their identifiers.
  package func rows(_ table: String) -> [TrainingRow] {
    tables[TrainingCatalog.index(of: table)].values.sorted { $0.id < $1.id }
  }

  /// The session with an identifier; nil if there is none.
  package func session(_ id: Identifier) -> (discipline: TrainingDiscipline, row: TrainingRow)? {
    for discipline in TrainingDiscipline.allCases {
      if let row = row(discipline.table, id) { return (discipline, row) }
    }
    return nil
  }

  /// The newest session of a discipline; nil if there is none.
  package func newest(_ discipline: TrainingDiscipline) -> TrainingRow? {
    rows(discipline.table).max { ($0.integer("startDate") ?? 0, $0.id) < ($1.integer("startDate") ?? 0, $1.id) }
  }
}

// MARK: Rows

/// A part of a report that is not complete.
struct ReportPart: StoredRow, TrainingPart {
  struct Key: RowKey {
    var workoutId: Identifier
    var part: Int64
    var cells: [StoredValue] { [workoutId.cell, part.cell] }
  }

  var rowKey: Key
  var report: SessionReport

  static let table = StoredTable(
    "TrainingReport", keyCount: 2,
    blank: ReportPart(
      rowKey: Key(workoutId: .blank, part: 0),
      report: SessionReport(
        workoutId: .blank, discipline: .running, startedAt: WatchTime(nanoseconds: 0),
        endedAt: WatchTime(nanoseconds: 0), activeMilliseconds: 0, distanceMillimetres: 0, heartRate: 0)),
    [
      StoredColumn("workoutId", \.rowKey.workoutId), StoredColumn("part", \.rowKey.part),
      StoredColumn(
        "report", .text, get: { .text($0.report.traceText) },
        set: { row, cell in
          guard case .text(let text) = cell,
            let report = SessionReport(workoutId: row.rowKey.workoutId, traceText: text)
          else { return false }
          row.report = report
          return true
        }),
    ])
  typealias Rows = [Key: ReportPart]
  static var inRecord: Place { \.parts }
}

/// A session that the user removed.
struct RemovedSession: StoredRow, TrainingPart {
  var rowKey: Identifier

  static let table = StoredTable(
    "RemovedSession", blank: RemovedSession(rowKey: .blank), [StoredColumn("id", \.rowKey)])
  typealias Rows = [Identifier: RemovedSession]
  static var inRecord: Place { \.removedSessions }
}

/// A row whose newest copy the other phone may not have.
struct QueuedRow: StoredRow, TrainingPart {
  var rowKey: SyncKey

  static let table = StoredTable(
    "SyncQueue", keyCount: 2, blank: QueuedRow(rowKey: .blank), SyncKey.columns.map { $0.of(\.rowKey) })
  typealias Rows = [SyncKey: QueuedRow]
  static var inRecord: Place { \.queue }
}

/// How far the acts on the second phone have come.
struct SyncState: OnlyRow, TrainingPart {
  var editsDone = 0

  static let table = StoredTable.only(
    "SyncState", blank: SyncState(), [StoredColumn("editsDone", \.editsDone, in: 0...1e6)])
  static var inRecord: Place { \.state }
}

extension SyncKey: RowKey {
  var cells: [StoredValue] { [.text(TrainingCatalog.all[table].name), id.cell] }

  fileprivate static let blank = Self(table: 0, id: .blank)

  fileprivate static let columns: [StoredColumn<SyncKey>] = [
    StoredColumn(
      "tableName", .text, get: { $0.cells[0] },
      set: { key, cell in
        guard let table = TrainingCatalog.all.firstIndex(where: { .text($0.name) == cell }) else { return false }
        key.table = table
        return true
      }),
    StoredColumn("id", \.id),
  ]
}

extension SyncRow: StoredRow, TrainingPart {
  static let table = StoredTable(
    "SyncRow", keyCount: 2, blank: SyncRow(unwritten: .blank),
    SyncKey.columns.map { $0.of(\.key) } + [
      StoredColumn(
        "cells", .text, get: { .text($0.text) },
        set: { row, cell in
          guard case .text(let text) = cell, let read = SyncRow(key: row.key, text: text) else { return false }
          row = read
          return true
        })
    ])
  typealias Rows = [SyncKey: SyncRow]
  static var inRecord: Place { \.synced }
  var rowKey: SyncKey { key }
}

/// One phone's rows of training sessions, in memory or on disk.
protocol TrainingRows: RowStore<TrainingRecord> {
  /// Adds a row of the unified form, or replaces the one with its identifier.
  mutating func put(_ row: TrainingRow) throws(StoreError)
  mutating func remove(_ id: Identifier, from table: Int) throws(StoreError)
}

extension TrainingRows {
  /// Applies a change: rows that are put and removed.
  mutating func apply(_ change: TrainingChange) throws(StoreError) {
    switch change {
    case .row(let row): try put(row)
    case .removed(let table, let id): try remove(id, from: table)
    case .sessionRemoved(let id): try put(RemovedSession(rowKey: id))
    case .synced(let row): try put(row)
    case .queued(let key): try put(QueuedRow(rowKey: key))
    case .delivered(let key): try remove(QueuedRow.self, key)
    case .edited(let count): try self.change(SyncState.self) { $0.editsDone = count }
    case .part(let report):
      try put(ReportPart(rowKey: ReportPart.Key(workoutId: report.workoutId, part: report.part), report: report))
    case .complete(let workout):
      for part in try rows(ReportPart.self) where part.rowKey.workoutId == workout {
        try remove(ReportPart.self, part.rowKey)
      }
    }
  }
}

extension TrainingRecord: MemoryRows, TrainingRows {
  mutating func put(_ row: TrainingRow) throws(StoreError) {
    let table = TrainingCatalog.tables[row.table]
    try table.check(row)
    tables[row.table][row.id] = row
    try table.checkReferences(of: row) { name, cell in
      Identifier(cell: cell).map { tables[TrainingCatalog.index(of: name)][$0] != nil } ?? false
    }
  }

  mutating func remove(_ id: Identifier, from table: Int) { tables[table][id] = nil }

  /// Follows a change that the phone makes: what is refused here, the store refuses as well, and ends the phone.
  mutating func follow(_ change: TrainingChange) { try? apply(change) }
}

/// One phone's rows of training sessions in the database; each of the two phones has tables of its own.
package final class TrainingTables: SQLRows<TrainingRecord>, TrainingRows {
  private static let types: [any (StoredRow & TrainingPart).Type] = [
    ReportPart.self, RemovedSession.self, SyncRow.self, QueuedRow.self, SyncState.self,
  ]
  private let entities: [SQLTable<TrainingRow>]

  override init(_ database: Database, prefix: String) {
    entities = TrainingCatalog.tables.map { SQLTable(database, $0, prefix: prefix) }
    super.init(database, prefix: prefix)
  }

  func put(_ row: TrainingRow) throws(StoreError) { try entities[row.table].put(row) }

  func remove(_ id: Identifier, from table: Int) throws(StoreError) { try entities[table].remove(id.cells) }

  func load() throws(StoreError) -> TrainingRecord {
    var record = TrainingRecord()
    for (index, table) in entities.enumerated() {
      for row in try table.rows() { record.tables[index][row.id] = row }
    }
    for type in Self.types { try load(type, into: &record) }
    return record
  }

  /// The statements that create the tables.
  static func create(prefix: String) -> String {
    (TrainingCatalog.tables.map { $0.create(prefix: prefix) } + types.map { $0.create(prefix: prefix) }).joined()
  }
}

extension TrainingDiscipline {
  /// The names in the unified form.
  private var names: (table: String, cacheColumn: String, partWord: String?, partColumn: String) {
    switch self {
    case .running: ("RunningSession", "storedRunningTime", "run", "runningSession")
    case .riding: ("Ride", "storedRidingScore", "ride", "ride")
    case .swimming: ("SwimmingSession", "storedSwimmingTime", "swim", "swimmingSession")
    case .shooting: ("ShootingSession", "storedShootingScore", nil, "session")
    }
  }

  /// The table of its sessions, which is also the `sourceSessionType` of a snapshot.
  package var table: String { names.table }

  /// The column of a competition that holds its session.
  var competitionColumn: String { self == .riding ? "competitionRide" : "competition" + table }

  /// The column of a competition that caches its result.
  var cacheColumn: String { names.cacheColumn }

  /// `parentType` of a point, and `discipline` of a split or an interval; nil for one that has none of these.
  var partWord: String? { names.partWord }

  /// The column by which a shared part refers to its session.
  var partColumn: String { names.partColumn }

  /// The table of what a session is counted in: splits, gaits, shots.
  var partTable: String {
    switch self {
    case .running, .swimming: "Split"
    case .riding: "GaitSegment"
    case .shooting: "Shot"
    }
  }
}

extension Identifier {
  /// The identifier of a row that belongs to a session, always the same: storing it again changes nothing.
  init(of session: Identifier, _ table: String, _ number: Int64) {
    let random = RandomStream(seed: RandomStream.key(session.high, session.low), name: "phone.training.\(table)")
    self.init(random, for: UInt64(bitPattern: number))
  }
}
