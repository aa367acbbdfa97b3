/// One end of the link: reachability, frames in flight, owed items.
///
/// Messages are best effort: sent once, only while the peer is reachable, delivered at most once. Contexts and user
/// infos are stored until the peer's session confirms them: retransmitted with an exponential back-off while the link
/// is believed to be up, resumed when it returns. The semantics are WCSession's (`docs/internals/protocol.md` lists the
/// simplifications).
///
/// Every epoch begins with a hello that is retransmitted until it is confirmed. Nothing else is sent before that, so a
/// receiver never meets an unannounced epoch.
public struct Session: Sendable, Equatable {
  /// The constants of a session.
  public struct Configuration: Sendable, Equatable {
    /// The device that the session belongs to.
    public var role: NodeRole
    /// How long a message waits for its reply.
    public var replyTimeout: VirtualTime.Span
    /// The stream for the jitter of retransmissions and for transfer identifiers.
    public var random: RandomStream
    /// The planted bugs.
    public var plants: Plants
    /// Whether the session sends the receipt of a message itself when it delivers the message.
    ///
    /// If false, the host calls ``Session/confirmMessage(_:of:in:)`` once the app has handled it.
    public var sendsReceipts: Bool
    /// The delay of contexts, user infos and files.
    public var backgroundDelay: BackgroundDelay
    /// Which received context a start delivers to the app.
    public var contextAtStart: ContextAtStart

    /// Creates a configuration; the reply deadline is 10 s by default.
    public init(
      role: NodeRole, replyTimeout: VirtualTime.Span = .seconds(10), random: RandomStream, plants: Plants = [],
      sendsReceipts: Bool = true, backgroundDelay: BackgroundDelay = .none, contextAtStart: ContextAtStart = .latest
    ) {
      self.role = role
      self.replyTimeout = replyTimeout
      self.random = random
      self.plants = plants
      self.sendsReceipts = sendsReceipts
      self.backgroundDelay = backgroundDelay
      self.contextAtStart = contextAtStart
    }
  }

  /// Which received context a start delivers to the app.
  public enum ContextAtStart: Sendable, Equatable {
    /// The latest one: for an app that reads the property at its start, as those of the simulated devices do.
    case latest
    /// The latest one while it waits: not the one of this number, which an earlier start has delivered, if any.
    case waiting(delivered: SequenceNumber?)

    func delivers(_ seq: SequenceNumber) -> Bool {
      switch self {
      case .latest: true
      case .waiting(let delivered): seq != delivered
      }
    }
  }

  /// The wait after the first transmission; doubles with each attempt.
  public static let retransmitAfter = VirtualTime.Span.milliseconds(500)
  /// The longest wait between two attempts.
  public static let retransmitAfterMax = VirtualTime.Span.seconds(30)
  /// How long an app may leave its session deactivated after a switch of watches.
  public static let reactivateWithin = VirtualTime.Span.seconds(10)
  /// The most unconfirmed transfers of a queue.
  public static let window = 32
  /// The largest payload of a channel in bytes, inclusive.
  public static func payloadBytesMax(on channel: Channel) -> Int {
    channel == .applicationContext ? 262_144 : 65_536
  }

  let configuration: Configuration
  /// The number of starts of the app, including this one.
  public let epoch: Epoch
  /// The sending halves of the queues, in the order of ``Lane``.
  var outboxes: [Outbox]
  /// The receiving halves of the queues, in the order of ``Lane``.
  var inboxes: [Inbox]
  /// How the app's sends fail on purpose; nil if they do not.
  var sendFailures: SendFailures?
  /// The number of draws for them in this epoch.
  var sendsDrawn: UInt64 = 0
  /// The item that was queued last, if it fails later, until the host takes it.
  var failingLater: FailingLater?
  var budget: ComplicationBudget

  /// Whether this side believes the link to be up.
  var linkIsUp = false
  /// Whether the peer's app runs, or can be woken.
  var peerIsRunning = true
  var peerIsInstalled = true
  /// Whether a message of this side launches the peer's app.
  var launchesPeer = false
  /// Messages that arrived before their sender's hello; nil if no message launched the app, or once they are delivered.
  var launchBox: LaunchBox?
  /// The numbers of the messages in the launch box, for the answer to each hello; empty without a box.
  var acceptedAtLaunch: [SequenceNumber] = []
  var diskIsFull = false
  /// Whether the app is suspended, so that deliveries wait.
  public internal(set) var isSuspended = false
  /// Whether the run has reached its end: the session sets no more deadlines for messages.
  @usableFromInline var isEnding = false
  /// Deliveries for a suspended app; empty while it runs.
  var heldBack = HeldBack()
  /// Whether the app got what earlier epochs had left for it.
  var isActivated = false
  /// Whether this side can reach the peer, as far as it knows; queued items depend on it.
  var reachable = false
  /// Reachability as the app sees it; different only under a quirk.
  var believesReachable = false
  /// The active quirks and their state.
  var quirks = QuirkState()

  @usableFromInline var handshake = SessionHandshake()
  @usableFromInline var messages = SessionMessages()
  @usableFromInline var contexts: SessionContexts
  @usableFromInline var files: SessionFiles
  /// The earliest deadline of the events in flight, while the peer is reachable; the far future for none.
  @usableFromInline var queueDeadline = VirtualTime.distantFuture

  /// Creates the session of a new epoch.
  ///
  /// - Parameters:
  ///   - configuration: The role of this side, and its limits.
  ///   - record: The contents of the store; its `epoch` is the new one.
  public init(_ configuration: Configuration, record: SessionRecord = SessionRecord()) {
    precondition(record.epoch.rawValue > 0, "epochs count from 1")
    self.configuration = configuration
    epoch = record.epoch
    outboxes = record.lanes.map { Outbox($0) }
    inboxes = record.lanes.map { Inbox($0) }
    contexts = SessionContexts(record)
    budget = record.budget
    files = SessionFiles(isOwed: outboxes[.file].count > 0)
    if let partial = record.partial { resumeFile(with: partial) }
    for lane in [Lane.complication, .userInfo, .file] {
      if let entry = record[lane].handledBefore { quirks.handledBefore.append(entry) }
    }
  }

  /// Whether a message can be sent.
  ///
  /// That is, the link is believed to be up, the peer's app is there, and each side knows the other's epoch.
  public var isReachable: Bool { believesReachable }
  /// Whether the peer's app is installed; otherwise every send fails at the call.
  public var isPeerInstalled: Bool { peerIsInstalled }
  /// The latest context received; nil before the first.
  public var receivedApplicationContext: [UInt8]? { contexts.received?.payload }
  /// The latest context set; nil before the first.
  public var applicationContext: [UInt8]? { contexts.sent?.payload }

  /// The instant by which ``fire(clock:in:)`` must be called; nil if nothing is pending.
  ///
  /// Inlined, so that reading it does not copy the session.
  @inlinable @inline(__always) public var nextDeadline: VirtualTime? {
    var soonest = min(min(handshake.deadline, contexts.deadline), min(queueDeadline, files.deadline))
    // The deadline of a message is a timer of the app, which does not fire while the app is suspended.
    if let first = messages.pending.first, first.deadline < soonest, !isSuspended, !isEnding {
      soonest = first.deadline
    }
    return soonest == .distantFuture ? nil : soonest
  }

  /// Handles this side's knowledge of the radio, which lags by the supervision time.
  ///
  /// The first call of an epoch, with the state of the radio at its start, also delivers what earlier epochs left for
  /// the app: the latest context received, and the contents of the inbox.
  ///
  /// - Parameters:
  ///   - isUp: Whether the link is believed to be up from now on.
  ///   - clock: This side's clock in nanoseconds since 1970, for the hello.
  ///   - turn: Receives frames, lines and changes for the store.
  public mutating func receiveLink(isUp: Bool, clock: Int64, in turn: inout Turn) {
    activate(in: &turn)
    guard isUp != linkIsUp else { return }
    linkIsUp = isUp
    if isUp {
      startHelloIfUnconfirmed(clock: clock, in: &turn)
    } else {
      handshake.deadline = .distantFuture
    }
    updateReachability(cause: isUp ? "reconnect" : "supervision", in: &turn)
    guard !isUp else { return }
    // Their sender has noticed it too, and has failed them.
    launchBox = nil
    failPendingMessages(.notReachable, in: &turn)
  }

  /// Starts sending hellos if the peer's app runs and has not confirmed this epoch.
  mutating func startHelloIfUnconfirmed(clock: Int64, in turn: inout Turn) {
    guard linkIsUp, peerIsRunning, !handshake.isComplete else { return }
    handshake.waits = 0
    sendHello(clock: clock, in: &turn)
  }

  mutating func updateReachability(cause: String, in turn: inout Turn) {
    let isReachable = linkIsUp && peerIsRunning && peerIsInstalled && handshake.isComplete
    let hasChanged = isReachable != reachable
    reachable = isReachable
    // Also if the state has not changed: an app that a message can launch need not run.
    if hasChanged || launchesPeer { updateBelief(cause: cause, in: &turn) }
    guard hasChanged else { return }
    contexts.deadline = .distantFuture
    contexts.isHeld = false
    files.deadline = .distantFuture
    guard isReachable else {
      queueDeadline = .distantFuture
      return
    }
    contexts.waits = 0
    if delaysBackground { return resumeAfterDelay(in: &turn) }
    sendContext(in: &turn)
    resume(.complication, in: &turn)
    resume(.userInfo, in: &turn)
    resumeFile(in: &turn)
  }

  /// The wait after transmission number `waits`: doubling, bounded, plus up to a quarter of jitter.
  ///
  /// - Parameter key: The key of the jitter's draw: that of the transmitted frame.
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

extension Array {
  /// The element of a queue.
  subscript(lane: Lane) -> Element {
    _read { yield self[Int(lane.rawValue)] }
    _modify { yield &self[Int(lane.rawValue)] }
  }
}

/// The application contexts of both directions; only the newest of each counts.
@usableFromInline struct SessionContexts: Sendable, Equatable {
  /// The context last set; nil before the first.
  var sent: SessionRecord.ContextSlot?
  /// Whether the peer has it.
  var isAcknowledged: Bool
  /// The context last received; nil before the first.
  var received: SessionRecord.ContextSlot?
  /// The number of transmissions of the context that was last set.
  var attempts: UInt16 = 0
  /// The number of transmissions since the back-off was last reset.
  var waits: UInt16 = 0
  /// Whether ``deadline`` is the end of the delay rather than a retransmission.
  var isHeld = false
  /// The next transmission; ``VirtualTime/distantFuture`` for never.
  @usableFromInline var deadline = VirtualTime.distantFuture

  init(_ record: SessionRecord) {
    sent = record.contextSent
    isAcknowledged = record.contextIsAcknowledged
    received = record.contextReceived
  }
}

/// The hellos of both sides: which epoch of the peer is known, and whether the peer knows this one.
@usableFromInline struct SessionHandshake: Sendable, Equatable {
  /// The peer's epoch; 0 before its first hello.
  var peerEpoch = Epoch(0)
  /// The peer's epoch that confirmed our hello; 0 before that.
  var confirmedBy = Epoch(0)
  /// The number of transmissions of the hello in this epoch.
  var attempts: UInt16 = 0
  /// The number of transmissions since the back-off was last reset.
  var waits: UInt16 = 0
  /// The next transmission of the hello; ``VirtualTime/distantFuture`` for never.
  @usableFromInline var deadline = VirtualTime.distantFuture

  /// Whether both sides know each other's epoch.
  var isComplete: Bool { peerEpoch.rawValue > 0 && confirmedBy == peerEpoch }
}

/// The messages of an epoch: the next number, those without an outcome, and the numbers of those received.
@usableFromInline struct SessionMessages: Sendable, Equatable {
  /// The number of the next message.
  @usableFromInline var nextSeq = SequenceNumber(1)
  /// Messages with a pending reply or receipt, in the order of their deadlines.
  @usableFromInline var pending: [Session.PendingMessage] = []
  /// Recognizes copies of received messages.
  var filter = DuplicateFilter()
  /// The payload of the last received message, with its digest if known; only if lines are recorded.
  var lastReceived = DigestedPayload([])
}
