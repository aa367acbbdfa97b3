import CoachProtocol
import Link

/// Fetches Apple data into the staging table, parses it into measures, and purges what is parsed.
///
/// Queries follow one another, each sent when the one before is answered. Parsing has a timer of its own, and takes 100
/// rows at a time, so that it never delays a query.
struct Ingestion: Sendable {
  /// Rows that are parsed at one time.
  static let batchCount = 100
  static let batchDelay = VirtualTime.Span.seconds(1)
  /// Rows that are purged in one transaction.
  static let purgeCount = 1_000
  private static let purgeEvery = VirtualTime.Span.hours(1)
  /// After an answer, the second one that a store sends by mistake.
  private static let repeatDelay = VirtualTime.Span.milliseconds(300)

  private(set) var record: IngestionRecord
  private let setup: IngestionSetup
  private let stores: AppleStores
  private let random: RandomStream
  let plants: Plants
  /// Nil where local time never changes.
  private let zone: LocalOffsets?
  /// Queries to send, in order.
  var queries: ArraySlice<Query> = []
  private var pending: (query: Query, answerAt: VirtualTime)?
  /// Answers that arrive a second time.
  private var repeated: [(query: Query, at: VirtualTime)] = []
  /// Queries that wait for their retry.
  var waiting: [(query: Query, at: VirtualTime)] = []
  /// Rows to parse, in the order in which they were staged; `queueHead` counts those already taken.
  var queue: [AppleDataKey]
  var queueHead = 0
  var parseAt: VirtualTime?
  /// Nil for an import, which is synchronised when it is asked for.
  var schedule: SyncSchedule?
  private var purgeAt: VirtualTime
  /// Rows to purge after the first ``purgeCount``, and whether the user asked for it; not stored, so that an app that is
  /// killed meanwhile purges them when they are due or asked for again.
  var purging: (keys: ArraySlice<AppleDataKey>, isAsked: Bool) = ([], false)
  var purgeMoreAt: VirtualTime?
  var isSyncing = false
  private var countedWorkouts: [AppleDataType: CountedWorkouts] = [:]
  /// What a workout changes.
  private static let workoutTypes: [AppleDataType] = [.calories, .exercise]
  var isDiskFull = false
  /// Whether the phone's health store says what it has; nothing is synchronised before.
  var isHealthKnown = true

  /// - Parameters:
  ///   - now: The app's start.
  ///   - begin: The run's start, in nanoseconds since 1970.
  init(
    seed: UInt64, setup: IngestionSetup, restoring record: IngestionRecord, plants: Plants, startedAt now: VirtualTime,
    runStartedAt begin: Int64 = 0, zone: LocalOffsets? = nil, recorded: RecordedAppleData? = nil
  ) {
    self.record = record
    self.setup = setup
    self.plants = plants
    self.zone = zone
    stores = AppleStores(setup: setup, recorded: recorded)
    random = RandomStream(seed: seed, name: "phone.ingestion")
    queue = record.unparsed
    if recorded == nil {
      schedule = SyncSchedule(every: setup.every, zone: zone, startedAt: begin, last: record.syncedAt, at: now)
    }
    purgeAt = now + Self.purgeEvery
    if !queue.isEmpty { parseAt = now + Self.batchDelay }
  }

  /// Whether everything that was requested is fetched and parsed.
  var isIdle: Bool {
    pending == nil && queries.isEmpty && repeated.isEmpty && waiting.isEmpty && queue.isEmpty && !isSyncing
      && purgeMoreAt == nil
  }

  var nextDeadline: VirtualTime? {
    var next = purgeAt
    if let schedule, isHealthKnown { next = min(next, schedule.nextAt) }
    if let pending { next = min(next, pending.answerAt) }
    for repetition in repeated { next = min(next, repetition.at) }
    if !isDiskFull {
      if let parseAt { next = min(next, parseAt) }
      if let purgeMoreAt { next = min(next, purgeMoreAt) }
      for wait in waiting { next = min(next, wait.at) }
    }
    return next
  }

  mutating func commit(_ change: IngestionChange, into orders: inout Orders) {
    record.apply(change)
    orders.changes.append(change)
  }

  // MARK: Timers

  mutating func fire(_ moment: Moment, into orders: inout Orders) {
    let now = moment.now
    if let (query, answerAt) = pending, answerAt <= now {
      pending = nil
      if stores.repeats(query.type, at: now) { repeated.append((query, now + Self.repeatDelay)) }
      receiveAnswer(query, moment, into: &orders)
    }
    while let index = repeated.firstIndex(where: { $0.at <= now }) {
      let query = repeated.remove(at: index).query
      // Nothing waits for it, so a refusal is dropped.
      if case .samples(let json) = answer(query, moment), !isDiskFull { stage(json, of: query, moment, into: &orders) }
    }
    if !isDiskFull {
      while let index = waiting.firstIndex(where: { $0.at <= now }) { queries.append(waiting.remove(at: index).query) }
    }
    if let at = parseAt, at <= now, !isDiskFull { parseBatch(moment, into: &orders) }
    if isHealthKnown, let due = schedule?.takeDue(at: now), !due.isEmpty { sync(due, moment) }
    if let at = purgeMoreAt, at <= now, !isDiskFull { purgeBatch(moment, into: &orders) }
    if purgeAt <= now {
      purgeAt = now + Self.purgeEvery
      purge(isAsked: false, moment, into: &orders)
    }
    sendNext(moment, into: &orders)
  }

  // MARK: Fetching

  /// Plans the queries of a synchronisation: all days since the newest staged one, at least yesterday and today, those
  /// that were not over when they were fetched, and what is missing of the history.
  mutating func sync(_ asked: SyncSchedule.Stores, _ moment: Moment) {
    isSyncing = true
    if let recorded = stores.recorded {
      let off = record.off
      let days = recorded.days + recorded.emptiedDays(of: record)
      queries = Array(days.lazy.filter { !off.contains($0.type) }.map { Query(day: $0.day, type: $0.type) })[...]
      return
    }
    let today = moment.today
    for type in AppleDataType.allCases where asked.contains(type) {
      let from = firstDay(of: type, today)
      // A first sync may have been refused for a type, or made under a clock that was ahead.
      if let oldest = record.firstDays[type], !plants.contains(.deniedHistory) {
        plan(type, from: record.historyStart(at: today, dayCount: setup.historyDays), to: oldest.number - 1)
      }
      // Planted: a night that was fetched once is not looked at again.
      let unfinished =
        plants.contains(.nightCut) ? [] : record.unfinishedDays(type, before: from, today: today, at: moment.seconds)
      for number in unfinished { plan(type, from: number, to: number) }
      // A workout that the watch brings days later changes the day on which it began.
      for number in lateDays(of: type, moment) where number < from { plan(type, from: number, to: number) }
      plan(type, from: from, to: today.number)
    }
  }

  /// The number of the first day that a synchronisation fetches of a type.
  ///
  /// A type that was refused until now has the history that the others have.
  func firstDay(of type: AppleDataType, _ today: LocalDay) -> Int64 {
    if let last = record.lastDays[type] {
      return max(min(last.number, today.number - 1), today.number - Int64(IngestionSetup.daysMax))
    }
    // Planted: only the first sync looks back.
    if plants.contains(.deniedHistory), record.syncedAt != nil { return today.number - (setup.historyDays > 0 ? 1 : 0) }
    return record.historyStart(at: today, dayCount: setup.historyDays)
  }

  /// The days of workouts that came since a type was last fetched, from its first stored one on, oldest first.
  private mutating func lateDays(of type: AppleDataType, _ moment: Moment) -> [Int64] {
    // Planted: a day is not fetched again for a workout that comes late.
    guard Self.workoutTypes.contains(type), !plants.contains(.lateWorkoutsLeft) else { return [] }
    let canRead = !record.off.contains(type) && moment.health?.isRefused(type, at: moment.now) != true
    let days = countedWorkouts[type, default: CountedWorkouts()].countNew(in: moment.health, canRead: canRead)
    // The row of a day may be purged long before the workout comes.
    guard let first = record.firstDays[type] else { return [] }
    return days.filter { $0 >= first }.map(\.number).sorted()
  }

  mutating func plan(_ type: AppleDataType, from first: Int64, to last: Int64) {
    guard !record.off.contains(type), first <= last else { return }
    for number in first...last {
      let day = LocalDay(number)
      guard !queries.contains(where: { $0.type == type && $0.day == day }), zone?.isSkipped(day, type) != true else {
        continue
      }
      // A query that waits for its retry waits no longer.
      let waits = waiting.firstIndex { $0.query.type == type && $0.query.day == day }
      queries.append(waits.map { waiting.remove(at: $0).query } ?? Query(day: day, type: type))
    }
  }

  mutating func sendNext(_ moment: Moment, into orders: inout Orders) {
    guard pending == nil else { return }
    // Planted: what was fetched is parsed before the next query.
    if plants.contains(.parseBlocksFetch), queueHead < queue.count { return }
    guard !queries.isEmpty else {
      // A slice keeps the memory of the queries that were sent.
      queries = []
      guard isSyncing, waiting.isEmpty, !isDiskFull else { return }
      isSyncing = false
      commit(.synced(moment.now), into: &orders)
      return purge(isAsked: false, moment, into: &orders)
    }
    guard let query = queries.popFirst() else { return }
    askPermission(query.type, moment, into: &orders)
    pending = (query, stores.answerTime(query.type, at: moment.now))
    var event = IngestionRequested()
    (event.type, event.day) = (query.type.rawValue, query.day.text)
    orders.events.append(event)
  }

  /// Asks the user once whether the app may read a type, and what the system asks for with it.
  private mutating func askPermission(_ type: AppleDataType, _ moment: Moment, into orders: inout Orders) {
    guard !record.asked.contains(type) else { return }
    let types = type.askedTogether
    var event = IngestionAsked()
    event.store = type.source
    event.types = types.map(\.rawValue).joined(separator: ",")
    event.granted = types.filter { stores.isGranted($0, at: moment.now) }.map(\.rawValue).joined(separator: ",")
    orders.events.append(event)
    guard !isDiskFull else { return }
    for type in types { commit(.asked(type), into: &orders) }
  }

  private func answer(_ query: Query, _ moment: Moment) -> AppleStores.Answer {
    stores.answer(query.type, day: query.day, health: moment.health, today: moment.truth, at: moment.now)
  }

  private mutating func receiveAnswer(_ query: Query, _ moment: Moment, into orders: inout Orders) {
    switch answer(query, moment) {
    case .denied:
      forget(query.type)
      let isKnown = record.lastDays[query.type] != nil || record.access[query.type] == .revoked
      note(isKnown ? .revoked : .denied, query.type, into: &orders)
      refuse(query, "denied", into: &orders)
    case .unavailable:
      retry(query, moment)
      note(.unavailable, query.type, into: &orders)
      refuse(query, "unavailable", into: &orders)
    case .samples where isDiskFull:
      retry(query, moment)
      refuse(query, "diskFull", into: &orders)
    case .samples(let json):
      note(.granted, query.type, into: &orders)
      stage(json, of: query, moment, into: &orders)
    }
  }

  /// Stores whether a type can be read, if that has changed.
  private mutating func note(_ access: AppleAccess, _ type: AppleDataType, into orders: inout Orders) {
    guard !isDiskFull, record.access[type] ?? .granted != access else { return }
    commit(.access(type, access), into: &orders)
    var event = IngestionAccess()
    (event.type, event.status, event.message) = (type.rawValue, access.text, access.message(type))
    orders.events.append(event)
  }

  /// Gives up all queries for a type; the next synchronisation plans what they would have brought.
  mutating func forget(_ type: AppleDataType) {
    queries.removeAll { $0.type == type }
    waiting.removeAll { $0.query.type == type }
  }

  private mutating func retry(_ query: Query, _ moment: Moment) {
    // The user may have switched the type off while the store was asked.
    guard !record.off.contains(query.type) else { return }
    let id = Identifier(
      random.appending(".row"),
      for: RandomStream.key(UInt64(bitPattern: query.day.number), UInt64(query.type.index)))
    let at = moment.now + RetryDelay.after(Int(query.attempt), of: id, random)
    waiting.append((Query(day: query.day, attempt: query.attempt + 1, type: query.type), at))
    // The type's other days wait behind it: a newer one that is stored would hide this one after a restart.
    waiting += queries.lazy.filter { $0.type == query.type }.map { ($0, at) }
    queries.removeAll { $0.type == query.type }
  }

  private func refuse(_ query: Query, _ why: String, into orders: inout Orders) {
    var event = IngestionRefused()
    (event.type, event.day, event.why) = (query.type.rawValue, query.day.text, why)
    orders.events.append(event)
  }

  /// A row's identifier follows from its key, so that no other row has it.
  private func rowId(_ key: AppleDataKey) -> Identifier {
    Identifier(random.appending(".row"), for: RandomStream.key(UInt64(bitPattern: key.start), UInt64(key.type.index)))
  }

  // MARK: Periods

  /// What local time adds to UTC at both ends of a day's period, in seconds.
  ///
  /// A day that is stored keeps its period, whatever zone the device is in later. Where local time skips the day's
  /// first second, it is what it would add if it did not.
  private func period(_ type: AppleDataType, _ day: LocalDay, _ moment: Moment) -> (offset: Int64, endOffset: Int64) {
    // Planted: a day is counted by what the clock adds to UTC now.
    if plants.contains(.offsetOfToday) { return (moment.offset, moment.offset) }
    if let row = record.rows.row(type, of: day) { return (row.offset, row.endOffset) }
    if let offset = stores.recorded?.offset(type, of: day) { return (offset, offset) }
    guard let zone else { return (moment.offset, moment.offset) }
    return (zone.offset(atBeginOf: day, type), zone.offset(atBeginOf: LocalDay(day.number + 1), type))
  }

  // MARK: Staging

  private mutating func stage(_ json: String, of query: Query, _ moment: Moment, into orders: inout Orders) {
    var row = makeRow(json, of: query, moment)
    // Planted: a row for each fetch, as without a key.
    if plants.contains(.stagedTwice), record.rows[row.key] != nil {
      row.offset -= 1 + Int64(record.rows.keys.count { $0.type == query.type && abs($0.start - row.start) < 1_000 })
      row.id = rowId(row.key)
    }
    let key = row.key
    let old = record.rows[key]
    var event = IngestionStaged()
    (event.type, event.day, event.id) = (query.type.rawValue, query.day.text, row.id)
    (event.raw, event.bytes) = (Digest.text(row.digest), Int64(row.byteCount))
    event.left = pending == nil ? Int64(queries.count) : 0
    if let old, old.digest == row.digest {
      event.row = "same"
      if (old.fetchedAt, old.purgeAfter) != (row.fetchedAt, row.purgeAfter) {
        commit(.refreshed(key, fetchedAt: row.fetchedAt, purgeAfter: row.purgeAfter), into: &orders)
      }
    } else {
      event.row = old == nil ? "new" : "changed"
      // A row keeps its identifier, whoever staged it first.
      if let old { (row.id, row.logTime) = (old.id, old.logTime) }
      commit(.staged(row), into: &orders)
      queue.append(key)
      if parseAt == nil { parseAt = moment.now + Self.batchDelay }
    }
    orders.events.append(event)
  }

  private func makeRow(_ json: String, of query: Query, _ moment: Moment) -> AppleDataRow {
    let kept = record.retention[query.type] ?? Int64((setup.keep ?? query.type.retention).seconds)
    let bytes = Array(json.utf8)
    let (offset, endOffset) = period(query.type, query.day, moment)
    var row = AppleDataRow(
      id: Identifier(high: 0, low: 0), day: query.day, offset: offset, endOffset: endOffset,
      fetchedAt: moment.seconds, rawJSON: json, digest: Digest.prefix(bytes), byteCount: bytes.count,
      logTime: moment.seconds, purgeAfter: moment.seconds &+ kept, type: query.type)
    // Two recorded days may begin at one instant, on both sides of the date line.
    while let other = record.rows[row.key], other.day != row.day { row.offset -= 1 }
    row.id = rowId(row.key)
    return row
  }

  // MARK: Parsing

  private mutating func parseBatch(_ moment: Moment, into orders: inout Orders) {
    var left = Self.batchCount
    while left > 0, queueHead < queue.count {
      let key = queue[queueHead]
      queueHead += 1
      // A row that was staged twice is in the queue twice.
      guard let row = record.rows[key], row.parsedAt == nil, row.failure == nil, let json = row.rawJSON else {
        continue
      }
      left -= 1
      parse(row, json, moment, into: &orders)
    }
    if queueHead == queue.count {
      queue.removeAll(keepingCapacity: true)
      queueHead = 0
      parseAt = nil
    } else {
      parseAt = moment.now + Self.batchDelay
    }
  }

  private mutating func parse(_ row: AppleDataRow, _ json: String, _ moment: Moment, into orders: inout Orders) {
    let action = record.actions[row.day]?.id ?? Identifier(random, for: UInt64(bitPattern: row.day.number))
    do throws(AppleDataParser.Failure) {
      var values = try AppleDataParser(version: record.parserVersion, plants: plants).parse(json, as: row.type)
        .map { MeasuredValue(measure: $0.0, value: $0.1) }
      if plants.contains(.doubleMeasured) {
        for index in values.indices {
          values[index].value += record.actions[row.day]?.values[values[index].measure] ?? 0
        }
      }
      commit(.parsed(row.key, at: moment.seconds, action: action, values: values), into: &orders)
      var event = IngestionParsed()
      (event.type, event.day, event.id) = (row.type.rawValue, row.day.text, row.id)
      (event.raw, event.action) = (Digest.text(row.digest), action)
      let members = values.map { JSONMember($0.measure.rawValue, .plain($0.value)) }
      event.measures = JSONText(JSONValue.object(members).compactText)
      orders.events.append(event)
    } catch {
      // Planted: what cannot be read counts as done.
      if plants.contains(.unreadableDone) {
        commit(.parsed(row.key, at: moment.seconds, action: action, values: []), into: &orders)
      } else {
        commit(.failed(row.key, reason: error.reason), into: &orders)
      }
      var event = IngestionFailed()
      (event.type, event.day, event.id, event.why) = (row.type.rawValue, row.day.text, row.id, error.reason)
      orders.events.append(event)
    }
  }
}
