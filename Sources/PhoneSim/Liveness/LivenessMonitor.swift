package import CoachProtocol
package import Link

/// Decides when the indicator `watchDisconnected` is up.
///
/// While the run is believed `running`, it goes up 10 s after the latest of three moments: the last
/// fresh snapshot's arrival, the moment the run was last believed to become running, the phone's own
/// last start or resume. Since time never goes back, the latest of them is the one that happened
/// last, and one moment is all that is kept. The indicator is an indicator: nothing else stops.
package struct LivenessMonitor: Sendable, Equatable {
  /// How long the watch may be silent in a run that is believed to be running.
  package static let silenceMax = VirtualTime.Span.seconds(10)

  /// Whether the indicator is up.
  package private(set) var isRaised = false
  /// Whether the run is believed `running`: in every other belief no deadline runs.
  private(set) var isRunning = false
  /// The latest of the three moments that the silence is counted from.
  private(set) var countedFrom: VirtualTime
  /// What it does wrong on purpose.
  var plants: Plants = []
  /// Whether the indicator does not come down any more: only a planted one does that.
  private var isStuck = false

  /// Begins without a run, on a phone that started at `now`.
  package init(startedAt now: VirtualTime) { countedFrom = now }

  /// Goes on from what a store kept.
  init(isRaised: Bool, isRunning: Bool, countedFrom: VirtualTime) {
    self.isRaised = isRaised
    self.isRunning = isRunning
    self.countedFrom = countedFrom
  }

  /// The moment the indicator goes up if nothing is heard until then; nil when no deadline runs.
  package var nextDeadline: VirtualTime? {
    isRunning && !isRaised ? countedFrom + Self.silenceMax : nil
  }

  /// Notes that the phone itself started or was resumed: its own absence is not the watch's silence.
  ///
  /// An indicator that was up stays up: only the watch, or the run's end, takes it down.
  package mutating func phoneReturned(at now: VirtualTime) { countedFrom = now }

  /// Notes a fresh snapshot, whatever it says.
  ///
  /// - Returns: Whether this took the indicator down.
  @inline(__always)
  package mutating func heardFresh(at now: VirtualTime) -> Bool {
    countedFrom = now
    guard isRaised, !isStuck else { return false }
    isRaised = false
    return true
  }

  /// Notes a packet that is no news: only a planted monitor is told of it.
  ///
  /// ``Plants/missedAlarm`` takes it for a sign of life, ``Plants/stuckAlarm`` for the packet that decides whether the
  /// watch is back.
  mutating func heardStale(at now: VirtualTime) {
    if plants.contains(.missedAlarm) { countedFrom = now }
    if plants.contains(.stuckAlarm), isRaised { isStuck = true }
  }

  /// Notes what is believed of the run now; to be called after every word, changed or not.
  ///
  /// A pause leaves the indicator as it is, and so does a resume by event: it was not taken down, so
  /// it is not put up again.
  ///
  /// - Returns: Whether the run's end took the indicator down.
  @inline(__always)
  package mutating func believe(_ state: WorkoutState?, at now: VirtualTime) -> Bool {
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

  /// Puts the indicator up when its deadline has come; to be called after all arrivals of the instant.
  ///
  /// - Returns: Whether it went up.
  package mutating func fire(at now: VirtualTime) -> Bool {
    guard let deadline = nextDeadline, deadline <= now else { return false }
    isRaised = true
    return true
  }
}
