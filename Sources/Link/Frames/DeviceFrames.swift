/// Messages between an app and its own device: frames of the channel ``Channel/health``, which no link carries.
///
/// They are not in the trace, and no fault affects them. A message that exceeds a frame is split: `seq` counts the parts
/// from 1, `offset` is their number.
public enum DeviceFrames {
  /// Limit of a message that is reassembled, in bytes.
  static let messageBytesMax = 64 << 20
  /// Limit of one part, in bytes.
  static let partBytes = 200_000

  /// Splits a message into frames, at least one.
  ///
  /// - Parameters:
  ///   - bytes: The message.
  ///   - number: Of the message, from its sender.
  ///   - epoch: Of the sender.
  public static func make(_ bytes: [UInt8], number: UInt64, epoch: Epoch) -> [Frame] {
    let count = max(1, (bytes.count + partBytes - 1) / partBytes)
    return (0..<count).map { part in
      Frame(
        kind: .data, channel: .health, epoch: epoch, seq: SequenceNumber(UInt64(part + 1)), offset: UInt64(count),
        transfer: Identifier(high: 0, low: number),
        payload: Array(bytes[min(part * partBytes, bytes.count)..<min((part + 1) * partBytes, bytes.count)]))
    }
  }

  /// Reassembles messages from their parts, which arrive in order.
  public struct Assembly: Sendable, Equatable {
    private var bytes: [UInt8] = []

    public init() {}

    /// Adds the next part; returns the whole message with its last part, and nil before.
    ///
    /// A message beyond the limit is dropped.
    public mutating func append(_ frame: Frame) -> [UInt8]? {
      if frame.seq.rawValue == 1 {
        if frame.offset == 1 { return frame.payload }
        bytes = []
      }
      guard bytes.count + frame.payload.count <= DeviceFrames.messageBytesMax else {
        bytes = []
        return nil
      }
      bytes += frame.payload
      guard frame.seq.rawValue >= frame.offset else { return nil }
      defer { bytes = [] }
      return bytes
    }
  }
}
