import Link

/// A run's time, and what it writes into the trace by itself: lines about devices, links, and each frame's fates.
struct RunLog {
  var sink: TraceSink
  var now = VirtualTime.start
  /// Number of frames sent.
  private(set) var frames: UInt64 = 0
  /// Number of inputs and deadlines handled by machines, and of frames handled by the links.
  var steps = 0
  /// Whether events contain computed digests; otherwise they are left open because no text is wanted.
  private let isDigesting: Bool

  /// - Parameter isDigesting: Whether events contain computed digests even if no text is wanted.
  init(_ sink: TraceSink, isDigesting: Bool) {
    self.sink = sink
    self.isDigesting = isDigesting || sink.level == .written
  }

  /// Records an event; `fill` sets its fields.
  mutating func record<Kind: TraceEventKind>(
    _ kind: Kind.Type, on place: TraceEvent.Place = .runner, _ fill: (inout Kind) -> Void = { _ in }
  ) {
    guard sink.isRecording else { return }
    sink.emit(TraceEvent(kind, at: now, on: place, fill))
  }

  /// Records what happened to a device; `fill` sets the other fields.
  mutating func record<Kind: DeviceEvent>(_ kind: Kind.Type, of role: NodeRole, _ fill: (inout Kind) -> Void) {
    record(kind) {
      $0.target = role
      fill(&$0)
    }
  }

  /// Numbers a sent frame and records it; the frame then carries its digest for the event of its arrival.
  mutating func recordSent(_ frame: inout Frame, from sender: NodeRole, to receiver: NodeRole) -> UInt64 {
    frames += 1
    steps += 1
    guard sink.isRecording else { return frames }
    let digest = isDigesting ? EventDigest(bits: frame.payloadDigest()) : EventDigest(of: frame.heldPayload())
    sink.emit(value: Self.event(of: frame, id: frames, to: receiver, digest), at: now, on: sender.place)
    return frames
  }

  private static func event(
    of frame: Frame, id: UInt64, to receiver: NodeRole, _ digest: EventDigest
  ) -> FrameSent {
    var event = FrameSent()
    event.id = Int64(id)
    event.to = receiver
    event.kind = frame.kind
    event.channel = frame.channel
    event.epoch = Int64(frame.epoch.rawValue)
    event.seq = Int64(clamping: frame.seq.rawValue)
    event.bytes = Int64(frame.heldPayload().count)
    event.digest = digest
    if frame.attempt > 1 { event.attempt = Int64(frame.attempt) }
    if frame.transfer != .none { event.transfer = frame.transfer }
    if frame.kind == .chunk { event.offset = Int64(clamping: frame.offset) }
    if frame.flags.contains(.wantsReply) { event.wantsReply = true }
    return event
  }

  mutating func recordDelivered(id: UInt64, copy: Int, on place: TraceEvent.Place) {
    guard sink.isRecording else { return }
    var event = FrameDelivered()
    event.id = Int64(id)
    event.copy = Int64(copy)
    sink.emit(value: event, at: now, on: place)
  }

  /// Records the fate of a frame's copy, or the creation of copies.
  mutating func record(_ fate: Medium.Fate, on place: TraceEvent.Place) {
    switch fate {
    case .delivered(let id, let copy, _, _): recordDelivered(id: id, copy: copy, on: place)
    case .duplicated(let id, let copies):
      record(FrameDuplicated.self, on: place) {
        $0.id = Int64(id)
        $0.copies = Int64(copies)
      }
    case .dropped(let id, let copy, let cause, let fault):
      record(FrameDropped.self, on: place) {
        $0.id = Int64(id)
        $0.copy = Int64(copy)
        $0.cause = cause
        $0.fault = fault
      }
    }
  }
}
