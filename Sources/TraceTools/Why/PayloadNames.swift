package import Link

/// The names of what frames carry, from the lines that report the same message, context or transfer.
package struct PayloadNames {
  fileprivate struct Key: Hashable {
    var from: TraceEvent.Place
    var channel: Channel
    /// Of a message; contexts are counted over all epochs.
    var epoch: Int64
    var seq: Int64
  }

  // For lookup only.
  private var numbered: [Key: String] = [:]
  private var transfers: [Identifier: String] = [:]

  package init() {}

  /// Observes an event of the trace, in any order.
  package mutating func observe(_ event: TraceEvent) {
    switch event.body {
    case .messageReceived(let message):
      name(message.kind, Key(from: message.from.place, channel: .message, epoch: message.epoch, seq: message.seq))
    case .messageFailed(let message):
      name(message.kind, Key(from: event.place, channel: .message, epoch: message.epoch, seq: message.seq))
    case .contextSet(let context):
      name(context.kind, Key(from: event.place, channel: .applicationContext, epoch: 0, seq: context.seq))
    case .transferQueued(let transfer):
      if let kind = transfer.details.kind { transfers[transfer.identity.transfer] = kind }
    case .other(let other):
      guard let message = other.kind as? MessageSent else { return }
      name(message.kind, Key(from: event.place, channel: .message, epoch: message.epoch, seq: message.seq))
    default: break
    }
  }

  private mutating func name(_ kind: String?, _ key: Key) {
    if let kind { numbered[key] = kind }
  }

  /// What a frame carries, as far as the frame itself says: enough to find the name later.
  package struct Payload {
    fileprivate let key: Key
    fileprivate let transfer: Identifier?

    /// Nil for a frame without a payload of an app.
    init?(_ frame: FrameSent, from place: TraceEvent.Place) {
      guard frame.kind == .data else { return nil }
      let epoch = frame.channel == .message ? frame.epoch : 0
      key = Key(from: place, channel: frame.channel, epoch: epoch, seq: frame.seq)
      transfer = frame.transfer
    }
  }

  /// The name of a payload; nil if the trace does not say.
  func name(of payload: Payload) -> String? {
    payload.transfer.map { transfers[$0] } ?? numbered[payload.key]
  }

  /// What the frame of an event carries; nil for an event without a frame, and for what has no name.
  package func name(of event: TraceEvent) -> String? {
    guard case .frameSent(let frame) = event.body else { return nil }
    return Payload(frame, from: event.place).flatMap { name(of: $0) }
  }

  /// What the frame of an event carries, in a word; its kind or its channel where the trace does not say.
  package func frameTitle(_ event: TraceEvent) -> String {
    guard case .frameSent(let frame) = event.body else { return "" }
    guard frame.kind == .data else { return "\(frame.kind)" }
    return name(of: event) ?? (frame.channel == .http ? "request" : "\(frame.channel)")
  }
}
