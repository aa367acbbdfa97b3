package import CoachProtocol
package import Link

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
  package private(set) var tables = [[Identifier: TrainingRow]](repeating: [:], count: TrainingCatalog.all.count)
  /// The parts of incomplete reports so far, by workout.
  package var pending: [Identifier: [SessionReport]] = [:]
  /// The sessions that the user removed.
  package private(set) var removed: Set<Identifier> = []
  /// The rows as both phones exchange them, also removed and waiting ones; empty without a second phone.
  package private(set) var synced: [SyncKey: SyncRow] = [:]
  /// The rows whose newest copy the other phone may not have.
  package private(set) var queued: Set<SyncKey> = []
  /// Acts of the scenario that were carried out on this phone, if it is the second one.
  package private(set) var editsDone = 0

  package var isEmpty: Bool {
    pending.isEmpty && removed.isEmpty && synced.isEmpty && editsDone == 0 && tables.allSatisfy(\.isEmpty)
  }

  package mutating func apply(_ change: TrainingChange) {
    switch change {
    case .row(let row): tables[row.table][row.id] = row
    case .removed(let table, let id): tables[table][id] = nil
    case .sessionRemoved(let id): removed.insert(id)
    case .synced(let row): synced[row.key] = row
    case .queued(let key): queued.insert(key)
    case .delivered(let key): queued.remove(key)
    case .edited(let count): editsDone = count
    case .part(let report):
      pending[report.workoutId, default: []].removeAll { $0.part == report.part }
      pending[report.workoutId, default: []].append(report)
    case .complete(let workout): pending[workout] = nil
    }
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
