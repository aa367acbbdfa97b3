package import Link

/// `no-phantom`: what arrives was sent, and arrives as it was sent.
package struct PhantomChecker: Checker {
  package static let invariant = "no-phantom"
  package static let about = "No message, transfer or context arrives that was not sent, or with another digest."
  package static let interests: [TraceEvent.Name] = [
    "frame.sent", "message.received", "payload.undecodable", "transfer.queued", "transfer.delivered",
    "transfer.finished", "transfer.failed", "transfer.cancelled", "transfer.setAside", "context.set",
    "context.received",
  ]
  package static let channels: [Channel]? = [.message]

  /// The number of remembered messages of each sender; older ones are not judged.
  private static let messagesMax = 4096
  /// The limit of remembered contexts of each sender; beyond it, contexts are no longer judged.
  private static let contextsMax = 65_536

  private struct Message {
    var epoch: Int64
    var seq: Int64
    /// Nil once it has arrived unchanged while it was the latest; another invariant reports a second arrival.
    var digest: PayloadMark?
    var line: Int

    /// The value of an unused slot.
    static let none = Message(epoch: 0, seq: 0, digest: nil, line: 0)
  }

  private struct Transfer {
    var digest: EventDigest?
    var line: Int
    var isDelivered = false
    var isFinished = false
  }

  /// The watch's messages, indexed by the low bits of the sequence number; unused slots have line 0.
  private var ofWatch: [Message] = []
  private var ofPhone: [Message] = []
  /// The slot and the digest of the watch's latest message.
  ///
  /// Nearly every message arrives before the next one is sent, with the same bytes in memory, and needs no mark.
  private var latest: (place: Int, digest: TraceValue)?
  private var transfers: [Identifier: Transfer] = [:]
  private var lastQueued = [UInt64](repeating: 0, count: TransferLane.count)
  private var contexts: [NumberTable<Int>] = [NumberTable(), NumberTable()]

  package init(header: TraceHeader) {}

  package mutating func observe(_ event: TypedEvent, line: Int, into report: inout [Violation]) {
    switch event.body {
    case .frameSent(let frame): observeSent(frame, event, line)
    case .messageReceived(let message):
      observeReceived(message.from, message.epoch, message.seq, message.digest, event, line, &report)
    case .payloadUndecodable(let payload):
      // A transfer that could not be decoded is judged when it is set aside.
      guard payload.channel == .message else { return }
      observeReceived(payload.from, payload.epoch, payload.seq, payload.digest, event, line, &report)
    case .contextSet(let context): observeContextSet(context, event, line)
    case .contextReceived(let context): observeContextReceived(context, event, line, &report)
    case .transferQueued(let queued):
      let transfer = TransferLine(queued.identity, at: event.place, isReceivers: false)
      transfers[transfer.transfer] = Transfer(digest: queued.digest, line: line)
      lastQueued[transfer.lane.index] = max(lastQueued[transfer.lane.index], transfer.seq)
    case .transferDelivered(let delivered): observeDelivered(delivered.identity, delivered.digest, event, line, &report)
    case .transferSetAside(let delivered): observeDelivered(delivered.identity, delivered.digest, event, line, &report)
    case .transferFinished(let finished): settle(finished.identity.transfer, mayCome: true)
    case .transferFailed(let failed): settle(failed.identity.transfer, mayCome: false)
    case .transferCancelled(let cancelled): settle(cancelled.identity.transfer, mayCome: false)
    default: break
    }
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout [Violation]) {}

  private mutating func settle(_ transfer: Identifier, mayCome: Bool) {
    guard var known = transfers[transfer] else { return }
    known.isFinished = true
    transfers[transfer] = known.isDelivered || !mayCome ? nil : known
  }

  private mutating func observeSent(_ frame: FrameSent, _ event: TypedEvent, _ line: Int) {
    guard frame.kind == .data, frame.channel == .message, frame.to != .edge,
      event.place == .watch || event.place == .phone
    else { return }
    let (epoch, seq) = (frame.epoch, frame.seq)
    guard event.place == .watch else {
      guard let digest = PayloadMark(frame.digest.traceValue) else { return }
      return Self.store(Message(epoch: epoch, seq: seq, digest: digest, line: line), in: &ofPhone)
    }
    guard frame.digest.traceValue.isDigest else { return }
    if let latest { ofWatch[latest.place].digest = PayloadMark(latest.digest) }
    // Reserves room for a quarter of an hour, since a growing list is copied repeatedly.
    if ofWatch.isEmpty { ofWatch.reserveCapacity(1_024) }
    Self.store(Message(epoch: epoch, seq: seq, digest: nil, line: line), in: &ofWatch)
    latest = (Self.slot(of: seq), frame.digest.traceValue)
  }

  @inline(__always)
  private static func slot(of seq: Int64) -> Int { Int(truncatingIfNeeded: seq) & (messagesMax - 1) }

  @inline(__always)
  private static func store(_ message: Message, in messages: inout [Message]) {
    let slot = slot(of: message.seq)
    if slot == messages.count { return messages.append(message) }
    while messages.count <= slot { messages.append(.none) }
    messages[slot] = message
  }

  private mutating func observeReceived(
    _ from: NodeRole, _ epoch: Int64, _ seq: Int64, _ digest: EventDigest, _ event: TypedEvent, _ line: Int,
    _ report: inout [Violation]
  ) {
    guard from != .edge else { return }
    let isOfWatch = from == .watch
    let place = Self.slot(of: seq)
    let count = isOfWatch ? ofWatch.count : ofPhone.count
    let known = place < count ? isOfWatch ? ofWatch[place] : ofPhone[place] : .none
    let isKnown = known.line > 0
    if isKnown, known.epoch == epoch, known.seq == seq {
      if isOfWatch, let latest, latest.place == place {
        if digest.traceValue == latest.digest { return self.latest = nil }
        guard digest.traceValue.isDigest else { return }
      } else {
        guard let mark = PayloadMark(digest.traceValue), known.digest?.differs(from: mark) ?? false else { return }
      }
      report.append(
        Self.violation(
          "message \(seq) of the \(from.text)'s epoch \(epoch) arrived with another digest than it was sent with",
          at: event.time, lines: [known.line, line]))
      return
    }
    guard digest.traceValue.isDigest else { return }
    // A later message has replaced it: too old to judge.
    if isKnown, (known.epoch, known.seq) > (epoch, seq) { return }
    report.append(
      Self.violation(
        "message \(seq) of the \(from.text)'s epoch \(epoch) was received and never sent",
        at: event.time, lines: [line]))
  }

  private mutating func observeDelivered(
    _ identity: TransferIdentity, _ digest: EventDigest?, _ event: TypedEvent, _ line: Int, _ report: inout [Violation]
  ) {
    let transfer = TransferLine(identity, at: event.place, isReceivers: true)
    guard var known = transfers[transfer.transfer] else {
      // The number was queued and is settled: a duplicate, not a phantom.
      guard transfer.seq == 0 || transfer.seq > lastQueued[transfer.lane.index] else { return }
      report.append(
        Self.violation(
          "transfer \(transfer.transfer.text) was delivered and never queued", at: event.time, lines: [line]))
      return
    }
    if known.digest != digest {
      report.append(
        Self.violation(
          "transfer \(transfer.transfer.text) arrived with another digest than it was queued with", at: event.time,
          lines: [known.line, line]))
    }
    known.isDelivered = true
    transfers[transfer.transfer] = known.isFinished ? nil : known
  }

  private mutating func observeContextSet(_ context: ContextSet, _ event: TypedEvent, _ line: Int) {
    guard let digest = context.digest.bits, event.place == .watch || event.place == .phone else { return }
    let sender = event.place == .watch ? 0 : 1
    if contexts[sender].count < Self.contextsMax { contexts[sender][digest] = line }
  }

  private func observeContextReceived(
    _ context: ContextReceived, _ event: TypedEvent, _ line: Int, _ report: inout [Violation]
  ) {
    guard let digest = context.digest.bits, event.place == .watch || event.place == .phone else { return }
    let known = contexts[event.place == .watch ? 1 : 0]
    guard known.count < Self.contextsMax, known[digest] == nil else { return }
    report.append(
      Self.violation("a context arrived at the \(event.place.text) that was never set", at: event.time, lines: [line]))
  }
}
