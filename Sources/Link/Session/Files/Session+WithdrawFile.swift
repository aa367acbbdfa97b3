/// Files that their sender can no longer read.
extension Session {
  /// Withdraws a queued file because its bytes can no longer be read, and reports the error to the app.
  ///
  /// As with ``cancel(_:seq:transfer:at:into:)``, a receiver that already has the whole file may still deliver it.
  ///
  /// - Returns: Whether it was withdrawn; false, with nothing changed, if it is unknown, finished or already withdrawn.
  @discardableResult
  public mutating func withdrawFile(
    seq: SequenceNumber, transfer: Identifier, error: SessionError, at now: VirtualTime, into output: inout NodeOutput,
    delivering deliveries: inout [SessionDelivery]
  ) -> Bool {
    guard transfer == name(.file, seq), outboxes[.file].voidTransfer(seq, transfer) else { return false }
    output.commit(.voided(.file, seq))
    output.record(TransferCancelled.self, at: now, on: configuration.role.place) {
      $0.identity = TransferIdentity(transfer, .file, seq)
      $0.by = "sender"
      $0.error = error.rawValue
    }
    output.items.append(.file(.discardOutgoing(transfer)))
    if outboxes[.file].slots.first?.seq == seq { voidCurrentFile(at: now, into: &output) }
    deliver(.transferFailed(.file, transfer: transfer, seq: seq, error), to: &deliveries)
    return true
  }
}
