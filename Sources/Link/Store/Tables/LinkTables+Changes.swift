internal import Link

/// Writing changes.
extension LinkTables {
  /// Applies the changes of one transaction, inside of it.
  ///
  /// An entry that is added and removed within the transaction is not written, and of repeated overwrites only the last
  /// is.
  mutating func apply(_ changes: [SessionChange]) throws(StoreError) {
    var short = ShortLived(changes, marks)
    var slots = LastSlots()
    for index in changes.indices {
      switch changes[index] {
      case .enqueued(let entry): try enqueue(entry, &short)
      case .voided(let lane, let seq): try void(lane, seq, short)
      case .acknowledged(let lane, let seq): try acknowledge(lane, seq, &short)
      case .received(let entry): try receive(entry, short)
      case .handled(let lane, let seq): marks[lane].recordHandled(through: seq, isKept: false)
      case .handledKept(let lane, let seq): marks[lane].recordHandled(through: seq, isKept: true)
      case .contextSet(let seq, _):
        contextSent = seq
        slots.contextSet = index
        slots.isAcknowledged = false
      case .contextAcknowledged(let seq): if contextSent == seq { slots.isAcknowledged = true }
      case .contextReceived: slots.contextReceived = index
      case .budget: slots.budget = index
      case .partial: slots.partial = index
      }
    }
    for lane in Lane.allCases {
      if let seq = short.goneThrough[lane], short.hadInbox[lane] {
        statements.deleteInbox.bind(RowKey.key(lane, SequenceNumber(0)), at: 1)
        statements.deleteInbox.bind(RowKey.key(lane, seq), at: 2)
        try statements.deleteInbox.run()
      }
      if marks[lane].isStale { try write(lane) }
    }
    try write(slots, of: changes)
  }

  /// Whether a change needs only one statement, which is a transaction by itself.
  func isOneStatement(_ change: SessionChange) -> Bool {
    switch change {
    case .enqueued(let entry): entry.seq == marks[entry.lane].nextSeq
    case .received(let entry): marks[entry.lane].hasRoomForOne
    case .voided, .contextSet, .contextAcknowledged, .contextReceived, .budget, .partial: true
    case .acknowledged, .handled, .handledKept: false
    }
  }

  // MARK: Boxes

  private mutating func enqueue(_ entry: QueueEntry, _ short: inout ShortLived) throws(StoreError) {
    marks[entry.lane].recordQueued(entry.seq)
    let key = RowKey.key(entry.lane, entry.seq)
    if short.acknowledged.contains(key) {
      short.unwritten.insert(key)
      return
    }
    try Self.insert(statements.insertOutbox, key, entry.transfer, entry.flags, entry.payload)
  }

  private func void(_ lane: Lane, _ seq: SequenceNumber, _ short: ShortLived) throws(StoreError) {
    let key = RowKey.key(lane, seq)
    guard !short.unwritten.contains(key) else { return }
    statements.voidOutbox.bind(key, at: 1)
    statements.voidOutbox.bind(Int64(Frame.Flags.void.rawValue), at: 2)
    try statements.voidOutbox.run()
  }

  private mutating func acknowledge(
    _ lane: Lane, _ seq: SequenceNumber, _ short: inout ShortLived
  ) throws(StoreError) {
    let key = RowKey.key(lane, seq)
    if short.unwritten.remove(key) == nil {
      statements.deleteOutbox.bind(key, at: 1)
      try statements.deleteOutbox.run()
      guard database.changedRows > 0 else { return }
    }
    marks[lane].removeFromOutbox()
  }

  private mutating func receive(_ entry: QueueEntry, _ short: ShortLived) throws(StoreError) {
    marks[entry.lane].recordReceived(entry.seq)
    if let seq = short.goneThrough[entry.lane], entry.seq <= seq { return }
    let key = RowKey.key(entry.lane, entry.seq)
    try Self.insert(statements.insertInbox, key, entry.transfer, entry.flags, entry.payload)
  }

  private static func insert(
    _ statement: Statement, _ key: Int64, _ transfer: Identifier, _ flags: Frame.Flags, _ payload: [UInt8]
  ) throws(StoreError) {
    statement.bind(key, at: 1)
    statement.bind(Int64(bitPattern: transfer.high), at: 2)
    statement.bind(Int64(bitPattern: transfer.low), at: 3)
    statement.bind(Int64(flags.rawValue), at: 4)
    statement.bind(payload, at: 5)
    try statement.run()
  }

  private mutating func write(_ lane: Lane) throws(StoreError) {
    let mark = marks[lane]
    statements.writeLane.bind(Int64(lane.rawValue), at: 1)
    statements.writeLane.bind(Int64(mark.nextSeq.rawValue), at: 2)
    statements.writeLane.bind(Int64(mark.outboxCount), at: 3)
    statements.writeLane.bind(Int64(mark.nextToHandle.rawValue), at: 4)
    statements.writeLane.bind(Int64(mark.receivedThrough.rawValue), at: 5)
    try statements.writeLane.run()
    marks[lane].writtenThrough = mark.receivedThrough
    marks[lane].isStale = false
  }

  // MARK: Single values

  private mutating func write(_ slots: LastSlots, of changes: [SessionChange]) throws(StoreError) {
    if let index = slots.contextSet, case .contextSet(let seq, let payload) = changes[index] {
      try write(.sent, seq, payload, isAcknowledged: slots.isAcknowledged)
    } else if slots.isAcknowledged {
      statements.acknowledgeContext.bind(ContextRow.sent.rawValue, at: 1)
      try statements.acknowledgeContext.run()
    }
    if let index = slots.contextReceived, case .contextReceived(let seq, let payload) = changes[index] {
      try write(.received, seq, payload, isAcknowledged: true)
    }
    if let index = slots.budget, case .budget(let budget) = changes[index] {
      statements.writeBudget.bind(budget.day, at: 1)
      statements.writeBudget.bind(Int64(budget.used), at: 2)
      try statements.writeBudget.run()
    }
    if let index = slots.partial, case .partial(let file) = changes[index] { try write(file) }
  }

  private func write(
    _ row: ContextRow, _ seq: SequenceNumber, _ payload: [UInt8], isAcknowledged: Bool
  ) throws(StoreError) {
    statements.writeContext.bind(row.rawValue, at: 1)
    statements.writeContext.bind(Int64(bitPattern: seq.rawValue), at: 2)
    statements.writeContext.bind(Int64(isAcknowledged ? 1 : 0), at: 3)
    statements.writeContext.bind(payload, at: 4)
    try statements.writeContext.run()
  }

  private mutating func write(_ file: PartialFile?) throws(StoreError) {
    let known = partial
    partial = file
    guard let file else {
      if known != nil { try statements.deletePartial.run() }
      return
    }
    if let known, known.transfer == file.transfer, known.seq == file.seq, known.flags == file.flags,
      known.offer == file.offer
    {
      // The offer may be long, and does not change.
      statements.growPartial.bind(Int64(bitPattern: file.receivedBytes), at: 1)
      statements.growPartial.bind(file.digestState, at: 2)
      return try statements.growPartial.run()
    }
    statements.writePartial.bind(Int64(bitPattern: file.transfer.high), at: 1)
    statements.writePartial.bind(Int64(bitPattern: file.transfer.low), at: 2)
    statements.writePartial.bind(Int64(bitPattern: file.seq.rawValue), at: 3)
    statements.writePartial.bind(Int64(file.flags.rawValue), at: 4)
    statements.writePartial.bind(Int64(bitPattern: file.receivedBytes), at: 5)
    statements.writePartial.bind(file.digestState, at: 6)
    statements.writePartial.bind(file.offer, at: 7)
    try statements.writePartial.run()
  }

  // MARK: Journal

  func write(journal number: UInt64, _ answer: [UInt8]) throws(StoreError) {
    statements.writeJournal.bind(Int64(bitPattern: number), at: 1)
    statements.writeJournal.bind(answer, at: 2)
    try statements.writeJournal.run()
  }
}

/// Entries that a transaction both adds and removes, found before its first change is applied.
private struct ShortLived {
  /// The keys of entries that are acknowledged in it and were not queued before.
  var acknowledged: Set<Int64> = []
  /// Those of them that were queued in it so far and are not acknowledged yet.
  var unwritten: Set<Int64> = []
  /// For each lane, the number up to which the inbox becomes empty; nil if none of it is handled.
  var goneThrough: PerLane<SequenceNumber?> = PerLane(nil)
  /// Whether earlier rows of each lane are handled.
  var hadInbox = PerLane(false)

  init(_ changes: [SessionChange], _ marks: PerLane<LaneMarks>) {
    for change in changes {
      switch change {
      case .acknowledged(let lane, let seq):
        if seq >= marks[lane].nextSeq { acknowledged.insert(RowKey.key(lane, seq)) }
      case .handled(let lane, let seq):
        goneThrough[lane] = max(goneThrough[lane] ?? seq, seq)
        hadInbox[lane] = marks[lane].hasInbox(through: seq)
      case .handledKept(let lane, let seq):
        let before = SequenceNumber(seq.rawValue - 1)
        goneThrough[lane] = max(goneThrough[lane] ?? before, before)
        hadInbox[lane] = marks[lane].hasInbox(through: seq)
      default: break
      }
    }
  }
}

/// The index of the last change of each single-valued item, if any.
private struct LastSlots {
  var contextSet: Int?
  /// Whether the context last set, in this transaction or before, was acknowledged in this one.
  var isAcknowledged = false
  var contextReceived: Int?
  var budget: Int?
  var partial: Int?
}
