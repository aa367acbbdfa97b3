/// What is still owed, and taking it back.
extension Session {
  /// The first transfers of a lane that are owed, in order, at most ``LaneRecord/pageMax``; cancelled ones left out.
  public func outstanding(in lane: Lane) -> [OutboxEntry] {
    let owed = outboxes[lane].slots.elements.lazy.map(\.entry).filter { !$0.flags.contains(.void) }
    return quirks.unreported.isEmpty ? Array(owed) : quirks.unreported.filter { $0.lane == lane } + owed
  }

  /// How many transfers of a lane are owed.
  ///
  /// Those that an earlier epoch cancelled count until they are in memory, which is when few are before them.
  public func outstandingCount(in lane: Lane) -> Int {
    outboxes[lane].owedCount + quirks.unreported.count { $0.lane == lane }
  }

  /// Withdraws a queued transfer.
  ///
  /// Its place is still sent, empty, so that the receiver's order has no hole. A transfer that the peer's inbox had
  /// already may be delivered all the same: then this came too late, and neither side can tell.
  ///
  /// - Parameter transfer: Its name, as it was given when it was queued.
  /// - Returns: Whether it was withdrawn; false when it is unknown, over, or withdrawn already, and nothing changed.
  ///   One that an earlier epoch withdrew, and that is too far behind to be in memory, is withdrawn again.
  @discardableResult
  public mutating func cancel(
    _ lane: Lane, seq: SequenceNumber, transfer: Identifier, at now: VirtualTime, into output: inout NodeOutput
  ) -> Bool {
    guard transfer == name(lane, seq), outboxes[lane].void(seq, transfer) else { return false }
    output.commit(.voided(lane, seq))
    output.record(line("transfer.cancelled", transfer, lane, seq, at: now, [.init("by", .string("sender"))]))
    if lane == .file {
      output.items.append(.file(.discardOutgoing(transfer)))
      if outboxes[.file].slots.first?.seq == seq { voidCurrentFile(at: now, into: &output) }
    }
    return true
  }

  /// Withdraws everything of a lane that is owed, in memory or not.
  public mutating func cancelAll(in lane: Lane, at now: VirtualTime, into output: inout NodeOutput) {
    guard let first = outboxes[lane].slots.first?.seq.rawValue else { return }
    for number in first..<nextSeq(in: lane).rawValue {
      let seq = SequenceNumber(number)
      cancel(lane, seq: seq, transfer: name(lane, seq), at: now, into: &output)
    }
  }
}
