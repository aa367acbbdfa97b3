/// How one file is received: which bytes are there, and what their digest is so far.
///
/// Bytes are taken in their order only; a chunk behind a gap is wanted again.
struct FileReceiver: Sendable, Equatable {
  /// What the store holds; its digest state is brought up to date with each chunk.
  private(set) var partial: PartialFile
  let offer: FileOffer
  private var stream: SHA256Stream
  /// How often all bytes were there and were not those that were offered; counted since this side started.
  private(set) var mismatches = 0

  /// Begins with a file that was offered.
  init(_ frame: Frame, offer: FileOffer) {
    stream = SHA256Stream()
    self.offer = offer
    partial = PartialFile(
      transfer: frame.transfer, seq: frame.seq, flags: frame.flags, offer: frame.payload, digestState: stream.saved)
  }

  /// Goes on with what the store held; nil for what no session has stored.
  init?(_ partial: PartialFile) {
    guard let offer = FileOffer(partial.offer), partial.receivedBytes <= offer.byteCount,
      let stream = SHA256Stream(saved: partial.digestState), stream.byteCount == partial.receivedBytes
    else { return nil }
    self.partial = partial
    self.offer = offer
    self.stream = stream
  }

  /// Whether all bytes are there.
  var isWhole: Bool { partial.receivedBytes == offer.byteCount }
  /// Whether they are those that were offered.
  var isAsOffered: Bool { stream.finish() == offer.digest }

  /// Whether a chunk lies within the file.
  func holds(offset: UInt64, count: Int) -> Bool {
    count > 0 && offset <= offer.byteCount && UInt64(count) <= offer.byteCount - offset
  }

  /// Takes a chunk that lies within the file: the part of it that is new, with its place; nil where none is, or it
  /// stands behind a gap.
  mutating func take(_ bytes: [UInt8], at offset: UInt64) -> (offset: UInt64, bytes: [UInt8])? {
    let place = partial.receivedBytes
    guard offset <= place, offset + UInt64(bytes.count) > place else { return nil }
    let fresh = offset == place ? bytes : Array(bytes[Int(place - offset)...])
    stream.append(fresh)
    partial.receivedBytes += UInt64(fresh.count)
    partial.digestState = stream.saved
    return (place, fresh)
  }

  /// Begins anew: the next bytes cut off what is there.
  mutating func restart() {
    mismatches += 1
    stream = SHA256Stream()
    partial.receivedBytes = 0
    partial.digestState = stream.saved
  }
}

/// A file that this side refused: every later offer or chunk of it gets the same answer.
struct RefusedFile: Sendable, Equatable {
  var transfer: Identifier
  var seq: SequenceNumber
  /// The answer: `full`, `cancelled` or `digestMismatch`.
  var reason: FileAnswer.Status

  init(transfer: Identifier, seq: SequenceNumber, reason: FileAnswer.Status) {
    self.transfer = transfer
    self.seq = seq
    self.reason = reason
  }

  /// Reads what ``record`` wrote; nil for a file that is still being received.
  ///
  /// A record without a known reason is one of a version that stored only cancelled files.
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

  /// What the store keeps: flag `void`, no offer, and the reason in the place of the digest's state.
  var record: PartialFile {
    PartialFile(transfer: transfer, seq: seq, flags: .void, offer: [], digestState: [reason.rawValue])
  }
}
