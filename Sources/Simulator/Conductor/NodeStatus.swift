import Link

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
