import CoachProtocol
import Link

/// What the user does about the ingestion.
extension Ingestion {
  /// Carries out an order of the user, or returns why not.
  mutating func carryOut(_ command: IngestionCommand, _ moment: Moment, into orders: inout Orders) -> String? {
    if isDiskFull { return SessionError.insufficientSpace.rawValue }
    switch command {
    case .syncNow where !isHealthKnown: schedule?.advance(to: moment.now)
    case .syncNow:
      schedule?.postpone(.both, at: moment.now)
      sync(.both, moment)
    case .refetchWeek:
      isSyncing = true
      let today = moment.today.number
      // With what is missing since the newest stored day, so that no day is left out between the two.
      for type in AppleDataType.allCases {
        let first = record.lastDays[type] == nil ? today : firstDay(of: type, moment.today)
        plan(type, from: min(first, today - 6), to: today)
      }
    case .purgeNow: purge(isAsked: true, moment, into: &orders)
    case .setIngestion(let type, let isOn):
      commit(.switched(type, isOn: isOn), into: &orders)
      if !isOn { forget(type) }
      var event = IngestionSwitched()
      (event.type, event.on) = (type.rawValue, isOn)
      orders.events.append(event)
    case .setRetention(let types, let span):
      for type in types { commit(.retained(type, seconds: Int64(span.seconds)), into: &orders) }
    case .updateParser: update(moment, into: &orders)
    }
    sendNext(moment, into: &orders)
    return nil
  }

  private mutating func update(_ moment: Moment, into orders: inout Orders) {
    commit(.updated(parser: AppleDataParser.versionMax), into: &orders)
    queue = record.unparsed
    queueHead = 0
    if !queue.isEmpty { parseAt = parseAt ?? moment.now + Self.batchDelay }
    var event = IngestionUpdated()
    (event.parser, event.unparsed) = (Int64(record.parserVersion), Int64(queue.count))
    orders.events.append(event)
  }
}

/// The purge of the staging table.
extension Ingestion {
  /// Deletes rows that are due, or all if the user asked for it; never one that is not parsed.
  mutating func purge(isAsked: Bool, _ moment: Moment, into orders: inout Orders) {
    // One that goes on is not restarted, unless the user wants more than what is due.
    guard !isDiskFull, purging.keys.isEmpty || (isAsked && !purging.isAsked) else { return }
    let count = record.rows.values.count { isPurged($0, isAsked: isAsked, moment) }
    var due: [AppleDataKey] = []
    due.reserveCapacity(count)
    for row in record.rows.values where isPurged(row, isAsked: isAsked, moment) { due.append(row.key) }
    due.sort()
    purging = (due[...], isAsked)
    purgeBatch(moment, into: &orders)
  }

  private func isPurged(_ row: AppleDataRow, isAsked: Bool, _ moment: Moment) -> Bool {
    guard isAsked || (row.purgeAfter.map { $0 < moment.seconds } ?? false) else { return false }
    return row.parsedAt != nil || plants.contains(.purgedUnparsed)
  }

  /// Purges the next rows in order, in one transaction of bounded size.
  mutating func purgeBatch(_ moment: Moment, into orders: inout Orders) {
    let isAsked = purging.isAsked
    let keys = purging.keys.prefix(Self.purgeCount)
    purging.keys = purging.keys.dropFirst(Self.purgeCount)
    purgeMoreAt = purging.keys.isEmpty ? nil : moment.now + Self.batchDelay
    for key in keys {
      // It may have been fetched again since.
      guard let row = record.rows[key], isPurged(row, isAsked: isAsked, moment) else { continue }
      commit(.purged(row.key), into: &orders)
      var event = IngestionPurged()
      (event.type, event.day, event.id) = (row.type.rawValue, row.day.text, row.id)
      event.why = isAsked ? "asked" : "due"
      orders.events.append(event)
    }
  }
}
