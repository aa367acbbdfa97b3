/// The part of a session that survives its process, as a session starts with it.
///
/// Of long queues only the beginning is included; the session requests the rest page by page (``PageOrder``), so its
/// memory does not depend on the length of its queues.
public struct SessionRecord: Sendable, Equatable {
  /// The number of starts of the app, including this one.
  public var epoch = Epoch(1)
  /// The queues, in the order of ``Lane``.
  public var lanes: [LaneRecord]
  /// The context last set, with its number; nil before the first.
  public var contextSent: ContextSlot?
  /// Whether the peer has it.
  public var contextIsAcknowledged = true
  /// The context last received; nil before the first.
  public var contextReceived: ContextSlot?
  /// The complication transfers of the last day that had any.
  public var budget = ComplicationBudget()
  /// The file being received, if any.
  public var partial: PartialFile?

  /// Creates the record of a device that never started before.
  public init() { lanes = Lane.allCases.map { _ in LaneRecord() } }

  /// One queue's part.
  public subscript(lane: Lane) -> LaneRecord {
    get { lanes[lane] }
    set { lanes[lane] = newValue }
  }

  /// One value of an application context.
  public struct ContextSlot: Sendable, Equatable {
    public var seq: SequenceNumber
    public var payload: [UInt8]

    public init(seq: SequenceNumber, payload: [UInt8]) {
      self.seq = seq
      self.payload = payload
    }
  }
}

/// One queue of a record.
public struct LaneRecord: Sendable, Equatable {
  /// The most entries of a box in memory, and of a page.
  public static let pageMax = 64
  /// How far past ``receivedThrough`` a received number may be; a correct sender is never further ahead.
  public static let reachMax = Inbox.reach

  /// The number of the next queued transfer.
  public var nextSeq = SequenceNumber(1)
  /// The number of owed transfers, in memory or not.
  public var outboxCount = 0
  /// The first owed transfers, in order.
  public var outbox: [QueueEntry] = []
  /// The next number to deliver to the app.
  public var nextToHandle = SequenceNumber(1)
  /// All numbers up to this one are in the inbox, or handled.
  public var receivedThrough = SequenceNumber(0)
  /// The numbers in the inbox after the first gap, in order.
  public var receivedAhead: [SequenceNumber] = []
  /// The first entries that wait to be handled, from ``nextToHandle`` on without a gap.
  public var inbox: [QueueEntry] = []
  /// The last handled entry, if the inbox kept it.
  public var handledBefore: QueueEntry?

  /// Creates the queue of a device that never started before.
  public init() {}
}

/// Request for a page of entries.
public struct PageOrder: Sendable, Equatable {
  /// The box.
  public enum Box: UInt8, Sendable { case outbox, inbox }

  public var box: Box
  public var lane: Lane
  /// The page begins after this number.
  public var after: SequenceNumber
  /// The most entries, at least 1.
  public var limit: Int

  public init(_ box: Box, _ lane: Lane, after: SequenceNumber, limit: Int = LaneRecord.pageMax) {
    self.box = box
    self.lane = lane
    self.after = after
    self.limit = limit
  }
}

/// The answer to a ``PageOrder``, in order.
public enum StorePage: Sendable, Equatable {
  case outbox(Lane, [QueueEntry])
  case inbox(Lane, [QueueEntry])
}
