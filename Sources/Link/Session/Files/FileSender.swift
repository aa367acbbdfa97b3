/// How one file is sent: what comes next, how much at once, and what an answer changes.
///
/// A file is offered until the receiver says how many bytes it has, then its chunks follow in a window of bytes in
/// flight. The window doubles with each round trip of at most 100 ms and halves with a slower one, a gap or a
/// time-out; a chunk is an eighth of it, within bounds. What stands behind a gap is sent again from there. Every
/// second time-out in a row asks anew what the receiver has, so that a receiver which has lost bytes is found out.
struct FileSender: Sendable, Equatable {
  /// The smallest chunk but the last, in bytes, and the only one while other traffic waits.
  static let chunkBytesMin = 4_096
  /// The largest chunk, in bytes.
  static let chunkBytesMax = 131_072
  /// The most bytes in flight.
  static let windowBytesMax = 1_048_576
  /// An acknowledgement within this time lets the window grow, a later one shrinks it.
  static let promptWithin = VirtualTime.Span.milliseconds(100)
  /// How often the receiver may find that it got something else than was offered.
  static let mismatchesMax = 3

  enum Phase: Sendable { case idle, offering, sending, voiding }

  /// What an answer means for the transfer.
  enum Outcome: Sendable, Equatable {
    /// Nothing new.
    case unchanged
    /// Chunks can go on, perhaps from another place.
    case wentOn
    case complete
    case cancelled
    case failed(SessionError)
  }

  private struct Flight: Sendable, Equatable {
    /// Where the chunk ends.
    var end: UInt64
    var sentAt: VirtualTime
  }

  private(set) var phase = Phase.idle
  private(set) var byteCount: UInt64 = 0
  /// How often the place was sent in this epoch, as offer or void: never begins anew for one place.
  private(set) var attempt: UInt16 = 0
  /// Counts the times that chunks were begun anew: the attempt in their header.
  private(set) var round: UInt16 = 0
  /// How often something was sent without progress since: what the back-off counts.
  private(set) var waits: UInt16 = 0
  /// How many bytes the receiver has, as far as is known.
  private(set) var acknowledged: UInt64 = 0
  /// Where the next chunk begins.
  private(set) var sent: UInt64 = 0
  private(set) var windowBytes = FileSender.chunkBytesMin
  /// The window changes again when bytes behind this place are acknowledged: once a round trip.
  private var adaptsBehind: UInt64 = 0
  /// The chunks in flight, in order.
  private var flights: [Flight] = []
  private var mismatches = 0
  /// How many quarters of the file have been told of.
  var toldQuarters: UInt64 = 0

  /// How large a chunk is, while nothing else waits.
  var chunkBytes: Int { min(max(windowBytes / 8, Self.chunkBytesMin), Self.chunkBytesMax) }

  /// Whether chunks are in flight.
  var isInFlight: Bool { sent > acknowledged }

  /// Begins with a place: a file of so many bytes, or nil for a cancelled one.
  mutating func begin(byteCount: UInt64?) {
    self = FileSender()
    phase = byteCount == nil ? .voiding : .offering
    self.byteCount = byteCount ?? 0
  }

  /// Goes on with the same place, which is void from now on.
  mutating func void() {
    phase = .voiding
    waits = 0
    flights = []
    sent = acknowledged
  }

  /// Asks anew what the receiver has, because it was out of reach.
  mutating func ask() {
    if phase == .sending { phase = .offering }
    waits = 0
  }

  /// Notes that the place is sent, as offer or void.
  mutating func notePlaceSent() {
    attempt = Session.next(attempt)
    waits = Session.next(waits)
  }

  /// Takes note that no answer came in time: true when the place is to be sent, false when chunks are.
  mutating func timeOut() -> Bool {
    shrink()
    guard phase == .sending else { return true }
    // The place is counted when it is sent; chunks are counted here.
    if waits % 2 == 0 {
      phase = .offering
      return true
    }
    waits = Session.next(waits)
    goBack(to: acknowledged)
    return false
  }

  /// The next chunk, if the window has room for it.
  ///
  /// - Parameter isCrowded: Whether other traffic waits: then one small chunk at a time is in flight.
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

  /// Takes an answer to this place.
  ///
  /// - Parameters:
  ///   - answered: The attempt of the offer or chunk that it answers.
  ///   - offset: The chunk's place in the file; the attempt again, of an offer.
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
      toldQuarters = 0
      goBack(to: 0)
      return .wentOn
    case .ready:
      guard phase == .offering, answered == attempt else { return .unchanged }
      if answer.receivedBytes > acknowledged { waits = 1 }
      phase = .sending
      goBack(to: answer.receivedBytes)
      return .wentOn
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
      adapt(to: received, isCurrent: isCurrent, isCrowded: isCrowded, at: now)
      acknowledged = received
      sent = max(sent, received)
      waits = 1
      outcome = .wentOn
    }
    // The chunk stood behind a gap: what came after the gap is lost, or never was where the receiver is now.
    if isCurrent, received < offset {
      shrink()
      goBack(to: received)
      outcome = .wentOn
    }
    return outcome
  }

  /// Notes what is no longer in flight, and measures how long that took.
  private mutating func adapt(to received: UInt64, isCurrent: Bool, isCrowded: Bool, at now: VirtualTime) {
    let done = flights.prefix { $0.end <= received }
    guard let last = done.last else { return }
    flights.removeFirst(done.count)
    // An answer to an earlier round says nothing of how long this one took.
    guard isCurrent, received > adaptsBehind else { return }
    if now - last.sentAt > Self.promptWithin {
      shrink()
    } else if !isCrowded {
      windowBytes = min(windowBytes * 2, Self.windowBytesMax)
      adaptsBehind = sent
    }
  }

  private mutating func shrink() {
    windowBytes = max(windowBytes / 2, Self.chunkBytesMin)
    adaptsBehind = sent
  }

  private mutating func goBack(to place: UInt64) {
    acknowledged = place
    sent = place
    adaptsBehind = place
    flights = []
    round = Session.next(round)
  }

  /// How many quarters of the file the receiver has, 0...4; 0 of an empty one.
  var quarters: UInt64 { byteCount == 0 ? 0 : acknowledged * 4 / byteCount }
}
