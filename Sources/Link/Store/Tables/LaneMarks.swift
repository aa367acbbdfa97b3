internal import Link

/// What a lane amounts to, and what of it its row holds.
///
/// The row lags behind: entries that were queued since it was written are found behind its `nextSeq`, one number after
/// the other, and entries that were received since behind its `receivedThrough`.
struct LaneMarks {
  var nextSeq = SequenceNumber(1)
  var outboxCount = 0
  var nextToHandle = SequenceNumber(1)
  var receivedThrough = SequenceNumber(0)
  /// What is in the inbox beyond the first gap, in order.
  var ahead: [SequenceNumber] = []
  /// What the row has as `receivedThrough`.
  var writtenThrough = SequenceNumber(0)
  /// Whether the inbox still has the last that was handled.
  var keepsHandled = false
  /// Whether the row must be written in this transaction.
  var isStale = false

  /// Whether the inbox has something up to a number.
  func hasInbox(through seq: SequenceNumber) -> Bool {
    receivedThrough >= nextToHandle || keepsHandled || (ahead.first.map { $0 <= seq } ?? false)
  }

  /// Whether one more entry can be received without the row being written.
  var hasRoomForOne: Bool {
    ahead.isEmpty && receivedThrough.rawValue + 1 - writtenThrough.rawValue < UInt64(LaneRecord.pageMax)
  }

  /// Counts a queued entry.
  mutating func enqueue(_ seq: SequenceNumber) {
    precondition(seq >= nextSeq, "\(seq) is queued behind \(nextSeq)")
    // A gap cannot be told from the rows.
    if seq > nextSeq { isStale = true }
    nextSeq = SequenceNumber(seq.rawValue + 1)
    outboxCount += 1
  }

  /// Counts an entry that left the outbox.
  mutating func removeFromOutbox() {
    outboxCount -= 1
    isStale = true
  }

  /// Notes a received entry.
  mutating func receive(_ seq: SequenceNumber) {
    precondition(seq > receivedThrough, "\(seq) is received again, \(receivedThrough) is the last without a gap")
    if seq.rawValue == receivedThrough.rawValue + 1 {
      receivedThrough = seq
      absorb()
    } else {
      let place = ahead.firstIndex { $0 > seq } ?? ahead.endIndex
      ahead.insert(seq, at: place)
    }
    if receivedThrough.rawValue - writtenThrough.rawValue >= UInt64(LaneRecord.pageMax) { isStale = true }
  }

  /// Notes that everything up to a number was handled.
  ///
  /// - Parameter isKept: Whether the inbox keeps the last of it for now.
  mutating func handle(through seq: SequenceNumber, isKept: Bool) {
    precondition(seq.rawValue + 1 >= nextToHandle.rawValue, "\(seq) is handled, \(nextToHandle) is next")
    nextToHandle = SequenceNumber(seq.rawValue + 1)
    keepsHandled = isKept
    if seq > receivedThrough {
      receivedThrough = seq
      ahead.removeAll { $0 <= seq }
      absorb()
    }
    isStale = true
  }

  /// Takes in what was received ahead and now follows without a gap.
  private mutating func absorb() {
    guard !ahead.isEmpty else { return }
    var count = 0
    while count < ahead.count, ahead[count].rawValue == receivedThrough.rawValue + 1 {
      receivedThrough = ahead[count]
      count += 1
    }
    ahead.removeFirst(count)
  }
}
