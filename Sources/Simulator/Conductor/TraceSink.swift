import Link

/// The destinations of a run's events: the judge, a digest, a file, observers.
package struct TraceSink {
  /// What happens with a run's events.
  package enum Level {
    /// No events are created.
    case nothing
    /// The judge sees every event; no text is made.
    case judged
    /// Text is made too, digested, and passed on in large pieces.
    case written
  }

  let level: Level
  /// Whether the SHA-256 of the text is computed.
  let isDigested: Bool
  /// How often each kind of event happened, in the order of first appearance.
  var counters: [(name: TraceEvent.Name, count: Int)] {
    order.map { ($0, EventCatalog.index(of: $0).map { counts[$0] } ?? foreignCounts[$0] ?? 0) }
  }
  private var order: [TraceEvent.Name] = []
  private var counts = [Int](repeating: 0, count: EventCatalog.all.count)
  private var foreignCounts: [TraceEvent.Name: Int] = [:]
  /// Number of lines, with the header.
  private(set) var lineCount = 0
  /// The owed transfers in the order of queueing: queued and neither failed nor cancelled, nor both finished and
  /// handled by the receiver's app, which may be dead when its inbox has them.
  private(set) var outstanding: [Identifier] = []
  /// Limit of owed transfers: the judge keeps each of them, as the devices do.
  static let outstandingMax = 20_000
  /// Those that are finished, and those that the receiver's app has handled.
  private var finished: [Identifier] = []
  private var handled: [Identifier] = []

  var judge: RunJudge?
  /// Collects fault coverage; nil to skip it.
  var met: FaultsMet?
  /// Sees every event after the judge: the story, the live view.
  var onEvent: ((TraceEvent, Int) -> Void)?
  /// Nil if no text is made.
  private var writer: TraceWriter?
  private var buffer: [UInt8] = []
  private var digest = SHA256Stream()
  private let output: (([UInt8]) throws -> Void)?
  private(set) var writeError: (any Error)?

  private static let bufferBytes = 1 << 16

  /// - Parameters:
  ///   - level: What happens with events.
  ///   - judge: Nil for none.
  ///   - isDigested: Whether the SHA-256 of the text is wanted.
  ///   - output: Receives pieces of the text, in order; nil if only the digest is wanted.
  init(
    level: Level, judge: RunJudge? = nil, isDigested: Bool = true, output: (([UInt8]) throws -> Void)? = nil
  ) {
    self.level = level
    self.isDigested = isDigested
    self.judge = judge
    self.output = output
    if level == .written {
      writer = TraceWriter()
      buffer.reserveCapacity(Self.bufferBytes + 4_096)
    }
  }

  var isRecording: Bool { level != .nothing }

  /// Writes the header, which is only built if needed.
  mutating func begin(_ header: @autoclosure () -> TraceHeader) {
    lineCount = 1
    if level == .written { header().append(to: &buffer) }
  }

  /// Processes one event; events about the judgement are not judged.
  mutating func emit(_ event: TraceEvent, isJudged: Bool = true) {
    guard level != .nothing else { return }
    lineCount += 1
    count(event)
    trackTransfer(event)
    if isJudged { judge?.observe(event, line: lineCount) }
    met?.observe(event)
    if let onEvent, event.isBelieved { onEvent(event, lineCount) }
    guard level == .written else { return }
    writer?.append(event, to: &buffer)
    if buffer.count >= Self.bufferBytes { flush() }
  }

  /// Processes one event of a frequent kind, without a box unless somebody wants it in one.
  mutating func emit<Kind: FrequentKind>(value event: Kind, at now: VirtualTime, on place: TraceEvent.Place) {
    guard onEvent == nil, met?.readsFrames() != true,
      judge?.observe(value: event, at: now, on: place, line: lineCount + 1) != false
    else { return emit(TraceEvent(event, at: now, on: place)) }
    lineCount += 1
    count(Kind.kind, Kind.name)
    guard level == .written else { return }
    writer?.append(value: event, at: now, on: place, to: &buffer)
    if buffer.count >= Self.bufferBytes { flush() }
  }

  /// Flushes the rest; returns the SHA-256 of the text, nil if none was made.
  mutating func finish() -> String? {
    guard level == .written else { return nil }
    flush()
    guard isDigested else { return nil }
    return Digest.text(digest.finish())
  }

  private mutating func flush() {
    if isDigested { digest.append(buffer) }
    do { try output?(buffer) } catch { writeError = writeError ?? error }
    buffer.removeAll(keepingCapacity: true)
  }

  @inline(__always)
  private mutating func count(_ event: TraceEvent) {
    guard let kind = event.catalogIndex else { return countForeign(event.name) }
    count(kind, event.name)
  }

  @inline(__always)
  private mutating func count(_ kind: Int, _ name: @autoclosure () -> TraceEvent.Name) {
    if counts[kind] == 0 { order.append(name()) }
    counts[kind] += 1
  }

  private mutating func countForeign(_ name: TraceEvent.Name) {
    if foreignCounts[name] == nil { order.append(name) }
    foreignCounts[name, default: 0] += 1
  }

  private mutating func trackTransfer(_ event: TraceEvent) {
    switch event.body {
    case .transferQueued(let queued): outstanding.append(queued.identity.transfer)
    case .transferFailed(let failed): settle(failed.identity.transfer)
    case .transferCancelled(let cancelled): settle(cancelled.identity.transfer)
    case .transferFinished(let over):
      let transfer = over.identity.transfer
      guard outstanding.contains(transfer) else { return }
      if handled.contains(transfer) { settle(transfer) } else { finished.append(transfer) }
    case .transferDelivered(let delivered): handle(delivered.identity.transfer)
    case .transferSetAside(let refused): handle(refused.identity.transfer)
    default: break
    }
  }

  private mutating func handle(_ transfer: Identifier) {
    guard outstanding.contains(transfer) else { return }
    if finished.contains(transfer) { settle(transfer) } else { handled.append(transfer) }
  }

  private mutating func settle(_ transfer: Identifier) {
    outstanding.removeAll { $0 == transfer }
    finished.removeAll { $0 == transfer }
    handled.removeAll { $0 == transfer }
  }
}

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
