/// A file that its sender can no longer read.
extension Session {
  /// Withdraws a queued file because its bytes cannot be read any more, and reports the error to the app.
  ///
  /// As with ``cancel(_:seq:transfer:at:into:)``, a receiver that had the whole file already may still deliver it.
  ///
  /// - Returns: Whether it was withdrawn; false when it is unknown, over, or withdrawn already, and nothing changed.
  @discardableResult
  public mutating func withdrawFile(
    seq: SequenceNumber, transfer: Identifier, error: SessionError, at now: VirtualTime, into output: inout NodeOutput,
    delivering deliveries: inout [SessionDelivery]
  ) -> Bool {
    guard transfer == name(.file, seq), outboxes[.file].void(seq, transfer) else { return false }
    output.commit(.voided(.file, seq))
    output.record(
      line(
        "transfer.cancelled", transfer, .file, seq, at: now,
        [.init("by", .string("sender")), .init("error", .string(error.rawValue))]))
    output.items.append(.file(.discardOutgoing(transfer)))
    if outboxes[.file].slots.first?.seq == seq { voidCurrentFile(at: now, into: &output) }
    deliver(.transferFailed(.file, transfer: transfer, seq: seq, error), to: &deliveries)
    return true
  }
}
