package import Link
package import LinkTransport

/// One node as the conductor sees it, wherever it runs.
///
/// There are two kinds: ``InProcessHost`` calls the machine, ``ProcessHost`` calls a process over a socket. Both answer
/// a grant with the same orders in the same order, and both start a node from what was committed before; therefore both
/// drivers give the same trace.
package protocol NodeHost {
  /// The instant at which the node must be called even without input; nil if there is none, and while it does not run.
  var nextDeadline: VirtualTime? { get }
  /// Whether the node's workout has ended; always false for a node without one.
  var isWorkoutOver: Bool { get }
  /// Whether the node has timers of its own and cannot follow grants.
  var isFreeRunning: Bool { get }
  /// Whether the node is a user's app: free-running, or in virtual time.
  var isApp: Bool { get }
  /// Whether the node's events are values of this process, so that digests can be left open.
  var isInProcess: Bool { get }
  /// Notifies the host that every fault has ended, so that the run ends once no node acts.
  mutating func receiveHealed(at now: VirtualTime)

  /// Passes inputs to the node, fires its timers, and collects its orders.
  ///
  /// - Parameters:
  ///   - inputs: In order; `.handled` follows the orders of each one. A host may move them out: the caller empties the
  ///     list.
  ///   - fire: Whether the timers due now fire after the inputs.
  ///   - turn: Receives the orders; those for the node's store and files are already carried out.
  /// - Returns: How far the node came. After anything but `complete` it must be killed.
  /// - Throws: If the node died, hung or broke the protocol.
  mutating func grant(_ inputs: inout [NodeInput], fire: Bool, in turn: inout Turn) throws(NodeFailure) -> GrantEnding

  /// Arms crash points: the node stops at the first one it passes; an empty list disarms.
  mutating func arm(_ points: [CrashPoint]) throws(NodeFailure)

  /// Ends the node like a crash: uncommitted changes are lost.
  mutating func kill()

  /// Lets a killed node's store lose what a loss of power takes.
  mutating func losePower(draw: UInt64) throws(NodeFailure) -> PowerLoss

  /// Starts a killed node from its committed state.
  ///
  /// - Returns: The new epoch.
  mutating func start(at now: VirtualTime) throws(NodeFailure) -> Epoch

  /// Durable state that the node lost through another process, if any.
  ///
  /// Checked at the end of the run, and by the host itself before each further start.
  func stateLoss() -> NodeFailure?
}

extension NodeHost {
  package var isFreeRunning: Bool { false }
  package var isApp: Bool { false }
  package var isInProcess: Bool { false }
  package mutating func receiveHealed(at now: VirtualTime) {}
  package func stateLoss() -> NodeFailure? { nil }

  /// For nodes whose stores are always synced.
  package mutating func losePower(draw: UInt64) throws(NodeFailure) -> PowerLoss { .none }
}

/// How far a node came with a grant.
package enum GrantEnding: Equatable {
  /// It has handled everything.
  case complete
  /// It stopped at an armed crash point, its last action; its `.handled` and what follows are missing.
  case stopped(at: CrashPoint)
  /// It was killed from outside; the orders are what it had committed and not reported, without frames.
  case died
}

/// A node that was started and never joined: every call fails.
struct AbsentHost: NodeHost {
  let failure: NodeFailure

  /// Immediately, so that nothing else happens first.
  var nextDeadline: VirtualTime? { .start }
  var isWorkoutOver: Bool { false }

  func grant(_ inputs: inout [NodeInput], fire: Bool, in turn: inout Turn) throws(NodeFailure) -> GrantEnding {
    throw failure
  }

  func arm(_ points: [CrashPoint]) throws(NodeFailure) { throw failure }
  func kill() {}
  func start(at now: VirtualTime) throws(NodeFailure) -> Epoch { throw failure }
}

/// What a run knows of a device beside its host: whether its app runs or sleeps, and what is wrong.
struct NodeStatus {
  /// A reason for the node to be down.
  struct Down {
    /// The fault's index in the plan; nil for a death without a fault of the plan.
    var fault: Int?
    /// When it ends; nil for never.
    var until: VirtualTime?
  }

  /// A fault that waits for the node to pass a crash point.
  struct Armed {
    var fault: Int
    var cause: String
    var point: CrashPoint
    var restartAfter: VirtualTime.Span?
  }

  /// A fault that suspends the node.
  struct Sleep {
    var fault: Int
    var wakes: Bool
  }

  /// How long a woken app stays awake without input.
  static let awakeFor = VirtualTime.Span.seconds(10)
  /// Number of starts.
  var epoch = Epoch(1)
  /// Whether its app runs, even if suspended.
  var isUp = true { didSet { refreshNext() } }
  /// The reasons to be down, oldest first.
  var downs: [Down] = [] { didSet { refreshNext() } }
  var armed: [Armed] = []
  var sleeps: [Sleep] = [] { didSet { refreshNext() } }
  var isAsleep = false { didSet { refreshNext() } }
  /// When it last received an input; tracked while a fault suspends it.
  var lastInput = VirtualTime.start { didSet { if !sleeps.isEmpty { refreshNext() } } }
  var conditions = DeviceConditions()
  /// Whether the device was restarted and not unlocked since.
  var isLocked = false
  var processor = ProcessorBudget()
  /// Whether the peer was notified that this app runs, or can be woken.
  var isPeerNotified = true
  /// When the peer is notified that it does not; nil for no pending notice.
  var noticeAt: VirtualTime? { didSet { refreshNext() } }

  /// The app's state in one word.
  enum Activity { case awake, asleep, down }
  var activity: Activity { isUp ? isAsleep ? .asleep : .awake : .down }
  /// Whether a message can wake it.
  var canBeWoken: Bool { sleeps.allSatisfy(\.wakes) }
  /// Whether messages are answered: the app runs, or can be woken.
  var isThere: Bool { isUp && (!isAsleep || canBeWoken) }

  /// When the next reason to be down ends; nil for never.
  var restartAt: VirtualTime? { downs.compactMap(\.until).min() }
  /// When an app that a fault suspends, and that was woken, is suspended again.
  var sleepAt: VirtualTime? { isUp && !isAsleep && !sleeps.isEmpty ? lastInput + Self.awakeFor : nil }
  /// The earliest of these instants; the far future for never.
  ///
  /// Cached, because it is read several times an instant.
  private(set) var nextAt = VirtualTime.distantFuture

  private mutating func refreshNext() {
    var next = noticeAt ?? .distantFuture
    for down in downs { if let until = down.until { next = min(next, until) } }
    if let sleepAt { next = min(next, sleepAt) }
    nextAt = next
  }

  /// Whether it is down by a death without a fault of the plan, after which it starts again.
  var comesBack: Bool { !isUp && downs.contains { $0.fault == nil && $0.until != nil } }

  // MARK: Changes

  mutating func goDown() {
    isUp = false
    isAsleep = false
  }

  /// Removes and returns the faults that wait for a crash point.
  mutating func takeArmed(at point: CrashPoint) -> [Armed] {
    defer { armed.removeAll { $0.point == point } }
    return armed.filter { $0.point == point }
  }

  /// Removes the expired reasons to be down, and returns their faults.
  mutating func takeExpiredDowns(at now: VirtualTime) -> [Int] {
    let isExpired: (Down) -> Bool = { $0.until.map { $0 <= now } ?? false }
    defer { downs.removeAll(where: isExpired) }
    return downs.filter(isExpired).compactMap(\.fault)
  }

  /// Lets the kill of a fault end now.
  mutating func releaseKill(of fault: Int, at now: VirtualTime) {
    for index in downs.indices where downs[index].fault == fault { downs[index].until = now }
  }

  /// Leaves the node down for good, except one that died without a fault of the plan, which comes back.
  mutating func giveUpRestarts() {
    for index in downs.indices where downs[index].fault != nil { downs[index].until = nil }
  }

  /// Schedules when the peer is notified that the app is gone, if that is new.
  mutating func scheduleAbsenceNotice(at instant: VirtualTime) {
    if isPeerNotified, noticeAt == nil { noticeAt = instant }
  }

  /// Whether the peer must be notified now that the app is gone.
  mutating func popAbsenceNotice(at now: VirtualTime) -> Bool {
    guard let at = noticeAt, at <= now else { return false }
    noticeAt = nil
    isPeerNotified = false
    return true
  }

  /// Whether the app is away, and its peer does not know it yet.
  var isAwayUnnoticed: Bool { noticeAt != nil }

  /// Whether the peer must be notified that the app is there again.
  mutating func popPresenceNotice() -> Bool {
    noticeAt = nil
    defer { isPeerNotified = true }
    return !isPeerNotified
  }
}

/// Limits how many lines a node writes: the judge may keep what each of them names, and a node that invents names would
/// have it keep ever more.
struct LineLimit {
  /// How many lines a node may write at once, and how many more for each second of the run's time.
  static let atOnce = 500_000
  static let perSecond = 1_000

  private var count = 0

  /// Counts a line.
  ///
  /// - Returns: False for one too many.
  @inline(__always)
  mutating func admit(at now: VirtualTime) -> Bool {
    count += 1
    return count <= Self.atOnce || count <= Self.atOnce + Self.allowance(at: now)
  }

  private static func allowance(at now: VirtualTime) -> Int {
    Int(clamping: (now - .start).nanoseconds / 1_000_000_000 *| Int64(perSecond))
  }

  /// The failure of a node that exceeded the limit.
  static func failure(of role: NodeRole) -> NodeFailure {
    NodeFailure(
      role, .overload("wrote more than \(atOnce) lines, and \(perSecond) more for each second of the run"))
  }
}

/// Limits how often a node is called in a short time: a node whose deadline is always a nanosecond ahead would keep a
/// run going forever.
struct GrantLimit {
  /// How often a node may be called within ``span``.
  static let grantsMax = 100_000
  /// In virtual time.
  static let span = VirtualTime.Span.seconds(1)

  private var end = VirtualTime.start
  private var grants = 0

  /// Counts a call.
  ///
  /// - Returns: False for one too many.
  @inline(__always)
  mutating func admit(at now: VirtualTime) -> Bool {
    if now >= end {
      end = now + Self.span
      grants = 0
    }
    grants += 1
    return grants <= Self.grantsMax
  }

  /// The failure of a node that exceeded the limit.
  static func failure(of role: NodeRole) -> NodeFailure {
    NodeFailure(role, .overload("was called more than \(grantsMax) times within 1 s of the run"))
  }
}
