import CoachProtocol
import Console
import Link

/// The thread of the workout: what the watch does, what the phone believes about it, and what arrives late.
struct RunChapter: StoryChapter {
  /// Beliefs and queued messages that take longer than this are reported as late.
  private static let lateness = VirtualTime.Span.seconds(2)

  private let startedAt: Int64
  private let isInMiles: Bool
  private var state = ""
  private var stateSince = VirtualTime.start
  private var pausedSince: VirtualTime?
  private var metres = 0.0
  private var endedAt: VirtualTime?
  /// How the workout ended: reported after the last kilometre, which comes with the same instant's state.
  private var endWaiting: String?
  /// The watch's workout, according to the watch.
  private var workout: Identifier?
  /// What the workout is called: a swim is called one.
  private var noun = "workout"
  /// What workouts are called that are swims or the like, at most ``stampedMax``; for lookup only.
  private var nouns: [Identifier: String] = [:]
  /// The workout of the last refused message, and why: a message comes every second.
  private var refused: (workout: Identifier, why: String)?
  /// The workout and the time of the newest message that the phone believed.
  private var believed: (workout: Identifier, sentAt: Int64)?
  /// The last message kept as history: a snapshot comes every second.
  private var kept = ""
  /// Whether the phone's belief differs from the truth since its last change.
  private var isWrong = false
  /// When the watch sent messages with which stamps, at most ``stampedMax``; for lookup only.
  private var stamped: [Int64: VirtualTime] = [:]
  private static let stampedMax = 20_000

  /// - Parameters:
  ///   - startedAt: Nanoseconds since 1970 at the scenario's start.
  ///   - isInMiles: Whether a split is a mile.
  init(startedAt: Int64, isInMiles: Bool = false) {
    self.startedAt = startedAt
    self.isInMiles = isInMiles
  }

  /// What the athlete is doing, for a progress line.
  var situation: String { state.isEmpty ? "waiting" : "\(state), \(StoryText.kilometres(metres))" }

  mutating func observe(_ event: TraceEvent, into lines: inout [StoryLine]) {
    if event.place == .watch, let stamp = event["sentAt"]?.integer, stamped[stamp] == nil {
      if stamped.count >= Self.stampedMax { stamped.removeAll(keepingCapacity: true) }
      stamped[stamp] = event.time
    }
    let time = event.time
    switch event.body {
    case .snapshot(let snapshot): observeSnapshot(snapshot.metrics, time, into: &lines)
    case .snapshotFresh(let snapshot):
      let metrics = snapshot.metrics
      guard metrics.sentAt > believed?.sentAt ?? .min else { return }
      believed = (metrics.workoutId, metrics.sentAt)
    case .workoutState(let change): changeState(change, time, into: &lines)
    case .healthSaved(let saved): save(saved, time, into: &lines)
    case .runState(let change): believe(change, time, into: &lines)
    case .runFinished(let finished):
      let late = endedAt.flatMap {
        time - $0 > Self.lateness ? ", \(StoryText.length(time - $0, places: 1)) late" : nil
      }
      let noun = noun(of: finished.workoutId)
      lines.add(time, .phone, "knows that the \(noun) is over and saved\(late ?? "")")
    case .nodeFailed(let failure):
      lines.add(time, .run, "the \(failure.target.text) failed: \(TerminalText.escape(failure.cause))", .trouble)
    case .stopped: lines.add(time, .run, "stopped here by the user", .trouble)
    case .other(let other):
      switch other.kind {
      case let history as RunHistory: keepAsHistory(history, time, into: &lines)
      case let refusal as RunRefused:
        let (about, why) = (refusal.workoutId, TerminalText.escape(refusal.why))
        guard refused?.workout != about || refused?.why != why else { return }
        refused = (about, why)
        lines.add(time, .phone, "refuses messages about another workout: \(why)", .trouble)
      case let refusal as CommandRefused:
        let (kind, why) = (TerminalText.escape(refusal.kind), TerminalText.escape(refusal.why))
        lines.add(event, "does not do \"\(kind)\": \(why)", .trouble)
      default: break
      }
    default: break
    }
  }

  private mutating func observeSnapshot(
    _ metrics: SnapshotMetrics, _ time: VirtualTime, into lines: inout [StoryLine]
  ) {
    metres = metrics.distance
    defer { if metrics.state == .ended { addEnd(time, into: &lines) } }
    guard let split = metrics.lastSplit else { return }
    let (unit, sign) = isInMiles ? ("mile", "mi") : ("kilometre", "km")
    let perUnit = isInMiles ? split.durationSeconds : split.paceSecPerKm
    var text = "\(unit) \(split.kmIndex) at \(StoryText.pace(perUnit)) min/\(sign)"
    if let rate = split.avgHeartRate { text += ", heart rate \(rate)" }
    lines.add(time, .watch, text)
  }

  private mutating func changeState(
    _ change: WorkoutStateChanged, _ time: VirtualTime, into lines: inout [StoryLine]
  ) {
    workout = change.workoutId
    state = TerminalText.escape(change.to)
    stateSince = time
    if change.from == nil {
      noun = StoryText.noun(ofSport: change.sport)
      if noun != "workout", nouns.count < Self.stampedMax { nouns[change.workoutId] = noun }
    }
    let text: String
    switch state {
    case "preparing":
      text = "gets ready for a \(noun)" + (change.cause == "command" ? ", as the phone asked" : "")
    case "running":
      let length = pausedSince.map { " after \(StoryText.length(time - $0))" } ?? ""
      text = change.from == "paused" ? "the \(noun) goes on\(length)" : "the \(noun) begins"
      pausedSince = nil
    case "paused":
      text = change.cause == "source" ? "the athlete stands still: paused" : "the \(noun) is paused"
      pausedSince = time
    case "ended":
      endedAt = time
      endWaiting =
        switch change.cause {
        case "duration": "the time is up: the \(noun) ends"
        case "command": "the \(noun) ends, as the phone asked"
        default: "the \(noun) ends"
        }
      return
    default: text = "is \(state)"
    }
    lines.add(time, .watch, text)
  }

  /// What a workout is called.
  private func noun(of workout: Identifier) -> String { nouns[workout] ?? "workout" }

  private mutating func addEnd(_ time: VirtualTime, into lines: inout [StoryLine]) {
    guard let text = endWaiting else { return }
    endWaiting = nil
    lines.add(time, .watch, text)
  }

  private mutating func save(_ saved: HealthSaved, _ time: VirtualTime, into lines: inout [StoryLine]) {
    addEnd(time, into: &lines)
    let distance = saved.distance > 0 ? "\(StoryText.kilometres(saved.distance)) in " : ""
    let length = StoryText.clock(seconds: Int64(min(max(saved.duration, 0), 1e9).rounded()))
    lines.add(time, .watch, "the \(noun) is saved: \(distance)\(length)", .relief)
  }

  private mutating func believe(_ change: RunStateChanged, _ time: VirtualTime, into lines: inout [StoryLine]) {
    let about = change.workoutId
    let before = believed
    if let sentAt = change.sentAt { believed = (about, sentAt) }
    guard change.cause != "command" else { return }
    // Without the watch's own lines the truth is not known.
    guard !state.isEmpty else { return }
    let what = Self.belief(change.to, from: change.from, of: noun(of: about))
    let isAnother = workout.map { $0 != about } ?? false
    let wasWrong = isWrong
    isWrong = isAnother || change.to != state
    if isWrong {
      let again = change.from == "ended" && change.to != "ended" ? " again" : ""
      let run = isAnother ? " (workout \(about.text.prefix(8)))" : ""
      let text = "believes\(again) that \(what)\(run)\(age(change, time, before)); in truth \(truth(isAnother))"
      return lines.add(time, .phone, text, .trouble)
    }
    if time - stateSince > Self.lateness {
      let late = StoryText.length(time - stateSince, places: 1)
      return lines.add(time, .phone, "learns only now that \(what), \(late) late", .trouble)
    }
    if wasWrong { lines.add(time, .phone, "believes what is true again: \(what)", .relief) }
  }

  /// A state of a workout as a clause.
  private static func belief(_ state: String, from: String?, of noun: String) -> String {
    switch state {
    case "preparing": "a \(noun) is about to begin"
    case "running": from == "paused" ? "the \(noun) goes on" : "a \(noun) is on"
    case "paused": "the \(noun) is paused"
    case "ended": "the \(noun) has ended"
    default: "the \(noun) is \(TerminalText.escape(state))"
    }
  }

  /// How old the message is that the phone believes, as a clause; empty if it is new.
  private func age(
    _ change: RunStateChanged, _ time: VirtualTime, _ before: (workout: Identifier, sentAt: Int64)?
  ) -> String {
    // Without a message of its own it is the phone's conclusion.
    guard let sentAt = change.sentAt, sentAt != before?.sentAt else { return "" }
    if let before, before.workout == change.workoutId, sentAt < before.sentAt {
      let gap = StoryText.length(VirtualTime.Span(nanoseconds: before.sentAt -| sentAt), places: 1)
      return ", by a message \(gap) older than what it knew"
    }
    guard let sent = stamped[sentAt], time - sent > Self.lateness else { return "" }
    return ", by a message from \(StoryText.length(time - sent, places: 1)) ago"
  }

  /// The state of the watch's workout, in words.
  private func truth(_ isAnother: Bool) -> String {
    let since = StoryText.clock(stateSince)
    let own = isAnother ? "the watch's own workout" : "it"
    switch state {
    case "preparing": return "\(own) is about to begin"
    case "running": return "\(own) has been on since \(since)"
    case "paused": return "\(own) has been paused since \(since)"
    case "ended": return "\(own) ended at \(since)"
    default: return "\(own) is \(state)"
    }
  }

  private mutating func keepAsHistory(_ history: RunHistory, _ time: VirtualTime, into lines: inout [StoryLine]) {
    // The watch's date may be wrong, so the trace's own time counts, if the message is in it.
    let age =
      stamped[history.sentAt].map { time - $0 }
      ?? VirtualTime.Span(nanoseconds: startedAt +| time.nanoseconds -| history.sentAt)
    let late = age > Self.lateness ? ", in a message from \(StoryText.length(age, places: 1)) ago" : ""
    let why =
      switch history.why {
      case "doubled": "it is known already"
      case "ended": "it believes that the workout has ended"
      default: "a newer message arrived first"
      }
    let key = "\(history.kind) \(why) \(history.workoutId.text)"
    defer { kept = key }
    guard history.kind != "snapshot" || key != kept else { return }
    lines.add(time, .phone, "keeps as history \(Self.word(history.kind))\(late): \(why)", .quiet)
  }

  /// What a message of this kind says.
  private static func word(_ kind: String) -> String {
    switch kind {
    case "workoutStarted": "that the workout began"
    case "workoutPaused": "that the workout is paused"
    case "workoutResumed": "that the workout goes on"
    case "workoutEnded": "that the workout ended"
    case "snapshot": "a snapshot"
    default: "a message called \(TerminalText.escape(kind))"
    }
  }
}

/// The thread of a run that the phone requests: the watch's answer, or what happens without one.
struct StartChapter: StoryChapter {
  /// The run that the phone last called late, so that the story says so once.
  private var late: Identifier?

  mutating func observe(_ event: TraceEvent, into lines: inout [StoryLine]) {
    switch event.body {
    case .startDeclined(let refusal):
      let text = event.place == .watch ? "declines the phone's start" : "learns that the watch declines the start"
      lines.add(event, "\(text): \(refusal.reason.text)", .trouble)
    case .startAsked(let request): ask(request, event, into: &lines)
    case .startAcked(let answer):
      let isWord = answer.word != "startAck"
      lines.add(
        event,
        "knows that the watch has begun\(isWord ? ", by a message of the workout" : "")", .quiet)
    case .startFailed(let failure):
      let why = TerminalText.escape(failure.why)
      lines.add(event, "could not start the workout on the watch: \(why)", .trouble)
    case .startCancelled: lines.add(event, "cancels the start", .quiet)
    case .startLate(let answer):
      guard late != answer.runId else { return }
      late = answer.runId
      lines.add(
        event, "learns too late that the watch runs it anyway: orders it to stop",
        .trouble)
    case .trackerStarted: lines.add(event, "tracks the workout itself")
    case .trackerEnded(let end):
      let length = StoryText.clock(seconds: Int64(min(max(end.elapsed, 0), 1e9).rounded()))
      let distance = end.distance.map { ", \(StoryText.kilometres($0)) by the plan" } ?? ""
      lines.add(event, "the workout it tracked itself is over: \(length)\(distance)")
    case .other(let other): if other.kind is StartAccepted { lines.add(event, "accepts the phone's start") }
    default: break
    }
  }

  private func ask(_ request: StartAsked, _ event: TraceEvent, into lines: inout [StoryLine]) {
    // Test traffic has no attempt number.
    guard let attempt = request.attempt else { return }
    var text = attempt > 1 ? "asks the watch again to start the workout" : "asks the watch to start a workout"
    if request.channel == .applicationContext { text += ", by context, for when it is reachable" }
    guard let error = request.error else { return lines.add(event, text) }
    lines.add(
      event, "cannot ask the watch to start a workout: \(TerminalText.escape(error))",
      .trouble)
  }
}
