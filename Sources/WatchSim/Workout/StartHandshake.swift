package import CoachProtocol
package import Link

/// What the watch makes of the phone's commands.
///
/// A start is answered at once, and void 30 s after it was said; a haptic after 10 s. Age is reckoned
/// by the phone's clock, as far as the watch knows it (``PhoneClock``).
///
/// Choices where the specification is silent:
/// * A start of a run that was taken back, was declined before, or has ended, begins nothing, however young: the same
///   command can come twice, by message and by context, `cancelStart` can overtake it, and a clock that was changed
///   makes an old one young again. It is declined for what stands in its way now, as void where nothing else does.
/// * `endWorkout` may name its workout; where another one is on it is refused.
package struct StartHandshake: Sendable, Equatable {
  /// What the watch knows of itself when a command arrives.
  package struct Situation: Sendable, Equatable {
    /// The workout that is on; nil where none is, or it has ended.
    package var workoutId: Identifier?
    /// Whether the user lets the app record workouts.
    package var isAuthorised: Bool
    /// What the phone's clock reads, as far as the watch knows.
    package var phoneClock: PhoneTime
    /// Whether the command's age and its run's past are left out of account: only a planted watch does that.
    package var isAgeless: Bool

    /// Creates a situation.
    package init(
      workoutId: Identifier?, isAuthorised: Bool = true, phoneClock: PhoneTime, isAgeless: Bool = false
    ) {
      self.workoutId = workoutId
      self.isAuthorised = isAuthorised
      self.phoneClock = phoneClock
      self.isAgeless = isAgeless
    }
  }

  /// What the watch must do, in order.
  package enum Effect: Sendable, Equatable {
    /// Begin a workout under the command's `runId`.
    case begin(StartWorkout)
    /// End the workout that is on; keep nothing of it when discarding.
    case end(isDiscarding: Bool)
    /// Send this by message.
    case reply(AppMessage)
    /// Record `start.accepted`.
    case accepted(runId: Identifier)
    /// Record `start.declined`.
    case declined(runId: Identifier, StartDeclined.Reason)
    /// Tap the wrist and record `haptic`; `message` names the line for which a badge is shown.
    case haptic(kind: String, message: String?)
    /// Record `haptic.void`.
    case hapticVoid(kind: String, sentAt: PhoneTime)
    /// Record `command.refused`.
    case refused(kind: String, why: String)
    /// Keep that this run must not begin any more, also by an app that is started anew.
    case settled(runId: Identifier)
  }

  /// How long a start can be obeyed.
  package static let startLife = VirtualTime.Span.seconds(30)
  /// How long a tap means anything.
  package static let hapticLife = VirtualTime.Span.seconds(10)

  /// Runs that must not begin any more.
  private var settled: SettledRuns

  /// Creates a handshake.
  ///
  /// - Parameter settled: What the watch remembers of it; nothing for one that has heard nothing.
  package init(settled: SettledRuns = SettledRuns()) { self.settled = settled }

  /// Takes a word from the phone.
  package mutating func receive(_ message: AppMessage, in situation: Situation) -> [Effect] {
    switch message {
    case .startWorkout(let start): self.start(start, in: situation)
    case .cancelStart(let cancel): takeBack(cancel.runId, in: situation)
    case .endWorkout(let end): self.end(end, in: situation)
    case .hapticCue(let cue): tap(cue.haptic.rawValue, message: nil, sentAt: cue.sentAt, in: situation)
    case .companionMessageDispatched(let notice):
      tap(message.kind.rawValue, message: notice.messageId, sentAt: notice.sentAt, in: situation)
    case .probe: []
    case .liveMetrics, .workoutStarted, .workoutPaused, .workoutResumed, .workoutEnded, .startAck, .startDeclined:
      [.refused(kind: message.kind.rawValue, why: "not a command to the watch")]
    }
  }

  /// Notes that a run has ended, whoever ended it: a late copy of its start must not begin it again.
  ///
  /// - Returns: Whether that is new, and to be kept.
  package mutating func noteEnded(_ runId: Identifier) -> Bool { settled.insert(runId) }

  // MARK: Commands

  private mutating func start(_ start: StartWorkout, in situation: Situation) -> [Effect] {
    let runId = start.runId
    // The phone asks twice, and by two channels: whatever the copy's age, its run is on.
    if situation.workoutId == runId { return [.accepted(runId: runId), .reply(.startAck(.init(runId: runId)))] }
    if !situation.isAgeless, age(of: start.sentAt, in: situation) > Self.startLife { return decline(runId, .void) }
    if !situation.isAuthorised { return decline(runId, .notAuthorised) }
    // Where the first answer was lost, the phone still hears that it is another run that is on.
    if situation.workoutId != nil { return decline(runId, .alreadyRunning) }
    if !situation.isAgeless, settled.contains(runId) { return decline(runId, .void) }
    return [.begin(start), .accepted(runId: runId), .reply(.startAck(.init(runId: runId)))]
  }

  /// Settled before it is said: once the phone may have heard it, no copy begins the run, whatever becomes of the app.
  private mutating func decline(_ runId: Identifier, _ reason: StartDeclined.Reason) -> [Effect] {
    settle(runId) + [.declined(runId: runId, reason), .reply(.startDeclined(.init(runId: runId, reason: reason)))]
  }

  private mutating func takeBack(_ runId: Identifier, in situation: Situation) -> [Effect] {
    settle(runId) + (situation.workoutId == runId ? [.end(isDiscarding: true)] : [])
  }

  private mutating func settle(_ runId: Identifier) -> [Effect] {
    settled.insert(runId) ? [.settled(runId: runId)] : []
  }

  private func end(_ end: EndWorkout, in situation: Situation) -> [Effect] {
    guard let workoutId = situation.workoutId else {
      return [.refused(kind: AppMessage.Kind.endWorkout.rawValue, why: "no workout is on")]
    }
    if let wanted = end.workoutId, wanted != workoutId {
      return [.refused(kind: AppMessage.Kind.endWorkout.rawValue, why: "another workout is on")]
    }
    return [.end(isDiscarding: false)]
  }

  private func tap(_ kind: String, message: String?, sentAt: PhoneTime, in situation: Situation) -> [Effect] {
    !situation.isAgeless && age(of: sentAt, in: situation) > Self.hapticLife
      ? [.hapticVoid(kind: kind, sentAt: sentAt)] : [.haptic(kind: kind, message: message)]
  }

  // MARK: Reckoning

  /// How long ago the phone said it; saturates, because the phone's word can hold anything.
  private func age(of sentAt: PhoneTime, in situation: Situation) -> VirtualTime.Span {
    let (age, isFar) = situation.phoneClock.nanoseconds.subtractingReportingOverflow(sentAt.nanoseconds)
    return VirtualTime.Span(nanoseconds: isFar ? sentAt.nanoseconds < 0 ? .max : .min : age)
  }
}
