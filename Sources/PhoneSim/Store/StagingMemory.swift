import CoachProtocol
import Link

/// What the tables of the ingestion remember of their rows, so that a row costs few statements.
struct StagingMemory {
  /// The offset from UTC of the first row, in seconds; nil before it.
  ///
  /// Most rows have the same one, so only the others are held one by one.
  private var common: Int32?
  private var others: [AppleDataKey: Int32] = [:]
  /// The rows with a reason why they did not parse.
  private var failed: Set<AppleDataKey> = []
  /// The newest day that was staged, by type.
  private var lastDays: [AppleDataType: Int64] = [:]
  /// The oldest one; none in a store of an earlier release.
  private var firstDays: [AppleDataType: Int64] = [:]
  /// Whether the catalogue of measures is known to be there.
  private var hasCatalogue = false
  /// The day whose action was written last.
  private var lastAction: LocalDay?

  init() {}

  init(_ record: IngestionRecord) {
    for row in record.rows.values {
      set(offset: Int32(clamping: row.offset), of: row.key)
      if row.failure != nil { failed.insert(row.key) }
    }
    lastDays = record.lastDays.mapValues(\.number)
    firstDays = record.firstDays.mapValues(\.number)
  }

  /// The offset of a row; that of most rows for one that is not stored.
  ///
  /// Nil if no row was ever stored.
  func offset(of key: AppleDataKey) -> Int32? { others[key] ?? common }

  /// Sets the offset of a row that is stored.
  mutating func set(offset: Int32, of key: AppleDataKey) {
    if common == nil { common = offset }
    others[key] = offset == common ? nil : offset
  }

  /// Forgets a row that was deleted.
  mutating func remove(_ key: AppleDataKey) { others[key] = nil }

  mutating func addFailure(of key: AppleDataKey) { failed.insert(key) }

  /// Removes the row's failure; false if there is none.
  mutating func removeFailure(of key: AppleDataKey) -> Bool { failed.remove(key) != nil }

  mutating func removeFailures() { failed.removeAll() }

  /// Lowers the oldest day of a type, before its newest one is raised; false if it stays.
  mutating func lowerFirstDay(of type: AppleDataType, to day: Int64) -> Bool {
    guard lastDays[type] == nil || (firstDays[type].map { day < $0 } ?? false) else { return false }
    firstDays[type] = day
    return true
  }

  /// Raises the newest day of a type; false if a day as new was staged before.
  mutating func raiseLastDay(of type: AppleDataType, to day: Int64) -> Bool {
    if let last = lastDays[type], last >= day { return false }
    lastDays[type] = day
    return true
  }

  /// Notes that the catalogue of measures is there; false if that is known.
  mutating func addCatalogue() -> Bool {
    defer { hasCatalogue = true }
    return !hasCatalogue
  }

  /// Changes the day whose action was written last; false if it is that day.
  mutating func setLastAction(_ day: LocalDay) -> Bool {
    defer { lastAction = day }
    return lastAction != day
  }
}

/// The constraints of the ingestion's tables, for the store in memory, which refuses what the database refuses.
///
/// These tables have the columns and dates of a document, and statements of their own.
struct IngestionConstraints: Sendable, Equatable {
  /// The keys of the staging table's rows.
  private var staged: [Identifier: AppleDataKey] = [:]
  /// The actions of days.
  private var actions: [Identifier: LocalDay] = [:]

  /// Checks a change before it is applied to a record.
  ///
  /// - Throws: `.system`, as the database for a violated constraint.
  mutating func check(_ change: IngestionChange, _ record: IngestionRecord) throws(StoreError) {
    switch change {
    case .staged(let row):
      if let known = staged[row.id], known != row.key { throw Self.refusal("UNIQUE", "appledata.id") }
      if record.rows[row.key] == nil { staged[row.id] = row.key }
    case .purged(let key): if let row = record.rows[key] { staged[row.id] = nil }
    case .parsed(let key, _, let action, let values):
      guard let row = record.rows[key] else { return }
      if let known = record.actions[row.day] {
        guard values.isEmpty || known.id == action || actions[action] != nil else { throw Self.refusal("FOREIGN KEY") }
      } else {
        if actions[action] != nil { throw Self.refusal("UNIQUE", "actions.id") }
        actions[action] = row.day
      }
      if values.contains(where: { $0.value.isNaN }) { throw Self.refusal("NOT NULL", "measuredActions.value") }
    case .refreshed, .failed, .updated, .synced, .switched, .access, .asked, .retained: return
    }
  }

  private static func refusal(_ constraint: String, _ column: String? = nil) -> StoreError {
    StoreError(.system, "the phone's store: \(constraint) constraint failed" + (column.map { ": \($0)" } ?? ""))
  }
}
