import Link

/// A run's time, and what it writes into the trace by itself: lines about devices, links, and each frame's fates.
struct RunLog {
  var sink: TraceSink
  var now = VirtualTime.start
  /// Number of frames sent.
  private(set) var frames: UInt64 = 0
  /// Number of inputs and deadlines handled by machines, and of frames handled by the links.
  var steps = 0
  private var lines: FrameLines

  /// - Parameter isDigesting: Whether events contain computed digests even if no text is wanted.
  init(_ sink: TraceSink, isDigesting: Bool) {
    self.sink = sink
    lines = FrameLines(isDigesting: isDigesting || sink.level == .written)
  }

  mutating func record(
    _ name: TraceEvent.Name, on place: TraceEvent.Place = .runner, _ fields: () -> [TraceEvent.Field]
  ) {
    guard sink.isRecording else { return }
    sink.emit(TraceEvent(name, at: now, on: place, fields()))
  }

  /// Records what happened to a device.
  mutating func record(_ name: TraceEvent.Name, of role: NodeRole, _ more: () -> [TraceEvent.Field]) {
    record(name) { [.init("target", .string(role.text))] + more() }
  }

  /// Numbers a sent frame and records it; the frame then carries its digest for the event of its arrival.
  mutating func recordSent(_ frame: inout Frame, from sender: NodeRole, to receiver: NodeRole) -> UInt64 {
    frames += 1
    steps += 1
    guard sink.isRecording else { return frames }
    if lines.isDigesting {
      lines.sent(digesting: &frame, id: frames, from: sender, to: receiver, at: now)
    } else {
      lines.sent(frame, id: frames, from: sender, to: receiver, at: now)
    }
    sink.emit(lines.sent)
    return frames
  }

  mutating func recordDelivered(id: UInt64, copy: Int, on place: TraceEvent.Place) {
    guard sink.isRecording else { return }
    lines.delivered(id: id, copy: copy, on: place, at: now)
    sink.emit(lines.delivered)
  }

  /// Records the fate of a frame's copy, or the creation of copies.
  mutating func record(_ fate: Medium.Fate, on place: TraceEvent.Place) {
    switch fate {
    case .delivered(let id, let copy, _, _): recordDelivered(id: id, copy: copy, on: place)
    case .duplicated(let id, let copies):
      record(.frameDuplicated, on: place) {
        [.init("id", .int(Int64(id))), .init("copies", .int(Int64(copies)))]
      }
    case .dropped(let id, let copy, let cause, let fault):
      record(.frameDropped, on: place) {
        [.init("id", .int(Int64(id))), .init("copy", .int(Int64(copy))), .init("cause", .string(cause.text))]
          + (fault.map { [.init("fault", .string($0))] } ?? [])
      }
    }
  }
}
