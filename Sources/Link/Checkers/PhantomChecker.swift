package import Link

/// `no-phantom`: what arrives was sent, and arrives as it was sent.
package struct PhantomChecker: Checker {
  package static let invariant = "no-phantom"
  package static let about = "No message, transfer or context arrives that was not sent, or with another digest."

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

  package mutating func frameSent(_ frame: FrameSent, at event: Occurrence, into report: inout Report) {
    observeSent(frame, event)
  }

  package mutating func messageReceived(_ message: MessageReceived, at event: Occurrence, into report: inout Report) {
    observeReceived(message.from, message.epoch, message.seq, message.digest, event, &report)
  }

  package mutating func payloadUndecodable(
    _ payload: PayloadUndecodable, at event: Occurrence, into report: inout Report
  ) {
    // A transfer that could not be decoded is judged when it is set aside.
    guard payload.channel == .message else { return }
    observeReceived(payload.from, payload.epoch, payload.seq, payload.digest, event, &report)
  }

  package mutating func contextSet(_ context: ContextSet, at event: Occurrence, into report: inout Report) {
    observeContextSet(context, event)
  }

  package mutating func contextReceived(_ context: ContextReceived, at event: Occurrence, into report: inout Report) {
    observeContextReceived(context, event, &report)
  }

  package mutating func transferQueued(_ queued: TransferQueued, at event: Occurrence, into report: inout Report) {
    let transfer = TransferLine(queued.identity, at: event.place, isReceivers: false)
    transfers[transfer.transfer] = Transfer(digest: queued.digest, line: event.line)
    lastQueued[transfer.lane.index] = max(lastQueued[transfer.lane.index], transfer.seq)
  }

  package mutating func transferDelivered(
    _ delivered: TransferDelivered, at event: Occurrence, into report: inout Report
  ) {
    observeDelivered(delivered.identity, delivered.digest, event, &report)
  }

  package mutating func transferSetAside(_ delivered: TransferSetAside, at event: Occurrence, into report: inout Report)
  {
    observeDelivered(delivered.identity, delivered.digest, event, &report)
  }

  package mutating func transferFinished(_ finished: TransferFinished, at event: Occurrence, into report: inout Report)
  {
    settle(finished.identity.transfer, mayCome: true)
  }

  package mutating func transferFailed(_ failed: TransferFailed, at event: Occurrence, into report: inout Report) {
    settle(failed.identity.transfer, mayCome: false)
  }

  package mutating func transferCancelled(
    _ cancelled: TransferCancelled, at event: Occurrence, into report: inout Report
  ) {
    settle(cancelled.identity.transfer, mayCome: false)
  }

  private mutating func settle(_ transfer: Identifier, mayCome: Bool) {
    guard var known = transfers[transfer] else { return }
    known.isFinished = true
    transfers[transfer] = known.isDelivered || !mayCome ? nil : known
  }

  private mutating func observeSent(_ frame: FrameSent, _ event: Occurrence) {
    guard frame.kind == .data, frame.channel == .message, frame.to != .edge,
      event.place == .watch || event.place == .phone
    else { return }
    let (epoch, seq) = (frame.epoch, frame.seq)
    guard event.place == .watch else {
      guard let digest = PayloadMark(frame.digest.traceValue) else { return }
      return Self.store(Message(epoch: epoch, seq: seq, digest: digest, line: event.line), in: &ofPhone)
    }
    guard frame.digest.traceValue.isDigest else { return }
    if let latest { ofWatch[latest.place].digest = PayloadMark(latest.digest) }
    // Reserves room for a quarter of an hour, since a growing list is copied repeatedly.
    if ofWatch.isEmpty { ofWatch.reserveCapacity(1_024) }
    Self.store(Message(epoch: epoch, seq: seq, digest: nil, line: event.line), in: &ofWatch)
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
    _ from: NodeRole, _ epoch: Int64, _ seq: Int64, _ digest: EventDigest, _ event: Occurrence,
    _ report: inout Report
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
      report.add(
        "message \(seq) of the \(from.text)'s epoch \(epoch) arrived with another digest than it was sent with",
        at: event.time, lines: [known.line, event.line])
      return
    }
    guard digest.traceValue.isDigest else { return }
    // A later message has replaced it: too old to judge.
    if isKnown, (known.epoch, known.seq) > (epoch, seq) { return }
    report.add(
      "message \(seq) of the \(from.text)'s epoch \(epoch) was received and never sent",
      at: event.time, lines: [event.line])
  }

  private mutating func observeDelivered(
    _ identity: TransferIdentity, _ digest: EventDigest?, _ event: Occurrence, _ report: inout Report
  ) {
    let transfer = TransferLine(identity, at: event.place, isReceivers: true)
    guard var known = transfers[transfer.transfer] else {
      // The number was queued and is settled: a duplicate, not a phantom.
      guard transfer.seq == 0 || transfer.seq > lastQueued[transfer.lane.index] else { return }
      report.add(
        "transfer \(transfer.transfer.text) was delivered and never queued", at: event.time, lines: [event.line])
      return
    }
    if known.digest != digest {
      report.add(
        "transfer \(transfer.transfer.text) arrived with another digest than it was queued with", at: event.time,
        lines: [known.line, event.line])
    }
    known.isDelivered = true
    transfers[transfer.transfer] = known.isFinished ? nil : known
  }

  private mutating func observeContextSet(_ context: ContextSet, _ event: Occurrence) {
    guard let digest = context.digest.bits, event.place == .watch || event.place == .phone else { return }
    let sender = event.place == .watch ? 0 : 1
    if contexts[sender].count < Self.contextsMax { contexts[sender][digest] = event.line }
  }

  private func observeContextReceived(
    _ context: ContextReceived, _ event: Occurrence, _ report: inout Report
  ) {
    guard let digest = context.digest.bits, event.place == .watch || event.place == .phone else { return }
    let known = contexts[event.place == .watch ? 1 : 0]
    guard known.count < Self.contextsMax, known[digest] == nil else { return }
    report.add("a context arrived at the \(event.place.text) that was never set", at: event.time, lines: [event.line])
  }
}
