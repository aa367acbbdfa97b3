import CoachProtocol

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
