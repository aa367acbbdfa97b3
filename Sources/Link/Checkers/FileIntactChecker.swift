package import Link

/// `file-intact`: a file arrives as it was, once, or not at all.
package struct FileIntactChecker: Checker {
  package static let invariant = "file-intact"
  package static let about =
    "A file is delivered once, with the size, the name and the whole SHA-256 it was queued with, after all of its bytes were sent; its chunks lie inside it."
  package static let interests: [TraceEvent.Name] = [
    "frame.sent", "transfer.queued", "transfer.delivered", "transfer.setAside", "transfer.progress",
    "transfer.finished", "transfer.failed", "transfer.cancelled",
  ]
  package static let channels: [Channel]? = [.file]

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

  package mutating func observe(_ event: TypedEvent, line: Int, into report: inout [Violation]) {
    switch event.body {
    case .frameSent(let frame): if frame.kind == .chunk { observeChunk(frame, event, line, &report) }
    case .transferQueued(let queued): observeQueued(queued, event, line, &report)
    case .transferDelivered(let file):
      observeDelivered(file.identity, (file.bytes, file.digest, file.name), event, line, &report)
    case .transferSetAside(let file):
      observeDelivered(file.identity, (file.bytes, file.digest, file.name), event, line, &report)
    // A transfer that its sender cancelled may still be delivered; one that failed will not be.
    case .transferFinished(let file): settle(file.identity, mayCome: true)
    case .transferCancelled(let file): settle(file.identity, mayCome: true)
    case .transferFailed(let file): settle(file.identity, mayCome: false)
    case .transferProgress(let progress): observeProgress(progress, event, line, &report)
    default: break
    }
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout [Violation]) {}

  // MARK: - The sender

  private mutating func settle(_ identity: TransferIdentity, mayCome: Bool) {
    guard identity.channel == .file, var offer = offers[identity.transfer] else { return }
    offer.isOver = true
    offers[identity.transfer] = mayCome && offer.deliveredLine == nil ? offer : nil
  }

  private mutating func observeQueued(
    _ queued: TransferQueued, _ event: TypedEvent, _ line: Int, _ report: inout [Violation]
  ) {
    let transfer = TransferLine(queued.identity, at: event.place, isReceivers: false)
    guard transfer.lane.isFile else { return }
    lastQueued[transfer.lane.index] = max(lastQueued[transfer.lane.index], transfer.seq)
    let digest = queued.digest?.traceValue.text ?? ""
    guard let bytes = queued.bytes, bytes >= 0, Self.isWhole(digest) else {
      report.append(
        Self.violation(
          "file \(transfer.transfer.text) was queued without its size or its whole digest", at: event.time,
          lines: [line]))
      return
    }
    offers[transfer.transfer] = Offer(bytes: bytes, digest: digest, name: queued.name, line: line)
  }

  /// Whether a digest has all of its 64 hexadecimal digits.
  private static func isWhole(_ digest: String) -> Bool {
    digest.utf8.count == 64
      && digest.utf8.allSatisfy {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
      }
  }

  private mutating func observeChunk(
    _ frame: FrameSent, _ event: TypedEvent, _ line: Int, _ report: inout [Violation]
  ) {
    guard let transfer = frame.transfer else { return }
    let lane = TransferLane(sender: event.place, isFile: true, isComplication: false)
    guard var offer = offers[transfer] else {
      let seq = UInt64(truncatingIfNeeded: max(0, frame.seq))
      guard seq == 0 || seq > lastQueued[lane.index] else { return }
      report.append(
        Self.violation(
          "the \(event.place.text) sent a chunk of file \(transfer.text), which was never queued", at: event.time,
          lines: [line]))
      return
    }
    let bytes = frame.bytes
    guard let offset = frame.offset, offset >= 0, bytes >= 0, offset <= offer.bytes, bytes <= offer.bytes - offset
    else {
      report.append(
        Self.violation(
          "a chunk at \(frame.offset ?? -1) lies outside file \(transfer.text) of \(offer.bytes) bytes",
          at: event.time, lines: [offer.line, line]))
      return
    }
    offer.sentTo = max(offer.sentTo, offset + bytes)
    offers[transfer] = offer
  }

  private mutating func observeProgress(
    _ progress: TransferProgressed, _ event: TypedEvent, _ line: Int, _ report: inout [Violation]
  ) {
    let (transfer, received) = (progress.transfer, progress.received)
    guard var offer = offers[transfer] else { return }
    if received < 0 || received > offer.sentTo || progress.bytes != offer.bytes {
      report.append(
        Self.violation(
          "file \(transfer.text) reports \(received) received bytes, but only \(offer.sentTo) were sent",
          at: event.time, lines: [offer.line, line]))
    }
    offer.received = max(offer.received, received)
    offers[transfer] = offer
  }

  // MARK: - The receiver

  private mutating func observeDelivered(
    _ identity: TransferIdentity, _ file: (bytes: Int64?, digest: EventDigest?, name: String?), _ event: TypedEvent,
    _ line: Int, _ report: inout [Violation]
  ) {
    // Never queued, or settled: other invariants report that.
    guard identity.channel == .file, var offer = offers[identity.transfer] else { return }
    if let objection = objection(to: file, offer) {
      report.append(
        Self.violation("file \(identity.transfer.text) \(objection)", at: event.time, lines: [offer.line, line]))
    }
    offer.deliveredLine = line
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
