import CoachProtocol
import Link

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
