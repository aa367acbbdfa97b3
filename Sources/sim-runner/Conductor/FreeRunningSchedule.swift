import Link

/// When a node is granted whose app acts by itself: often, so that what it does between two grants is soon told.
struct FreeRunningSchedule {
  /// How much real time lies between two grants, in milliseconds.
  static let realMilliseconds: Int64 = 10
  /// How long such a node may be quiet at the end of a run before it counts as done, in seconds of real time.
  static let quietSeconds: Int64 = 1

  /// The virtual time between two grants.
  let interval: VirtualTime.Span
  /// How long it must be quiet, in virtual time.
  private let quiet: VirtualTime.Span
  /// Whether the run waits for the queues to drain, and ends when nobody does anything any more.
  var isEnding = false
  /// When the node was last given something, or did something.
  var lastActed = VirtualTime.start

  /// - Parameter pace: Virtual seconds a real second, more than 0.
  init(pace: Double) {
    let milliseconds = max(1, Int64((Double(Self.realMilliseconds) * pace).rounded()))
    interval = .milliseconds(milliseconds)
    quiet = .milliseconds(max(1, Int64((Double(Self.quietSeconds * 1_000) * pace).rounded())))
  }

  /// When the node is granted next, at instants that all such nodes share.
  ///
  /// - Parameter deadline: When it asked to be called; nil for not by itself.
  func next(after now: VirtualTime, deadline: VirtualTime?) -> VirtualTime? {
    if isEnding, deadline == nil, now >= lastActed + quiet { return nil }
    let nanoseconds = (now.nanoseconds / interval.nanoseconds + 1) * interval.nanoseconds
    return min(VirtualTime(nanoseconds: nanoseconds), max(deadline ?? .distantFuture, now + .milliseconds(1)))
  }
}

extension NodeHost {
  /// Whether the node has timers of its own and cannot follow grants.
  var isFreeRunning: Bool { false }

  /// Whether the node is somebody's app: free-running, or in virtual time.
  var isApp: Bool { false }

  /// Whether the node's lines are values of this process, in which a digest can be left to be reckoned.
  var isInProcess: Bool { false }

  /// Learns that every fault has ended, and that the run ends once nobody does anything more.
  mutating func noteHealed(at now: VirtualTime) {}
}
