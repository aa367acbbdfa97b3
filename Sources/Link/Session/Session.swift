/// One end of the link: what is reachable, what is in flight, what is owed.
///
/// Messages are best effort: sent once, only while the peer is reachable, handed over at most once.
/// Contexts and user infos are kept until the peer's session confirms them: retransmitted with an
/// exponential back-off while the link is thought up, resumed when it returns. The semantics are
/// WCSession's (`docs/protocol.md` lists the simplifications).
///
/// Every epoch begins with a hello that is retransmitted until it is confirmed; nothing else is sent
/// before that, so a receiver never meets an epoch it was not told of.
public struct Session: Sendable, Equatable {
  /// What does not change while a session lives.
  public struct Configuration: Sendable, Equatable {
    /// Whose session it is.
    public var role: NodeRole
    /// How long a message waits for its reply.
    public var replyTimeout: VirtualTime.Span
    /// The jitter of retransmissions is drawn from here, and so are the names of transfers.
    public var random: RandomStream

    /// Creates a configuration; the reply deadline is 10 s unless said otherwise.
    public init(role: NodeRole, replyTimeout: VirtualTime.Span = .seconds(10), random: RandomStream) {
      self.role = role
      self.replyTimeout = replyTimeout
      self.random = random
    }
  }

  /// The time after which a first transmission is repeated; doubles with each attempt.
  public static let retransmitAfter = VirtualTime.Span.milliseconds(500)
  /// The longest time between two attempts.
  public static let retransmitAfterMax = VirtualTime.Span.seconds(30)
  /// How many queued transfers may be unconfirmed at once.
  public static let window = 32
  /// The largest payload a channel takes, in bytes, inclusive.
  public static func payloadBytesMax(on channel: Channel) -> Int {
    channel == .applicationContext ? 262_144 : 65_536
  }

  let configuration: Configuration
  /// What the store holds; every change to it also goes out as a ``SessionChange``.
  var record: SessionRecord
  /// Whether this side believes the link to be up.
  var linkIsUp = false
  /// The peer's epoch; 0 before its first hello.
  var peerEpoch = Epoch(0)
  /// The peer's epoch that confirmed our hello; 0 before that.
  var helloConfirmedBy = Epoch(0)
  /// How often the hello was sent in this epoch.
  var helloAttempts: UInt16 = 0
  /// How often it was sent since the last reason to begin anew: what the back-off counts.
  var helloWaits: UInt16 = 0
  var helloDeadline: VirtualTime?
  /// The number of the next message of this epoch.
  @usableFromInline var nextMessageSeq = SequenceNumber(1)
  var messageFilter = DuplicateFilter()
  /// Messages that wait for a reply, in the order of their deadlines.
  var pendingReplies: [PendingReply] = []
  /// The transmissions of the first entries of the outbox, in order; they wait while the peer is out of reach.
  var inFlight: [InFlight] = []
  var contextAttempts: UInt16 = 0
  var contextWaits: UInt16 = 0
  var contextDeadline: VirtualTime?
  var reachable = false
  /// How far the inbox has been handed to the app in this epoch.
  var handedOver = SequenceNumber(0)

  struct PendingReply: Sendable, Equatable {
    var seq: SequenceNumber
    var deadline: VirtualTime
  }

  struct InFlight: Sendable, Equatable {
    var seq: SequenceNumber
    /// How often it was sent in this epoch: never begins anew, because draws about a frame depend on it.
    var attempt: UInt16
    /// How often it was sent since the peer came into reach: what the back-off counts.
    var waits: UInt16
    var deadline: VirtualTime
  }

  /// Creates the session of a new epoch.
  ///
  /// - Parameter record: What the store held; its `epoch` is the one that begins now.
  public init(_ configuration: Configuration, record: SessionRecord = SessionRecord()) {
    precondition(record.epoch.rawValue > 0, "epochs count from 1")
    self.configuration = configuration
    self.record = record
    handedOver = SequenceNumber(record[.userInfo].nextToHandle.rawValue - 1)
  }

  /// The epoch that began with this session.
  public var epoch: Epoch { record.epoch }
  /// Whether a message can be sent: the link is thought up and each side knows of the other's epoch.
  public var isReachable: Bool { reachable }
  /// The latest context received; nil before the first.
  public var receivedApplicationContext: [UInt8]? { record.contextReceived?.payload }
  /// The transfers that are still owed, in order.
  public var outstanding: [OutboxEntry] { record[.userInfo].outbox }

  /// The moment by which ``fire(clock:at:into:delivering:)`` must be called; nil when nothing is pending.
  public var nextDeadline: VirtualTime? {
    if helloDeadline == nil, contextDeadline == nil, pendingReplies.isEmpty, inFlight.isEmpty { return nil }
    var soonest = VirtualTime.distantFuture
    if let helloDeadline { soonest = min(soonest, helloDeadline) }
    if let contextDeadline { soonest = min(soonest, contextDeadline) }
    if let first = pendingReplies.first { soonest = min(soonest, first.deadline) }
    if linkIsUp, reachable { for entry in inFlight { soonest = min(soonest, entry.deadline) } }
    return soonest == .distantFuture ? nil : soonest
  }

  /// Takes what this side learns of the radio: late, as the supervision time has it.
  ///
  /// The first call of an epoch, which says what the radio is like at its start, also hands over what the inbox
  /// kept from the epoch before.
  ///
  /// - Parameters:
  ///   - isUp: Whether it is thought up from now on.
  ///   - clock: This side's clock in nanoseconds since 1970, for the hello.
  public mutating func receiveLink(
    isUp: Bool, clock: Int64, at now: VirtualTime, into output: inout NodeOutput,
    delivering deliveries: inout [SessionDelivery]
  ) {
    handOver(delivering: &deliveries)
    guard isUp != linkIsUp else { return }
    linkIsUp = isUp
    if isUp {
      helloWaits = 0
      if helloConfirmedBy != peerEpoch || peerEpoch.rawValue == 0 {
        sendHello(clock: clock, at: now, into: &output)
      }
      updateReachability(cause: "reconnect", at: now, into: &output, delivering: &deliveries)
    } else {
      helloDeadline = nil
      contextDeadline = nil
      updateReachability(cause: "supervision", at: now, into: &output, delivering: &deliveries)
    }
  }

  mutating func updateReachability(
    cause: String, at now: VirtualTime, into output: inout NodeOutput, delivering deliveries: inout [SessionDelivery]
  ) {
    let isReachable = linkIsUp && peerEpoch.rawValue > 0 && helloConfirmedBy == peerEpoch
    guard isReachable != reachable else { return }
    reachable = isReachable
    output.record(
      TraceEvent(
        .reachability, at: now, on: configuration.role.place,
        [.init("reachable", .bool(isReachable)), .init("cause", .string(cause))]))
    deliveries.append(.reachability(isReachable))
    guard isReachable else { return }
    contextDeadline = nil
    contextWaits = 0
    sendContext(at: now, into: &output)
    resumeQueue(at: now, into: &output)
  }

  /// The wait after transmission number `waits`: doubling, bounded, with up to a quarter of jitter.
  ///
  /// - Parameter key: What the jitter is drawn for: the transmitted frame's.
  func backOff(after waits: UInt16, key: UInt64) -> VirtualTime.Span {
    var wait = Self.retransmitAfter.nanoseconds
    var count = waits
    while count > 1, wait < Self.retransmitAfterMax.nanoseconds {
      wait *= 2
      count -= 1
    }
    wait = min(wait, Self.retransmitAfterMax.nanoseconds)
    let jitter = configuration.random.number(below: UInt64(wait / 4), for: key)
    return VirtualTime.Span(nanoseconds: wait + Int64(jitter))
  }
}

extension TraceEvent.Name {
  static let reachability: Self = "reachability"
}
