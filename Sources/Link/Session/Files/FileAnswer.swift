/// A receiver's answer to an offer or a chunk: the payload of an acknowledgement on channel `file`.
///
/// Layout, little-endian: status u8, received bytes u64. Further bytes are ignored.
struct FileAnswer: Sendable, Equatable {
  /// The state of the transfer at the receiver.
  enum Status: UInt8, Sendable, CaseIterable {
    /// To an offer: accepted; the receiver has this many bytes.
    case ready = 0
    /// To a chunk: the receiver has this many bytes, whether this chunk was expected or not.
    case received = 1
    /// The whole file is in the inbox, or its number is skipped.
    case complete = 2
    /// There is no room.
    case full = 3
    /// The receiver refuses it.
    case cancelled = 4
    /// All bytes arrived, but they differ from the offer: send them again from the beginning.
    case digestMismatch = 5
  }

  var status: Status
  /// The number of bytes received from the beginning without a gap.
  var receivedBytes: UInt64

  init(_ status: Status, _ receivedBytes: UInt64 = 0) {
    self.status = status
    self.receivedBytes = receivedBytes
  }

  /// Decodes a payload; nil if it is not an answer.
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
