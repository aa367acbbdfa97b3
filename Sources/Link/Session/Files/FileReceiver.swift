/// The progress of a file being received: its bytes, and their digest so far.
///
/// Bytes are accepted in order only; a chunk after a gap must be sent again.
struct FileReceiver: Sendable, Equatable {
  /// What the store holds; its digest state is updated with each chunk.
  private(set) var partial: PartialFile
  let offer: FileOffer
  private var stream: SHA256Stream
  /// How often all bytes had arrived but differed from the offer, since this side's start.
  private(set) var mismatches = 0

  /// Starts receiving an offered file.
  init(_ frame: Frame, offer: FileOffer) {
    stream = SHA256Stream()
    self.offer = offer
    partial = PartialFile(
      transfer: frame.transfer, seq: frame.seq, flags: frame.flags, offer: frame.payload, digestState: stream.saved)
  }

  /// Continues from the store; nil if no session has stored this.
  init?(_ partial: PartialFile) {
    guard let offer = FileOffer(partial.offer), partial.receivedBytes <= offer.byteCount,
      let stream = SHA256Stream(saved: partial.digestState), stream.byteCount == partial.receivedBytes
    else { return nil }
    self.partial = partial
    self.offer = offer
    self.stream = stream
  }

  /// Whether all bytes have arrived.
  var isWhole: Bool { partial.receivedBytes == offer.byteCount }
  /// Whether they match the offer.
  var isAsOffered: Bool { stream.finish() == offer.digest }

  /// Whether a chunk lies within the file.
  func contains(offset: UInt64, count: Int) -> Bool {
    count > 0 && offset <= offer.byteCount && UInt64(count) <= offer.byteCount - offset
  }

  /// Accepts a chunk within the file.
  ///
  /// - Returns: Its new part, with the offset; nil if it has none, or comes after a gap.
  mutating func acceptChunk(_ bytes: [UInt8], at offset: UInt64) -> (offset: UInt64, bytes: [UInt8])? {
    let place = partial.receivedBytes
    guard offset <= place, offset + UInt64(bytes.count) > place else { return nil }
    let fresh = offset == place ? bytes : Array(bytes[Int(place - offset)...])
    stream.append(fresh)
    partial.receivedBytes += UInt64(fresh.count)
    partial.digestState = stream.saved
    return (place, fresh)
  }

  /// Starts over: the next bytes replace all others.
  mutating func restart() {
    mismatches += 1
    stream = SHA256Stream()
    partial.receivedBytes = 0
    partial.digestState = stream.saved
  }
}

extension PartialFile {
  /// The same file with none of its bytes received.
  var restarted: PartialFile {
    PartialFile(transfer: transfer, seq: seq, flags: flags, offer: offer, digestState: SHA256Stream().saved)
  }
}

/// A file that this side refused: later offers and chunks of it get the same answer.
struct RefusedFile: Sendable, Equatable {
  var transfer: Identifier
  var seq: SequenceNumber
  /// The answer: `full`, `cancelled` or `digestMismatch`.
  var reason: FileAnswer.Status

  /// The stored refusal: flag `void`, no offer, and the reason in the field of the digest state.
  var record: PartialFile {
    PartialFile(transfer: transfer, seq: seq, flags: .void, offer: [], digestState: [reason.rawValue])
  }
}

extension RefusedFile {
  /// Reads a stored refusal; nil for a file that is still being received.
  ///
  /// Records without a known reason come from a version that stored only cancelled files.
  init?(_ record: PartialFile) {
    guard record.flags.contains(.void) else { return nil }
    transfer = record.transfer
    seq = record.seq
    switch record.digestState.first.flatMap(FileAnswer.Status.init(rawValue:)) {
    case .full: reason = .full
    case .digestMismatch: reason = .digestMismatch
    default: reason = .cancelled
    }
  }
}
