/// The progress of a file being sent: what comes next, how much at once, and the effect of answers.
///
/// A file is offered until the receiver reports how many bytes it has; then its chunks follow, with a window of bytes
/// in flight. The window doubles with each round trip of at most 100 ms and halves with a slower one, a gap or a
/// timeout; a chunk is an eighth of it, within bounds. After a gap, chunks are sent again from the gap on. Every second
/// timeout in a row queries the receiver's progress, to detect a receiver that has lost bytes.
struct FileSender: Sendable, Equatable {
  /// The size of the smallest chunk except the last, in bytes; chunks have this size while other traffic waits.
  static let chunkBytesMin = 4_096
  /// The largest chunk, in bytes.
  static let chunkBytesMax = 131_072
  /// The most bytes in flight.
  static let windowBytesMax = 1_048_576
  /// An acknowledgement within this time grows the window, a later one shrinks it.
  static let promptWithin = VirtualTime.Span.milliseconds(100)
  /// How often the receiver may report that the bytes differ from the offer.
  static let mismatchesMax = 3

  enum Phase: Sendable { case idle, offering, sending, voiding }

  /// The effect of an answer.
  enum Outcome: Sendable, Equatable {
    /// No effect.
    case unchanged
    /// Chunks continue, possibly from another offset.
    case progressed
    case complete
    case cancelled
    case failed(SessionError)
  }

  private struct Flight: Sendable, Equatable {
    /// The end of the chunk.
    var end: UInt64
    var sentAt: VirtualTime
  }

  private(set) var phase = Phase.idle
  private(set) var byteCount: UInt64 = 0
  /// The number of transmissions of the offer or void in this epoch; never reset for one file.
  private(set) var attempt: UInt16 = 0
  /// The number of restarts of the chunks: the attempt in their header.
  private(set) var round: UInt16 = 0
  /// The number of transmissions since the last progress, for the back-off.
  private(set) var waits: UInt16 = 0
  /// How many bytes the receiver is known to have.
  private(set) var acknowledged: UInt64 = 0
  /// The offset of the next chunk.
  private(set) var sent: UInt64 = 0
  private(set) var windowBytes = FileSender.chunkBytesMin
  /// The window changes again once bytes past this offset are acknowledged: once per round trip.
  private var adaptsBehind: UInt64 = 0
  /// The chunks in flight, in order.
  private var flights: [Flight] = []
  private var mismatches = 0
  /// How many quarters of the file have been reported.
  var reportedQuarters: UInt64 = 0

  /// The size of a chunk while nothing else waits.
  var chunkBytes: Int { min(max(windowBytes / 8, Self.chunkBytesMin), Self.chunkBytesMax) }

  /// Whether chunks are in flight.
  var isInFlight: Bool { sent > acknowledged }

  /// Starts a file with this many bytes; nil for a cancelled one.
  mutating func beginFile(byteCount: UInt64?) {
    self = FileSender()
    phase = byteCount == nil ? .voiding : .offering
    self.byteCount = byteCount ?? 0
  }

  /// Continues with the same number, now void.
  mutating func voidFile() {
    phase = .voiding
    waits = 0
    flights = []
    sent = acknowledged
  }

  /// Queries the receiver's progress, because it was unreachable.
  mutating func queryReceiver() {
    if phase == .sending { phase = .offering }
    waits = 0
  }

  /// Records a transmission of the offer or void.
  mutating func recordOfferSent() {
    attempt = Session.saturatingIncrement(attempt)
    waits = Session.saturatingIncrement(waits)
  }

  /// Handles a timeout; returns true to send the offer or void, false to send chunks.
  mutating func handleTimeout() -> Bool {
    shrinkWindow()
    guard phase == .sending else { return true }
    // Offers are counted when they are sent; chunks here.
    if waits % 2 == 0 {
      phase = .offering
      return true
    }
    waits = Session.saturatingIncrement(waits)
    goBack(to: acknowledged)
    return false
  }

  /// Returns the next chunk; nil if it does not fit in the window.
  ///
  /// - Parameter isCrowded: Whether other traffic waits: then only one small chunk is in flight.
  mutating func nextChunk(isCrowded: Bool, at now: VirtualTime) -> (offset: UInt64, count: Int)? {
    guard phase == .sending, sent < byteCount else { return nil }
    let size = isCrowded ? Self.chunkBytesMin : chunkBytes
    let count = Int(min(UInt64(size), byteCount - sent))
    let pending = Int(sent - acknowledged)
    guard pending == 0 || !isCrowded && pending + count <= windowBytes else { return nil }
    let offset = sent
    sent += UInt64(count)
    flights.append(Flight(end: sent, sentAt: now))
    return (offset, count)
  }

  /// Handles an answer about this file.
  ///
  /// - Parameters:
  ///   - answered: The attempt of the answered offer or chunk.
  ///   - offset: The offset of the answered chunk; for an offer, its attempt.
  mutating func receive(
    _ answer: FileAnswer, to answered: UInt16, offset: UInt64, isCrowded: Bool, at now: VirtualTime
  ) -> Outcome {
    guard answer.receivedBytes <= byteCount else { return .unchanged }
    switch answer.status {
    case .complete: return .complete
    case .full: return .failed(.insufficientSpace)
    case .cancelled: return .cancelled
    case .digestMismatch:
      let isCurrent = phase == .offering ? answered == attempt && offset == UInt64(attempt) : answered == round
      guard isCurrent else { return .unchanged }
      mismatches += 1
      if mismatches == Self.mismatchesMax { return .failed(.digestMismatch) }
      phase = .sending
      reportedQuarters = 0
      goBack(to: 0)
      return .progressed
    case .ready:
      guard phase == .offering, answered == attempt else { return .unchanged }
      if answer.receivedBytes > acknowledged { waits = 1 }
      phase = .sending
      goBack(to: answer.receivedBytes)
      return .progressed
    case .received:
      guard phase == .sending else { return .unchanged }
      return receiveProgress(answer.receivedBytes, isCurrent: answered == round, offset, isCrowded, at: now)
    }
  }

  private mutating func receiveProgress(
    _ received: UInt64, isCurrent: Bool, _ offset: UInt64, _ isCrowded: Bool, at now: VirtualTime
  ) -> Outcome {
    var outcome = Outcome.unchanged
    if received > acknowledged {
      adaptWindow(to: received, isCurrent: isCurrent, isCrowded: isCrowded, at: now)
      acknowledged = received
      sent = max(sent, received)
      waits = 1
      outcome = .progressed
    }
    // The chunk came after a gap, whose bytes are lost. An answer that a newer one has overtaken is no reason to send
    // bytes again; the query after timeouts detects a receiver that has lost bytes.
    if isCurrent, received < offset, received >= acknowledged {
      shrinkWindow()
      goBack(to: received)
      outcome = .progressed
    }
    return outcome
  }

  /// Removes chunks that are no longer in flight, and measures their round trip.
  private mutating func adaptWindow(to received: UInt64, isCurrent: Bool, isCrowded: Bool, at now: VirtualTime) {
    let done = flights.prefix { $0.end <= received }
    guard let last = done.last else { return }
    flights.removeFirst(done.count)
    // An answer to an earlier round does not measure this one.
    guard isCurrent, received > adaptsBehind else { return }
    if now - last.sentAt > Self.promptWithin {
      shrinkWindow()
    } else if !isCrowded {
      windowBytes = min(windowBytes * 2, Self.windowBytesMax)
      adaptsBehind = sent
    }
  }

  private mutating func shrinkWindow() {
    windowBytes = max(windowBytes / 2, Self.chunkBytesMin)
    adaptsBehind = sent
  }

  private mutating func goBack(to place: UInt64) {
    acknowledged = place
    sent = place
    adaptsBehind = place
    flights = []
    round = Session.saturatingIncrement(round)
  }
}
