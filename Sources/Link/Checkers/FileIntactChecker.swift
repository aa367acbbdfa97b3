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
