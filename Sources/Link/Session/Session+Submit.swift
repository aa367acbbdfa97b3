/// What the app commands.
extension Session {
  /// Sends a message, once.
  ///
  /// A refused message uses up its number too, so that the receiver sees the gap.
  ///
  /// - Parameters:
  ///   - kind: The app's name for it, for the trace.
  ///   - wantsReply: Whether a ``SessionDelivery/reply(to:payload:flags:)`` or a failure must follow.
  /// - Returns: The message's number, and why it was not sent; nil when it was.
  @discardableResult
  public mutating func sendMessage(
    _ payload: [UInt8], kind: @autoclosure () -> String, flags: Frame.Flags = .dictionary, wantsReply: Bool = false,
    at now: VirtualTime, into output: inout NodeOutput
  ) -> (seq: SequenceNumber, error: SessionError?) {
    let seq = nextMessageSeq
    nextMessageSeq = SequenceNumber(seq.rawValue + 1)
    let error: SessionError? =
      if payload.count > Self.payloadBytesMax(on: .message) { .payloadTooLarge } else if !reachable {
        .notReachable
      } else { nil }
    if let error {
      output.record(
        TraceEvent(
          "message.refused", at: now, on: configuration.role.place,
          [
            .init("kind", .string(kind())), .init("epoch", .int(Int64(epoch.rawValue))),
            .init("seq", .int(Int64(seq.rawValue))), .init("error", .string(error.rawValue)),
          ]))
      return (seq, error)
    }
    if wantsReply {
      pendingReplies.append(PendingReply(seq: seq, deadline: now + configuration.replyTimeout))
    }
    output.send(
      Frame(
        kind: .data, channel: .message, flags: wantsReply ? flags.union(.wantsReply) : flags, epoch: epoch,
        peerEpoch: peerEpoch, seq: seq, payload: payload))
    return (seq, nil)
  }

  /// Answers a message that wants a reply.
  ///
  /// - Returns: Why it was not sent: the peer is out of reach, or its epoch is over (`messageReplyFailed`), or the
  ///   answer is larger than a message may be; nil when it was.
  @discardableResult
  public mutating func reply(
    to seq: SequenceNumber, of peer: Epoch, _ payload: [UInt8], flags: Frame.Flags = .dictionary,
    at now: VirtualTime, into output: inout NodeOutput
  ) -> SessionError? {
    guard payload.count <= Self.payloadBytesMax(on: .message) else { return .payloadTooLarge }
    guard peer == peerEpoch, reachable else { return .messageReplyFailed }
    output.send(
      Frame(
        kind: .reply, channel: .message, flags: flags, epoch: epoch, peerEpoch: peerEpoch, seq: seq, payload: payload))
    return nil
  }

  /// Sets the application context.
  ///
  /// The same value again changes nothing and sends nothing.
  public mutating func updateApplicationContext(
    _ payload: [UInt8], at now: VirtualTime, into output: inout NodeOutput
  ) throws(SessionError) {
    guard payload.count <= Self.payloadBytesMax(on: .applicationContext) else { throw .payloadTooLarge }
    guard record.contextSent?.payload != payload else { return }
    let seq = SequenceNumber((record.contextSent?.seq.rawValue ?? 0) + 1)
    apply(.contextSet(seq, payload), into: &output)
    output.items.append(.commit)
    output.record(
      TraceEvent(
        "context.set", at: now, on: configuration.role.place,
        [.init("seq", .int(Int64(seq.rawValue))), .init("digest", .hex(Digest.prefix(payload)))]))
    contextAttempts = 0
    contextWaits = 0
    contextDeadline = nil
    if reachable { sendContext(at: now, into: &output) }
  }

  /// Queues an event: committed before this returns, delivered exactly once, in order.
  ///
  /// - Parameters:
  ///   - details: The app's own fields for the trace, from `kind` on.
  /// - Returns: The transfer's name.
  @discardableResult
  public mutating func transferUserInfo(
    _ payload: [UInt8], flags: Frame.Flags = .dictionary, details: @autoclosure () -> [TraceEvent.Field],
    at now: VirtualTime, into output: inout NodeOutput
  ) throws(SessionError) -> Identifier {
    guard payload.count <= Self.payloadBytesMax(on: .userInfo) else { throw .payloadTooLarge }
    let seq = record[.userInfo].nextSeq
    let transfer = Identifier(configuration.random, for: RandomStream.key(0x7472_616E_7366_6572, seq.rawValue))
    apply(
      .enqueued(OutboxEntry(transfer: transfer, seq: seq, flags: flags, payload: payload)), into: &output)
    output.items.append(.commit)
    output.record(
      TraceEvent(
        "transfer.queued", at: now, on: configuration.role.place,
        Self.transferFields(transfer: transfer, seq: seq, payload: payload, details: details())))
    output.items.append(.crashPoint(.outboxCommitted))
    if reachable { fillWindow(at: now, into: &output) }
    return transfer
  }

  /// The fields that `transfer.queued` and `transfer.delivered` share.
  public static func transferFields(
    transfer: Identifier, seq: SequenceNumber, payload: [UInt8], details: [TraceEvent.Field]
  ) -> [TraceEvent.Field] {
    [
      .init("transfer", transfer.traceValue), .init("channel", .string(Channel.userInfo.text)),
      .init("seq", .int(Int64(seq.rawValue))), .init("bytes", .int(Int64(payload.count))),
      .init("digest", .hex(Digest.prefix(payload))),
    ] + details
  }

  /// Ends the app's handling of a queued event: part of the transaction that the app's own changes are in.
  ///
  /// The caller closes the transaction and then records `transfer.delivered`.
  public mutating func markHandled(_ entry: InboxEntry, into output: inout NodeOutput) {
    precondition(
      entry.seq == record[entry.lane].nextToHandle,
      "handled \(entry.seq) while \(record[entry.lane].nextToHandle) is next")
    apply(.handled(entry.lane, entry.seq), into: &output)
  }

  mutating func apply(_ change: SessionChange, into output: inout NodeOutput) {
    record.apply(change)
    output.items.append(.change(change))
  }
}
