import Link

/// A frame with its fates.
struct ExportedFrame {
  /// The fate of one copy.
  struct Fate {
    /// 0 for the original.
    var copy: Int64
    var time: VirtualTime
    /// Why it did not arrive; nil if it did.
    var cause: String?
    /// The fault that caused it; nil if none did.
    var fault: String?
    /// Its line in the trace.
    var line: Int
  }

  var id: Int64
  var time: VirtualTime
  var sender: TraceEvent.Place
  var receiver: String
  var kind: String
  var channel: String
  var epoch: Int64
  var seq: Int64
  /// Of the payload.
  var bytes: Int64
  /// The first 64 bits of the payload's SHA-256; 0 if the trace has none.
  var digest: UInt64
  /// From 1.
  var attempt: Int64
  /// The queued transfer to which it belongs, if any.
  var transfer: Identifier?
  /// What an app calls that which it carries; nil if it has no name.
  var name: String?
  /// The offset of a chunk in its file; nil for other frames.
  var offset: Int64?
  /// What it carries; nil for a frame without a payload of an app.
  var payload: PayloadNames.Payload?
  /// Its line in the trace.
  var line: Int
  /// How many copies were made, without the original.
  var copies: Int64 = 0
  /// In the order of the trace.
  var fates: [Fate] = []

  init(_ sent: FrameSent, from place: TraceEvent.Place, at time: VirtualTime, line: Int) {
    id = sent.id
    self.time = time
    sender = place
    receiver = sent.to.text
    kind = sent.kind.text
    channel = sent.channel.text
    epoch = sent.epoch
    seq = sent.seq
    bytes = max(0, sent.bytes)
    digest = sent.digest.bits ?? 0
    attempt = max(1, sent.attempt ?? 1)
    transfer = sent.transfer
    offset = sent.offset
    payload = PayloadNames.Payload(sent, from: place)
    self.line = line
  }

  /// Whether every copy has its fate.
  var isSettled: Bool { Int64(fates.count) > copies }
  /// Whether it was sent between phone and edge.
  var isOnUplink: Bool { sender == .edge || receiver == "edge" }
  /// The name for readers: `data message 12`.
  var title: String { name.map { "\($0) (\(channel) \(seq))" } ?? "\(kind) \(channel) \(seq)" }
}

/// Follows the frames of a trace from their sending to their fates.
struct FrameLedger {
  /// The limit of frames that wait for a fate; beyond it the oldest are returned incomplete.
  static let waitingMax = 65_536

  /// In the order of sending; those before ``first`` have been returned.
  private var frames: [ExportedFrame] = []
  private var first = 0
  /// The index of a frame among all frames so far; for lookup only.
  private var places: [Int64: Int] = [:]
  private var dropped = 0
  /// The names of queued transfers, and of each device's context.
  private var transfers: [Identifier: String] = [:]
  private var contexts: [TraceEvent.Place: String] = [:]

  /// Observes the next event; events not about frames have no effect.
  mutating func observe(_ event: TraceEvent, line: Int) {
    switch event.body {
    case .frameSent(let sent):
      places[sent.id] = dropped + frames.count
      var frame = ExportedFrame(sent, from: event.place, at: event.time, line: line)
      if sent.kind == .data {
        frame.name = sent.transfer.flatMap { transfers[$0] }
        if sent.channel == .applicationContext { frame.name = contexts[event.place] }
      }
      frames.append(frame)
    case .transferQueued(let transfer):
      if transfers.count >= Self.waitingMax { transfers.removeAll() }
      transfers[transfer.identity.transfer] = transfer.details.kind
    case .contextSet(let context): contexts[event.place] = context.kind
    case .other(let other):
      if let message = other.kind as? MessageSent { name(message, of: event.place) }
    case .frameDuplicated(let copied):
      guard let index = index(copied.id) else { return }
      frames[index].copies = min(1_000, max(frames[index].copies, copied.copies))
    case .frameDelivered(let arrived):
      settle(arrived.id, .init(copy: arrived.copy, time: event.time, line: line))
    case .frameDropped(let lost):
      settle(
        lost.id, .init(copy: lost.copy, time: event.time, cause: lost.cause.text, fault: lost.fault, line: line))
    default: return
    }
  }

  /// Names the frame of a message, whose line is one of the last.
  private mutating func name(_ message: MessageSent, of place: TraceEvent.Place) {
    let last = frames[first...].suffix(16).lastIndex { frame in
      frame.sender == place && frame.channel == "message" && frame.kind == "data" && frame.epoch == message.epoch
        && frame.seq == message.seq
    }
    if let last { frames[last].name = message.kind }
  }

  private func index(_ id: Int64) -> Int? {
    guard let place = places[id], place - dropped >= first else { return nil }
    return place - dropped
  }

  private mutating func settle(_ id: Int64, _ fate: ExportedFrame.Fate) {
    // A fate of a frame that was never sent, or one too many, is for a checker to report.
    guard let index = index(id), frames[index].fates.count < 1_001 else { return }
    frames[index].fates.append(fate)
  }

  /// Removes and returns the next frame in the order of sending, once it is settled.
  ///
  /// - Parameter isOver: Whether the trace has ended, so that frames are returned as they are.
  mutating func next(isOver: Bool = false) -> ExportedFrame? {
    guard first < frames.count else {
      if first > 0 { forget() }
      return nil
    }
    guard isOver || frames[first].isSettled || frames.count - first > Self.waitingMax else { return nil }
    let frame = frames[first]
    first += 1
    if places[frame.id] == dropped + first - 1 { places[frame.id] = nil }
    if first >= 1_024 { forget() }
    return frame
  }

  private mutating func forget() {
    frames.removeSubrange(..<first)
    dropped += first
    first = 0
  }
}
