/// An event that says what a transfer carries.
public protocol TransferContentEvent: TraceEventKind {
  var identity: TransferIdentity { get set }
  var bytes: Int64? { get set }
  var digest: EventDigest? { get set }
  var name: String? { get set }
}

extension TransferContentEvent {
  /// Describes a received transfer.
  public mutating func describe(_ entry: QueueEntry) {
    describe(entry.transfer, entry.lane, entry.seq, entry.payload)
  }

  /// Describes a transfer; a payload of the file lane is the offer of a file.
  public mutating func describe(
    _ transfer: Identifier, _ lane: Lane, _ seq: SequenceNumber, _ payload: [UInt8]
  ) {
    identity = TransferIdentity(transfer, lane, seq)
    if lane == .file, let offer = FileOffer(payload) {
      bytes = Int64(offer.byteCount)
      digest = EventDigest(file: offer.digest)
      name = offer.name
    } else {
      bytes = Int64(payload.count)
      digest = EventDigest(of: payload)
    }
  }
}
