/// Files that their sender can no longer read.
extension Session {
  /// Withdraws a queued file because its bytes can no longer be read, and reports the error to the app.
  ///
  /// As with ``cancel(_:seq:transfer:in:)``, a receiver that already has the whole file may still deliver it.
  ///
  /// - Returns: Whether it was withdrawn; false, with nothing changed, if it is unknown, finished or already withdrawn.
  @discardableResult
  public mutating func withdrawFile(
    seq: SequenceNumber, transfer: Identifier, error: SessionError, in turn: inout Turn
  ) -> Bool {
    guard transfer == name(.file, seq), outboxes[.file].voidTransfer(seq, transfer) else { return false }
    turn.commit(.voided(.file, seq))
    turn.record(TransferCancelled.self, on: configuration.role.place) {
      $0.identity = TransferIdentity(transfer, .file, seq)
      $0.by = "sender"
      $0.error = error.rawValue
    }
    turn.items.append(.file(.discardOutgoing(transfer)))
    if outboxes[.file].slots.first?.seq == seq { voidCurrentFile(in: &turn) }
    deliver(.transferFailed(.file, transfer: transfer, seq: seq, error), in: &turn)
    return true
  }
}
