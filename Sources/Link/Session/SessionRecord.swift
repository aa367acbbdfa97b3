/// What of a session outlives its process, as a session begins with it.
///
/// Of long queues only the beginning is here; the session asks for the rest page by page
/// (``PageOrder``), so that a session's memory does not depend on the length of its queues.
public struct SessionRecord: Sendable, Equatable {
  /// How often the app was started, this start included.
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
  /// The file that is being received; nil for none.
  public var partial: PartialFile?

  /// Creates the record of a device that was never started before.
  public init() { lanes = Lane.allCases.map { _ in LaneRecord() } }

  /// One queue's part.
  public subscript(lane: Lane) -> LaneRecord {
    get { lanes[Int(lane.rawValue)] }
    set { lanes[Int(lane.rawValue)] = newValue }
  }

  /// One value of an application context.
  public struct ContextSlot: Sendable, Equatable {
    public var seq: SequenceNumber
    public var payload: [UInt8]

    /// Creates a slot.
    public init(seq: SequenceNumber, payload: [UInt8]) {
      self.seq = seq
      self.payload = payload
    }
  }
}

/// One queue of a record.
public struct LaneRecord: Sendable, Equatable {
  /// How many entries of a box are in memory at most, and how many a page has.
  public static let pageMax = 64
  /// How far behind ``receivedThrough`` a received number may be: no honest sender is further ahead.
  public static let reachMax = Inbox.reach

  /// The number of the next queued transfer.
  public var nextSeq = SequenceNumber(1)
  /// How many are owed, in memory or not.
  public var outboxCount = 0
  /// The first of what is owed, in order.
  public var outbox: [OutboxEntry] = []
  /// The number that is handed to the app next.
  public var nextToHandle = SequenceNumber(1)
  /// Everything up to this one is in the inbox, or handled.
  public var receivedThrough = SequenceNumber(0)
  /// What is in the inbox beyond the first gap, in order.
  public var receivedAhead: [SequenceNumber] = []
  /// The first of what waits to be handled, in order, from ``nextToHandle`` on without a gap.
  public var inbox: [InboxEntry] = []
  /// What was handled last, where the inbox kept it; nil where it did not.
  public var handledBefore: InboxEntry?

  /// Creates the queue of a device that was never started before.
  public init() {}
}

/// A wish for entries of a box that are not in memory.
public struct PageOrder: Sendable, Equatable {
  /// Which box.
  public enum Box: UInt8, Sendable { case outbox, inbox }

  public var box: Box
  public var lane: Lane
  /// The first wanted is the first behind this number.
  public var after: SequenceNumber
  /// How many at most, at least 1.
  public var limit: Int

  /// Creates a wish.
  public init(_ box: Box, _ lane: Lane, after: SequenceNumber, limit: Int = LaneRecord.pageMax) {
    self.box = box
    self.lane = lane
    self.after = after
    self.limit = limit
  }
}

/// The answer to a ``PageOrder``, in order.
public enum StorePage: Sendable, Equatable {
  case outbox(Lane, [OutboxEntry])
  case inbox(Lane, [InboxEntry])
}
