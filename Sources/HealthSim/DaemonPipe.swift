import Link

/// A stream of messages between the daemons of two devices: each once, in order, as long as the link lasts.
///
/// What is not confirmed is sent again, after a second at first and after 8 s at most, while the link is believed up.
struct DaemonPipe: Sendable, Equatable {
  private struct Item: Sendable, Equatable {
    var seq: UInt64
    var bytes: [UInt8]
    var attempt: UInt16 = 0
    var dueAt: VirtualTime
  }

  /// 0: mirroring and starts; 1: samples.
  let lane: UInt64
  private var sent: UInt64 = 0
  private var items: [Item] = []
  private var received: UInt64 = 0
  private var early: [UInt64: [UInt8]] = [:]

  init(lane: UInt64) { self.lane = lane }

  /// How many messages are not confirmed.
  var backlog: Int { items.count }

  mutating func send(_ message: DeviceMessage, at now: VirtualTime) {
    sent += 1
    items.append(Item(seq: sent, bytes: message.encoded, dueAt: now))
  }

  /// When something is to be sent; nil for nothing, and while the link is down.
  func nextAt(isUp: Bool) -> VirtualTime? { isUp ? items.lazy.map(\.dueAt).min() : nil }

  /// The frames that are due.
  mutating func takeDue(at now: VirtualTime) -> [Frame] {
    var frames: [Frame] = []
    for index in items.indices where items[index].dueAt <= now {
      items[index].attempt += items[index].attempt < .max ? 1 : 0
      let wait = min(8, 1 << min(Int(items[index].attempt) - 1, 3))
      items[index].dueAt = now + .seconds(Int64(wait))
      frames.append(frame(.data, seq: items[index].seq, attempt: items[index].attempt, items[index].bytes))
    }
    return frames
  }

  /// Sends everything that waits at once, as the link is back.
  mutating func hurry(at now: VirtualTime) {
    for index in items.indices { items[index].dueAt = now }
  }

  /// Receives a frame: the messages that are now in order, and the answer.
  mutating func receive(_ frame: Frame) -> (messages: [DeviceMessage], answer: Frame?) {
    if frame.kind == .ack {
      items.removeAll { $0.seq <= frame.seq.rawValue }
      return ([], nil)
    }
    if frame.seq.rawValue > received { early[frame.seq.rawValue] = frame.payload }
    var messages: [DeviceMessage] = []
    while let bytes = early.removeValue(forKey: received + 1) {
      received += 1
      if let message = DeviceMessage(bytes) { messages.append(message) }
    }
    return (messages, self.frame(.ack, seq: received, attempt: frame.attempt, offset: frame.seq.rawValue))
  }

  private func frame(
    _ kind: Frame.Kind, seq: UInt64, attempt: UInt16, _ payload: [UInt8] = [], offset: UInt64 = 0
  ) -> Frame {
    Frame(
      kind: kind, channel: .mirror, attempt: attempt, epoch: Epoch(UInt32(lane) + 1), seq: SequenceNumber(seq),
      offset: offset, payload: payload)
  }
}
