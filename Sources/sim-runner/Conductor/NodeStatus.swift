import Link

/// The conductor's view of a node beside its host: whether it runs or sleeps, and what is wrong with its device.
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

  /// A fault that sets the device's clock wrong.
  struct Skew {
    var fault: Int
    var offset: VirtualTime.Span
    var driftPPM: Double
    var since: VirtualTime
  }

  /// A fault that plants a quirk in the device's session.
  struct Quirk {
    var fault: Int
    var quirk: SessionQuirk
    /// The error of its messages; nil to draw one for each.
    var error: SessionError?
  }

  /// How long a woken app stays awake without input.
  static let awakeFor = VirtualTime.Span.seconds(10)
  /// Upper bound of a clock's total offset: ten years.
  private static let aheadMax: Int64 = 315_360_000_000_000_000
  /// Lower bound of a clock's total drift: it never goes backwards by itself.
  private static let driftPPMMin = -990_000.0

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
  var skews: [Skew] = []
  /// The faults that fill its disk.
  var fills: [Int] = []
  /// The faults that make its peer believe that the app is missing.
  var hides: [Int] = []
  var quirks: [Quirk] = []
  /// The faults that make its app's sends fail, the latest last; only the latest applies.
  var sendFailures: [(fault: Int, failures: SendFailures)] = []
  /// Whether the device was restarted and not unlocked since.
  var isLocked = false
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

  /// Whether a fault plants this quirk.
  func has(_ quirk: SessionQuirk) -> Bool { quirks.contains { $0.quirk == quirk } }

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

  /// The clock's condition from now on.
  func clock(at now: VirtualTime) -> NodeCondition {
    var offset: Int64 = 0
    var driftPPM = 0.0
    for skew in skews {
      // At most a day's worth of half a second a second: no overflow.
      let drifted = (Double((now - skew.since).nanoseconds) * skew.driftPPM / 1_000_000).rounded()
      let ahead = skew.offset.nanoseconds + Int64(drifted)
      offset = max(-Self.aheadMax, min(offset + ahead, Self.aheadMax))
      driftPPM += skew.driftPPM
    }
    return .clock(offset: offset, driftPPM: max(driftPPM, Self.driftPPMMin))
  }
}
