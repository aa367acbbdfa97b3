/// What a node of another process did at a granted instant: frames and lines in the order it gave them.
///
/// The answer is filled again and again, so that the steady state of a run allocates nothing but the
/// payloads of frames.
public struct NodeAnswer: Sendable {
  /// One thing that a node did.
  public enum Item: Sendable, Equatable {
    /// It sent a frame.
    case frame(Frame)
    /// It wrote a line of the trace: where in ``NodeAnswer/text`` it stands.
    case line(Range<Int>)
    /// What stands before this was done on one input, what follows on the next.
    case handled
  }

  /// What an answer may grow to.
  public struct Limits: Sendable, Equatable {
    /// Frames and lines together.
    public var itemsMax: Int
    /// Bytes of payloads and lines together.
    public var bytesMax: Int

    /// Creates limits: a million items, 64 MiB.
    public init(itemsMax: Int = 1_000_000, bytesMax: Int = 64 << 20) {
      self.itemsMax = itemsMax
      self.bytesMax = bytesMax
    }
  }

  /// What the node did, in order.
  public private(set) var items: [Item] = []
  /// The texts of all lines, one right behind the other, without newlines.
  public private(set) var text: [UInt8] = []
  /// When the node wants to be called; nil for not before its next input.
  public private(set) var nextDeadline: VirtualTime?
  /// When a timer of the app itself is due; nil for none, and for a node that is no app in virtual time.
  public private(set) var appDeadline: VirtualTime?
  /// How many inputs the answer tells of.
  public private(set) var handledCount = 0
  /// The crash point at which the node has stopped, and with which the answer ends; nil for one that is complete.
  public private(set) var stoppedAt: String?
  /// In answer to a welcome in a run with a journal the epoch that begins, and the number of the last grant of which
  /// all is told; nil otherwise.
  public private(set) var beginning: (epoch: Epoch, answered: UInt64)?
  /// Whether nothing stands behind the end of the last input.
  public var endsHandled: Bool {
    guard let last = items.last else { return true }
    if case .handled = last { return true }
    return false
  }

  private var payloadBytes = 0
  /// What every line of ``prefixInstant`` begins with.
  private var prefix: [UInt8] = []
  private var prefixInstant: VirtualTime?
  private var prefixRole = NodeRole.watch

  /// Creates an empty answer.
  public init() {}

  /// The bytes of one line, without its newline.
  public func line(_ range: Range<Int>) -> ArraySlice<UInt8> { text[range] }

  /// Empties the answer and keeps its room.
  public mutating func removeAll() {
    items.removeAll(keepingCapacity: true)
    if text.capacity <= 1 << 20 { text.removeAll(keepingCapacity: true) } else { text = [] }
    nextDeadline = nil
    appDeadline = nil
    payloadBytes = 0
    handledCount = 0
    stoppedAt = nil
    beginning = nil
  }

  /// Takes what has come of an answer.
  ///
  /// - Parameters:
  ///   - decoder: Holds the bytes; it is left empty when the answer is complete.
  ///   - role: Whose answer this is: each line must say so.
  ///   - instant: The granted instant: each line must be of it, and no deadline before it.
  ///   - isBeginning: Whether this answers a welcome in a run with a journal.
  /// - Returns: How far it is.
  public mutating func take(
    from decoder: inout RecordDecoder, of role: NodeRole, at instant: VirtualTime, limits: Limits = Limits(),
    isBeginning: Bool = false
  ) throws(WireError) -> Progress {
    while let record = try decoder.next(isBeginning ? .beginning : .answer, text: &text) {
      switch record {
      case .frame(let frame):
        payloadBytes += frame.wireBytes
        items.append(.frame(frame))
      case .line(let range):
        try check(range, of: role, at: instant)
        items.append(.line(range))
      case .handled:
        handledCount += 1
        items.append(.handled)
      case .done(let deadline, let app):
        let first = min(deadline ?? .distantFuture, app ?? .distantFuture)
        if first < instant { throw .deadlineInThePast(found: first.nanoseconds, granted: instant.nanoseconds) }
        guard decoder.pendingBytes == 0 else { throw .unasked(bytes: decoder.pendingBytes) }
        nextDeadline = deadline
        appDeadline = app
        return .complete
      case .stopped(let point):
        guard decoder.pendingBytes == 0 else { throw .unasked(bytes: decoder.pendingBytes) }
        stoppedAt = point
        return .complete
      case .began(let epoch, let answered): beginning = (epoch, answered)
      case .failed(let why): return .failed(why)
      case .join, .welcome, .grant, .link, .uplink, .command, .condition, .arm, .end:
        preconditionFailure("a record that the decoder was not to accept")
      }
      guard items.count <= limits.itemsMax else { throw .answerItems(max: limits.itemsMax) }
      guard payloadBytes + text.count <= limits.bytesMax else { throw .answerBytes(max: limits.bytesMax) }
    }
    return .incomplete
  }

  /// How far an answer is.
  public enum Progress: Sendable, Equatable {
    /// More bytes must come.
    case incomplete
    /// All of it is there.
    case complete
    /// The node gave up, and says why.
    case failed(String)
  }

  /// Holds a line against the beginning that every line of this node and instant has.
  private mutating func check(_ range: Range<Int>, of role: NodeRole, at instant: VirtualTime) throws(WireError) {
    if prefixInstant != instant || prefixRole != role {
      prefix = Array("{\"t\":\(instant.nanoseconds),\"node\":\"\(role.place.text)\",\"event\":\"".utf8)
      prefixInstant = instant
      prefixRole = role
    }
    let found = text.span.extracting(range)
    let expected = prefix.span
    var isRight = found.count >= expected.count
    if isRight { for index in expected.indices { isRight = isRight && found[index] == expected[index] } }
    guard isRight else { throw .foreignLine(expected: String(decoding: prefix, as: UTF8.self)) }
  }
}
