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
      for type in AppleDataType.allCases { plan(type, from: today - 6, to: today) }
    case .purgeNow: purge(isAsked: true, moment, into: &orders)
    case .setIngestion(let type, let isOn):
      commit(.switched(type, isOn: isOn), into: &orders)
      if !isOn {
        queries.removeAll { $0.type == type }
        waiting.removeAll { $0.query.type == type }
      }
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
