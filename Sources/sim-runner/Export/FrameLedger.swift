import Link

/// A frame with all that became of it.
struct ExportedFrame {
  /// What became of one copy.
  struct Fate {
    /// 0 for the original.
    var copy: Int64
    var time: VirtualTime
    /// Why it never arrived; nil for one that did.
    var cause: String?
    /// The fault whose doing it was; nil where it was none's.
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
  /// The first 64 bits of the payload's SHA-256; 0 where the trace has none.
  var digest: UInt64
  /// From 1.
  var attempt: Int64
  /// The queued transfer it is part of; nil for none.
  var transfer: TraceValue?
  /// The offset of a chunk in its file; nil for other frames.
  var offset: Int64?
  /// Its line in the trace.
  var line: Int
  /// How many copies were made, without the original.
  var copies: Int64 = 0
  /// In the order in which they came.
  var fates: [Fate] = []

  /// Reads a `frame.sent`; what a stranger's trace leaves out is empty.
  init(_ event: TraceEvent, line: Int) {
    id = event["id"]?.integer ?? 0
    time = event.time
    sender = event.place
    receiver = event["to"]?.text ?? ""
    kind = event["kind"]?.text ?? ""
    channel = event["channel"]?.text ?? ""
    epoch = event["epoch"]?.integer ?? 0
    seq = event["seq"]?.integer ?? 0
    bytes = max(0, event["bytes"]?.integer ?? 0)
    digest = event["digest"]?.digestBits ?? 0
    attempt = max(1, event["attempt"]?.integer ?? 1)
    transfer = event["transfer"]
    offset = event["offset"]?.integer
    self.line = line
  }

  /// Whether every copy has its fate.
  var isSettled: Bool { Int64(fates.count) > copies }
  /// Whether it went between phone and edge.
  var isOnUplink: Bool { sender == .edge || receiver == "edge" }
  /// What a reader calls it: `data message 12`.
  var title: String { "\(kind) \(channel) \(seq)" }
}

/// Follows the frames of a trace from their sending to their fates.
struct FrameLedger {
  /// Frames that are kept waiting for a fate at most; of a trace that owes more the oldest are handed out as they are.
  static let waitingMax = 65_536

  /// In the order of their sending; those before ``first`` are handed out.
  private var frames: [ExportedFrame] = []
  private var first = 0
  /// The index of a frame among all frames so far; looked up only.
  private var places: [Int64: Int] = [:]
  private var dropped = 0

  /// Takes the next event; one that tells of no frame changes nothing.
  mutating func observe(_ event: TraceEvent, line: Int) {
    switch event.name.code {
    case TraceEvent.Name.Code.frameSent:
      let frame = ExportedFrame(event, line: line)
      places[frame.id] = dropped + frames.count
      frames.append(frame)
    case TraceEvent.Name.Code.frameDuplicated:
      guard let index = index(event) else { return }
      frames[index].copies = min(1_000, max(frames[index].copies, event["copies"]?.integer ?? 0))
    case TraceEvent.Name.Code.frameDelivered: settle(event, line: line, cause: nil)
    case TraceEvent.Name.Code.frameDropped: settle(event, line: line, cause: event["cause"]?.text ?? "unknown")
    default: return
    }
  }

  private func index(_ event: TraceEvent) -> Int? {
    guard let id = event["id"]?.integer, let place = places[id], place - dropped >= first else { return nil }
    return place - dropped
  }

  private mutating func settle(_ event: TraceEvent, line: Int, cause: String?) {
    // A fate of a frame that was never sent, or one too many, is a checker's business.
    guard let index = index(event), frames[index].fates.count < 1_001 else { return }
    frames[index].fates.append(
      ExportedFrame.Fate(
        copy: event["copy"]?.integer ?? 0, time: event.time, cause: cause, fault: event["fault"]?.text, line: line))
  }

  /// Removes and returns the next frame in the order of sending, once all is known of it.
  ///
  /// - Parameter isOver: Whether nothing more comes, so that what is known is all.
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
