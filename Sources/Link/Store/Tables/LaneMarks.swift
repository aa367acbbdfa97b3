internal import Link

/// The state of a lane, and the part of it that its row holds.
///
/// The row lags behind: entries queued since it was written follow its `nextSeq` without gaps, and entries received
/// since follow its `receivedThrough`.
struct LaneMarks {
  var nextSeq = SequenceNumber(1)
  var outboxCount = 0
  var nextToHandle = SequenceNumber(1)
  var receivedThrough = SequenceNumber(0)
  /// The numbers in the inbox after the first gap, in order.
  var ahead: [SequenceNumber] = []
  /// The row's `receivedThrough`.
  var writtenThrough = SequenceNumber(0)
  /// Whether the inbox still has the last handled entry.
  var keepsHandled = false
  /// Whether the row must be written in this transaction.
  var isStale = false

  /// Whether the inbox has an entry up to a number.
  func hasInbox(through seq: SequenceNumber) -> Bool {
    receivedThrough >= nextToHandle || keepsHandled || (ahead.first.map { $0 <= seq } ?? false)
  }

  /// Whether one more entry can be received without writing the row.
  var hasRoomForOne: Bool {
    ahead.isEmpty && receivedThrough.rawValue + 1 - writtenThrough.rawValue < UInt64(LaneRecord.pageMax)
  }

  /// Records a queued entry.
  mutating func recordQueued(_ seq: SequenceNumber) {
    precondition(seq >= nextSeq, "\(seq) is queued after \(nextSeq)")
    // Rows do not show a gap.
    if seq > nextSeq { isStale = true }
    nextSeq = SequenceNumber(seq.rawValue + 1)
    outboxCount += 1
  }

  /// Records that an entry left the outbox.
  mutating func removeFromOutbox() {
    outboxCount -= 1
    isStale = true
  }

  /// Records a received entry.
  mutating func recordReceived(_ seq: SequenceNumber) {
    precondition(seq > receivedThrough, "\(seq) is received again after \(receivedThrough)")
    if seq.rawValue == receivedThrough.rawValue + 1 {
      receivedThrough = seq
      advancePastAhead()
    } else {
      let place = ahead.firstIndex { $0 > seq } ?? ahead.endIndex
      ahead.insert(seq, at: place)
    }
    if receivedThrough.rawValue - writtenThrough.rawValue >= UInt64(LaneRecord.pageMax) { isStale = true }
  }

  /// Records that everything up to a number is handled.
  ///
  /// - Parameter isKept: Whether the inbox keeps the last entry for now.
  mutating func recordHandled(through seq: SequenceNumber, isKept: Bool) {
    precondition(seq.rawValue + 1 >= nextToHandle.rawValue, "\(seq) is handled, but \(nextToHandle) is next")
    nextToHandle = SequenceNumber(seq.rawValue + 1)
    keepsHandled = isKept
    if seq > receivedThrough {
      receivedThrough = seq
      ahead.removeAll { $0 <= seq }
      advancePastAhead()
    }
    isStale = true
  }

  /// Advances past entries that arrived early and now follow without a gap.
  private mutating func advancePastAhead() {
    guard !ahead.isEmpty else { return }
    var count = 0
    while count < ahead.count, ahead[count].rawValue == receivedThrough.rawValue + 1 {
      receivedThrough = ahead[count]
      count += 1
    }
    ahead.removeFirst(count)
  }
}
