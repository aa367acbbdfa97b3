/// How one file is received: which bytes are there, and what their digest is so far.
///
/// Bytes are taken in their order only; a chunk behind a gap is wanted again.
struct FileReceiver: Sendable, Equatable {
  /// What the store holds; its digest state is brought up to date with each chunk.
  private(set) var partial: PartialFile
  let offer: FileOffer
  private var stream: SHA256Stream

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
    stream = SHA256Stream()
    partial.receivedBytes = 0
    partial.digestState = stream.saved
  }
}

/// A file whose rest the app refused.
struct RefusedFile: Sendable, Equatable {
  var transfer: Identifier
  var seq: SequenceNumber
}
