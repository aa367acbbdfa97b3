public import Link

/// How words to and from the health store travel: in frames of the channel `health`, which no link carries.
///
/// The platform's own synchronisation brings a workout from one device to the other; an app neither sends nor sees it. So
/// these frames pass between a node and the simulated platform alone, have no line in the trace, and no fault meets them.
///
/// A text that is longer than a frame goes in parts: `seq` counts them from 1, `offset` says how many there are.
public enum HealthFrames {
  /// The bytes of one part, at most.
  static let partBytes = 200_000

  /// A text in frames, one at least.
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

  /// Puts parts together again.
  public struct Assembly: Sendable, Equatable {
    private var name: Identifier?
    private var parts: UInt64 = 0
    private var bytes: [UInt8] = []

    /// Creates one that has nothing.
    public init() {}

    /// Takes the next part.
    ///
    /// - Returns: The whole text with its last part; nil before, and for a part that does not follow the one before.
    public mutating func take(_ frame: Frame) -> [UInt8]? {
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
