import Link

/// What the conductor knows of a node beside its host: whether it runs, sleeps, and what is wrong with its device.
struct NodeStatus {
  /// A reason for the node to be down.
  struct Down {
    /// The fault, by its place in the plan; nil for a death that no fault of the plan caused.
    var fault: Int?
    /// When it lets go; nil for never.
    var until: VirtualTime?
  }

  /// A fault that waits for the node to pass a crash point.
  struct Armed {
    var fault: Int
    var cause: String
    var point: CrashPoint
    var restartAfter: VirtualTime.Span?
  }

  /// A fault that has the node sleep.
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

  /// A fault that has the device's session get something wrong.
  struct Quirk {
    var fault: Int
    var quirk: SessionQuirk
    /// What its messages fail with; nil to draw it for each.
    var error: SessionError?
  }

  /// How long an app that was woken stays awake without input.
  static let awakeFor = VirtualTime.Span.seconds(10)
  /// How far a clock may be off altogether: ten years.
  private static let aheadMax: Int64 = 315_360_000_000_000_000
  /// How much a clock may run slow altogether: it never goes backwards by itself.
  private static let driftPPMMin = -990_000.0

  /// How often it was started.
  var epoch = Epoch(1)
  /// Whether its app runs, be it asleep.
  var isUp = true { didSet { noteNext() } }
  /// What keeps it down, in the order in which it came.
  var downs: [Down] = [] { didSet { noteNext() } }
  var armed: [Armed] = []
  var sleeps: [Sleep] = [] { didSet { noteNext() } }
  var isAsleep = false { didSet { noteNext() } }
  /// When it last took an input; kept while a fault has it sleep.
  var lastInput = VirtualTime.start { didSet { if !sleeps.isEmpty { noteNext() } } }
  var skews: [Skew] = []
  /// The faults that fill its disk.
  var fills: [Int] = []
  /// The faults that have its counterpart think that the app is missing.
  var hides: [Int] = []
  var quirks: [Quirk] = []
  /// Whether the device was restarted, and nobody has unlocked it since.
  var isLocked = false
  /// Whether the counterpart was told that this app runs, or can be woken.
  var isToldToRun = true
  /// When the counterpart is told that it does not; nil while there is nothing to tell.
  var tellAt: VirtualTime? { didSet { noteNext() } }

  /// What the app does, in a word.
  enum Activity { case awake, asleep, down }
  var activity: Activity { isUp ? isAsleep ? .asleep : .awake : .down }
  /// Whether a message can wake it.
  var canBeWoken: Bool { sleeps.allSatisfy(\.wakes) }
  /// Whether messages are answered: the app runs, or can be woken.
  var isThere: Bool { isUp && (!isAsleep || canBeWoken) }

  /// Whether a fault has the session get this wrong.
  func has(_ quirk: SessionQuirk) -> Bool { quirks.contains { $0.quirk == quirk } }

  /// When the next reason to be down lets go; nil for never.
  var restartAt: VirtualTime? { downs.compactMap(\.until).min() }
  /// When an app that is awake although a fault has it sleep falls asleep again.
  var sleepAt: VirtualTime? { isUp && !isAsleep && !sleeps.isEmpty ? lastInput + Self.awakeFor : nil }
  /// When any of this happens next; the far future for never.
  ///
  /// Kept, not worked out: asked several times an instant.
  private(set) var nextAt = VirtualTime.distantFuture

  private mutating func noteNext() {
    var next = tellAt ?? .distantFuture
    for down in downs { if let until = down.until { next = min(next, until) } }
    if let sleepAt { next = min(next, sleepAt) }
    nextAt = next
  }

  /// What the clock is to read from now on.
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
