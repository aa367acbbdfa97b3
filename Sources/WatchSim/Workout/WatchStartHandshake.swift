package import CoachProtocol
package import Link

/// The watch's end of the start handshake, and other commands of the phone.
///
/// A start is answered at once. It is void 30 s after it was sent, a haptic after 10 s. Age is by the phone's clock, as
/// far as the watch knows it (``PhoneClockEstimate``).
///
/// Where the specification is silent:
/// * A start of a run that was cancelled, declined before, or has ended, is not obeyed, however young: the same command
///   can arrive twice, by message and by context, `cancelStart` can overtake it, and a changed clock can make an old
///   one look young. It is declined for the current obstacle, or as void if there is none.
/// * `endWorkout` may name its workout; if another one is on, it is refused.
package struct WatchStartHandshake: Sendable, Equatable {
  /// The watch's situation when a command arrives.
  package struct Situation: Sendable, Equatable {
    /// The current workout; nil if none is on, or it has ended.
    package var workoutId: Identifier?
    /// Whether the user allows the app to record workouts.
    package var isAuthorised = true
    /// The phone's clock, as far as the watch knows it.
    package var phoneClock: PhoneTime
    /// Whether the command's age and its run's past are ignored; only by a planted bug.
    package var isAgeless = false
    /// Whether an order to end ends any workout; only by a planted bug.
    package var ignoresRun = false
  }

  /// An effect that the watch carries out, in order.
  package enum Effect: Sendable, Equatable {
    /// Start a workout with the command's `runId`.
    case begin(StartWorkout)
    /// End the current workout; save nothing if discarding.
    case end(isDiscarding: Bool)
    /// Send this by message.
    case reply(AppMessage)
    /// Record `start.accepted`.
    case accepted(runId: Identifier)
    /// Record `start.declined`.
    case declined(runId: Identifier, StartDeclined.Reason)
    /// Tap the wrist and record `haptic`; `message` names the line whose badge is shown.
    case haptic(kind: String, message: String?)
    /// Record `haptic.void`.
    case hapticVoid(kind: String, sentAt: PhoneTime)
    /// Record `command.refused`.
    case refused(kind: String, why: String)
    /// Store that this run must not start any more.
    case settled(runId: Identifier)
  }

  /// How long a start can be obeyed.
  package static let startLife = VirtualTime.Span.seconds(30)
  /// How long a haptic is useful.
  package static let hapticLife = VirtualTime.Span.seconds(10)

  /// Runs that must not start any more.
  private var settled: SettledRuns

  /// Creates a handshake with the stored runs.
  package init(settled: SettledRuns = SettledRuns()) { self.settled = settled }

  /// Handles a command of the phone.
  package mutating func receive(_ message: AppMessage, in situation: Situation) -> [Effect] {
    switch message {
    case .startWorkout(let start): self.start(start, in: situation)
    case .cancelStart(let command): cancel(command.runId, in: situation)
    case .endWorkout(let end): self.end(end, in: situation)
    case .hapticCue(let cue): tap(cue.haptic.rawValue, message: nil, sentAt: cue.sentAt, in: situation)
    case .companionMessageDispatched(let notice):
      tap(message.kind.rawValue, message: notice.messageId, sentAt: notice.sentAt, in: situation)
    case .findWatch(let call): tap(message.kind.rawValue, message: nil, sentAt: call.sentAt, in: situation)
    case .probe: []
    case .liveMetrics, .workoutStarted, .workoutPaused, .workoutResumed, .workoutEnded, .sessionReport, .startAck,
      .startDeclined:
      [.refused(kind: message.kind.rawValue, why: "not a command to the watch")]
    }
  }

  /// Records that a run has ended, so that a late copy of its start does not start it again.
  ///
  /// - Returns: Whether that is new and must be stored.
  package mutating func settle(_ runId: Identifier) -> Bool { settled.insert(runId) }

  // MARK: Commands

  private mutating func start(_ start: StartWorkout, in situation: Situation) -> [Effect] {
    let runId = start.runId
    // The phone repeats starts, and uses two channels: whatever the copy's age, its run is on.
    if situation.workoutId == runId { return [.accepted(runId: runId), .reply(.startAck(.init(runId: runId)))] }
    if !situation.isAgeless, age(of: start.sentAt, in: situation) > Self.startLife { return decline(runId, .void) }
    if !situation.isAuthorised { return decline(runId, .notAuthorised) }
    // If the first answer was lost, this still reports that another run is on.
    if situation.workoutId != nil { return decline(runId, .alreadyRunning) }
    if !situation.isAgeless, settled.contains(runId) { return decline(runId, .void) }
    return [.begin(start), .accepted(runId: runId), .reply(.startAck(.init(runId: runId)))]
  }

  /// Settles the run before it answers: once the phone may know, no copy may start the run, even after a crash.
  private mutating func decline(_ runId: Identifier, _ reason: StartDeclined.Reason) -> [Effect] {
    settle(runId) + [.declined(runId: runId, reason), .reply(.startDeclined(.init(runId: runId, reason: reason)))]
  }

  private mutating func cancel(_ runId: Identifier, in situation: Situation) -> [Effect] {
    settle(runId) + (situation.workoutId == runId ? [.end(isDiscarding: true)] : [])
  }

  private mutating func settle(_ runId: Identifier) -> [Effect] {
    settled.insert(runId) ? [.settled(runId: runId)] : []
  }

  private func end(_ end: EndWorkout, in situation: Situation) -> [Effect] {
    guard let workoutId = situation.workoutId else {
      return [.refused(kind: AppMessage.Kind.endWorkout.rawValue, why: "no workout is on")]
    }
    if let wanted = end.workoutId, wanted != workoutId, !situation.ignoresRun {
      return [.refused(kind: AppMessage.Kind.endWorkout.rawValue, why: "another workout is on")]
    }
    return [.end(isDiscarding: false)]
  }

  private func tap(_ kind: String, message: String?, sentAt: PhoneTime, in situation: Situation) -> [Effect] {
    !situation.isAgeless && age(of: sentAt, in: situation) > Self.hapticLife
      ? [.hapticVoid(kind: kind, sentAt: sentAt)] : [.haptic(kind: kind, message: message)]
  }

  // MARK: Ages

  /// The age of a command by the phone's clock; saturating, because `sentAt` is untrusted.
  private func age(of sentAt: PhoneTime, in situation: Situation) -> VirtualTime.Span {
    VirtualTime.Span(nanoseconds: situation.phoneClock.nanoseconds -| sentAt.nanoseconds)
  }
}
