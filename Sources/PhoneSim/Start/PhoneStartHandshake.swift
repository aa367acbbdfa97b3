package import CoachProtocol
package import Link

/// The phone's end of the start handshake: what the watch must start, cancel or end.
///
/// A start is requested at once, again after 10 s without an answer, and has failed after 10 s more. A start that
/// failed, was declined or was cancelled is *given up*: `cancelStart` is sent, and every later message about it is late
/// and repeats the order. Where the specification is silent:
///
/// * Any message of the watch about the run is as good an answer as `startAck`, which can get lost.
/// * A phone that was away at the time of the second request sends it when it is back, unless 20 s have passed since
///   the first: by then the run is no longer expected to begin, and the start has failed.
/// * A declined start is not requested again.
/// * An end that the phone requests is repeated until the watch reports it, at most every 10 s.
package struct PhoneStartHandshake: Sendable, Equatable {
  /// The timeout for an answer.
  package static let patience = VirtualTime.Span.seconds(10)
  /// The shortest time between two equal orders to the watch.
  package static let repeatOrderAfter = VirtualTime.Span.seconds(10)
  /// Limit of remembered runs; beyond it the oldest is forgotten.
  package static let runsMax = 16

  /// An unanswered start.
  package struct Request: Sendable, Equatable {
    package internal(set) var runId: Identifier
    package internal(set) var firstAskedAt: VirtualTime
    package var askedAt: VirtualTime
    /// 1, then 2.
    package var attempt: Int
  }

  /// What the watch must do about a run.
  package enum Fate: String, Sendable, CaseIterable {
    /// The watch has it or had it: nothing.
    case known
    /// Cancel it: the phone gave it up.
    case givenUp
    /// End it.
    case ending
  }

  /// A run about which the watch got an order.
  package struct Run: Sendable, Equatable {
    package internal(set) var runId: Identifier
    package var fate: Fate
    /// When the watch was last ordered at an occasion that shows it is reachable; nil for never.
    package var orderedAt: VirtualTime?
  }

  /// Number of starts ever requested.
  package internal(set) var count: Int64 = 0
  /// The unanswered start, if any.
  package internal(set) var asking: Request?
  /// The phone's tracker, since it was last on; nil for never.
  package internal(set) var tracker: PhoneTracker?
  /// Least recently ordered first.
  package internal(set) var runs: [Run] = []
  /// Whether messages of the watch can matter here; checked at every snapshot.
  package private(set) var isListening = false

  /// When ``fire(at:)`` must be called; nil for never.
  package var nextDeadline: VirtualTime? { asking.map { $0.askedAt + Self.patience } }

  /// Whether the phone requested this run, as far as remembered.
  package func remembers(_ runId: Identifier) -> Bool {
    asking?.runId == runId || runs.contains { $0.runId == runId }
  }

  // MARK: The user

  /// Requests a run; none may be awaited.
  package mutating func start(_ runId: Identifier, at now: VirtualTime) -> [StartEffect] {
    precondition(asking == nil, "one start at a time")
    count += 1
    asking = Request(runId: runId, firstAskedAt: now, askedAt: now, attempt: 1)
    refreshListening()
    return [.ask(runId, attempt: 1)]
  }

  /// Cancels the awaited start, if any.
  package mutating func cancel(at now: VirtualTime) -> [StartEffect] {
    guard let request = asking else { return [] }
    giveUp(request.runId)
    return [.cancel(request.runId)]
  }

  /// Orders the watch to end a run.
  package mutating func end(_ runId: Identifier, at now: VirtualTime) -> [StartEffect] {
    set(runId, .ending, orderedAt: now)
    return [.end(runId)]
  }

  // MARK: The watch

  /// Handles `startDeclined`; no effect unless it answers the awaited start.
  package mutating func handleDecline(
    _ runId: Identifier, _ reason: StartDeclined.Reason, at now: VirtualTime
  ) -> [StartEffect] {
    guard asking?.runId == runId else { return [] }
    giveUp(runId)
    var effects: [StartEffect] = [.declined(runId, reason), .cancel(runId)]
    // If another run is tracked there, that one continues.
    if reason != .alreadyRunning { effects.append(.track(runId)) }
    return effects
  }

  /// Handles a message about a run: `startAck`, a fresh snapshot, an event.
  ///
  /// - Parameters:
  ///   - word: The kind of message, for the trace.
  ///   - saysEnded: Whether it says that the run has ended.
  package mutating func handleMessage(
    _ word: String, of runId: Identifier, saysEnded: Bool, at now: VirtualTime
  ) -> [StartEffect] {
    if asking?.runId == runId {
      asking = nil
      set(runId, .known, orderedAt: nil)
      return [.acknowledged(runId, word: word)]
    }
    guard let index = runs.firstIndex(where: { $0.runId == runId }), runs[index].fate != .known else { return [] }
    let run = runs[index]
    guard !saysEnded else {
      // Ended is final: later messages were sent earlier.
      set(runId, .known, orderedAt: nil)
      return []
    }
    if let orderedAt = run.orderedAt, now - orderedAt < Self.repeatOrderAfter { return [] }
    runs[index].orderedAt = now
    guard run.fate == .givenUp else { return [.end(runId)] }
    // After a cancel without effect also an end: it saves an unwanted workout, so it comes second.
    return [.late(runId, word: word)] + (run.orderedAt == nil ? [] : [.end(runId)])
  }

  /// Handles that the watch became reachable again.
  package mutating func handleReachable(at now: VirtualTime) -> [StartEffect] {
    var effects: [StartEffect] = []
    for index in runs.indices where runs[index].fate == .ending {
      runs[index].orderedAt = now
      effects.append(.end(runs[index].runId))
    }
    return effects
  }

  // MARK: Time

  /// Handles a due deadline.
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

  /// Starts the phone's own tracker for a run.
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

  /// Forgets a given-up run; only by a planted bug.
  mutating func leave(_ runId: Identifier) { set(runId, .known, orderedAt: nil) }

  private mutating func giveUp(_ runId: Identifier) {
    asking = nil
    set(runId, .givenUp, orderedAt: nil)
  }

  private mutating func set(_ runId: Identifier, _ fate: Fate, orderedAt: VirtualTime?) {
    runs.removeAll { $0.runId == runId }
    if runs.count == Self.runsMax { runs.removeFirst() }
    runs.append(Run(runId: runId, fate: fate, orderedAt: orderedAt))
    refreshListening()
  }

  /// Call it after every change of ``asking`` and ``runs``.
  mutating func refreshListening() { isListening = asking != nil || runs.contains { $0.fate != .known } }
}

/// An effect of ``PhoneStartHandshake``, in order.
package enum StartEffect: Sendable, Equatable {
  case ask(Identifier, attempt: Int)
  case acknowledged(Identifier, word: String)
  case declined(Identifier, StartDeclined.Reason)
  case failed(Identifier, why: String)
  case cancel(Identifier)
  /// The watch started it anyway: cancel it again.
  case late(Identifier, word: String)
  case end(Identifier)
  /// Track the run on the phone, if it is still awaited.
  case track(Identifier)

  /// Why a start failed after two requests.
  static let noAnswer = "no answer"
  /// Why a start failed without a second request.
  static let away = "the phone was away"
}

extension PhoneStartHandshake {
  /// The handshake as an object for the store: equal handshakes give equal members.
  static let schema = ObjectSchema(
    "PhoneStartHandshake", "Requested starts.", PhoneStartHandshake(),
    [
      Field("count", \.count, .integer(0...(1 << 48)), "of starts ever requested", .required),
      Field("asking", \.asking, .object(Request.schema), "the unanswered start"),
      Field("runs", \.runs, .array(of: .object(Run.schema), count: 0...runsMax), "runs with an order")
        .omittedAtDefault,
      Field("tracker", \.tracker, .object(PhoneTracker.schema), "the phone's own"),
    ]
  ) { handshake, _ in
    handshake.refreshListening()
    return true
  }
}

extension PhoneStartHandshake.Request {
  fileprivate static let schema = ObjectSchema(
    "Request", "An unanswered start.", Self(runId: .blank, firstAskedAt: .start, askedAt: .start, attempt: 1),
    [
      Field("runId", \.runId, .identifier, "the run", .required),
      Field("firstAskedAt", \.firstAskedAt, .nanosecondsOfRun, "when", .required),
      Field("askedAt", \.askedAt, .nanosecondsOfRun, "when it was last asked for", .required),
      Field("attempt", \.attempt, .integer(1...2), "which one", .required),
    ])
}

extension PhoneStartHandshake.Run {
  fileprivate static let schema = ObjectSchema(
    "Run", "A run with an order.", Self(runId: .blank, fate: .known),
    [
      Field("runId", \.runId, .identifier, "the run", .required),
      Field("fate", \.fate, .word, "what the watch must do about it", .required),
      Field("toldAt", \.orderedAt, .nanosecondsOfRun, "when the watch was last ordered"),
    ])
}

extension PhoneTracker {
  fileprivate static let schema = ObjectSchema(
    "PhoneTracker", "The phone's own tracker.", Self(runId: .blank, startedAt: .start),
    [
      Field("runId", \.runId, .identifier, "the run", .required),
      Field("startedAt", \.startedAt, .nanosecondsOfRun, "by the phone's timers", .required),
      Field("endedAt", \.endedAt, .nanosecondsOfRun, "absent while it is on"),
    ])
}

extension ValueSchema where Value == VirtualTime {
  fileprivate static var nanosecondsOfRun: Self {
    ValueSchema<Int64>.nanoseconds.map(
      reading: { number, _ in VirtualTime(nanoseconds: number) }, writing: \.nanoseconds)
  }
}

/// The phone as tracker of a run that the watch did not start.
///
/// It knows the run's duration, and its distance from the plan's target pace. It publishes no metrics, so it triggers
/// no line of the script.
package struct PhoneTracker: Sendable, Equatable {
  package internal(set) var runId: Identifier
  /// By the phone's timers.
  package internal(set) var startedAt: VirtualTime
  /// By the phone's timers; nil while it is on.
  package var endedAt: VirtualTime?

  package var isLive: Bool { endedAt == nil }

  /// Its duration by the phone's timers, in seconds with three decimals.
  package func elapsed(at now: VirtualTime) -> Double {
    (((endedAt ?? now) - startedAt).seconds * 1_000).rounded() / 1_000
  }

  /// The event of its start.
  func startedEvent(at now: VirtualTime) -> TraceEvent {
    TraceEvent(TrackerStarted.self, at: now, on: .phone) {
      $0.workoutId = runId
      $0.by = "phone"
    }
  }

  /// The event of its end, with the distance if the plan has a pace.
  func endedEvent(plan: Plan, at now: VirtualTime) -> TraceEvent {
    let seconds = elapsed(at: now)
    return TraceEvent(TrackerEnded.self, at: now, on: .phone) {
      $0.workoutId = runId
      $0.by = "phone"
      $0.elapsed = seconds
      if let pace = plan.targetPace, pace > 0 {
        $0.distance = min((seconds / pace * 1_000 * 100).rounded() / 100, 1e9)
      }
    }
  }
}
