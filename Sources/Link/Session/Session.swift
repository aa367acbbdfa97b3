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
    /// What it does wrong on purpose.
    public var plants: Plants
    /// Whether the session itself sends the receipt of a message, when it hands the message over; false where the host
    /// calls ``Session/confirmMessage(_:of:into:)`` once the app has taken it.
    public var sendsReceipts: Bool
    /// How long what goes in the background waits before it is sent.
    public var backgroundDelay: BackgroundDelay

    /// Creates a configuration; the reply deadline is 10 s unless said otherwise.
    public init(
      role: NodeRole, replyTimeout: VirtualTime.Span = .seconds(10), random: RandomStream, plants: Plants = [],
      sendsReceipts: Bool = true, backgroundDelay: BackgroundDelay = .none
    ) {
      self.role = role
      self.replyTimeout = replyTimeout
      self.random = random
      self.plants = plants
      self.sendsReceipts = sendsReceipts
      self.backgroundDelay = backgroundDelay
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
  /// How often the app was started, this start included.
  public let epoch: Epoch
  /// The queues' sending halves, in the order of ``Lane``.
  var outboxes: [Outbox]
  /// The queues' receiving halves, in the order of ``Lane``.
  var inboxes: [Inbox]
  /// The context last set; nil before the first.
  var contextSent: SessionRecord.ContextSlot?
  /// Whether the peer has it.
  var contextIsAcknowledged: Bool
  /// The context last received; nil before the first.
  var contextReceived: SessionRecord.ContextSlot?
  var budget: ComplicationBudget

  /// Whether this side believes the link to be up.
  var linkIsUp = false
  /// Whether the peer's app runs, or can be woken.
  var peerIsRunning = true
  var peerIsInstalled = true
  /// Whether a message of this side launches the peer's app.
  var launchesPeer = false
  /// Messages that came before their sender's hello; nil for an app that no message has launched, or once they are
  /// handed over.
  var launchBox: LaunchBox?
  /// The messages of the launch box, as each hello of their sender is answered; empty without a box.
  var acceptedAtLaunch: [SequenceNumber] = []
  var diskIsFull = false
  /// Whether the app sleeps, and what comes for it waits.
  public internal(set) var isSuspended = false
  /// Whether the run has reached its end: the session asks for no time to fail messages.
  @usableFromInline var isEnding = false
  /// What waits for the app to go on; empty while it runs.
  var heldBack = HeldBack()
  /// Whether the app was handed what the epochs before had left for it.
  var isActivated = false
  /// Whether the peer can be reached, as far as this side knows: what is queued is sent by it.
  var reachable = false
  /// Whether the app believes so; the same but for quirks.
  var believesReachable = false
  /// What this side gets wrong on purpose.
  var quirks = QuirkState()
  /// The payload of the message heard last, with its digest where that is known; only while lines are written.
  var lastHeard = DigestedPayload([])
  /// The line of the message received last.
  var receivedLine = ReusedLine(.messageReceived)

  /// The peer's epoch; 0 before its first hello.
  var peerEpoch = Epoch(0)
  /// The peer's epoch that confirmed our hello; 0 before that.
  var helloConfirmedBy = Epoch(0)
  /// How often the hello was sent in this epoch.
  var helloAttempts: UInt16 = 0
  /// How often it was sent since the last reason to begin anew: what the back-off counts.
  var helloWaits: UInt16 = 0
  /// The number of the next message of this epoch.
  @usableFromInline var nextMessageSeq = SequenceNumber(1)
  var messageFilter = DuplicateFilter()
  /// Messages whose sender waits for a reply or a receipt, in the order of their deadlines.
  @usableFromInline var pendingMessages: [PendingMessage] = []
  var contextAttempts: UInt16 = 0
  var contextWaits: UInt16 = 0
  /// Whether ``contextDeadline`` is the end of the delay, and not of a wait for a confirmation.
  var contextIsHeld = false

  /// When the hello is sent again; ``VirtualTime/distantFuture`` for never, as in those that follow.
  @usableFromInline var helloDeadline = VirtualTime.distantFuture
  @usableFromInline var contextDeadline = VirtualTime.distantFuture
  /// The soonest deadline of the events under way, while the peer is in reach.
  @usableFromInline var queueDeadline = VirtualTime.distantFuture
  @usableFromInline var fileDeadline = VirtualTime.distantFuture

  /// The file that is being sent, or whose place is.
  var fileSender = FileSender()
  /// The file that is being received; nil for none.
  var fileReceiver: FileReceiver?
  /// A file whose rest was refused: answered so until its sender has passed its place.
  var refusedFile: RefusedFile?
  /// Whether a file is owed: looked at often.
  var owesFile: Bool

  /// Creates the session of a new epoch.
  ///
  /// - Parameter record: What the store held; its `epoch` is the one that begins now.
  public init(_ configuration: Configuration, record: SessionRecord = SessionRecord()) {
    precondition(record.epoch.rawValue > 0, "epochs count from 1")
    self.configuration = configuration
    epoch = record.epoch
    outboxes = record.lanes.map { Outbox($0) }
    inboxes = record.lanes.map { Inbox($0) }
    contextSent = record.contextSent
    contextIsAcknowledged = record.contextIsAcknowledged
    contextReceived = record.contextReceived
    budget = record.budget
    owesFile = outboxes[.file].count > 0
    if let partial = record.partial { begin(with: partial) }
    for lane in [Lane.complication, .userInfo, .file] {
      if let entry = record[lane].handledBefore { quirks.handledBefore.append(entry) }
    }
  }

  /// Whether a message can be sent: the link is thought up, the peer's app is there, and each side knows of the
  /// other's epoch.
  public var isReachable: Bool { believesReachable }
  /// Whether the peer's app is installed; without it every send fails at the call.
  public var isPeerInstalled: Bool { peerIsInstalled }
  /// The latest context received; nil before the first.
  public var receivedApplicationContext: [UInt8]? { contextReceived?.payload }
  /// The latest context set; nil before the first.
  public var applicationContext: [UInt8]? { contextSent?.payload }

  /// The moment by which ``fire(clock:at:into:delivering:)`` must be called; nil when nothing is pending.
  ///
  /// Inlined, so that a session is not copied to be asked.
  @inlinable @inline(__always) public var nextDeadline: VirtualTime? {
    var soonest = min(min(helloDeadline, contextDeadline), min(queueDeadline, fileDeadline))
    // A message's deadline is the app's own: it does not ring while the app sleeps.
    if let first = pendingMessages.first, first.deadline < soonest, !isSuspended, !isEnding { soonest = first.deadline }
    return soonest == .distantFuture ? nil : soonest
  }

  /// Takes what this side learns of the radio: late, as the supervision time has it.
  ///
  /// The first call of an epoch, which says what the radio is like at its start, also hands over what the epochs
  /// before left for the app: the latest context received, and what the inbox kept.
  ///
  /// - Parameters:
  ///   - isUp: Whether it is thought up from now on.
  ///   - clock: This side's clock in nanoseconds since 1970, for the hello.
  public mutating func receiveLink(
    isUp: Bool, clock: Int64, at now: VirtualTime, into output: inout NodeOutput,
    delivering deliveries: inout [SessionDelivery]
  ) {
    activate(at: now, into: &output, delivering: &deliveries)
    guard isUp != linkIsUp else { return }
    linkIsUp = isUp
    if isUp {
      sayHelloIfUnknown(clock: clock, at: now, into: &output)
    } else {
      helloDeadline = .distantFuture
    }
    updateReachability(cause: isUp ? "reconnect" : "supervision", at: now, into: &output, delivering: &deliveries)
    guard !isUp else { return }
    // Their sender has learnt it, too, and has given them up.
    launchBox = nil
    failPendingMessages(.notReachable, at: now, into: &output, delivering: &deliveries)
  }

  /// Begins to say hello, where the peer's app runs and has not confirmed ours.
  mutating func sayHelloIfUnknown(clock: Int64, at now: VirtualTime, into output: inout NodeOutput) {
    guard linkIsUp, peerIsRunning, helloConfirmedBy != peerEpoch || peerEpoch.rawValue == 0 else { return }
    helloWaits = 0
    sendHello(clock: clock, at: now, into: &output)
  }

  mutating func updateReachability(
    cause: String, at now: VirtualTime, into output: inout NodeOutput, delivering deliveries: inout [SessionDelivery]
  ) {
    let isReachable =
      linkIsUp && peerIsRunning && peerIsInstalled && peerEpoch.rawValue > 0 && helloConfirmedBy == peerEpoch
    let hasChanged = isReachable != reachable
    reachable = isReachable
    // Also where the truth is as it was: what a message can launch need not run.
    if hasChanged || launchesPeer { updateBelief(cause: cause, at: now, into: &output, delivering: &deliveries) }
    guard hasChanged else { return }
    contextDeadline = .distantFuture
    contextIsHeld = false
    fileDeadline = .distantFuture
    guard isReachable else {
      queueDeadline = .distantFuture
      return
    }
    contextWaits = 0
    if delaysBackground { return resumeAfterDelay(at: now, into: &output) }
    sendContext(at: now, into: &output)
    resume(.complication, at: now, into: &output)
    resume(.userInfo, at: now, into: &output)
    resumeFile(at: now, into: &output)
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

extension [Outbox] {
  /// One queue's part.
  subscript(lane: Lane) -> Outbox {
    _read { yield self[Int(lane.rawValue)] }
    _modify { yield &self[Int(lane.rawValue)] }
  }
}

extension [Inbox] {
  /// One queue's part.
  subscript(lane: Lane) -> Inbox {
    _read { yield self[Int(lane.rawValue)] }
    _modify { yield &self[Int(lane.rawValue)] }
  }
}
