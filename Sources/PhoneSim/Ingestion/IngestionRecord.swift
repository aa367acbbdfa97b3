package import CoachProtocol
package import Link

/// Identifies a row of the staging table: the upsert's key.
package struct AppleDataKey: Sendable, Hashable, Comparable {
  package var type: AppleDataType
  /// The period's start, in seconds since 1970.
  package var start: Int64

  /// The local day of a row.
  ///
  /// - Parameter offset: What local time added to UTC, in seconds.
  func day(offset: Int64) -> LocalDay {
    LocalDay(CalendarDay.floorDivided(start &+ offset &- Int64(type.periodStart.seconds), 86_400))
  }

  package static func < (lhs: Self, rhs: Self) -> Bool {
    (lhs.start, lhs.type.index) < (rhs.start, rhs.type.index)
  }
}

/// A row of the staging table `appledata`; times in seconds since 1970 by the phone's clock.
package struct AppleDataRow: Sendable, Equatable {
  package var id: Identifier
  package var day: LocalDay
  /// What local time adds to UTC when the period begins, in seconds.
  package var offset: Int64
  /// The same when it ends.
  package var endOffset: Int64
  package var fetchedAt: Int64
  /// Nil once it is parsed: only unparsed rows are held in memory.
  package var rawJSON: String?
  /// Of the JSON.
  package var digest: UInt64
  package var byteCount: Int
  package var logTime: Int64
  package var purgeAfter: Int64?
  package var type: AppleDataType
  /// Nil unless it is parsed.
  package var parsedAt: Int64?
  /// Why it did not parse; nil if it was not tried, or is parsed.
  package var failure: String?

  package var start: Int64 { day.number &* 86_400 &- offset &+ Int64(type.periodStart.seconds) }
  package var key: AppleDataKey { AppleDataKey(type: type, start: start) }
  /// When its period ends.
  private var end: Int64 { (day.number + 1) &* 86_400 &- endOffset &+ Int64(type.periodStart.seconds) }

  /// Whether it was fetched before its period was over, or by a clock that was ahead of this one.
  func isUnfinished(at seconds: Int64) -> Bool { fetchedAt < end || fetchedAt > seconds }
}

extension LocalDay {
  /// Its midnight in seconds since 1970, where local time is `offset` seconds ahead of UTC.
  func beginSeconds(offset: Int64) -> Int64 { number &* 86_400 &- offset }
}

/// A day's action with its measured values.
package struct DayAction: Sendable, Equatable {
  package var id: Identifier
  /// When the day begins, in seconds since 1970: what is measured belongs to the day, whenever it was parsed.
  package var logTime: Int64
  package var values = MeasuredValues()

  /// The column `title`.
  package static func title(_ day: LocalDay) -> String { "Daily Apple Health Summary - \(day.text)" }
}

/// A measure's value.
package struct MeasuredValue: Sendable, Equatable {
  package var measure: AppleMeasure
  package var value: Double
}

/// Whether the app may read a type of data; the raw value is stored.
package enum AppleAccess: Int64, Sendable, CaseIterable {
  /// It may, or never asked.
  case granted
  /// The user said no when the app first asked.
  case denied
  /// The user took the permission away.
  case revoked
  /// The store does not answer.
  case unavailable

  /// The word of the trace.
  package var text: String { "\(self)" }

  /// What the app shows; nil if all is well.
  package func message(_ type: AppleDataType) -> String? {
    let store = type.source == "HealthKit" ? "Apple Health" : "The calendar"
    return switch self {
    case .granted: nil
    case .denied, .revoked: "\(store) does not share \(type.rawValue): its sync is off until it does"
    case .unavailable: "\(store) is not available: \(type.rawValue) is not synced until it is"
    }
  }
}

/// A durable change of the ingestion.
package enum IngestionChange: Sendable, Equatable {
  /// A row is new, or its JSON changed.
  case staged(AppleDataRow)
  /// A row was fetched again, and its JSON is the same.
  case refreshed(AppleDataKey, fetchedAt: Int64, purgeAfter: Int64?)
  /// A row was parsed: these measures replace those of its type in the day's action.
  case parsed(AppleDataKey, at: Int64, action: Identifier, values: [MeasuredValue])
  case failed(AppleDataKey, reason: String)
  case purged(AppleDataKey)
  /// The app was updated: rows that failed are parsed again.
  case updated(parser: Int)
  /// A synchronisation ended.
  case synced(VirtualTime)
  case switched(AppleDataType, isOn: Bool)
  /// A type can no longer be read, or can again.
  case access(AppleDataType, AppleAccess)
  /// The user was asked whether the app may read a type.
  case asked(AppleDataType)
  /// The user chose how long rows of a type are kept, in seconds.
  case retained(AppleDataType, seconds: Int64)
}

/// What the phone stores of the ingestion.
package struct IngestionRecord: Sendable, Equatable {
  package var rows = AppleDataRows()
  package var actions: [LocalDay: DayAction] = [:]
  package var parserVersion = 1
  package var syncedAt: VirtualTime?
  /// The newest day that was staged, by type.
  package var lastDays: [AppleDataType: LocalDay] = [:]
  /// The oldest day that was staged, by type; none in a store of an earlier release.
  package var firstDays: [AppleDataType: LocalDay] = [:]
  package var off: Set<AppleDataType> = []
  /// Of types that cannot be read, why.
  package var access: [AppleDataType: AppleAccess] = [:]
  /// The types for whose permission the user was asked.
  package var asked: Set<AppleDataType> = []
  /// The user's choices, in seconds.
  package var retention: [AppleDataType: Int64] = [:]

  package mutating func apply(_ change: IngestionChange) {
    switch change {
    case .staged(var row):
      // What is fetched again keeps its identifier, and when it was first stored.
      if let old = rows[row.key] { (row.id, row.logTime) = (old.id, old.logTime) }
      rows[row.key] = row
      let isFirst = lastDays[row.type] == nil
      if isFirst || (firstDays[row.type].map { row.day < $0 } ?? false) { firstDays[row.type] = row.day }
      lastDays[row.type] = max(lastDays[row.type] ?? row.day, row.day)
    case .refreshed(let key, let fetchedAt, let purgeAfter):
      rows[key]?.fetchedAt = fetchedAt
      rows[key]?.purgeAfter = purgeAfter
    case .parsed(let key, let at, let action, let values):
      guard var row = rows[key] else { return }
      (row.parsedAt, row.rawJSON, row.failure) = (at, nil, nil)
      rows[key] = row
      var day = actions[row.day] ?? DayAction(id: action, logTime: row.day.beginSeconds(offset: row.offset))
      for measure in key.type.measures { day.values[measure] = nil }
      for value in values { day.values[value.measure] = value.value }
      actions[row.day] = day
    case .failed(let key, let reason): rows[key]?.failure = reason
    case .purged(let key): rows[key] = nil
    case .updated(let parser):
      parserVersion = parser
      rows.change { $0.failure = nil }
    case .synced(let time): syncedAt = time
    case .switched(let type, let isOn): if isOn { off.remove(type) } else { off.insert(type) }
    case .access(let type, let status): access[type] = status == .granted ? nil : status
    case .asked(let type): asked.insert(type)
    case .retained(let type, let seconds):
      retention[type] = seconds
      rows.change { row in
        if row.type == type { row.purgeAfter = row.fetchedAt &+ seconds }
      }
    }
  }

  /// What the settings warn of.
  package var alerts: [String] {
    let failed = rows.values.count { $0.failure != nil }
    let unreadable = failed == 0 ? [] : ["\(failed) \(failed == 1 ? "record" : "records") could not be read"]
    return AppleDataType.allCases.compactMap { type in access[type]?.message(type) } + unreadable
  }

  /// The keys of rows to parse, in their order.
  var unparsed: [AppleDataKey] {
    rows.values.lazy.filter { $0.parsedAt == nil && $0.failure == nil }.map(\.key).sorted()
  }
}

/// The measured values of a day.
///
/// A sorted array: a dictionary of a few measures takes twice the memory, and there is one for each of thousands of days.
package struct MeasuredValues: Sendable, Equatable {
  /// Sorted by the measure's name.
  private var values: [MeasuredValue] = []

  package var count: Int { values.count }

  /// Nil for no value; setting nil removes it.
  package subscript(measure: AppleMeasure) -> Double? {
    get { values.first { $0.measure == measure }?.value }
    set {
      let index = values.firstIndex { $0.measure.rawValue >= measure.rawValue } ?? values.count
      let isKnown = index < values.count && values[index].measure == measure
      switch (newValue, isKnown) {
      case (let value?, true): values[index].value = value
      case (let value?, false): values.insert(MeasuredValue(measure: measure, value: value), at: index)
      case (nil, true): values.remove(at: index)
      case (nil, false): break
      }
    }
  }
}

/// Days that a synchronisation fetches besides those since the newest staged one.
extension IngestionRecord {
  /// The number of the oldest day that every type should have: that of the type that has most, or that of a first sync today.
  ///
  /// - Parameter dayCount: How many days before today a first sync fetches.
  func historyStart(at today: LocalDay, dayCount: Int) -> Int64 {
    let known = firstDays.values.map(\.number).min() ?? today.number
    return max(min(known, today.number - Int64(dayCount)), today.number - Int64(IngestionSetup.daysMax))
  }

  /// The numbers of days before `first` that were fetched while they lasted, so that more has happened since; in order.
  ///
  /// The night of a day lasts until noon of the next one: a sync before then stores half of it.
  ///
  /// - Parameter seconds: The device's time.
  func unfinishedDays(_ type: AppleDataType, before first: Int64, today: LocalDay, at seconds: Int64) -> [Int64] {
    let oldest = today.number - Int64(IngestionSetup.daysMax)
    var days = rows.values.filter { row in
      row.type == type && (oldest..<first).contains(row.day.number) && row.isUnfinished(at: seconds)
    }.map(\.day.number)
    // When a night was fetched whose row is purged is unknown.
    if type == .sleep, let last = lastDays[type], first > oldest, last.number >= first,
      rows.row(type, of: LocalDay(first - 1)) == nil
    {
      days.append(first - 1)
    }
    return days.sorted()
  }
}
