/// The durable state of a session.
///
/// The machine produces the changes, the host passes each transaction to the store, and a new epoch starts from what
/// the store returns.
public protocol SessionStore {
  /// Makes the changes durable, all or none.
  mutating func commit(_ changes: [SessionChange]) throws(StoreError)
  /// Starts a new epoch and returns the record for it.
  mutating func beginEpoch() throws(StoreError) -> SessionRecord
  /// Reads a page of entries.
  mutating func page(_ order: PageOrder) throws(StoreError) -> StorePage
}

/// A failure of a store: of the environment, not a simulated one.
public struct StoreError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What went wrong.
  public enum Cause: String, Sendable, CaseIterable {
    /// No room on the disk.
    case full
    /// Another process has the store open.
    case busy
    /// Not a store, or a damaged one.
    case corrupt
    /// Written by a newer version of this program.
    case newer
    /// Not migrated to this version yet; the next start would migrate it.
    case older
    /// Any other error of the system.
    case system
  }

  public var cause: Cause
  /// The file, the operation, and the system's message, for people.
  public var text: String

  public init(_ cause: Cause, _ text: String) {
    self.cause = cause
    self.text = text
  }

  public var description: String { text }
}

/// A session's store in memory, with the semantics of the store on disk.
public struct MemorySessionStore: SessionStore, Sendable, Equatable {
  private struct Queue: Sendable, Equatable {
    var nextSeq = SequenceNumber(1)
    var outbox = NumberedQueue<QueueEntry>()
    var nextToHandle = SequenceNumber(1)
    var inbox = NumberedQueue<QueueEntry>()
  }

  private var queues = Lane.allCases.map { _ in Queue() }
  private var slots = SessionRecord()
  private var starts: UInt32 = 0

  public init() {}

  public mutating func commit(_ changes: [SessionChange]) {
    for change in changes { apply(change) }
  }

  private mutating func apply(_ change: SessionChange) {
    switch change {
    case .enqueued(let entry):
      queues[entry.lane].outbox.append(entry)
      queues[entry.lane].nextSeq = SequenceNumber(entry.seq.rawValue + 1)
    case .voided(let lane, let seq):
      guard let place = queues[lane].outbox.index(of: seq) else { return }
      queues[lane].outbox[place].flags.insert(.void)
      queues[lane].outbox[place].payload = []
    case .acknowledged(let lane, let seq):
      guard let place = queues[lane].outbox.index(of: seq) else { return }
      queues[lane].outbox.remove(at: place)
    case .received(let entry):
      _ = queues[entry.lane].inbox.insert(entry)
    case .handled(let lane, let seq), .handledKept(let lane, let seq):
      let next = SequenceNumber(seq.rawValue + 1)
      let isKept = if case .handledKept = change { true } else { false }
      let count = queues[lane].inbox.lowerBound(of: isKept ? seq : next)
      queues[lane].inbox.removeFirst(count)
      queues[lane].nextToHandle = next
    case .contextSet(let seq, let payload):
      slots.contextSent = SessionRecord.ContextSlot(seq: seq, payload: payload)
      slots.contextIsAcknowledged = false
    case .contextAcknowledged(let seq):
      if slots.contextSent?.seq == seq { slots.contextIsAcknowledged = true }
    case .contextReceived(let seq, let payload):
      slots.contextReceived = SessionRecord.ContextSlot(seq: seq, payload: payload)
    case .budget(let budget): slots.budget = budget
    case .partial(let partial): slots.partial = partial
    }
  }

  public mutating func beginEpoch() -> SessionRecord {
    starts += 1
    var record = slots
    record.epoch = Epoch(starts)
    for lane in Lane.allCases {
      let queue = queues[lane]
      var part = LaneRecord()
      part.nextSeq = queue.nextSeq
      part.outboxCount = queue.outbox.count
      part.outbox = Array(queue.outbox.elements.prefix(LaneRecord.pageMax))
      part.nextToHandle = queue.nextToHandle
      part.receivedThrough = SequenceNumber(queue.nextToHandle.rawValue - 1)
      for entry in queue.inbox.elements {
        if entry.seq < queue.nextToHandle {
          if !entry.flags.contains(.void) { part.handledBefore = entry }
        } else if entry.seq.rawValue == part.receivedThrough.rawValue + 1 {
          part.receivedThrough = entry.seq
          if part.inbox.count < LaneRecord.pageMax { part.inbox.append(entry) }
        } else {
          part.receivedAhead.append(entry.seq)
        }
      }
      record[lane] = part
    }
    return record
  }

  public func page(_ order: PageOrder) -> StorePage {
    let queue = queues[order.lane]
    let next = SequenceNumber(order.after.rawValue + 1)
    switch order.box {
    case .outbox: return .outbox(order.lane, queue.outbox.page(from: next, limit: order.limit))
    case .inbox: return .inbox(order.lane, queue.inbox.page(from: next, limit: order.limit))
    }
  }
}
