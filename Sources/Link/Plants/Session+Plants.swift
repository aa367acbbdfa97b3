/// The wrong behaviour of planted bugs.
extension Session {
  /// ``Plants/expiredSession``: whether an event that is next is lost because the app is suspended.
  func losesEvent(_ lane: Lane, _ seq: SequenceNumber) -> Bool {
    isSuspended && configuration.plants.contains(.expiredSession) && inboxes[lane].isSettled
      && seq.rawValue == inboxes[lane].nextToHandle
  }

  /// ``Plants/budgetDropped``: queues a transfer, and withdraws it without a word to the app.
  mutating func dropOverBudget(
    _ payload: [UInt8], flags: Frame.Flags, details: TransferDetails, in turn: inout Turn
  ) throws(SessionError) -> Identifier {
    let wasReachable = reachable
    let seq = outboxes[.userInfo].nextSeq
    reachable = false
    defer { reachable = wasReachable }
    let transfer = try transferUserInfo(payload, flags: flags, details: details, in: &turn)
    if outboxes[.userInfo].voidTransfer(seq, transfer) { turn.commit(.voided(.userInfo, seq)) }
    reachable = wasReachable
    if reachable { fillWindow(.userInfo, in: &turn) }
    return transfer
  }
}
