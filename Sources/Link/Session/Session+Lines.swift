/// Trace lines that only the app can complete, and events that it cannot handle.
extension Session {
  /// The number of the next message.
  @inlinable public var nextMessage: SequenceNumber { messages.nextSeq }

  /// Returns the event of a delivered message; `kind` is the app's name for it, nil if it cannot decode it.
  public func receivedEvent(
    kind: String?, payload: [UInt8], epoch: Epoch, seq: SequenceNumber
  ) -> MessageReceived {
    var event = MessageReceived()
    event.from = configuration.role.peer
    event.kind = kind
    event.epoch = Int64(epoch.rawValue)
    event.seq = Int64(clamping: seq.rawValue)
    event.digest = messages.lastReceived.eventDigest(of: payload)
    return event
  }

  /// Returns the line of a payload that the app cannot decode.
  public func undecodableEvent(
    on channel: Channel, payload: [UInt8], epoch: Epoch, seq: SequenceNumber, error: String, at now: VirtualTime
  ) -> TraceEvent {
    TraceEvent(PayloadUndecodable.self, at: now, on: configuration.role.place) {
      $0.from = configuration.role.peer
      $0.channel = channel
      $0.epoch = Int64(epoch.rawValue)
      $0.seq = Int64(clamping: seq.rawValue)
      $0.digest = EventDigest(bits: Digest.prefix(payload))
      $0.error = error
    }
  }

  /// Sets aside an event or a file that the app cannot handle, so that it does not block those after it.
  public mutating func setAside(_ entry: QueueEntry, error: String, in turn: inout Turn) {
    markHandled(entry, in: &turn)
    turn.record(TransferSetAside.self, on: configuration.role.place) {
      $0.describe(entry)
      $0.error = error
    }
    commitHandled(entry, in: &turn)
  }
}
