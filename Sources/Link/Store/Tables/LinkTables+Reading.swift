internal import Link

/// Reading a record.
extension LinkTables {
  /// Counts a new start, and reads the record for it.
  ///
  /// Must be called inside a transaction.
  mutating func beginEpoch() throws(StoreError) -> SessionRecord {
    var record = try readRecord()
    guard record.epoch.rawValue < .max else { throw corrupt("Epoch") }
    record.epoch = Epoch(record.epoch.rawValue + 1)
    statements.writeEpoch.bind(Int64(record.epoch.rawValue), at: 1)
    try statements.writeEpoch.run()
    return record
  }

  /// Reads the record, with the epoch of the last start; at most a page of each box.
  mutating func readRecord() throws(StoreError) -> SessionRecord {
    var record = SessionRecord()
    guard let starts = try readNumber(statements.readEpoch), let epoch = UInt32(exactly: starts) else {
      throw corrupt("Epoch")
    }
    record.epoch = Epoch(epoch)
    try readLanes()
    for lane in Lane.allCases {
      record[lane] = try laneRecord(lane)
      try check(record[lane], lane)
    }
    try readContexts(into: &record)
    if try statements.readBudget.step() {
      record.budget = ComplicationBudget(
        day: statements.readBudget.int64(0), used: Int(try statements.readBudget.count(1)))
      statements.readBudget.reset()
    }
    partial = try readPartial()
    record.partial = partial
    return record
  }

  /// Reads entries of a box.
  func page(_ order: PageOrder) throws(StoreError) -> StorePage {
    precondition(order.limit >= 1, "a page of \(order.limit)")
    switch order.box {
    case .outbox:
      return .outbox(order.lane, try outbox(order.lane, after: order.after, limit: order.limit))
    case .inbox:
      let last = RowKey.last(order.lane)
      return .inbox(order.lane, try inbox(order.lane, after: order.after, through: last, limit: order.limit))
    }
  }

  /// The transfers whose files are still needed: those in the file lane's boxes, and the one being received.
  func fileTransfers() throws(StoreError) -> Set<Identifier> {
    let statement = statements.fileTransfers
    statement.bind(RowKey.key(.file, SequenceNumber(0)), at: 1)
    statement.bind(RowKey.last(.file), at: 2)
    var transfers: Set<Identifier> = []
    while try statement.step() {
      transfers.insert(
        Identifier(high: UInt64(bitPattern: statement.int64(0)), low: UInt64(bitPattern: statement.int64(1))))
    }
    return transfers
  }

  /// The single row of the journal; nil before the first.
  func journal() throws(StoreError) -> (number: UInt64, answer: [UInt8])? {
    guard try statements.readJournal.step() else { return nil }
    defer { statements.readJournal.reset() }
    return (UInt64(bitPattern: statements.readJournal.int64(0)), statements.readJournal.blob(1))
  }

  // MARK: Lanes

  private mutating func readLanes() throws(StoreError) {
    let statement = statements.readLanes
    for lane in Lane.allCases {
      guard try statement.step(), statement.int64(0) == Int64(lane.rawValue) else { throw corrupt("Lane") }
      marks[lane] = try LaneMarks(
        nextSeq: number(statement.int64(1), atLeast: 1, "Lane"),
        outboxCount: Int(number(statement.int64(2), atLeast: 0, "Lane").rawValue),
        nextToHandle: number(statement.int64(3), atLeast: 1, "Lane"),
        receivedThrough: number(statement.int64(4), atLeast: max(0, statement.int64(3) - 1), "Lane"))
    }
    statement.reset()
    for lane in Lane.allCases {
      marks[lane].writtenThrough = marks[lane].receivedThrough
      try readQueuedSince(lane)
      try readReceivedSince(lane)
    }
  }

  /// Counts the entries queued since the lane's row was written.
  private mutating func readQueuedSince(_ lane: Lane) throws(StoreError) {
    statements.lastOutbox.bind(RowKey.key(lane, marks[lane].nextSeq), at: 1)
    statements.lastOutbox.bind(RowKey.last(lane), at: 2)
    guard let key = try readNumber(statements.lastOutbox) else { return }
    let last = RowKey.seq(key)
    guard last.rawValue <= UInt64(RowKey.countMax) else { throw corrupt("Outbox") }
    marks[lane].outboxCount += Int(last.rawValue - marks[lane].nextSeq.rawValue) + 1
    marks[lane].nextSeq = SequenceNumber(last.rawValue + 1)
  }

  /// Counts the entries received since the lane's row was written.
  private mutating func readReceivedSince(_ lane: Lane) throws(StoreError) {
    statements.inboxKeys.bind(RowKey.key(lane, marks[lane].receivedThrough), at: 1)
    statements.inboxKeys.bind(RowKey.last(lane), at: 2)
    while try statements.inboxKeys.step() {
      let seq = RowKey.seq(statements.inboxKeys.int64(0))
      if seq.rawValue == marks[lane].receivedThrough.rawValue + 1 {
        marks[lane].receivedThrough = seq
      } else {
        guard seq.rawValue <= UInt64(RowKey.countMax), marks[lane].ahead.count < LaneRecord.pageMax * 2 else {
          statements.inboxKeys.reset()
          throw corrupt("Inbox")
        }
        marks[lane].ahead.append(seq)
      }
    }
  }

  private mutating func laneRecord(_ lane: Lane) throws(StoreError) -> LaneRecord {
    let kept = try inbox(
      lane, after: SequenceNumber(0), through: RowKey.key(lane, marks[lane].nextToHandle) - 1,
      limit: LaneRecord.pageMax)
    marks[lane].keepsHandled = !kept.isEmpty
    let mark = marks[lane]
    var record = LaneRecord()
    record.nextSeq = mark.nextSeq
    record.outboxCount = mark.outboxCount
    record.outbox = try outbox(lane, after: SequenceNumber(0), limit: LaneRecord.pageMax)
    record.nextToHandle = mark.nextToHandle
    record.receivedThrough = mark.receivedThrough
    record.receivedAhead = mark.ahead
    record.inbox = try inbox(
      lane, after: SequenceNumber(mark.nextToHandle.rawValue - 1),
      through: RowKey.key(lane, mark.receivedThrough), limit: LaneRecord.pageMax)
    record.handledBefore = kept.last { !$0.flags.contains(.void) }
    return record
  }

  private func outbox(_ lane: Lane, after: SequenceNumber, limit: Int) throws(StoreError) -> [QueueEntry] {
    try entries(statements.readOutbox, lane, after: after, through: RowKey.last(lane), limit: limit)
  }

  private func inbox(
    _ lane: Lane, after: SequenceNumber, through last: Int64, limit: Int
  ) throws(StoreError) -> [QueueEntry] {
    try entries(statements.readInbox, lane, after: after, through: last, limit: limit)
  }

  private func entries(
    _ statement: Statement, _ lane: Lane, after: SequenceNumber, through last: Int64, limit: Int
  ) throws(StoreError) -> [QueueEntry] {
    statement.bind(RowKey.key(lane, after), at: 1)
    statement.bind(last, at: 2)
    statement.bind(Int64(limit), at: 3)
    var entries: [QueueEntry] = []
    while try statement.step() {
      entries.append(
        QueueEntry(
          transfer: transfer(statement, 1), lane: lane, seq: RowKey.seq(statement.int64(0)),
          flags: flags(statement, 3), payload: statement.blob(4)))
    }
    return entries
  }

  // MARK: Single values

  private mutating func readContexts(into record: inout SessionRecord) throws(StoreError) {
    let statement = statements.readContext
    contextSent = nil
    while try statement.step() {
      let slot = SessionRecord.ContextSlot(
        seq: SequenceNumber(UInt64(bitPattern: statement.int64(1))), payload: statement.blob(3))
      switch ContextRow(rawValue: statement.int64(0)) {
      case .sent:
        _ = try statement.count(1)
        record.contextSent = slot
        record.contextIsAcknowledged = statement.int64(2) != 0
        contextSent = slot.seq
      case .received: record.contextReceived = slot
      case nil:
        statement.reset()
        throw corrupt("Context")
      }
    }
  }

  private func readPartial() throws(StoreError) -> PartialFile? {
    let statement = statements.readPartial
    guard try statement.step() else { return nil }
    defer { statement.reset() }
    return PartialFile(
      transfer: transfer(statement, 0), seq: SequenceNumber(UInt64(try statement.count(2))),
      flags: flags(statement, 3), offer: statement.blob(6), receivedBytes: UInt64(try statement.count(4)),
      digestState: statement.blob(5))
  }

  // MARK: Checks

  /// Checks the consistency of what a session relies on.
  private func check(_ record: LaneRecord, _ lane: Lane) throws(StoreError) {
    if let first = record.outbox.first, let last = record.outbox.last {
      guard first.seq.rawValue >= 1, last.seq < record.nextSeq else { throw corrupt("Outbox") }
    }
    let isWhole = record.outbox.count < LaneRecord.pageMax
    guard isWhole ? record.outboxCount == record.outbox.count : record.outboxCount >= record.outbox.count else {
      throw StoreError(
        .corrupt,
        "\(database.path): the column outboxCount of the lane \(lane.rawValue) holds \(record.outboxCount), "
          + "expected \(isWhole ? "\(record.outbox.count)" : "at least \(record.outbox.count)")")
    }
    let waiting = record.receivedThrough.rawValue + 1 - record.nextToHandle.rawValue
    guard record.inbox.count == min(Int(clamping: waiting), LaneRecord.pageMax) else { throw corrupt("Inbox") }
    for (place, entry) in record.inbox.enumerated()
    where entry.seq.rawValue != record.nextToHandle.rawValue + UInt64(place) {
      throw corrupt("Inbox")
    }
    let furthest = record.receivedThrough.rawValue + LaneRecord.reachMax
    guard record.receivedAhead.allSatisfy({ $0.rawValue <= furthest }) else { throw corrupt("Inbox") }
  }

  // MARK: Columns

  private func transfer(_ statement: Statement, _ column: Int32) -> Identifier {
    Identifier(high: UInt64(bitPattern: statement.int64(column)), low: UInt64(bitPattern: statement.int64(column + 1)))
  }

  private func flags(_ statement: Statement, _ column: Int32) -> Frame.Flags {
    Frame.Flags(rawValue: UInt8(truncatingIfNeeded: statement.int64(column)))
  }

  /// The first column of the single row, if any.
  private func readNumber(_ statement: Statement) throws(StoreError) -> Int64? {
    guard try statement.step() else { return nil }
    defer { statement.reset() }
    return statement.int64(0)
  }

  private func number(_ value: Int64, atLeast least: Int64, _ table: String) throws(StoreError) -> SequenceNumber {
    guard value >= least, value <= RowKey.countMax else { throw corrupt(table) }
    return SequenceNumber(UInt64(value))
  }

  /// The error for values that this program never writes.
  private func corrupt(_ table: String) -> StoreError {
    StoreError(.corrupt, "\(database.path): the table \(table) holds an invalid value")
  }
}
