import Link

/// Schedules the grants of a free-running node: often, so that its own actions are reported soon.
struct FreeRunningSchedule {
  /// Real time between two grants, in milliseconds.
  static let realMilliseconds: Int64 = 10
  /// How long such a node may be quiet at the end of a run before it counts as done, in seconds of real time.
  static let quietSeconds: Int64 = 1

  /// Virtual time between two grants.
  let interval: VirtualTime.Span
  /// How long it must be quiet, in virtual time.
  private let quiet: VirtualTime.Span
  /// Whether the run is draining, and ends when no node acts any more.
  var isEnding = false
  /// When the node last received an input, or acted.
  var lastActed = VirtualTime.start

  /// - Parameter pace: Virtual seconds in a real second, more than 0.
  init(pace: Double) {
    let milliseconds = max(1, Int64((Double(Self.realMilliseconds) * pace).rounded()))
    interval = .milliseconds(milliseconds)
    quiet = .milliseconds(max(1, Int64((Double(Self.quietSeconds * 1_000) * pace).rounded())))
  }

  /// The next grant, at instants that all such nodes share.
  ///
  /// - Parameter deadline: The node's deadline, if any.
  func next(after now: VirtualTime, deadline: VirtualTime?) -> VirtualTime? {
    if isEnding, deadline == nil, now >= lastActed + quiet { return nil }
    let nanoseconds = (now.nanoseconds / interval.nanoseconds + 1) * interval.nanoseconds
    return min(VirtualTime(nanoseconds: nanoseconds), max(deadline ?? .distantFuture, now + .milliseconds(1)))
  }
}
