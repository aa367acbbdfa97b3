/// Trace lines that only the app can complete, and events that it cannot handle.
extension Session {
  /// The number of the next message.
  @inlinable public var nextMessage: SequenceNumber { nextMessageSeq }

  /// Returns the line of a delivered message; `kind` is the app's name for it, nil if it cannot decode it.
  public mutating func receivedEvent(
    kind: String?, payload: [UInt8], epoch: Epoch, seq: SequenceNumber, at now: VirtualTime
  ) -> TraceEvent {
    receivedLine.begin(at: now, on: configuration.role.place)
    let from = configuration.role.peer.text
    let (epoch, seq) = (Int64(epoch.rawValue), Int64(clamping: seq.rawValue))
    // A short string is stored inline; the next message's line overwrites it.
    let isShort = kind.map { $0.utf8.count <= 15 } ?? false
    let isWritten = receivedLine.overwrite(shape: isShort ? 1 : 0, count: 4, more: 1) { fields in
      fields.write("from", name: from)
      fields.write("kind", name: kind ?? "")
      fields.write("epoch", integer: epoch)
      fields.write("seq", integer: seq)
    }
    if !isWritten {
      receivedLine.put("from", .string(from))
      receivedLine.put("kind", kind.map { .string($0) } ?? .null)
      receivedLine.put("epoch", .int(epoch))
      receivedLine.put("seq", .int(seq))
    }
    receivedLine.put("digest", lastReceived.known == 0 ? .digest(of: payload) : lastReceived.traceValue(of: payload))
    return receivedLine.end()
  }

  /// Returns the line of a payload that the app cannot decode.
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

  /// Sets aside an event or a file that the app cannot handle, so that it does not block those after it.
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
  /// - Parameters:
  ///   - entry: The transfer.
  ///   - details: The app's fields, from `kind` on; they come last.
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
    var fields = transferIdentity(transfer, lane, seq)
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

  /// The fields that identify a transfer and its number.
  private static func transferIdentity(
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

  /// Returns a later line of a transfer.
  func line(
    _ name: TraceEvent.Name, _ transfer: Identifier, _ lane: Lane, _ seq: SequenceNumber, at now: VirtualTime,
    _ more: [TraceEvent.Field] = []
  ) -> TraceEvent {
    TraceEvent(name, at: now, on: configuration.role.place, Self.transferIdentity(transfer, lane, seq) + more)
  }
}
