package import Link

/// Raises and clears the indicator `watchDisconnected`.
///
/// While the run is believed `running`, the indicator is raised 10 s after the latest of three instants: arrival of the
/// last fresh snapshot, the last change of belief to `running`, the phone's own last start or resume. Time never
/// decreases, so the latest is the most recent one, and a single instant is stored. The indicator only informs: nothing
/// else stops.
package struct LivenessMonitor: Sendable, Equatable {
  /// The longest silence allowed while the run is believed `running`.
  package static let silenceMax = VirtualTime.Span.seconds(10)

  package private(set) var isRaised = false
  /// Whether the run is believed `running`; otherwise there is no deadline.
  private(set) var isRunning = false
  /// The instant from which silence counts.
  private(set) var countedFrom: VirtualTime
  /// The planted bugs.
  var plants: Plants = []
  /// Whether the indicator never clears again; only by a planted bug.
  private var isStuck = false

  /// Creates a monitor without a run, for a phone that started at `now`.
  package init(startedAt now: VirtualTime) { countedFrom = now }

  /// Restores a stored monitor.
  init(isRaised: Bool, isRunning: Bool, countedFrom: VirtualTime) {
    self.isRaised = isRaised
    self.isRunning = isRunning
    self.countedFrom = countedFrom
  }

  /// When the indicator is raised if no fresh snapshot arrives; nil for never.
  package var nextDeadline: VirtualTime? {
    isRunning && !isRaised ? countedFrom + Self.silenceMax : nil
  }

  /// Counts silence from the phone's own start or resume: its own absence is not the watch's silence.
  ///
  /// A raised indicator stays raised: only the watch or the run's end clears it.
  package mutating func restartSilence(at now: VirtualTime) { countedFrom = now }

  /// ``Plants/silentRestart``: forgets until the next update that a run is on.
  mutating func forgetRun() { isRunning = false }

  /// Restarts the count of silence at a fresh snapshot.
  ///
  /// - Returns: Whether this cleared the indicator.
  @inline(__always)
  package mutating func recordFresh(at now: VirtualTime) -> Bool {
    countedFrom = now
    guard isRaised, !isStuck else { return false }
    isRaised = false
    return true
  }

  /// Handles a stale packet, which matters to planted bugs only.
  ///
  /// ``Plants/missedAlarm`` treats it as a sign of life, ``Plants/stuckAlarm`` as the packet that decides whether the
  /// watch is back.
  mutating func recordStale(at now: VirtualTime) {
    if plants.contains(.missedAlarm) { countedFrom = now }
    if plants.contains(.stuckAlarm), isRaised { isStuck = true }
  }

  /// Applies the believed state; call it after every update, changed or not.
  ///
  /// A pause leaves the indicator as it is, and so does a resume by event: a raised indicator is not raised again.
  ///
  /// - Returns: Whether the run's end cleared the indicator.
  @inline(__always)
  package mutating func updateBelief(_ state: WorkoutState?, at now: VirtualTime) -> Bool {
    if plants.contains(.falseAlarm), let state, state != .ended {
      isRunning = true
      return false
    }
    if state == .running {
      if !isRunning { countedFrom = now }
      isRunning = true
      return false
    }
    isRunning = false
    guard isRaised, state == .ended else { return false }
    isRaised = false
    return true
  }

  /// Raises the indicator if its deadline has come; call it after all arrivals of the instant.
  ///
  /// - Returns: Whether it was raised.
  package mutating func fire(at now: VirtualTime) -> Bool {
    guard let deadline = nextDeadline, deadline <= now else { return false }
    isRaised = true
    return true
  }
}
