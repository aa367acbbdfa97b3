import CoachProtocol
package import Console
package import Link

/// The frames of a recorded run: its watch's frames, reconstructed, and the fates of all.
package struct RecordedFrames {
  /// The reconstruction of a watch's `frame.sent` event.
  enum Made {
    case frame(Frame)
    /// The trace does not contain enough to reconstruct it.
    case unknown
  }

  /// By index of the event; the watch's only.
  private(set) var made: [Int: Made] = [:]
  package private(set) var fates = RecordedFates()
  package private(set) var counts = Counts()
  /// What the watch of a repeated run saved in its health store; empty if not requested.
  private(set) var health: [Frame] = []

  /// How the frames' payloads were found.
  package struct Counts {
    /// Frames of the watch.
    package var all = 0
    /// Encoded from the trace's events, and verified by their digests; includes frames without a payload.
    package var proven = 0
    /// Taken from a run of the header's scenario, and verified by their digests.
    package var borrowed = 0
    /// Encoded from the trace's events in this release's way, which differs from their sender's.
    package var translated = 0
    /// Unknown.
    package var unknown = 0
    /// Frames with content for the app, and how many of these were found.
    package var contents = 0
    package var contentsMade = 0
  }

  /// The fields of a `frame.sent` event.
  fileprivate struct Line {
    var index: Int
    var kind: Frame.Kind
    var channel: Channel
    var epoch: Epoch
    var seq: SequenceNumber
    var bytes: UInt64
    var digest: UInt64
    var attempt: UInt16
    var transfer: Identifier?
    var offset: UInt64
    var wantsReply: Bool
    var payload: [UInt8]?
  }

  /// - Parameter harvest: Frames of a run of the header's scenario, by key; called once, and only if the trace's events
  ///   are not enough.
  package init(_ trace: RecordedTrace, harvest: () -> FrameBasket) throws(Failure) {
    var payloads = RecordedPayloads()
    for event in trace.events where event.place == .watch || event.place == .phone { payloads.add(event) }
    collectFates(trace)
    var borrowed: FrameBasket?
    if trace.header.extra("health") != nil {
      let basket = harvest()
      health = basket.health
      borrowed = basket
    }
    var watch = WatchState(startedAt: trace.header.unixStart ?? 0)
    for (index, event) in trace.events.enumerated() {
      watch.follow(event, at: index)
      guard event.name == FrameSent.name, event.place == .watch else { continue }
      guard let line = try Self.line(event, index, trace) else { continue }
      counts.all += 1
      var frame = watch.frame(of: line.kind, line.channel, line.seq, line.transfer)
      frame.epoch = line.epoch
      frame.attempt = line.attempt
      frame.offset = line.kind == .chunk ? line.offset : frame.offset
      if line.wantsReply { frame.flags.insert(.wantsReply) }
      if line.bytes == 0 {
        if line.kind == .data { frame.flags.insert(.void) }
        if line.kind == .reply { frame.flags.insert(.failure) }
        counts.proven += 1
        made[index] = .frame(frame)
        continue
      }
      let isContent = line.kind == .data || line.kind == .reply || line.kind == .chunk
      if isContent { counts.contents += 1 }
      defer { if isContent, case .frame? = made[index] { counts.contentsMade += 1 } }
      if line.kind == .data || line.kind == .reply { frame.flags.insert(.dictionary) }
      if let payload = line.payload ?? payloads.payload(line.digest) ?? watch.hello(line.kind, line.bytes, line.digest)
      {
        frame.payload = payload
        counts.proven += 1
        made[index] = .frame(frame)
        continue
      }
      if borrowed == nil { borrowed = harvest() }
      var key = RecordedFates.Key(frame, .watchToPhone)
      key.epoch = line.epoch
      if let other = borrowed?.frame(key, line.digest) {
        counts.borrowed += 1
        made[index] = .frame(other)
      } else if let payload = watch.helloOfOthers(line.kind) ?? payloads.meaning(of: line) {
        frame.payload = payload
        counts.translated += 1
        made[index] = .frame(frame)
      } else {
        counts.unknown += 1
        made[index] = .unknown
      }
    }
  }

  private static func line(
    _ event: TraceEvent, _ index: Int, _ trace: RecordedTrace
  ) throws(Failure) -> Line? {
    guard let kind = Frame.Kind.allCases.first(where: { $0.text == event.text("kind") }),
      let channel = event.text("channel").flatMap(Channel.init(text:)), let epoch = event.count("epoch"),
      let seq = event.count("seq"), let bytes = event.count("bytes"), let digest = event.digest("digest"),
      epoch <= UInt32.max
    else {
      throw .input(
        "\(trace.path):\(trace.line(of: index)):1: error: found a frame without kind, channel, epoch, seq, bytes and "
          + "digest, expected all of them")
    }
    return Line(
      index: index, kind: kind, channel: channel, epoch: Epoch(UInt32(epoch)), seq: SequenceNumber(seq), bytes: bytes,
      digest: digest, attempt: UInt16(clamping: event.count("attempt") ?? 1), transfer: event.identifier("transfer"),
      offset: event.count("offset") ?? 0, wantsReply: event["wantsReply"]?.boolean ?? false,
      payload: event.text("payload").flatMap(Hexadecimal.bytes))
  }

  /// Reads the fate of every copy of every frame.
  private mutating func collectFates(_ trace: RecordedTrace) {
    var indices: [UInt64: Int] = [:]
    var frames: [(key: RecordedFates.Key, fates: [RecordedFates.Fate])] = []
    for event in trace.events where event.isBelieved {
      switch event.name.text {
      case "frame.sent":
        guard let id = event.count("id"), let key = Self.key(of: event) else { continue }
        indices[id] = frames.count
        frames.append((key, []))
      case "frame.delivered":
        guard let index = event.count("id").flatMap({ indices[$0] }) else { continue }
        frames[index].fates.append(.arrived(copy: Int(clamping: event.count("copy") ?? 0), at: event.time))
      case "frame.dropped":
        guard let index = event.count("id").flatMap({ indices[$0] }) else { continue }
        frames[index].fates.append(
          .dropped(
            copy: Int(clamping: event.count("copy") ?? 0), cause: DropCause(event.text("cause") ?? "loss"),
            fault: event.text("fault")))
      default: continue
      }
    }
    for frame in frames { fates.add(frame.key, frame.fates) }
  }

  private static func key(of event: TraceEvent) -> RecordedFates.Key? {
    guard let kind = Frame.Kind.allCases.first(where: { $0.text == event.text("kind") }),
      let channel = event.text("channel").flatMap(Channel.init(text:)), let epoch = event.count("epoch"),
      let seq = event.count("seq")
    else { return nil }
    let direction: Direction
    switch (event.place, event.text("to")) {
    case (.watch, _): direction = .watchToPhone
    case (.edge, _): direction = .edgeToPhone
    case (.phone, "edge"?): direction = .phoneToEdge
    case (.phone, _): direction = .phoneToWatch
    case (.link, _), (.uplink, _), (.runner, _): return nil
    }
    return RecordedFates.Key(
      direction: direction, kind: kind, channel: channel, epoch: Epoch(UInt32(clamping: epoch)),
      seq: SequenceNumber(seq), attempt: UInt16(clamping: event.count("attempt") ?? 1),
      transfer: event.identifier("transfer") ?? Identifier(high: 0, low: 0), offset: event.count("offset") ?? 0)
  }
}

/// Bytes as pairs of hexadecimal digits.
enum Hexadecimal {
  /// Decodes them; nil for anything else.
  static func bytes(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    var high: UInt8?
    for letter in text.utf8 {
      let digit: UInt8
      switch letter {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = letter - 48
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = letter - 87
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = letter - 55
      default: return nil
      }
      if let first = high {
        bytes.append(first << 4 | digit)
        high = nil
      } else {
        high = digit
      }
    }
    return high == nil ? bytes : nil
  }
}

extension RecordedPayloads {
  /// The content of a message or a queued event whose bytes are unknown; nil if the trace lacks it.
  fileprivate func meaning(of line: RecordedFrames.Line) -> [UInt8]? {
    guard line.kind == .data else { return nil }
    return meaning(epoch: UInt64(line.epoch.rawValue), seq: line.seq.rawValue, transfer: line.transfer)
  }
}

/// Payloads reconstructed from a trace's events, by their digests.
///
/// A trace has no payloads, but nearly all of them are encoded in a fixed order from fields that it has: a snapshot, a
/// queued event, a start's answer. Each is encoded again, and verified by its digest.
struct RecordedPayloads {
  private var byDigest: [UInt64: [UInt8]] = [:]
  /// Snapshots by epoch and number, and queued events by transfer: for a watch with another encoding.
  private var bySeq: [[UInt64]: [UInt8]] = [:]
  private var byTransfer: [Identifier: [UInt8]] = [:]
  /// Requested runs.
  private var runs: [Identifier] = []

  /// Collects an event's payload.
  mutating func add(_ event: TraceEvent) {
    switch event.name.text {
    case "snapshot", "ghost.snapshot":
      guard let metrics = LiveMetrics(event.fields) else { return }
      let payload = metrics.encoded
      add(payload)
      if event.name == SnapshotPublished.name, let epoch = event.count("epoch"), let seq = event.count("seq") {
        bySeq[[epoch, seq]] = payload
      }
    case "transfer.queued", "transfer.delivered":
      guard let message = AppMessage(traced: event.fields) else { return }
      let payload = message.encoded
      add(payload)
      if let transfer = event.identifier("transfer") { byTransfer[transfer] = payload }
    case "start.accepted", "start.declined", "start.asked":
      guard let run = event.identifier("runId"), !runs.contains(run) else { return }
      runs.append(run)
      add(AppMessage.startAck(StartAck(runId: run)).encoded)
      for reason in StartDeclined.Reason.allCases {
        add(AppMessage.startDeclined(StartDeclined(runId: run, reason: reason)).encoded)
      }
    default: return
    }
  }

  /// Adds a payload from another source.
  mutating func add(_ payload: [UInt8]) { byDigest[Digest.prefix(payload)] = payload }

  /// The payload with a digest; nil if unknown.
  func payload(_ digest: UInt64) -> [UInt8]? { byDigest[digest] }

  /// The content of a frame's payload whose bytes are unknown; nil if the trace lacks it.
  func meaning(epoch: UInt64, seq: UInt64, transfer: Identifier?) -> [UInt8]? {
    if let transfer { return byTransfer[transfer] }
    return bySeq[[epoch, seq]]
  }
}
