/// What a receiver says to an offer or a chunk: the payload of an acknowledgement on channel `file`.
///
/// Layout, little-endian: status u8, received bytes u64. A longer payload is read as far as it is known.
struct FileAnswer: Sendable, Equatable {
  /// How the transfer stands at the receiver.
  enum Status: UInt8, Sendable, CaseIterable {
    /// To an offer: it is noted, and so many bytes are there.
    case ready = 0
    /// To a chunk: so many bytes are there, whether this chunk was wanted or not.
    case received = 1
    /// The whole file is in the inbox, or its place is passed over.
    case complete = 2
    /// There is no room.
    case full = 3
    /// The receiver does not want it.
    case cancelled = 4
    /// All bytes were there, and are not what was offered: they are wanted again from the beginning.
    case digestMismatch = 5
  }

  var status: Status
  /// How many bytes are there, from the beginning without a gap.
  var receivedBytes: UInt64

  init(_ status: Status, _ receivedBytes: UInt64 = 0) {
    self.status = status
    self.receivedBytes = receivedBytes
  }

  /// Nil for bytes that are no answer.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 9, let status = Status(rawValue: bytes[0]) else { return nil }
    self.status = status
    receivedBytes = bytes.littleEndian(UInt64.self, at: 1)
  }

  /// The payload of the frame.
  var encoded: [UInt8] {
    var bytes = [status.rawValue]
    bytes.appendLittleEndian(receivedBytes)
    return bytes
  }
}
