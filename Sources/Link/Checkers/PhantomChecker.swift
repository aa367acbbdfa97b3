/// `no-phantom`: what arrives was sent, and arrives as it was sent.
public struct PhantomChecker: Checker {
  public static let invariant = "no-phantom"
  public static let about = "No message, transfer or context arrives that was not sent, or with another digest."
  public static let interests: [TraceEvent.Name] = [
    "frame.sent", "message.received", "payload.undecodable", "transfer.queued", "transfer.delivered",
    "transfer.finished", "transfer.failed", "transfer.cancelled", "transfer.setAside", "context.set",
    "context.received",
  ]
  public static let frameSorts: [FrameSort]? = [.plain, .data]

  /// Messages that are remembered of each sender; whether an older one was sent is not asked any more.
  private static let messagesMax = 4096
  /// Contexts that are remembered of each sender; with more of them, contexts are not judged any more.
  private static let contextsMax = 65_536

  private struct Message {
    var epoch: Int64
    var seq: Int64
    /// nil once it has arrived as it was sent, while it was the latest: that it does not arrive again is for another
    /// invariant to say.
    var digest: PayloadMark?
    var line: Int

    /// The place of one that was not sent.
    static let none = Message(epoch: 0, seq: 0, digest: nil, line: 0)
  }

  private struct Transfer {
    var digest: TraceValue?
    var line: Int
    var isDelivered = false
    var isFinished = false
  }

  /// Of the watch and of the phone, by the low bits of the sequence number; those not sent yet have line 0.
  private var ofWatch: [Message] = []
  private var ofPhone: [Message] = []
  /// Where the watch's latest message stands, and what its line says of its payload: nearly all arrive before another is
  /// sent, as the very bytes that were sent, and need no mark.
  private var latest: (place: Int, digest: TraceValue)?
  private var transfers: [Identifier: Transfer] = [:]
  private var lastQueued = [UInt64](repeating: 0, count: TransferLane.count)
  private var contexts: [NumberTable<Int>] = [NumberTable(), NumberTable()]

  public init(header: TraceHeader) {}

  public mutating func observe(_ event: TraceEvent, line: Int, into report: inout [Violation]) {
    switch event.name.code {
    case TraceEvent.Name.Code.frameSent: observeSent(event, line)
    case TraceEvent.Name.Code.messageReceived: observeReceived(event, line, &report)
    case TraceEvent.Name.Code.payloadUndecodable:
      // A transfer that could not be decoded is judged when it is set aside.
      if event["channel"]?.text == Channel.message.text { observeReceived(event, line, &report) }
    case TraceEvent.Name.Code.contextSet: observeContextSet(event, line)
    case TraceEvent.Name.Code.contextReceived: observeContextReceived(event, line, &report)
    case TraceEvent.Name.Code.transferQueued:
      guard let transfer = TransferLine(event, isReceiver: false) else { return }
      transfers[transfer.transfer] = Transfer(digest: transfer.digest, line: line)
      lastQueued[transfer.lane.index] = max(lastQueued[transfer.lane.index], transfer.seq)
    case TraceEvent.Name.Code.transferDelivered, TraceEvent.Name.Code.transferSetAside:
      observeDelivered(event, line, &report)
    default:
      guard let transfer = TransferLine(event, isReceiver: false)?.transfer, var known = transfers[transfer] else {
        return
      }
      known.isFinished = true
      transfers[transfer] = known.isDelivered || event.name.code != TraceEvent.Name.Code.transferFinished ? nil : known
    }
  }

  public mutating func finish(_ ending: TraceEnding, into report: inout [Violation]) {}

  private mutating func observeSent(_ event: TraceEvent, _ line: Int) {
    guard event.place == .watch || event.place == .phone else { return }
    var fields = FieldCursor(event)
    fields.skip("id")
    guard
      fields.isIdentical("to", to: event.place == .watch ? TraceEvent.Place.phone.text : TraceEvent.Place.watch.text)
        || event["to"]?.text != TraceEvent.Place.edge.text
    else { return }
    fields.skip("to")
    guard fields.says("kind", Frame.Kind.data.text),
      fields.says("channel", Channel.message.text), let epoch = fields.integer("epoch"),
      let seq = fields.integer("seq")
    else { return }
    fields.skip("bytes")
    guard event.place == .watch else {
      guard let digest = fields.mark("digest") else { return }
      return Self.keep(Message(epoch: epoch, seq: seq, digest: digest, line: line), in: &ofPhone)
    }
    guard let digest = fields.value("digest"), digest.isDigest else { return }
    if let latest { ofWatch[latest.place].digest = PayloadMark(latest.digest) }
    // Room for a quarter of an hour: a list that grows is copied again and again.
    if ofWatch.isEmpty { ofWatch.reserveCapacity(1_024) }
    Self.keep(Message(epoch: epoch, seq: seq, digest: nil, line: line), in: &ofWatch)
    latest = (Self.place(of: seq), digest)
  }

  @inline(__always)
  private static func place(of seq: Int64) -> Int { Int(truncatingIfNeeded: seq) & (messagesMax - 1) }

  @inline(__always)
  private static func keep(_ message: Message, in messages: inout [Message]) {
    let place = place(of: message.seq)
    if place == messages.count { return messages.append(message) }
    while messages.count <= place { messages.append(.none) }
    messages[place] = message
  }

  private mutating func observeReceived(_ event: TraceEvent, _ line: Int, _ report: inout [Violation]) {
    var fields = FieldCursor(event)
    let isOfWatch = fields.says("from", TraceEvent.Place.watch.text)
    guard isOfWatch || event["from"]?.text.map({ $0 != TraceEvent.Place.edge.text }) ?? false else { return }
    fields.skip("kind")
    guard let epoch = fields.integer("epoch"), let seq = fields.integer("seq") else { return }
    let place = Self.place(of: seq)
    let count = isOfWatch ? ofWatch.count : ofPhone.count
    let known = place < count ? isOfWatch ? ofWatch[place] : ofPhone[place] : .none
    let isKnown = known.line > 0
    if isKnown, known.epoch == epoch, known.seq == seq {
      if isOfWatch, let latest, latest.place == place {
        if fields.isDigest("digest", latest.digest) { return self.latest = nil }
        guard event["digest"]?.isDigest ?? false else { return }
      } else {
        guard let digest = fields.mark("digest"), known.digest?.differs(from: digest) ?? false else { return }
      }
      report.append(
        Self.violation(
          "message \(seq) of the \(event["from"]?.text ?? "")'s epoch \(epoch) arrived with another digest than it was sent with",
          at: event.time, lines: [known.line, line]))
      return
    }
    guard fields.mark("digest") != nil else { return }
    // Its place was taken since by a later one: too long ago to tell.
    if isKnown, (known.epoch, known.seq) > (epoch, seq) { return }
    report.append(
      Self.violation(
        "message \(seq) of the \(event["from"]?.text ?? "")'s epoch \(epoch) was received and never sent",
        at: event.time, lines: [line]))
  }

  private mutating func observeDelivered(_ event: TraceEvent, _ line: Int, _ report: inout [Violation]) {
    guard let transfer = TransferLine(event, isReceiver: true) else { return }
    guard var known = transfers[transfer.transfer] else {
      // A number that was queued belongs to a transfer that is settled: a duplicate, and no phantom.
      guard transfer.seq == 0 || transfer.seq > lastQueued[transfer.lane.index] else { return }
      report.append(
        Self.violation(
          "transfer \(transfer.transfer.text) was delivered and never queued", at: event.time, lines: [line]))
      return
    }
    if known.digest != transfer.digest {
      report.append(
        Self.violation(
          "transfer \(transfer.transfer.text) arrived with another digest than it was queued with", at: event.time,
          lines: [known.line, line]))
    }
    known.isDelivered = true
    transfers[transfer.transfer] = known.isFinished ? nil : known
  }

  private mutating func observeContextSet(_ event: TraceEvent, _ line: Int) {
    guard let digest = event["digest"]?.digestBits, event.place == .watch || event.place == .phone else { return }
    let sender = event.place == .watch ? 0 : 1
    if contexts[sender].count < Self.contextsMax { contexts[sender][digest] = line }
  }

  private func observeContextReceived(_ event: TraceEvent, _ line: Int, _ report: inout [Violation]) {
    guard let digest = event["digest"]?.digestBits, event.place == .watch || event.place == .phone else { return }
    let known = contexts[event.place == .watch ? 1 : 0]
    guard known.count < Self.contextsMax, known[digest] == nil else { return }
    report.append(
      Self.violation("a context arrived at the \(event.place.text) that was never set", at: event.time, lines: [line]))
  }
}
