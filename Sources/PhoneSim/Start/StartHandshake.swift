package import CoachProtocol
package import Link

/// The phone's end of the start handshake: what the watch was asked to begin, and what it must give up or end.
///
/// A start is asked for at once, once more after 10 s without an answer, and after 10 s more it has failed. A start that
/// failed, was declined or was taken back is *given up*: `cancelStart` is sent, and whatever is heard of it afterwards is
/// late, so that the watch is told again. Choices where the specification is silent:
///
/// * Any word of the watch about the run is as good an answer as `startAck`, which can get lost.
/// * A phone that was away when it should have asked again asks as soon as it is back, unless 20 s have passed since the
///   first time: then nobody expects a run to begin any more, and the start has failed.
/// * A declined start is not asked for again.
/// * An end that the phone asks for is said again until the watch's own word says that it has ended, at most every 10 s.
package struct StartHandshake: Sendable, Equatable {
  /// How long an answer is waited for.
  package static let patience = VirtualTime.Span.seconds(10)
  /// How soon the watch is told the same thing again.
  package static let tellAgainAfter = VirtualTime.Span.seconds(10)
  /// How many runs are remembered, the oldest is forgotten first.
  package static let runsMax = 16

  /// A start that is not answered.
  package struct Request: Sendable, Equatable {
    /// Which run.
    package let runId: Identifier
    /// When it was first asked for.
    package let firstAskedAt: VirtualTime
    /// When it was last asked for.
    package var askedAt: VirtualTime
    /// 1, then 2.
    package var attempt: Int
  }

  /// What became of a run that the watch was told something about.
  package enum Fate: String, Sendable, CaseIterable {
    /// The watch has it, or had it: there is nothing to be told.
    case known
    /// The phone wants it no more, and it must not be on.
    case givenUp
    /// It must end.
    case ending
  }

  /// A run that the watch was told something about.
  package struct Run: Sendable, Equatable {
    /// Which run.
    package let runId: Identifier
    /// What became of it.
    package var fate: Fate
    /// When the watch was last told, by an occasion that shows that it can be reached; nil for not yet.
    package var toldAt: VirtualTime?
  }

  /// How many starts were ever asked for.
  package internal(set) var count: Int64 = 0
  /// The start that is not answered; nil for none.
  package internal(set) var asking: Request?
  /// The phone's own tracker, since it was last on; nil for never.
  package internal(set) var tracker: PhoneTracker?
  /// The one not told of for longest first.
  package internal(set) var runs: [Run] = []
  /// Whether a word of the watch can mean anything here: asked with every snapshot.
  package private(set) var isListening = false

  /// Begins with nothing asked for.
  package init() {}

  /// When ``fire(at:)`` must be called; nil when nothing is waited for.
  package var nextDeadline: VirtualTime? { asking.map { $0.askedAt + Self.patience } }

  /// Whether a run was asked for here, as far as it is remembered.
  package func knows(_ runId: Identifier) -> Bool {
    asking?.runId == runId || runs.contains { $0.runId == runId }
  }

  // MARK: The user

  /// Asks for a run; only where none is being asked for.
  package mutating func start(_ runId: Identifier, at now: VirtualTime) -> [StartEffect] {
    precondition(asking == nil, "one start at a time")
    count += 1
    asking = Request(runId: runId, firstAskedAt: now, askedAt: now, attempt: 1)
    noteListening()
    return [.ask(runId, attempt: 1)]
  }

  /// Takes back what is being asked for; nothing where nothing is.
  package mutating func takeBack(at now: VirtualTime) -> [StartEffect] {
    guard let request = asking else { return [] }
    giveUp(request.runId)
    return [.cancel(request.runId)]
  }

  /// Has the watch end a run.
  package mutating func end(_ runId: Identifier, at now: VirtualTime) -> [StartEffect] {
    set(runId, .ending, toldAt: now)
    return [.end(runId)]
  }

  // MARK: The watch

  /// Takes `startDeclined`; one that answers no question that is open has no effect.
  package mutating func declined(
    _ runId: Identifier, _ reason: StartDeclined.Reason, at now: VirtualTime
  ) -> [StartEffect] {
    guard asking?.runId == runId else { return [] }
    giveUp(runId)
    var effects: [StartEffect] = [.declined(runId, reason), .cancel(runId)]
    // Another run is tracked there: it is that one that goes on.
    if reason != .alreadyRunning { effects.append(.track(runId)) }
    return effects
  }

  /// Takes a word about a run: `startAck`, a fresh snapshot, an event.
  ///
  /// - Parameters:
  ///   - word: The kind of message, for the trace.
  ///   - saysEnded: Whether it says that the run has ended.
  package mutating func heard(
    _ word: String, of runId: Identifier, saysEnded: Bool, at now: VirtualTime
  ) -> [StartEffect] {
    if asking?.runId == runId {
      asking = nil
      set(runId, .known, toldAt: nil)
      return [.acknowledged(runId, word: word)]
    }
    guard let place = runs.firstIndex(where: { $0.runId == runId }), runs[place].fate != .known else { return [] }
    let run = runs[place]
    guard !saysEnded else {
      // Which is final: what is heard of it later was said before.
      set(runId, .known, toldAt: nil)
      return []
    }
    if let toldAt = run.toldAt, now - toldAt < Self.tellAgainAfter { return [] }
    runs[place].toldAt = now
    guard run.fate == .givenUp else { return [.end(runId)] }
    // An end as well where taking back did not help: it keeps a workout that nobody wants, and is the second choice.
    return [.late(runId, word: word)] + (run.toldAt == nil ? [] : [.end(runId)])
  }

  /// Learns that the watch can be reached again.
  package mutating func reachable(at now: VirtualTime) -> [StartEffect] {
    var effects: [StartEffect] = []
    for place in runs.indices where runs[place].fate == .ending {
      runs[place].toldAt = now
      effects.append(.end(runs[place].runId))
    }
    return effects
  }

  // MARK: Time

  /// Does what is due.
  package mutating func fire(at now: VirtualTime) -> [StartEffect] {
    guard let request = asking, request.askedAt + Self.patience <= now else { return [] }
    if request.attempt == 1, now < request.firstAskedAt + Self.patience + Self.patience {
      asking?.attempt = 2
      asking?.askedAt = now
      return [.ask(request.runId, attempt: 2)]
    }
    giveUp(request.runId)
    let why = request.attempt == 1 ? StartEffect.away : StartEffect.noAnswer
    return [.failed(request.runId, why: why), .cancel(request.runId), .track(request.runId)]
  }

  // MARK: The phone's own tracker

  /// Has the phone track a run itself from now on.
  package mutating func track(_ runId: Identifier, at now: VirtualTime) {
    precondition(tracker?.isLive != true, "one tracker at a time")
    tracker = PhoneTracker(runId: runId, startedAt: now)
  }

  /// Ends the phone's own tracker; it must be on.
  package mutating func endTracker(at now: VirtualTime) {
    precondition(tracker?.isLive == true, "no tracker is on")
    tracker?.endedAt = now
  }

  // MARK: Runs

  /// Leaves a run that was given up to the watch: only a planted phone does.
  mutating func leave(_ runId: Identifier) { set(runId, .known, toldAt: nil) }

  private mutating func giveUp(_ runId: Identifier) {
    asking = nil
    set(runId, .givenUp, toldAt: nil)
  }

  private mutating func set(_ runId: Identifier, _ fate: Fate, toldAt: VirtualTime?) {
    runs.removeAll { $0.runId == runId }
    if runs.count == Self.runsMax { runs.removeFirst() }
    runs.append(Run(runId: runId, fate: fate, toldAt: toldAt))
    noteListening()
  }

  /// To be called after every change of ``asking`` and ``runs``.
  mutating func noteListening() { isListening = asking != nil || runs.contains { $0.fate != .known } }
}

/// What follows from an input of ``StartHandshake``, in order.
package enum StartEffect: Sendable, Equatable {
  /// Ask the watch to begin this run.
  case ask(Identifier, attempt: Int)
  /// The watch has it.
  case acknowledged(Identifier, word: String)
  /// The watch does not begin it.
  case declined(Identifier, StartDeclined.Reason)
  /// Nobody answered.
  case failed(Identifier, why: String)
  /// Take it back.
  case cancel(Identifier)
  /// The watch began it all the same: take it back once more.
  case late(Identifier, word: String)
  /// Have the watch end it.
  case end(Identifier)
  /// Let the phone track it, if it is still the run that is waited for.
  case track(Identifier)

  /// Why a start failed that was asked for twice.
  static let noAnswer = "no answer"
  /// Why a start failed that could not be asked for twice.
  static let away = "the phone was away"
}
