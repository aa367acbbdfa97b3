/// `file-intact`: a file arrives as it was, once, or not at all.
public struct FileIntactChecker: Checker {
  public static let invariant = "file-intact"
  public static let about =
    "A file is delivered once, with the size, the name and the whole SHA-256 it was queued with, after all of its bytes were sent; its chunks lie inside it."
  public static let interests: [TraceEvent.Name] = [
    "frame.sent", "transfer.queued", "transfer.delivered", "transfer.setAside", "transfer.progress",
    "transfer.finished", "transfer.failed", "transfer.cancelled",
  ]
  public static let frameSorts: [FrameSort]? = [.chunk]

  /// What a sender said of a file, and what became of it.
  private struct Offer {
    let bytes: Int64
    let digest: String
    let name: String?
    let line: Int
    /// The end of the furthest chunk that was sent.
    var sentTo: Int64 = 0
    /// The most that its sender was told of.
    var received: Int64 = 0
    var deliveredLine: Int?
    /// Its sender is done with it.
    var isOver = false
  }

  private var offers: [Identifier: Offer] = [:]
  /// The highest number queued in each lane: a transfer up to it that is not known any more is settled.
  private var lastQueued = [UInt64](repeating: 0, count: TransferLane.count)

  public init(header: TraceHeader) {}

  public mutating func observe(_ event: TraceEvent, line: Int, into report: inout [Violation]) {
    switch event.name.code {
    case TraceEvent.Name.Code.frameSent: observeChunk(event, line, &report)
    case TraceEvent.Name.Code.transferQueued: observeQueued(event, line, &report)
    case TraceEvent.Name.Code.transferDelivered, TraceEvent.Name.Code.transferSetAside:
      observeDelivered(event, line, &report)
    case TraceEvent.Name.Code.transferFinished, TraceEvent.Name.Code.transferFailed,
      TraceEvent.Name.Code.transferCancelled:
      guard let transfer = TransferLine(event, isReceiver: false), transfer.lane.isFile,
        var offer = offers[transfer.transfer]
      else { return }
      offer.isOver = true
      // A transfer that its sender took back may be delivered all the same; what failed will not be.
      let mayCome = event.name.code != TraceEvent.Name.Code.transferFailed && offer.deliveredLine == nil
      offers[transfer.transfer] = mayCome ? offer : nil
    default: observeProgress(event, line, &report)
    }
  }

  public mutating func finish(_ ending: TraceEnding, into report: inout [Violation]) {}

  // MARK: - The sender

  private mutating func observeQueued(_ event: TraceEvent, _ line: Int, _ report: inout [Violation]) {
    guard let transfer = TransferLine(event, isReceiver: false), transfer.lane.isFile else { return }
    lastQueued[transfer.lane.index] = max(lastQueued[transfer.lane.index], transfer.seq)
    let digest = event["digest"]?.text ?? ""
    guard let bytes = event["bytes"]?.integer, bytes >= 0, Self.isWhole(digest) else {
      report.append(
        Self.violation(
          "file \(transfer.transfer.text) was queued without its size or its whole digest", at: event.time,
          lines: [line]))
      return
    }
    offers[transfer.transfer] = Offer(bytes: bytes, digest: digest, name: event["name"]?.text, line: line)
  }

  /// Whether a digest has all of its 64 hexadecimal digits.
  private static func isWhole(_ digest: String) -> Bool {
    digest.utf8.count == 64
      && digest.utf8.allSatisfy {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
      }
  }

  private mutating func observeChunk(_ event: TraceEvent, _ line: Int, _ report: inout [Violation]) {
    // Most frames are none: a value is compared, and no text made of it.
    var fields = FieldCursor(event)
    fields.skip("id")
    fields.skip("to")
    guard !fields.isIdentical("kind", to: Frame.Kind.data.text), fields.says("kind", Frame.Kind.chunk.text),
      case .uuid(let high, let low) = event["transfer"]
    else { return }
    let transfer = Identifier(high: high, low: low)
    let lane = TransferLane(sender: event.place, isFile: true, isComplication: false)
    guard var offer = offers[transfer] else {
      let seq = UInt64(truncatingIfNeeded: max(0, event["seq"]?.integer ?? 0))
      guard seq == 0 || seq > lastQueued[lane.index] else { return }
      report.append(
        Self.violation(
          "a chunk of file \(transfer.text) was sent, which was never queued", at: event.time, lines: [line]))
      return
    }
    guard let offset = event["offset"]?.integer, let bytes = event["bytes"]?.integer, offset >= 0, bytes >= 0,
      offset <= offer.bytes, bytes <= offer.bytes - offset
    else {
      report.append(
        Self.violation(
          "a chunk at \(event["offset"]?.integer ?? -1) lies outside file \(transfer.text) of \(offer.bytes) bytes",
          at: event.time, lines: [offer.line, line]))
      return
    }
    offer.sentTo = max(offer.sentTo, offset + bytes)
    offers[transfer] = offer
  }

  private mutating func observeProgress(_ event: TraceEvent, _ line: Int, _ report: inout [Violation]) {
    guard case .uuid(let high, let low) = event["transfer"] else { return }
    let transfer = Identifier(high: high, low: low)
    guard var offer = offers[transfer], let received = event["received"]?.integer else { return }
    if received < 0 || received > offer.sentTo || event["bytes"].map({ $0.integer != offer.bytes }) ?? false {
      report.append(
        Self.violation(
          "progress of file \(transfer.text) tells of \(received) bytes, of which \(offer.sentTo) were sent",
          at: event.time, lines: [offer.line, line]))
    }
    offer.received = max(offer.received, received)
    offers[transfer] = offer
  }

  // MARK: - The receiver

  private mutating func observeDelivered(_ event: TraceEvent, _ line: Int, _ report: inout [Violation]) {
    guard let transfer = TransferLine(event, isReceiver: true), transfer.lane.isFile else { return }
    // Never queued, or settled: other invariants say so.
    guard var offer = offers[transfer.transfer] else { return }
    if let objection = objection(to: event, offer) {
      report.append(
        Self.violation("file \(transfer.transfer.text) \(objection)", at: event.time, lines: [offer.line, line]))
    }
    offer.deliveredLine = line
    offers[transfer.transfer] = offer.isOver ? nil : offer
  }

  private func objection(to event: TraceEvent, _ offer: Offer) -> String? {
    if offer.deliveredLine != nil { return "was delivered twice" }
    if event["bytes"]?.integer != offer.bytes {
      return "arrived with \(event["bytes"]?.integer ?? -1) bytes, and has \(offer.bytes)"
    }
    if event["digest"]?.text != offer.digest { return "arrived with another digest than it was queued with" }
    if let name = event["name"]?.text, name != offer.name { return "arrived under another name" }
    // A trace without frames says nothing of chunks.
    if offer.sentTo < offer.bytes { return "arrived when \(offer.sentTo) of its \(offer.bytes) bytes had been sent" }
    return nil
  }
}
