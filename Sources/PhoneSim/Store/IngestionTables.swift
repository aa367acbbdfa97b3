import CoachProtocol
import Link
import LinkStore

/// Tables of the ingestion.
final class IngestionTables {
  private let database: Database

  init(_ database: Database) { self.database = database }

  /// Staging table, catalogue of measures, actions: the columns and indexes are the document's.
  ///
  /// Dates are ISO 8601; those of a period have the local offset, so that its day can be read. The upsert needs the third
  /// index. A reason has its own table, since the staging table has no column for it.
  static let schema = """
    CREATE TABLE appledata (
      id TEXT PRIMARY KEY, sourceSDK TEXT NOT NULL, dataType TEXT NOT NULL, fetchedAt TEXT NOT NULL,
      startDate TEXT NOT NULL, endDate TEXT NOT NULL, rawJSON TEXT NOT NULL, parsed BOOLEAN DEFAULT 0, parsedAt TEXT,
      purgeAfter TEXT, logTime TEXT NOT NULL
    );
    CREATE INDEX idx_appledata_parsed ON appledata (parsed, sourceSDK, dataType);
    CREATE INDEX idx_appledata_purge ON appledata (purgeAfter) WHERE purgeAfter IS NOT NULL;
    CREATE UNIQUE INDEX idx_appledata_key ON appledata (sourceSDK, dataType, startDate);
    CREATE TABLE AppleDataFailure (
      id TEXT PRIMARY KEY REFERENCES appledata (id) ON DELETE CASCADE, reason TEXT NOT NULL
    ) STRICT;
    CREATE TABLE measures (
      id TEXT PRIMARY KEY, unit TEXT NOT NULL, measureType TEXT NOT NULL, title TEXT NOT NULL,
      detailedDescription TEXT NOT NULL, logTime TEXT NOT NULL
    ) STRICT;
    CREATE TABLE actions (
      id TEXT PRIMARY KEY, title TEXT NOT NULL UNIQUE, detailedDescription TEXT NOT NULL, logTime TEXT NOT NULL
    ) STRICT;
    CREATE TABLE measuredActions (
      actionId TEXT NOT NULL REFERENCES actions (id), measureId TEXT NOT NULL REFERENCES measures (id),
      value REAL NOT NULL, createdAt TEXT NOT NULL, PRIMARY KEY (actionId, measureId)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX measuredActionsOfMeasure ON measuredActions (measureId);
    CREATE TABLE IngestionState (key TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;

    """

  /// The upsert's key.
  private static let key = "sourceSDK = ?1 AND dataType = ?2 AND startDate = ?3"

  private lazy var stage = Statement(
    database,
    """
    INSERT INTO appledata VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 0, NULL, ?8, ?9)
    ON CONFLICT (sourceSDK, dataType, startDate) DO UPDATE SET rawJSON = excluded.rawJSON,
      fetchedAt = excluded.fetchedAt, purgeAfter = excluded.purgeAfter, parsed = 0, parsedAt = NULL
    """)
  private lazy var refresh = Statement(
    database, "UPDATE appledata SET fetchedAt = ?4, purgeAfter = ?5 WHERE \(IngestionTables.key)")
  private lazy var markParsed = Statement(
    database, "UPDATE appledata SET parsed = 1, parsedAt = ?4 WHERE \(IngestionTables.key)")
  private lazy var purge = Statement(database, "DELETE FROM appledata WHERE \(IngestionTables.key)")
  private lazy var addFailure = Statement(
    database, "INSERT OR REPLACE INTO AppleDataFailure SELECT id, ?4 FROM appledata WHERE \(IngestionTables.key)")
  private lazy var dropFailure = Statement(
    database, "DELETE FROM AppleDataFailure WHERE id IN (SELECT id FROM appledata WHERE \(IngestionTables.key))")
  private lazy var dropFailures = Statement(database, "DELETE FROM AppleDataFailure")
  private lazy var addMeasure = Statement(database, "INSERT OR IGNORE INTO measures VALUES (?1, ?2, ?3, ?4, ?5, ?6)")
  private lazy var addAction = Statement(
    database, "INSERT INTO actions VALUES (?1, ?2, ?3, ?4) ON CONFLICT (title) DO NOTHING")
  private lazy var dropValue = Statement(database, "DELETE FROM measuredActions WHERE measureId = ?1 AND actionId = ?2")
  private lazy var addValue = Statement(
    database,
    """
    INSERT INTO measuredActions VALUES (?4, ?1, ?2, ?3)
    ON CONFLICT (actionId, measureId) DO UPDATE SET value = excluded.value, createdAt = excluded.createdAt
    """)
  private lazy var setState = Statement(database, "INSERT OR REPLACE INTO IngestionState VALUES (?1, ?2)")
  private lazy var raiseState = Statement(
    database,
    "INSERT INTO IngestionState VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = max(value, excluded.value)")
  private lazy var retain = Statement(
    database,
    """
    UPDATE appledata SET purgeAfter = strftime('%Y-%m-%dT%H:%M:%SZ', fetchedAt, ?3 || ' seconds')
    WHERE sourceSDK = ?1 AND dataType = ?2
    """)
  private lazy var readRows = Statement(
    database, "SELECT appledata.*, reason FROM appledata LEFT JOIN AppleDataFailure USING (id) ORDER BY appledata.rowid"
  )
  private lazy var readActions = Statement(database, "SELECT id, title, logTime FROM actions ORDER BY rowid")
  private lazy var readValues = Statement(
    database, "SELECT title, measureId, value FROM measuredActions JOIN actions ON actions.id = actionId ORDER BY title"
  )
  private lazy var readState = Statement(database, "SELECT key, value FROM IngestionState ORDER BY key")

  // MARK: Writing

  /// - Parameter memory: What is known of the stored rows; updated.
  func apply(_ change: IngestionChange, _ memory: inout StagingMemory) throws(StoreError) {
    switch change {
    case .staged(let row):
      try write(row, &memory)
      memory.set(offset: Int32(clamping: row.offset), of: row.key)
    case .refreshed(let key, let fetchedAt, let purgeAfter):
      guard bindKey(key, to: refresh, memory) else { return }
      refresh.bind(Self.text(fetchedAt), purgeAfter.map(Self.text), from: 4)
      try refresh.run()
    case .parsed(let key, let at, let action, let values):
      guard bindKey(key, to: markParsed, memory), let offset = memory.offset(of: key) else { return }
      let atText = Self.text(at)
      markParsed.bind(atText, at: 4)
      try markParsed.run()
      try removeFailure(of: key, &memory)
      let day = key.day(offset: Int64(offset))
      let begin = Self.text(day.beginSeconds(offset: Int64(offset)))
      try write(values, of: key.type, day, action: (action.text, begin), at: atText, &memory)
    case .failed(let key, let reason):
      guard bindKey(key, to: addFailure, memory) else { return }
      addFailure.bind(reason, at: 4)
      try addFailure.run()
      memory.addFailure(of: key)
    case .purged(let key):
      try removeFailure(of: key, &memory)
      if bindKey(key, to: purge, memory) { try purge.run() }
      memory.remove(key)
    case .updated(let parser):
      try setState.run("parserVersion", Int64(parser))
      try dropFailures.run()
      memory.removeFailures()
    case .synced(let time): try setState.run("syncedAt", time.nanoseconds)
    case .switched(let type, let isOn): try setState.run("off.\(type.rawValue)", isOn ? 0 : 1)
    case .access(let type, let status): try setState.run("access.\(type.rawValue)", status.rawValue)
    case .asked(let type): try setState.run("asked.\(type.rawValue)", 1)
    case .retained(let type, let seconds):
      try setState.run("retention.\(type.rawValue)", seconds)
      try retain.run(type.source, type.rawValue, String(seconds))
    }
  }

  /// Binds the upsert's key of a row; false if no row was ever stored.
  private func bindKey(_ key: AppleDataKey, to statement: Statement, _ memory: StagingMemory) -> Bool {
    guard let offset = memory.offset(of: key) else { return false }
    statement.bind(
      key.type.source, key.type.rawValue, Self.dateText(key.day(offset: Int64(offset)), key.type, Int64(offset)))
    return true
  }

  private func removeFailure(of key: AppleDataKey, _ memory: inout StagingMemory) throws(StoreError) {
    guard memory.removeFailure(of: key), bindKey(key, to: dropFailure, memory) else { return }
    try dropFailure.run()
  }

  private func write(_ row: AppleDataRow, _ memory: inout StagingMemory) throws(StoreError) {
    // By the offset of the stored row, which may be another one.
    try removeFailure(of: row.key, &memory)
    try stage.run(
      row.id.text, row.type.source, row.type.rawValue, Self.text(row.fetchedAt),
      Self.dateText(row.day, row.type, row.offset),
      Self.dateText(LocalDay(row.day.number + 1), row.type, row.endOffset), row.rawJSON ?? "",
      row.purgeAfter.map(Self.text), Self.text(row.logTime))
    if memory.lowerFirstDay(of: row.type, to: row.day.number) {
      try setState.run("firstDay.\(row.type.rawValue)", row.day.number)
    }
    guard memory.raiseLastDay(of: row.type, to: row.day.number) else { return }
    try raiseState.run("lastDay.\(row.type.rawValue)", row.day.number)
  }

  private func write(
    _ values: [MeasuredValue], of type: AppleDataType, _ day: LocalDay, action: (id: String, logTime: String),
    at: String,
    _ memory: inout StagingMemory
  ) throws(StoreError) {
    if memory.setLastAction(day) {
      try addAction.run(
        action.id, DayAction.title(day), "Automatically tracked from Apple Health", action.logTime)
    }
    for measure in type.measures where !values.contains(where: { $0.measure == measure }) {
      try dropValue.run(measure.id.text, action.id)
    }
    if memory.addCatalogue() {
      for measure in AppleMeasure.allCases {
        let texts = measure.row
        try addMeasure.run(measure.id.text, texts.unit, texts.type, texts.title, texts.about, at)
      }
    }
    for value in values { try addValue.run(value.measure.id.text, value.value, at, action.id) }
  }

  // MARK: Dates

  private static func text(_ seconds: Int64) -> String { LocalDay.dateText(seconds.saturatingNanoseconds) }

  /// When a day's period begins, with the local offset: `2026-04-12T00:00:00+02:00`.
  private static func dateText(_ day: LocalDay, _ type: AppleDataType, _ offset: Int64) -> String {
    // A zone is written in whole minutes; the seconds of an offset go to the time.
    let minutes = offset / 60 + (offset % 60 > 0 ? 1 : 0)
    let seconds = minutes * 60 - offset
    let hour = type.periodStart == .zero ? "00" : "12"
    func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
    let zone = "\(offset < 0 ? "-" : "+")\(two(abs(minutes) / 60)):\(two(abs(minutes) % 60))"
    return "\(day.text)T\(hour):00:\(two(seconds))\(zone)"
  }

  private static func seconds(_ text: String) throws(StoreError) -> Int64 {
    guard let date = TraceHeader.unixStart(text) else {
      throw StoreError(.corrupt, "a date of the ingestion in the store is \"\(text)\"")
    }
    return date / 1_000_000_000
  }

  // MARK: Reading

  func load() throws(StoreError) -> IngestionRecord {
    var record = IngestionRecord()
    try readRows.forEachRow { (row) throws(StoreError) in
      let row = try Self.row(row)
      record.rows[row.key] = row
    }
    var days: [String: LocalDay] = [:]
    try readActions.forEachRow { (row) throws(StoreError) in
      let title = row.text(1)
      guard let id = Identifier(text: row.text(0)),
        let midnight = TraceHeader.unixStart(String(title.suffix(10)) + "T00:00:00Z"),
        let logTime = TraceHeader.unixStart(row.text(2))
      else { throw StoreError(.corrupt, "an action of the store has no identifier or day") }
      let day = LocalDay(clock: midnight, offset: 0)
      days[title] = day
      record.actions[day] = DayAction(id: id, logTime: logTime / 1_000_000_000)
    }
    try readValues.forEachRow { (row) throws(StoreError) in
      guard let day = days[row.text(0)], let measure = AppleMeasure.byId[row.text(1)] else {
        throw StoreError(.corrupt, "a measured action of the store has no action or measure")
      }
      record.actions[day]?.values[measure] = try row.double(2, in: -1e12...1e12)
    }
    try loadState(into: &record)
    return record
  }

  private static func row(_ row: Statement) throws(StoreError) -> AppleDataRow {
    guard let id = Identifier(text: row.text(0)), let type = AppleDataType(rawValue: row.text(2)) else {
      throw StoreError(.corrupt, "a row of appledata has no identifier or type")
    }
    let start = row.text(4)
    let date = start.prefix(10) + (type.periodStart == .zero ? "T00:00:00Z" : "T12:00:00Z")
    guard let midnight = TraceHeader.unixStart(String(date)) else {
      throw StoreError(.corrupt, "a row of appledata begins at \"\(start)\"")
    }
    let json = row.text(6)
    let bytes = Array(json.utf8)
    let isParsed = row.int64(7) != 0
    let local = midnight / 1_000_000_000
    return AppleDataRow(
      id: id, day: LocalDay(clock: midnight, offset: 0), offset: local - (try seconds(start)),
      endOffset: local + 86_400 - (try seconds(row.text(5))), fetchedAt: try seconds(row.text(3)),
      rawJSON: isParsed ? nil : json, digest: Digest.prefix(bytes),
      byteCount: bytes.count, logTime: try seconds(row.text(10)),
      purgeAfter: row.isNull(9) ? nil : try seconds(row.text(9)), type: type,
      parsedAt: isParsed ? try seconds(row.text(8)) : nil, failure: row.optionalText(11))
  }

  private func loadState(into record: inout IngestionRecord) throws(StoreError) {
    try readState.forEachRow { (row) throws(StoreError) in
      let value = row.int64(1)
      let parts = row.text(0).split(separator: ".", maxSplits: 1)
      let type = parts.count > 1 ? AppleDataType(rawValue: String(parts[1])) : nil
      switch (parts.first, type) {
      case ("parserVersion", nil): record.parserVersion = Int(clamping: value)
      case ("syncedAt", nil): record.syncedAt = VirtualTime(nanoseconds: value)
      case ("lastDay", let type?): record.lastDays[type] = LocalDay(value)
      case ("firstDay", let type?): record.firstDays[type] = LocalDay(value)
      case ("off", let type?): if value != 0 { record.off.insert(type) }
      case ("access", let type?):
        guard let status = AppleAccess(rawValue: value) else {
          throw StoreError(.corrupt, "a state of the ingestion in the store says \(value) of \(type.rawValue)")
        }
        if status != .granted { record.access[type] = status }
      case ("asked", let type?): record.asked.insert(type)
      case ("retention", let type?): record.retention[type] = value
      default: throw StoreError(.corrupt, "a state of the ingestion in the store has an unknown name")
      }
    }
  }
}
