public import Link

/// Messages to and from the health store: frames of the channel `health`, which no link carries.
///
/// The platform itself syncs workouts between devices; an app neither sends nor sees this. So these frames pass only
/// between a node and the simulated platform, are not in the trace, and are exempt from faults.
///
/// A message that exceeds a frame is split: `seq` counts the parts from 1, `offset` is their number.
public enum HealthFrames {
  /// Limit of one part.
  static let partBytes = 200_000

  /// Splits a message into frames, at least one.
  public static func make(
    _ kind: Frame.Kind, about name: Identifier, epoch: Epoch, _ bytes: [UInt8]
  ) -> [Frame] {
    let count = max(1, (bytes.count + partBytes - 1) / partBytes)
    return (0..<count).map { part in
      Frame(
        kind: kind, channel: .health, epoch: epoch, seq: SequenceNumber(UInt64(part + 1)), offset: UInt64(count),
        transfer: name,
        payload: Array(bytes[min(part * partBytes, bytes.count)..<min((part + 1) * partBytes, bytes.count)]))
    }
  }

  /// A query of the phone's app, in one frame.
  public static func query(_ query: HealthQuery, epoch: Epoch) -> Frame {
    make(.data, about: Identifier(high: 0, low: 0), epoch: epoch, query.bytes)[0]
  }

  /// Reassembles messages from their parts.
  public struct Assembly: Sendable, Equatable {
    private var name: Identifier?
    private var parts: UInt64 = 0
    private var bytes: [UInt8] = []

    public init() {}

    /// Adds the next part.
    ///
    /// - Returns: The whole message with its last part; nil before, and for a part out of order.
    public mutating func append(_ frame: Frame) -> [UInt8]? {
      if frame.seq.rawValue == 1 {
        name = frame.transfer
        parts = 0
        bytes = []
      }
      guard name == frame.transfer, frame.seq.rawValue == parts + 1 else {
        self = Assembly()
        return nil
      }
      parts += 1
      bytes += frame.payload
      guard parts >= frame.offset else { return nil }
      defer { self = Assembly() }
      return bytes
    }
  }
}
