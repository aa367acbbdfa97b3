package import Link

/// `files-yield`: a file leaves the link to events and contexts.
package struct FilesYieldChecker: Checker {
  package static let invariant = "files-yield"
  package static let about =
    "While a user info is owed, or a context or a reply is awaited, a built-in node has at most one chunk of a file in flight, of at most 4,096 bytes: it sends the next one after an answer or a timeout."

  /// The most bytes of a chunk beside other traffic.
  private static let bytesMax: Int64 = 4_096
  /// The shortest timeout.
  private static let timeout = VirtualTime.Span.milliseconds(500)

  private struct Side {
    /// User infos that the peer has not confirmed; those cancelled are left out.
    var owed = 0
    /// The last chunk without a later answer.
    var chunk: (time: VirtualTime, line: Int)?
    /// Whether user infos were owed when it was sent.
    var wasOwing = false
    /// Whether a fault has withheld reports of confirmed user infos, which then seem to be owed.
    var isUninformed = false
  }

  private let nodes: BuiltInNodes
  private var sides = [Side(), Side()]

  package init(header: TraceHeader) { nodes = BuiltInNodes(header) }

  package mutating func frameSent(_: FrameSent, at event: Occurrence, into report: inout Report) {
    guard let frame = event.frame, frame.isBetweenDevices, let side = frame.sender.deviceIndex,
      nodes.contains(frame.sender), frame.kind == .chunk || frame.kind == .data && frame.channel == .file
    else { return }
    guard frame.kind == .chunk else {
      sides[side].chunk = nil
      return
    }
    observeChunk(frame, side, &report)
  }

  package mutating func frameDelivered(_: FrameDelivered, at event: Occurrence, into report: inout Report) {
    guard event.place == .link, let frame = event.frame, frame.isBetweenDevices, frame.kind == .ack,
      frame.channel == .file, let side = frame.peer.deviceIndex
    else { return }
    sides[side].chunk = nil
  }

  package mutating func faultBegin(_ fault: FaultBegan, at event: Occurrence, into report: inout Report) {
    for place in fault.uninformedNodes { if let side = place.deviceIndex { sides[side].isUninformed = true } }
  }

  package mutating func transferQueued(_ queued: TransferQueued, at event: Occurrence, into report: inout Report) {
    count(queued.identity, event.place, 1)
  }

  package mutating func transferFinished(_ ended: TransferFinished, at event: Occurrence, into report: inout Report) {
    count(ended.identity, event.place, -1)
  }

  package mutating func transferCancelled(_ ended: TransferCancelled, at event: Occurrence, into report: inout Report) {
    count(ended.identity, event.place, -1)
  }

  package mutating func nodeStarted(_ node: NodeStarted, at event: Occurrence, into report: inout Report) {
    if let side = node.target.place.deviceIndex { sides[side].chunk = nil }
  }

  package mutating func nodeKilled(_ node: NodeKilled, at event: Occurrence, into report: inout Report) {
    if let side = node.target.place.deviceIndex { sides[side].chunk = nil }
  }

  package mutating func nodeFailed(_ node: NodeFailed, at event: Occurrence, into report: inout Report) {
    if let side = node.target.place.deviceIndex { sides[side].chunk = nil }
  }

  private mutating func count(_ identity: TransferIdentity, _ place: TraceEvent.Place, _ change: Int) {
    guard identity.channel == .userInfo, let side = place.deviceIndex else { return }
    sides[side].owed = max(0, sides[side].owed + change)
  }

  private mutating func observeChunk(
    _ frame: SentFrame, _ side: Int, _ report: inout Report
  ) {
    let isOwing = sides[side].owed > 0 && !sides[side].isUninformed
    if isOwing, frame.bytes > Self.bytesMax {
      report.add(
        "the \(frame.sender.text) sent a chunk of \(frame.bytes) bytes while it owed user infos", at: frame.time,
        lines: [frame.line])
    } else if isOwing, let chunk = sides[side].chunk, sides[side].wasOwing, frame.time < chunk.time + Self.timeout {
      report.add(
        "the \(frame.sender.text) sent a second chunk without an answer to the first while it owed user infos",
        at: frame.time, lines: [chunk.line, frame.line])
    }
    sides[side].chunk = (frame.time, frame.line)
    sides[side].wasOwing = isOwing
  }
}
