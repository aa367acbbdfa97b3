package import Link

/// `file-intact`: a file arrives as it was, once, or not at all.
package struct FileIntactChecker: Checker {
  package static let invariant = "file-intact"
  package static let about =
    "A file is delivered once, with the size, the name and the whole SHA-256 it was queued with, after all of its bytes were sent; its chunks lie inside it."

  /// A file as its sender offered it, and its state.
  private struct Offer {
    let bytes: Int64
    let digest: String
    let name: String?
    let line: Int
    /// The end of the furthest chunk that was sent.
    var sentTo: Int64 = 0
    /// The largest progress reported to its sender.
    var received: Int64 = 0
    var deliveredLine: Int?
    /// Whether its sender has finished with it.
    var isOver = false
  }

  private var offers: [Identifier: Offer] = [:]
  /// The highest number queued in each lane: an unknown transfer up to it is settled.
  private var lastQueued = [UInt64](repeating: 0, count: TransferLane.count)

  package init(header: TraceHeader) {}

  package mutating func frameSent(_ frame: FrameSent, at event: Occurrence, into report: inout Report) {
    if frame.kind == .chunk { observeChunk(frame, event, &report) }
  }

  package mutating func transferQueued(_ queued: TransferQueued, at event: Occurrence, into report: inout Report) {
    observeQueued(queued, event, &report)
  }

  package mutating func transferDelivered(_ file: TransferDelivered, at event: Occurrence, into report: inout Report) {
    observeDelivered(file.identity, (file.bytes, file.digest, file.name), event, &report)
  }

  package mutating func transferSetAside(_ file: TransferSetAside, at event: Occurrence, into report: inout Report) {
    observeDelivered(file.identity, (file.bytes, file.digest, file.name), event, &report)
  }

  package mutating func transferFinished(_ file: TransferFinished, at event: Occurrence, into report: inout Report) {
    // A transfer that its sender cancelled may still be delivered; one that failed will not be.
    settle(file.identity, mayCome: true)
  }

  package mutating func transferCancelled(_ file: TransferCancelled, at event: Occurrence, into report: inout Report) {
    settle(file.identity, mayCome: true)
  }

  package mutating func transferFailed(_ file: TransferFailed, at event: Occurrence, into report: inout Report) {
    settle(file.identity, mayCome: false)
  }

  package mutating func transferProgress(
    _ progress: TransferProgressed, at event: Occurrence, into report: inout Report
  ) {
    observeProgress(progress, event, &report)
  }

  // MARK: - The sender

  private mutating func settle(_ identity: TransferIdentity, mayCome: Bool) {
    guard identity.channel == .file, var offer = offers[identity.transfer] else { return }
    offer.isOver = true
    offers[identity.transfer] = mayCome && offer.deliveredLine == nil ? offer : nil
  }

  private mutating func observeQueued(
    _ queued: TransferQueued, _ event: Occurrence, _ report: inout Report
  ) {
    let transfer = TransferLine(queued.identity, at: event.place, isReceivers: false)
    guard transfer.lane.isFile else { return }
    lastQueued[transfer.lane.index] = max(lastQueued[transfer.lane.index], transfer.seq)
    let digest = queued.digest?.traceValue.text ?? ""
    guard let bytes = queued.bytes, bytes >= 0, Self.isWhole(digest) else {
      report.add(
        "file \(transfer.transfer.text) was queued without its size or its whole digest", at: event.time,
        lines: [event.line])
      return
    }
    offers[transfer.transfer] = Offer(bytes: bytes, digest: digest, name: queued.name, line: event.line)
  }

  /// Whether a digest has all of its 64 hexadecimal digits.
  private static func isWhole(_ digest: String) -> Bool {
    digest.utf8.count == 64
      && digest.utf8.allSatisfy {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
      }
  }

  private mutating func observeChunk(
    _ frame: FrameSent, _ event: Occurrence, _ report: inout Report
  ) {
    guard let transfer = frame.transfer else { return }
    let lane = TransferLane(sender: event.place, isFile: true, isComplication: false)
    guard var offer = offers[transfer] else {
      let seq = UInt64(truncatingIfNeeded: max(0, frame.seq))
      guard seq == 0 || seq > lastQueued[lane.index] else { return }
      report.add(
        "the \(event.place.text) sent a chunk of file \(transfer.text), which was never queued", at: event.time,
        lines: [event.line])
      return
    }
    let bytes = frame.bytes
    guard let offset = frame.offset, offset >= 0, bytes >= 0, offset <= offer.bytes, bytes <= offer.bytes - offset
    else {
      report.add(
        "a chunk at \(frame.offset ?? -1) lies outside file \(transfer.text) of \(offer.bytes) bytes",
        at: event.time, lines: [offer.line, event.line])
      return
    }
    offer.sentTo = max(offer.sentTo, offset + bytes)
    offers[transfer] = offer
  }

  private mutating func observeProgress(
    _ progress: TransferProgressed, _ event: Occurrence, _ report: inout Report
  ) {
    let (transfer, received) = (progress.transfer, progress.received)
    guard var offer = offers[transfer] else { return }
    if received < 0 || received > offer.sentTo || progress.bytes != offer.bytes {
      report.add(
        "file \(transfer.text) reports \(received) received bytes, but only \(offer.sentTo) were sent",
        at: event.time, lines: [offer.line, event.line])
    }
    offer.received = max(offer.received, received)
    offers[transfer] = offer
  }

  // MARK: - The receiver

  private mutating func observeDelivered(
    _ identity: TransferIdentity, _ file: (bytes: Int64?, digest: EventDigest?, name: String?), _ event: Occurrence,
    _ report: inout Report
  ) {
    // Never queued, or settled: other invariants report that.
    guard identity.channel == .file, var offer = offers[identity.transfer] else { return }
    if let objection = objection(to: file, offer) {
      report.add("file \(identity.transfer.text) \(objection)", at: event.time, lines: [offer.line, event.line])
    }
    offer.deliveredLine = event.line
    offers[identity.transfer] = offer.isOver ? nil : offer
  }

  private func objection(
    to file: (bytes: Int64?, digest: EventDigest?, name: String?), _ offer: Offer
  ) -> String? {
    if offer.deliveredLine != nil { return "was delivered twice" }
    if file.bytes != offer.bytes {
      return "arrived with \(file.bytes ?? -1) bytes, but was queued with \(offer.bytes)"
    }
    if file.digest?.traceValue.text != offer.digest { return "arrived with another digest than it was queued with" }
    if let name = file.name, name != offer.name { return "arrived under another name" }
    // A trace without frames does not show chunks.
    if offer.sentTo < offer.bytes { return "arrived when \(offer.sentTo) of its \(offer.bytes) bytes had been sent" }
    return nil
  }
}

/// `file-resumes`: a file continues where it stopped.
package struct FileResumesChecker: Checker {
  package static let invariant = "file-resumes"
  package static let about =
    "A sender does not send bytes of a file again that its receiver has reported to have, restarts of either side included."

  private struct File {
    var transfer: Identifier
    /// The bytes that the receiver has reported to the sender's app.
    var received: Int64 = 0
    var line = 0
  }

  private let nodes: BuiltInNodes
  /// The current file of each side; a side sends one at a time.
  private var files: [File?] = [nil, nil]

  package init(header: TraceHeader) { nodes = BuiltInNodes(header) }

  package mutating func frameSent(_ frame: FrameSent, at event: Occurrence, into report: inout Report) {
    guard let side = event.place.deviceIndex, nodes.contains(event.place) else { return }
    guard frame.kind == .chunk, frame.channel == .file, let transfer = frame.transfer, let offset = frame.offset,
      let file = files[side], file.transfer == transfer, offset < file.received
    else { return }
    report.add(
      "the \(event.place.text) sent bytes from \(offset) on, though its peer has \(file.received)", at: event.time,
      lines: [file.line, event.line])
  }

  package mutating func transferProgress(
    _ progress: TransferProgressed, at event: Occurrence, into report: inout Report
  ) {
    guard let side = event.place.deviceIndex, nodes.contains(event.place) else { return }
    files[side] = File(transfer: progress.transfer, received: progress.received, line: event.line)
  }
}

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

/// `full-disk-refuses`: what needs room is refused while there is none.
package struct FullDiskRefusesChecker: Checker {
  package static let invariant = "full-disk-refuses"
  package static let about =
    "While the disk of a built-in node is full, its app queues no transfer and sets no context, and it stores no context, no voice note, and nothing of days and sessions."

  private let nodes: BuiltInNodes
  private var disks = ActiveFaults(["diskFull"])
  /// Lines of the current instant that a fault may still excuse by ending in it.
  private var doubtful: [(place: TraceEvent.Place, time: VirtualTime, line: Int)] = []

  package init(header: TraceHeader) { nodes = BuiltInNodes(header) }

  package mutating func transferQueued(_: TransferQueued, at event: Occurrence, into report: inout Report) {
    store(event, &report)
  }

  package mutating func contextSet(_: ContextSet, at event: Occurrence, into report: inout Report) {
    store(event, &report)
  }

  package mutating func contextReceived(_: ContextReceived, at event: Occurrence, into report: inout Report) {
    store(event, &report)
  }

  package mutating func voiceReceived(_: VoiceReceived, at event: Occurrence, into report: inout Report) {
    store(event, &report)
  }

  package mutating func ingestionStaged(_: IngestionStaged, at event: Occurrence, into report: inout Report) {
    store(event, &report)
  }

  package mutating func ingestionParsed(_: IngestionParsed, at event: Occurrence, into report: inout Report) {
    store(event, &report)
  }

  package mutating func ingestionPurged(_: IngestionPurged, at event: Occurrence, into report: inout Report) {
    store(event, &report)
  }

  package mutating func mealLogged(_: MealLogged, at event: Occurrence, into report: inout Report) {
    store(event, &report)
  }

  package mutating func chatWritten(_: ChatWritten, at event: Occurrence, into report: inout Report) {
    store(event, &report)
  }

  package mutating func dayAggregated(_: DayAggregated, at event: Occurrence, into report: inout Report) {
    store(event, &report)
  }

  package mutating func daysSynced(_: DaysSynced, at event: Occurrence, into report: inout Report) {
    store(event, &report)
  }

  package mutating func trainingEdited(_: TrainingEdited, at event: Occurrence, into report: inout Report) {
    store(event, &report)
  }

  private mutating func store(_ event: Occurrence, _ report: inout Report) {
    finishInstant(before: event, &report)
    if nodes.contains(event.place), disks.isActive(on: event.place, before: event.time) {
      doubtful.append((event.place, event.time, event.line))
    }
  }

  package mutating func faultBegin(_ fault: FaultBegan, at event: Occurrence, into report: inout Report) {
    finishInstant(before: event, &report)
    disks.observe(fault, at: event.time)
  }

  package mutating func faultEnd(_ fault: FaultEnded, at event: Occurrence, into report: inout Report) {
    finishInstant(before: event, &report)
    disks.observe(fault, at: event.time)
  }

  package mutating func end(_: TraceEnd, at event: Occurrence, into report: inout Report) {
    finishInstant(before: event, &report)
  }

  private mutating func finishInstant(before event: Occurrence, _ report: inout Report) {
    if let first = doubtful.first, event.time > first.time { finishInstant(&report) }
  }

  private mutating func finishInstant(_ report: inout Report) {
    // A fault that began in the instant itself may have begun after the line.
    for found in doubtful where disks.isActive(on: found.place, before: found.time) {
      report.add(
        "the \(found.place.text) stores this though its disk is full", at: found.time, lines: [found.line])
    }
    doubtful = []
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout Report) { finishInstant(&report) }
}
