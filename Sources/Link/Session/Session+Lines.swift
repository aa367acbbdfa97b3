/// Lines of the trace that only the app can complete, and what it does with an event it cannot handle.
extension Session {
  /// The number that the next message will carry.
  @inlinable public var nextMessage: SequenceNumber { nextMessageSeq }

  /// The line of a message that was handed over; `kind` is the app's name for it, nil for one it could not read.
  public func receivedEvent(
    kind: String?, payload: [UInt8], epoch: Epoch, seq: SequenceNumber, at now: VirtualTime
  ) -> TraceEvent {
    TraceEvent(
      "message.received", at: now, on: configuration.role.place,
      [
        .init("from", .string(configuration.role.peer.text)), .init("kind", kind.map { .string($0) } ?? .null),
        .init("epoch", .int(Int64(epoch.rawValue))), .init("seq", .int(Int64(clamping: seq.rawValue))),
        .init("digest", .hex(Digest.prefix(payload))),
      ])
  }

  /// The line of a payload that the app could not read.
  public func undecodableEvent(
    on channel: Channel, payload: [UInt8], epoch: Epoch, seq: SequenceNumber, error: String, at now: VirtualTime
  ) -> TraceEvent {
    TraceEvent(
      "payload.undecodable", at: now, on: configuration.role.place,
      [
        .init("from", .string(configuration.role.peer.text)), .init("channel", .string(channel.text)),
        .init("epoch", .int(Int64(epoch.rawValue))), .init("seq", .int(Int64(clamping: seq.rawValue))),
        .init("digest", .hex(Digest.prefix(payload))), .init("error", .string(error)),
      ])
  }

  /// Puts an event that the app cannot handle out of the way of those behind it.
  public mutating func setAside(
    _ entry: InboxEntry, error: String, at now: VirtualTime, into output: inout NodeOutput
  ) {
    markHandled(entry, into: &output)
    output.items.append(.commit)
    output.record(
      TraceEvent(
        "transfer.setAside", at: now, on: configuration.role.place,
        [
          .init("transfer", entry.transfer.traceValue), .init("channel", .string(Channel.userInfo.text)),
          .init("seq", .int(Int64(clamping: entry.seq.rawValue))), .init("bytes", .int(Int64(entry.payload.count))),
          .init("digest", .hex(Digest.prefix(entry.payload))), .init("error", .string(error)),
        ]))
  }
}
