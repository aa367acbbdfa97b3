public import Link

/// Two sessions and the medium between them, in virtual time: the smallest world a session lives in.
///
/// The app on either side is trivial: it handles every queued event the moment it is handed one, and answers a
/// message that wants it with what ``answer`` gives. What happened is kept, and tests look at it.
public struct Pair {
  /// What one side was told, and what became durable on it.
  public struct Log {
    /// Everything handed over, in order.
    public var deliveries: [SessionDelivery] = []
    /// Messages that were not stale.
    public var messages: [[UInt8]] = []
    public var staleMessages = 0
    /// Effects of queued events: those whose handling was committed, in order.
    public var effects: [[UInt8]] = []
    public var contexts: [[UInt8]] = []
    public var replies: [(to: SequenceNumber, payload: [UInt8], flags: Frame.Flags)] = []
    public var failures: [(seq: SequenceNumber, error: SessionError)] = []
    public var finished: [SequenceNumber] = []
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

  private struct Side {
    var role: NodeRole
    var session: Session
    var store: MemorySessionStore
    var changes: [SessionChange] = []
    var inbox: [UInt64: [UInt8]] = [:]
    var crashPoint: String?
    var crashes = 0
  }

  /// What happened on the watch.
  public private(set) var watch = Log()
  /// What happened on the phone.
  public private(set) var phone = Log()
  public private(set) var now = VirtualTime.start
  /// What became of each copy of each frame, in order.
  public private(set) var fates: [(at: VirtualTime, fate: Medium.Fate)] = []
  public private(set) var medium: Medium
  /// The answer to a message that wants one; nil to leave it unanswered.
  public var answer: ([UInt8]) -> (payload: [UInt8], flags: Frame.Flags)? = { ($0, .dictionary) }
  /// Each side's clock at the start, in nanoseconds since 1970.
  public var clocks: (watch: Int64, phone: Int64) = (0, 0)

  private let seed: UInt64
  private let profile: LinkProfile
  private let faults: [PlannedFault]
  private var sides: [Side]
  private var frames: UInt64 = 0
  private var faultsBegun: Set<Int> = []
  private var faultsEnded: Set<Int> = []
  private var believedUp = false
  private var notice: (at: VirtualTime, isUp: Bool)?

  /// Creates a pair that was never started before; ``drive(until:stepsMax:)`` lets both learn of the link.
  ///
  /// - Parameter faults: Faults on frames, with their times.
  public init(
    profile: LinkProfile = LinkProfile(latency: .milliseconds(5)), faults: [PlannedFault] = [], seed: UInt64 = 1
  ) {
    self.seed = seed
    self.profile = profile
    self.faults = faults
    medium = Medium(place: .link, profile: profile, seed: seed)
    sides = []
    notice = (.start, true)
    for role in [NodeRole.watch, .phone] {
      var store = MemorySessionStore()
      let record = store.beginEpoch()
      sides.append(Side(role: role, session: Self.session(role, record, seed: seed), store: store))
    }
  }

  private static func session(_ role: NodeRole, _ record: SessionRecord, seed: UInt64) -> Session {
    Session(
      Session.Configuration(role: role, random: RandomStream(seed: seed, name: "session.\(role.text)")), record: record)
  }

  /// One end, to look at.
  public func session(_ role: NodeRole) -> Session { sides[Int(role.rawValue)].session }
  /// What happened at one end.
  public func log(_ role: NodeRole) -> Log { role == .watch ? watch : phone }
  /// How often a side crashed at a point it was asked to crash at.
  public func crashes(_ role: NodeRole) -> Int { sides[Int(role.rawValue)].crashes }

  // MARK: The apps' commands

  /// Sends a message.
  @discardableResult
  public mutating func message(
    _ payload: [UInt8], from role: NodeRole, wantsReply: Bool = false
  ) -> (seq: SequenceNumber, error: SessionError?) {
    var result: (seq: SequenceNumber, error: SessionError?) = (SequenceNumber(0), nil)
    let now = now
    act(role) { session, output, _ in
      result = session.sendMessage(payload, kind: "test", wantsReply: wantsReply, at: now, into: &output)
    }
    return result
  }

  /// Sets the application context.
  public mutating func context(_ payload: [UInt8], from role: NodeRole) throws(SessionError) {
    var failure: SessionError?
    let now = now
    act(role) { session, output, _ in
      do throws(SessionError) { try session.updateApplicationContext(payload, at: now, into: &output) } catch {
        failure = error
      }
    }
    if let failure { throw failure }
  }

  /// Queues an event.
  @discardableResult
  public mutating func userInfo(_ payload: [UInt8], from role: NodeRole) throws(SessionError) -> Identifier {
    var failure: SessionError?
    var transfer = Identifier(high: 0, low: 0)
    let now = now
    act(role) { session, output, _ in
      do throws(SessionError) {
        transfer = try session.transferUserInfo(payload, details: [], at: now, into: &output)
      } catch { failure = error }
    }
    if let failure { throw failure }
    return transfer
  }

  /// Hands a side a frame that no peer sent.
  public mutating func inject(_ frame: Frame, to role: NodeRole) { receive(frame, at: role) }

  // MARK: The world

  /// Cuts the link if it is up; both sides learn of it after the profile's supervision time.
  public mutating func cut() {
    guard medium.isUp else { return }
    _ = medium.cut()
    notice = believedUp ? (now + profile.supervision, false) : nil
  }

  /// Restores the link if it is down; both sides learn of it after the profile's reconnect time.
  public mutating func restore() {
    guard !medium.isUp else { return }
    _ = medium.restore()
    notice = believedUp ? nil : (now + profile.reconnect.median, true)
  }

  /// Ends a side's process without a word and starts it anew from what its store holds.
  public mutating func restart(_ role: NodeRole) {
    let index = Int(role.rawValue)
    sides[index].changes = []
    sides[index].session = Self.session(role, sides[index].store.beginEpoch(), seed: seed)
    learn(isUp: believedUp, role)
  }

  /// Crashes and restarts a side at its next passage of a crash point.
  public mutating func crash(_ role: NodeRole, at point: String) { sides[Int(role.rawValue)].crashPoint = point }

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
    for side in sides { if let at = side.session.nextDeadline { next = min(next, at) } }
    return next == .distantFuture ? nil : next
  }

  private mutating func takeInstant() {
    for (index, planned) in faults.enumerated() {
      if planned.begin <= now, faultsBegun.insert(index).inserted, case .frame(let fault) = planned.body {
        medium.begin(planned, fault, index: index, seed: seed)
      }
      if let end = planned.end, end <= now, faultsEnded.insert(index).inserted { medium.end(index: index) }
    }
    if let due = notice, due.at <= now {
      notice = nil
      believedUp = due.isUp
      for role in [NodeRole.watch, .phone] { learn(isUp: due.isUp, role) }
    }
    while let fate = medium.takeDue(at: now) {
      fates.append((now, fate))
      if case .delivered(_, _, let frame, let role) = fate { receive(frame, at: role) }
    }
    let now = now
    for role in [NodeRole.watch, .phone] {
      guard let due = session(role).nextDeadline, due <= now else { continue }
      let clock = clock(role)
      act(role) { session, output, deliveries in
        session.fire(clock: clock, at: now, into: &output, delivering: &deliveries)
      }
      let next = session(role).nextDeadline
      precondition(next.map { $0 > now } ?? true, "asked to be called again at the instant it was just called at")
    }
  }

  private mutating func learn(isUp: Bool, _ role: NodeRole) {
    let now = now
    let clock = clock(role)
    act(role) { session, output, deliveries in
      session.receiveLink(isUp: isUp, clock: clock, at: now, into: &output, delivering: &deliveries)
    }
  }

  private mutating func receive(_ frame: Frame, at role: NodeRole) {
    let now = now
    let clock = clock(role)
    act(role) { session, output, deliveries in
      session.receive(frame, clock: clock, at: now, into: &output, delivering: &deliveries)
    }
  }

  private func clock(_ role: NodeRole) -> Int64 {
    (role == .watch ? clocks.watch : clocks.phone) &+ now.nanoseconds
  }

  /// Lets a session act, lets the app take what it delivers, and carries out the orders of both.
  private mutating func act(
    _ role: NodeRole, _ body: (inout Session, inout NodeOutput, inout [SessionDelivery]) -> Void
  ) {
    let index = Int(role.rawValue)
    var output = NodeOutput(isRecording: true)
    var deliveries: [SessionDelivery] = []
    body(&sides[index].session, &output, &deliveries)
    var log = log(role)
    for delivery in deliveries { take(delivery, index, &log, &output) }
    let isCrashed = !carryOut(output, index, &log)
    if role == .watch { watch = log } else { phone = log }
    if isCrashed { restart(role) }
  }

  private mutating func take(
    _ delivery: SessionDelivery, _ index: Int, _ log: inout Log, _ output: inout NodeOutput
  ) {
    log.deliveries.append(delivery)
    switch delivery {
    case .message(let payload, let flags, let epoch, let seq, let isStale):
      if isStale { log.staleMessages += 1 } else { log.messages.append(payload) }
      if !isStale, flags.contains(.wantsReply), let answer = answer(payload) {
        sides[index].session.reply(
          to: seq, of: epoch, answer.payload, flags: answer.flags, at: now, into: &output)
      }
    case .reply(let seq, let payload, let flags): log.replies.append((seq, payload, flags))
    case .failed(let seq, let error): log.failures.append((seq, error))
    case .context(let payload, _): log.contexts.append(payload)
    case .userInfo(let entry):
      sides[index].session.markHandled(entry, into: &output)
      output.items.append(.commit)
    case .finished(_, _, let seq): log.finished.append(seq)
    case .file, .transferFailed, .transferCancelled, .progress: break
    case .reachability(let isReachable): log.reachability.append(isReachable)
    case .peerStarted(let epoch, _): log.epochsOfPeer.append(epoch)
    }
  }

  /// False when the side crashed on the way.
  private mutating func carryOut(_ output: NodeOutput, _ index: Int, _ log: inout Log) -> Bool {
    for item in output.items {
      switch item {
      case .frame(let frame):
        frames += 1
        log.sent.append((now, frame))
        medium.send(frame, id: frames, direction: Direction(from: sides[index].role), at: now)
        fates += medium.immediate.map { (now, $0) }
        medium.immediate = []
      case .event(let event): log.lines.append(event)
      case .change(let change): sides[index].changes.append(change)
      case .commit: commit(index, &log)
      case .crashPoint(let name):
        guard sides[index].crashPoint == name.name else { continue }
        sides[index].crashPoint = nil
        sides[index].crashes += 1
        return false
      case .appChange, .handled, .page, .file, .chunk: continue
      }
    }
    precondition(sides[index].changes.isEmpty, "changes without a commit")
    return true
  }

  private mutating func commit(_ index: Int, _ log: inout Log) {
    for change in sides[index].changes {
      switch change {
      case .received(let entry): sides[index].inbox[entry.seq.rawValue] = entry.payload
      case .handled(_, let seq):
        log.effects.append(sides[index].inbox[seq.rawValue] ?? Array("never received".utf8))
      default: break
      }
    }
    sides[index].store.commit(sides[index].changes)
    sides[index].changes = []
  }
}
