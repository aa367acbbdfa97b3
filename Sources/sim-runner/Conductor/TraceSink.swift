import Link

/// The destinations of a run's events: the judge, a digest, a file, observers.
struct TraceSink {
  /// What happens with a run's events.
  enum Level {
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
  var counters: [(name: TraceEvent.Name, count: Int)] { counted.map { ($0.name, $0.count) } }
  private var counted: [Counter] = []

  private struct Counter {
    let name: TraceEvent.Name
    var count = 1
    /// Whether events with this name are about transfers, which are tracked.
    let isFollowed: Bool
  }
  /// The last index of a counter by the low bits of its name's code, as a hint for the search.
  private var hints = InlineArray<64, UInt8>(repeating: 0)
  /// Number of lines, with the header.
  private(set) var lineCount = 0
  /// The owed transfers in the order of queueing: queued and neither failed nor cancelled, nor both finished and
  /// handled by the receiver's app, which may be dead when its inbox has them.
  private(set) var outstanding: [TraceValue] = []
  /// Those that are finished, and those that the receiver's app has handled.
  private var finished: [TraceValue] = []
  private var handled: [TraceValue] = []

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
    if count(event.name) { trackTransfer(event) }
    if isJudged { judge?.observe(event, line: lineCount) }
    if met != nil, FaultsMet.listens(to: event.name) { met?.observe(event) }
    if let onEvent, event.isBelieved { onEvent(event, lineCount) }
    guard level == .written else { return }
    writer?.append(event, to: &buffer)
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

  /// Counts an event by name; returns whether events of that name are tracked.
  @inline(__always)
  private mutating func count(_ name: TraceEvent.Name) -> Bool {
    let slot = Int(truncatingIfNeeded: name.code) & (hints.count - 1)
    let index = Int(hints[slot])
    guard index < counted.count, counted[index].name == name else { return count(name, slot: slot) }
    counted[index].count += 1
    return counted[index].isFollowed
  }

  @inline(never)
  private mutating func count(_ name: TraceEvent.Name, slot: Int) -> Bool {
    let known = counted.firstIndex { $0.name == name }
    hints[slot] = UInt8(truncatingIfNeeded: known ?? counted.count)
    if let known {
      counted[known].count += 1
    } else {
      counted.append(Counter(name: name, isFollowed: Self.followed.contains(name.code)))
    }
    return counted[known ?? counted.count - 1].isFollowed
  }

  /// The names of events about transfers.
  private static let followed: Set<UInt64> = [
    TraceEvent.Name.Code.transferQueued, TraceEvent.Name.Code.transferFailed, TraceEvent.Name.Code.transferCancelled,
    TraceEvent.Name.Code.transferFinished, TraceEvent.Name.Code.transferDelivered,
    TraceEvent.Name.Code.transferSetAside,
  ]

  private mutating func trackTransfer(_ event: TraceEvent) {
    switch event.name.code {
    case TraceEvent.Name.Code.transferQueued:
      if let transfer = event["transfer"] { outstanding.append(transfer) }
    case TraceEvent.Name.Code.transferFailed, TraceEvent.Name.Code.transferCancelled:
      if let transfer = event["transfer"] { settle(transfer) }
    case TraceEvent.Name.Code.transferFinished:
      guard let transfer = event["transfer"], outstanding.contains(transfer) else { return }
      if handled.contains(transfer) { settle(transfer) } else { finished.append(transfer) }
    case TraceEvent.Name.Code.transferDelivered, TraceEvent.Name.Code.transferSetAside:
      guard let transfer = event["transfer"], outstanding.contains(transfer) else { return }
      if finished.contains(transfer) { settle(transfer) } else { handled.append(transfer) }
    default: break
    }
  }

  private mutating func settle(_ transfer: TraceValue) {
    outstanding.removeAll { $0 == transfer }
    finished.removeAll { $0 == transfer }
    handled.removeAll { $0 == transfer }
  }
}

extension TraceEvent.Name {
  static let frameDropped: Self = "frame.dropped"
  static let frameDuplicated: Self = "frame.duplicated"
  static let faultBegin: Self = "fault.begin"
  static let faultEnd: Self = "fault.end"
  static let linkDown: Self = "link.down"
  static let linkUp: Self = "link.up"
  static let nodeStarted: Self = "node.started"
  static let nodeFailed: Self = "node.failed"
  static let healed: Self = "healed"
  static let end: Self = "end"
}
