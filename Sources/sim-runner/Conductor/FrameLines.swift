import Link

/// Reused events of sent and delivered frames.
///
/// Two of five trace events are of these kinds. Their fields are always the same, so only the values are set, without
/// allocating a list of fields for every frame.
struct FrameLines {
  /// The event of the last sent frame.
  private(set) var sent = TraceEvent(
    .frameSent, at: .start, on: .link,
    ["id", "to", "kind", "channel", "epoch", "seq", "bytes", "digest"].map { .init($0, .null) })
  /// The event of the last delivered frame.
  private(set) var delivered = TraceEvent(
    .frameDelivered, at: .start, on: .link, [.init("id", .null), .init("copy", .null)])

  /// Number of fields that every sent frame's event has; optional ones follow them.
  private static let sentCount = 8

  /// Whether events contain computed digests; otherwise they are left open because no text is wanted.
  let isDigesting: Bool

  init(isDigesting: Bool) { self.isDigesting = isDigesting }

  /// Sets the event of a sent frame, and digests its payload once for this event and that of its arrival.
  mutating func sent(
    digesting frame: inout Frame, id: UInt64, from role: NodeRole, to receiver: NodeRole, at now: VirtualTime
  ) {
    let digest = frame.payloadDigest()
    sent(frame, id: id, from: role, to: receiver, at: now)
    sent.fields[7].value = .hex(digest)
  }

  /// Sets the event of a sent frame, with an open digest.
  mutating func sent(
    _ frame: Frame, id: UInt64, from role: NodeRole, to receiver: NodeRole, at now: VirtualTime
  ) {
    sent.time = now
    sent.place = role.place
    let (kind, channel) = (frame.kind.text, frame.channel.text)
    let (epoch, seq, payload) = (frame.epoch.rawValue, frame.seq.rawValue, frame.heldPayload())
    PlainFields.overwrite(&sent.fields, from: 0) { fields in
      fields.write("id", integer: Int64(id))
      fields.write("to", name: receiver.text)
      fields.write("kind", name: kind)
      fields.skip()
      fields.write("epoch", integer: Int64(epoch))
      fields.write("seq", integer: Int64(clamping: seq))
      fields.write("bytes", integer: Int64(payload.count))
    }
    sent.fields[3].value = .string(channel)
    sent.fields[7].value = .digest(of: payload)
    if sent.fields.count > Self.sentCount { sent.fields.removeSubrange(Self.sentCount...) }
    if frame.attempt > 1 { sent.fields.append(.init("attempt", .int(Int64(frame.attempt)))) }
    if frame.transfer != Identifier(high: 0, low: 0) {
      sent.fields.append(.init("transfer", frame.transfer.traceValue))
    }
    if frame.kind == .chunk { sent.fields.append(.init("offset", .int(Int64(clamping: frame.offset)))) }
    if frame.flags.contains(.wantsReply) { sent.fields.append(.init("wantsReply", .bool(true))) }
  }

  /// Sets the event of an arriving copy.
  mutating func delivered(id: UInt64, copy: Int, on place: TraceEvent.Place, at now: VirtualTime) {
    delivered.time = now
    delivered.place = place
    PlainFields.overwrite(&delivered.fields, from: 0) { fields in
      fields.write("id", integer: Int64(id))
      fields.write("copy", integer: Int64(copy))
    }
  }
}
