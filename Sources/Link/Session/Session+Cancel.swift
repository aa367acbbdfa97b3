/// Outstanding transfers, and cancelling them.
extension Session {
  /// The first owed transfers of a lane in order, at most ``LaneRecord/pageMax``, without cancelled ones.
  public func outstanding(in lane: Lane) -> [QueueEntry] {
    let owed = outboxes[lane].slots.elements.lazy.map(\.entry).filter { !$0.flags.contains(.void) }
    return quirks.unreported.isEmpty ? Array(owed) : quirks.unreported.filter { $0.lane == lane } + owed
  }

  /// The number of owed transfers of a lane.
  ///
  /// Entries cancelled in an earlier epoch count until they are in memory, that is, until few entries are before them.
  public func outstandingCount(in lane: Lane) -> Int {
    outboxes[lane].owedCount + quirks.unreported.count { $0.lane == lane }
  }

  /// Cancels a queued transfer.
  ///
  /// Its number is still sent, flagged `void`, so that the receiver's order has no gap. If the peer's inbox already has
  /// the transfer, it may still be delivered; neither side can tell.
  ///
  /// - Parameters:
  ///   - lane: The lane of the transfer.
  ///   - seq: Its sequence number.
  ///   - transfer: Its identifier, as returned when it was queued.
  ///   - turn: Receives frames, lines and changes for the store.
  /// - Returns: Whether it was cancelled; false, with nothing changed, if it is unknown, finished or already cancelled.
  ///   An entry that an earlier epoch cancelled, and that is not in memory yet, is cancelled again.
  @discardableResult
  public mutating func cancel(_ lane: Lane, seq: SequenceNumber, transfer: Identifier, in turn: inout Turn) -> Bool {
    guard transfer == name(lane, seq), outboxes[lane].voidTransfer(seq, transfer) else { return false }
    turn.commit(.voided(lane, seq))
    turn.record(TransferCancelled.self, on: configuration.role.place) {
      $0.identity = TransferIdentity(transfer, lane, seq)
      $0.by = "sender"
    }
    if lane == .file {
      turn.items.append(.file(.discardOutgoing(transfer)))
      if outboxes[.file].slots.first?.seq == seq { voidCurrentFile(in: &turn) }
    }
    return true
  }

  /// Cancels all owed transfers of a lane, in memory or not.
  public mutating func cancelAll(in lane: Lane, in turn: inout Turn) {
    guard let first = outboxes[lane].slots.first?.seq.rawValue else { return }
    for number in first..<nextSeq(in: lane).rawValue {
      let seq = SequenceNumber(number)
      cancel(lane, seq: seq, transfer: name(lane, seq), in: &turn)
    }
  }
}
