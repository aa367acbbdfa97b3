/// Signatures that the rest of the package can be written against; each moves to its place as it is built.
extension Session {
  /// Takes what this side learns of its device, or of its counterpart; the clock's is the node's alone.
  public mutating func receive(
    condition: NodeCondition, clock: Int64, at now: VirtualTime, into output: inout NodeOutput,
    delivering deliveries: inout [SessionDelivery]
  ) { preconditionFailure("not built yet") }

  /// Takes what the store had to a ``PageOrder`` of this session.
  public mutating func receive(
    page: StorePage, at now: VirtualTime, into output: inout NodeOutput, delivering deliveries: inout [SessionDelivery]
  ) { preconditionFailure("not built yet") }

  /// How many complication transfers are left today, by this side's clock in nanoseconds since 1970.
  public func remainingComplicationTransfers(clock: Int64) -> Int { preconditionFailure("not built yet") }

  /// Queues an event ahead of the ordinary ones; beyond the day's budget it is an ordinary one.
  ///
  /// - Parameter clock: This side's clock in nanoseconds since 1970: the budget's day.
  /// - Returns: The transfer's name, and whether it is a complication transfer.
  @discardableResult
  public mutating func transferComplicationUserInfo(
    _ payload: [UInt8], flags: Frame.Flags = .dictionary, clock: Int64,
    details: @autoclosure () -> [TraceEvent.Field], at now: VirtualTime, into output: inout NodeOutput
  ) throws(SessionError) -> (transfer: Identifier, isComplication: Bool) { preconditionFailure("not built yet") }

  /// The name that the next transfer of a lane will have.
  public func nextTransfer(in lane: Lane) -> Identifier { preconditionFailure("not built yet") }

  /// Queues a file.
  ///
  /// - Parameters:
  ///   - content: What the file holds: its making is ordered before the commit; nil when the caller has ordered
  ///     that, under ``nextTransfer(in:)``.
  /// - Returns: The transfer's name.
  @discardableResult
  public mutating func transferFile(
    _ offer: FileOffer, content: FileContent?, details: @autoclosure () -> [TraceEvent.Field] = [],
    at now: VirtualTime, into output: inout NodeOutput
  ) throws(SessionError) -> Identifier { preconditionFailure("not built yet") }

  /// Withdraws a queued transfer.
  ///
  /// - Returns: Whether it was withdrawn; false when it is unknown, over, or withdrawn already.
  @discardableResult
  public mutating func cancel(
    _ lane: Lane, seq: SequenceNumber, transfer: Identifier, at now: VirtualTime, into output: inout NodeOutput
  ) -> Bool { preconditionFailure("not built yet") }

  /// Refuses the rest of a file that is being received.
  ///
  /// - Returns: Whether that file was being received.
  @discardableResult
  public mutating func cancelIncoming(
    _ transfer: Identifier, at now: VirtualTime, into output: inout NodeOutput
  ) -> Bool { preconditionFailure("not built yet") }

  /// The first transfers of a lane that are owed, in order, at most ``LaneRecord/pageMax``; cancelled ones left out.
  public func outstanding(in lane: Lane) -> [OutboxEntry] { preconditionFailure("not built yet") }

  /// How many transfers of a lane are owed.
  public func outstandingCount(in lane: Lane) -> Int { preconditionFailure("not built yet") }

  /// Ends the app's handling of an entry and its transaction, which may hold changes of the app's own.
  ///
  /// Orders the commit, the discarding of a file that the app did not keep, and the crash point behind both.
  /// Lines that tell of the handling are recorded before: behind the crash point they would be lost with the process.
  public mutating func commitHandled(_ entry: InboxEntry, into output: inout NodeOutput) {
    preconditionFailure("not built yet")
  }

  /// The fields that `transfer.queued` and `transfer.delivered` share.
  public static func transferFields(of entry: InboxEntry, details: [TraceEvent.Field]) -> [TraceEvent.Field] {
    preconditionFailure("not built yet")
  }
}
