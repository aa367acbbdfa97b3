public import Link

/// Two sessions and the medium between them, in virtual time: the smallest world a session lives in.
///
/// The app on either side is trivial: it handles every queued event and file the moment it is handed one, and answers
/// a message that wants it with what ``answer`` gives. What happened is kept, and tests look at it.
public struct Pair {
  /// The deliveries of one side, and what became durable on it.
  public struct Log {
    /// Everything handed over, in order.
    public var deliveries: [SessionDelivery] = []
    /// Messages that were not stale.
    public var messages: [[UInt8]] = []
    public var staleMessages = 0
    /// Effects of queued events: those whose handling was committed, in order.
    public var effects: [[UInt8]] = []
    /// The same of complication transfers.
    public var complications: [[UInt8]] = []
    /// The same of files: the offer of each, and the name under which it was kept, if it was.
    public var files: [(offer: FileOffer, keptAs: String?)] = []
    public var contexts: [[UInt8]] = []
    public var replies: [(to: SequenceNumber, payload: [UInt8], flags: Frame.Flags)] = []
    public var failures: [(seq: SequenceNumber, error: SessionError)] = []
    /// The messages without reply that the peer's app has taken.
    public var received: [SequenceNumber] = []
    public var finished: [SequenceNumber] = []
    /// Transfers that finished, with their lane.
    public var finishedTransfers: [(lane: Lane, transfer: Identifier)] = []
    public var failedTransfers: [(transfer: Identifier, error: SessionError)] = []
    /// Transfers that the receiver cancelled.
    public var cancelledTransfers: [Identifier] = []
    public var progress: [(transfer: Identifier, received: UInt64, of: UInt64)] = []
    /// Every change of reachability.
    public var reachability: [Bool] = []
    public var epochsOfPeer: [Epoch] = []
    /// Lines of the trace.
    public var lines: [TraceEvent] = []
    /// Frames sent, with their times.
    public var sent: [(at: VirtualTime, frame: Frame)] = []

    /// Lines of this name.
    public func lines(_ name: TraceEvent.Name) -> [TraceEvent] { lines.filter { $0.name == name } }
    /// Frames sent of a kind and channel.
    public func sent(_ kind: Frame.Kind, _ channel: Channel) -> [(at: VirtualTime, frame: Frame)] {
      sent.filter { $0.frame.kind == kind && $0.frame.channel == channel }
    }
  }

  /// A run that did not come to rest.
  public struct Unsettled: Error, CustomStringConvertible {
    public var steps: Int
    public var now: VirtualTime
    public var last: [String]
    public var description: String {
      "not at rest after \(steps) steps, at \(now.nanoseconds) ns; the last frames: \(last.joined(separator: ", "))"
    }
  }

  /// One effect of the app, durable with its transaction.
  enum Effect {
    case event([UInt8])
    case complication([UInt8])
    case file(FileOffer, keptAs: String?)
  }

  struct Side {
    var role: NodeRole
    var session: Session
    var store: MemorySessionStore
    var files = WholeFiles()
    var isRunning = true
    /// What this side learned last of its device and its counterpart, told again to each new start.
    var conditions = Conditions()
    var changes: [SessionChange] = []
    var effects: [Effect] = []
    var crashPoint: (name: String, passages: Int)?
    var crashes = 0
  }

  struct Conditions {
    var diskIsFull = false
    var peerIsInstalled = true
    var peerIsRunning = true
    var quirks: [SessionQuirk] = []
  }

  /// What happened on the watch.
  public internal(set) var watch = Log()
  /// What happened on the phone.
  public internal(set) var phone = Log()
  public private(set) var now = VirtualTime.start
  /// What became of each copy of each frame, in order.
  public internal(set) var fates: [(at: VirtualTime, fate: Medium.Fate)] = []
  public internal(set) var medium: Medium
  /// The answer to a message that wants one; nil to leave it unanswered.
  public var answer: ([UInt8]) -> (payload: [UInt8], flags: Frame.Flags)? = { ($0, .dictionary) }
  /// Whether the app keeps a file, under the name of its transfer.
  public var keepsFile: (FileOffer) -> Bool = { _ in true }
  /// Whether lines are recorded.
  public var isRecording = true
  /// Each side's clock at the start, in nanoseconds since 1970.
  public var clocks: (watch: Int64, phone: Int64) = (0, 0)

  let seed: UInt64
  private let backgroundDelay: BackgroundDelay
  private let profile: LinkProfile
  private let faults: [PlannedFault]
  var sides: [Side]
  var frames: UInt64 = 0
  private var faultsBegun: Set<Int> = []
  private var faultsEnded: Set<Int> = []
  var believedUp = false
  private var notice: (at: VirtualTime, isUp: Bool)?

  /// Creates a pair that was never started before; ``drive(until:stepsMax:)`` lets both learn of the link.
  ///
  /// - Parameter faults: Faults on frames, with their times.
  public init(
    profile: LinkProfile = LinkProfile(latency: .milliseconds(5)), faults: [PlannedFault] = [], seed: UInt64 = 1,
    backgroundDelay: BackgroundDelay = .none
  ) {
    self.seed = seed
    self.backgroundDelay = backgroundDelay
    self.profile = profile
    self.faults = faults
    medium = Medium(place: .link, profile: profile, seed: seed)
    sides = []
    notice = (.start, true)
    for role in [NodeRole.watch, .phone] {
      var store = MemorySessionStore()
      let record = store.beginEpoch()
      sides.append(Side(role: role, session: Self.session(role, record, seed: seed, backgroundDelay), store: store))
    }
  }

  private static func session(
    _ role: NodeRole, _ record: SessionRecord, seed: UInt64, _ backgroundDelay: BackgroundDelay
  ) -> Session {
    Session(
      Session.Configuration(
        role: role, random: RandomStream(seed: seed, name: "session.\(role.text)"), backgroundDelay: backgroundDelay),
      record: record)
  }

  /// One end, to look at.
  public func session(_ role: NodeRole) -> Session { sides[Int(role.rawValue)].session }
  /// What happened at one end.
  public func log(_ role: NodeRole) -> Log { role == .watch ? watch : phone }
  /// The files of one end.
  public func files(_ role: NodeRole) -> WholeFiles { sides[Int(role.rawValue)].files }
  /// The store of one end.
  public func store(_ role: NodeRole) -> MemorySessionStore { sides[Int(role.rawValue)].store }
  /// How often a side crashed at a point it was asked to crash at.
  public func crashes(_ role: NodeRole) -> Int { sides[Int(role.rawValue)].crashes }

  /// Hands a side a frame that no peer sent.
  public mutating func inject(_ frame: Frame, to role: NodeRole) { receive(frame, at: role) }

  // MARK: The world

  /// Cuts the link if it is up; both sides learn of it after the profile's supervision time.
  public mutating func cut() {
    guard medium.isUp else { return }
    _ = medium.cutLink()
    notice = believedUp ? (now + profile.supervision, false) : nil
  }

  /// Restores the link if it is down; both sides learn of it after the profile's reconnect time.
  public mutating func restore() {
    guard !medium.isUp else { return }
    _ = medium.restoreLink()
    notice = believedUp ? nil : (now + profile.reconnect.median, true)
  }

  /// Kills a side's process and restarts it from its store.
  public mutating func restart(_ role: NodeRole) {
    let index = Int(role.rawValue)
    sides[index].changes = []
    sides[index].effects = []
    sides[index].isRunning = true
    sides[index].session = Self.session(role, sides[index].store.beginEpoch(), seed: seed, backgroundDelay)
    let conditions = sides[index].conditions
    if conditions.diskIsFull { condition(.disk(isFull: true), role) }
    if !conditions.peerIsInstalled { condition(.peerInstalled(false), role) }
    if !conditions.peerIsRunning { condition(.peer(isRunning: false), role) }
    for quirk in conditions.quirks { condition(.quirk(quirk, isOn: true), role) }
    learn(isUp: believedUp, role)
  }

  /// Ends a side's process without a word; frames for it are lost until ``restart(_:)``.
  public mutating func stop(_ role: NodeRole) { sides[Int(role.rawValue)].isRunning = false }

  /// Crashes and restarts a side at a passage of a crash point: the next one, or a later one.
  public mutating func crash(_ role: NodeRole, at point: String, passage: Int = 1) {
    sides[Int(role.rawValue)].crashPoint = (point, passage)
  }

  /// Tells a side of its device or its counterpart.
  public mutating func condition(_ condition: NodeCondition, _ role: NodeRole) {
    let index = Int(role.rawValue)
    switch condition {
    case .disk(let isFull): sides[index].conditions.diskIsFull = isFull
    case .peerInstalled(let isInstalled): sides[index].conditions.peerIsInstalled = isInstalled
    case .peer(let isRunning): sides[index].conditions.peerIsRunning = isRunning
    case .quirk(let quirk, let isOn, _):
      sides[index].conditions.quirks.removeAll { $0 == quirk }
      if isOn { sides[index].conditions.quirks.append(quirk) }
    case .suspended, .resumed, .clock, .peerLocked, .runEnds, .messagesLaunchPeer, .launchedByMessage, .sendsFail,
      .unknown:
      break
    }
    let clock = clock(role)
    act(role) { session, turn in
      session.receive(condition: condition, clock: clock, in: &turn)
    }
  }

  // MARK: Time

  /// Goes on until nothing is pending any more, or until an instant, whose own events are over then.
  ///
  /// - Throws: ``Unsettled`` when it takes more steps than that.
  public mutating func drive(until end: VirtualTime? = nil, stepsMax: Int = 20_000) throws(Unsettled) {
    var steps = 0
    while let next = nextInstant, next <= end ?? .distantFuture {
      steps += 1
      guard steps <= stepsMax else {
        let last = (watch.sent + phone.sent).sorted { $0.at < $1.at }.suffix(4)
        throw Unsettled(
          steps: stepsMax, now: now,
          last: last.map { "\($0.frame.kind.text) \($0.frame.channel.text) \($0.frame.seq.rawValue)" })
      }
      now = max(now, next)
      takeInstant()
    }
    if let end { now = max(now, end) }
  }

  /// Goes on for a while.
  public mutating func drive(for span: VirtualTime.Span, stepsMax: Int = 20_000) throws(Unsettled) {
    try drive(until: now + span, stepsMax: stepsMax)
  }

  private var nextInstant: VirtualTime? {
    var next = VirtualTime.distantFuture
    for (index, fault) in faults.enumerated() {
      if !faultsBegun.contains(index) { next = min(next, fault.begin) }
      if let end = fault.end, !faultsEnded.contains(index) { next = min(next, end) }
    }
    if let notice { next = min(next, notice.at) }
    if let at = medium.nextDeadline { next = min(next, at) }
    for side in sides where side.isRunning { if let at = side.session.nextDeadline { next = min(next, at) } }
    return next == .distantFuture ? nil : next
  }

  private mutating func takeInstant() {
    for (index, planned) in faults.enumerated() {
      if planned.begin <= now, faultsBegun.insert(index).inserted, case .frame(let fault) = planned.body {
        medium.begin(planned, fault, index: index, seed: seed)
      }
      if let end = planned.end, end <= now, faultsEnded.insert(index).inserted { medium.end(index: index, at: now) }
    }
    if let due = notice, due.at <= now {
      notice = nil
      believedUp = due.isUp
      for role in [NodeRole.watch, .phone] { learn(isUp: due.isUp, role) }
    }
    while let fate = medium.popDue(at: now) {
      fates.append((now, fate))
      if case .delivered(_, _, let frame, let role) = fate { receive(frame, at: role) }
    }
    let now = now
    for role in [NodeRole.watch, .phone] {
      guard sides[Int(role.rawValue)].isRunning, let due = sides[Int(role.rawValue)].session.nextDeadline, due <= now
      else { continue }
      let clock = clock(role)
      act(role) { session, turn in
        session.fire(clock: clock, in: &turn)
      }
      let next = sides[Int(role.rawValue)].session.nextDeadline
      precondition(next.map { $0 > now } ?? true, "requested another call at the instant of its last call")
    }
  }

  private mutating func learn(isUp: Bool, _ role: NodeRole) {
    guard sides[Int(role.rawValue)].isRunning else { return }
    let clock = clock(role)
    act(role) { session, turn in
      session.receiveLink(isUp: isUp, clock: clock, in: &turn)
    }
  }

  private mutating func receive(_ frame: Frame, at role: NodeRole) {
    guard sides[Int(role.rawValue)].isRunning else { return }
    let clock = clock(role)
    act(role) { session, turn in
      session.receive(frame, clock: clock, in: &turn)
    }
  }

  /// What a side's clock shows, in nanoseconds since 1970.
  func clock(_ role: NodeRole) -> Int64 {
    (role == .watch ? clocks.watch : clocks.phone) &+ now.nanoseconds
  }
}
