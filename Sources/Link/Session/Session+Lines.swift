/// Lines of the trace that only the app can complete, and what it does with an event it cannot handle.
extension Session {
  /// The number that the next message will carry.
  @inlinable public var nextMessage: SequenceNumber { nextMessageSeq }

  /// The line of a message that was handed over; `kind` is the app's name for it, nil for one it could not read.
  public mutating func receivedEvent(
    kind: String?, payload: [UInt8], epoch: Epoch, seq: SequenceNumber, at now: VirtualTime
  ) -> TraceEvent {
    receivedLine.begin(at: now, on: configuration.role.place)
    receivedLine.put("from", .string(configuration.role.peer.text))
    receivedLine.put("kind", kind.map { .string($0) } ?? .null)
    receivedLine.put("epoch", .int(Int64(epoch.rawValue)))
    receivedLine.put("seq", .int(Int64(clamping: seq.rawValue)))
    receivedLine.put("digest", lastHeard.known == 0 ? .digest(of: payload) : lastHeard.traceValue(of: payload))
    return receivedLine.end()
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

  /// Puts an event or a file that the app cannot handle out of the way of those behind it.
  public mutating func setAside(
    _ entry: InboxEntry, error: String, at now: VirtualTime, into output: inout NodeOutput
  ) {
    markHandled(entry, into: &output)
    output.record(
      TraceEvent(
        "transfer.setAside", at: now, on: configuration.role.place,
        Self.transferFields(of: entry, details: [.init("error", .string(error))])))
    commitHandled(entry, into: &output)
  }

  /// The fields that `transfer.queued` and `transfer.delivered` share.
  ///
  /// - Parameter details: The app's own, from `kind` on; they come last.
  public static func transferFields(of entry: InboxEntry, details: [TraceEvent.Field]) -> [TraceEvent.Field] {
    transferFields(entry.transfer, entry.lane, entry.seq, entry.payload, details)
  }

  /// The fields that `transfer.queued` and `transfer.delivered` of an ordinary event share.
  public static func transferFields(
    transfer: Identifier, seq: SequenceNumber, payload: [UInt8], details: [TraceEvent.Field]
  ) -> [TraceEvent.Field] { transferFields(transfer, .userInfo, seq, payload, details) }

  static func transferFields(
    _ transfer: Identifier, _ lane: Lane, _ seq: SequenceNumber, _ payload: [UInt8], _ details: [TraceEvent.Field]
  ) -> [TraceEvent.Field] {
    var fields = transferPlace(transfer, lane, seq)
    if lane == .file, let offer = FileOffer(payload) {
      fields.append(.init("bytes", .int(Int64(offer.byteCount))))
      fields.append(.init("digest", .string(Digest.text(offer.digest))))
      fields.append(.init("name", .string(offer.name)))
    } else {
      fields.append(.init("bytes", .int(Int64(payload.count))))
      fields.append(.init("digest", .digest(of: payload)))
    }
    return fields + details
  }

  /// The fields that name a transfer and its place.
  private static func transferPlace(
    _ transfer: Identifier, _ lane: Lane, _ seq: SequenceNumber
  ) -> [TraceEvent.Field] {
    var fields: [TraceEvent.Field] = []
    fields.reserveCapacity(10)
    fields.append(.init("transfer", transfer.traceValue))
    fields.append(.init("channel", .string(lane.channel.text)))
    if lane == .complication { fields.append(.init("complication", .bool(true))) }
    fields.append(.init("seq", .int(Int64(clamping: seq.rawValue))))
    return fields
  }

  /// A line of a transfer's further life.
  func line(
    _ name: TraceEvent.Name, _ transfer: Identifier, _ lane: Lane, _ seq: SequenceNumber, at now: VirtualTime,
    _ more: [TraceEvent.Field] = []
  ) -> TraceEvent {
    TraceEvent(name, at: now, on: configuration.role.place, Self.transferPlace(transfer, lane, seq) + more)
  }
}
