import CoachProtocol
import Console
import Link

/// The thread of the run: what the watch does, what the phone believes about it, and what arrives late.
struct RunChapter: StoryChapter {
  /// Beliefs and queued messages that take longer than this are reported as late.
  private static let lateness = VirtualTime.Span.seconds(2)

  private let startedAt: Int64
  private var state = ""
  private var stateSince = VirtualTime.start
  private var pausedSince: VirtualTime?
  private var metres = 0.0
  private var endedAt: VirtualTime?
  /// How the run ended: reported after the last kilometre, which comes with the same instant's state.
  private var endWaiting: String?
  /// The watch's workout, according to the watch.
  private var workout: Identifier?
  /// What the workout is called: a swim is no run.
  private var noun = "run"
  /// What workouts are called that are no runs, at most ``stampedMax``; for lookup only.
  private var nouns: [Identifier: String] = [:]
  /// The workout of the last refused message, and why: a message comes every second.
  private var refused: (workout: Identifier?, why: String)?
  /// The workout and the time of the newest message that the phone believed.
  private var believed: (workout: Identifier?, sentAt: Int64)?
  /// The last message kept as history: a snapshot comes every second.
  private var kept = ""
  /// Whether the phone's belief differs from the truth since its last change.
  private var isWrong = false
  /// When the watch sent messages with which stamps, at most ``stampedMax``; for lookup only.
  private var stamped: [Int64: VirtualTime] = [:]
  private static let stampedMax = 20_000

  /// - Parameter startedAt: Nanoseconds since 1970 at the scenario's start.
  init(startedAt: Int64) { self.startedAt = startedAt }

  /// What the runner is doing, for a progress line.
  var situation: String { state.isEmpty ? "waiting" : "\(state), \(StoryText.kilometres(metres))" }

  mutating func observe(_ event: TraceEvent, into lines: inout [StoryLine]) {
    if event.place == .watch, let stamp = event["sentAt"]?.integer, stamped[stamp] == nil {
      if stamped.count >= Self.stampedMax { stamped.removeAll(keepingCapacity: true) }
      stamped[stamp] = event.time
    }
    switch event.name {
    case SnapshotPublished.name: observeSnapshot(event, into: &lines)
    case SnapshotFresh.name:
      guard let sentAt = event["sentAt"]?.integer, sentAt > believed?.sentAt ?? .min else { return }
      believed = (event.identifier("workoutId"), sentAt)
    case WorkoutStateChanged.name: changeState(event, into: &lines)
    case HealthSaved.name: save(event, into: &lines)
    case RunStateChanged.name: believe(event, into: &lines)
    case RunHistory.name: keepAsHistory(event, into: &lines)
    case RunRefused.name:
      let (about, why) = (event.identifier("workoutId"), TerminalText.escape(event["why"]?.text ?? ""))
      guard refused?.workout != about || refused?.why != why else { return }
      refused = (about, why)
      addLine(event, .phone, "refuses messages about another run: \(why)", .trouble, into: &lines)
    case RunFinished.name:
      let late = endedAt.flatMap {
        event.time - $0 > Self.lateness ? ", \(StoryText.length(event.time - $0, places: 1)) late" : nil
      }
      addLine(event, .phone, "knows that the \(noun(of: event)) is over and saved\(late ?? "")", into: &lines)
    case CommandRefused.name:
      let (kind, why) = (TerminalText.escape(event["kind"]?.text ?? ""), TerminalText.escape(event["why"]?.text ?? ""))
      addLine(event, voice(event), "does not do \"\(kind)\": \(why)", .trouble, into: &lines)
    case NodeFailed.name:
      let (who, why) = (
        TerminalText.escape(event["target"]?.text ?? ""), TerminalText.escape(event["cause"]?.text ?? "")
      )
      addLine(event, .run, "the \(who) failed: \(why)", .trouble, into: &lines)
    case RunStopped.name: addLine(event, .run, "stopped here by the user", .trouble, into: &lines)
    default: break
    }
  }

  private mutating func observeSnapshot(_ event: TraceEvent, into lines: inout [StoryLine]) {
    metres = event["distance"]?.double ?? metres
    defer { if event["state"]?.text == "ended" { addEnd(event, into: &lines) } }
    guard let split = StoryJSON.node(event["lastSplit"]), let number = split["kmIndex"]?.double else { return }
    var text =
      "kilometre \(Int(saturating: min(max(number, 0), 1e9))) at \(StoryText.pace(split["paceSecPerKm"]?.double ?? 0)) min/km"
    if let rate = split["avgHeartRate"]?.double {
      text += ", heart rate \(Int(saturating: min(max(rate, 0), 1e6)))"
    }
    addLine(event, .watch, text, into: &lines)
  }

  private mutating func changeState(_ event: TraceEvent, into lines: inout [StoryLine]) {
    let from = event["from"]?.text
    workout = event.identifier("workoutId")
    state = TerminalText.escape(event["to"]?.text ?? "")
    stateSince = event.time
    if from == nil {
      noun = StoryText.noun(ofSport: event["sport"]?.text)
      if noun != "run", let workout, nouns.count < Self.stampedMax { nouns[workout] = noun }
    }
    let text: String
    switch state {
    case "preparing":
      text = "gets ready for a \(noun)" + (event["cause"]?.text == "command" ? ", as the phone asked" : "")
    case "running":
      let length = pausedSince.map { " after \(StoryText.length(event.time - $0))" } ?? ""
      text = from == "paused" ? "the \(noun) goes on\(length)" : "the \(noun) begins"
      pausedSince = nil
    case "paused":
      text = event["cause"]?.text == "source" ? "the runner stands still: paused" : "the \(noun) is paused"
      pausedSince = event.time
    case "ended":
      endedAt = event.time
      endWaiting =
        switch event["cause"]?.text {
        case "duration": "the time is up: the \(noun) ends"
        case "command": "the \(noun) ends, as the phone asked"
        default: "the \(noun) ends"
        }
      return
    default: text = "is \(state)"
    }
    addLine(event, .watch, text, into: &lines)
  }

  /// What the workout of an event is called.
  private func noun(of event: TraceEvent) -> String { event.identifier("workoutId").flatMap { nouns[$0] } ?? "run" }

  private mutating func addEnd(_ event: TraceEvent, into lines: inout [StoryLine]) {
    guard let text = endWaiting else { return }
    endWaiting = nil
    addLine(event, .watch, text, into: &lines)
  }

  private mutating func save(_ event: TraceEvent, into lines: inout [StoryLine]) {
    addEnd(event, into: &lines)
    let metres = event["distance"]?.double ?? 0
    let distance = metres > 0 ? "\(StoryText.kilometres(metres)) in " : ""
    let seconds = event["duration"]?.double ?? 0
    let time = StoryText.clock(seconds: Int64(min(max(seconds, 0), 1e9).rounded()))
    addLine(event, .watch, "the \(noun) is saved: \(distance)\(time)", .relief, into: &lines)
  }

  private mutating func believe(_ event: TraceEvent, into lines: inout [StoryLine]) {
    let about = event.identifier("workoutId")
    let before = believed
    if let sentAt = event["sentAt"]?.integer { believed = (about, sentAt) }
    guard event["cause"]?.text != "command" else { return }
    // Without the watch's own lines the truth is not known.
    guard !state.isEmpty else { return }
    let to = event["to"]?.text ?? ""
    let what = Self.belief(to, from: event["from"]?.text, of: noun(of: event))
    let isAnother = about != nil && workout != nil && about != workout
    let wasWrong = isWrong
    isWrong = isAnother || to != state
    if isWrong {
      let again = event["from"]?.text == "ended" && to != "ended" ? " again" : ""
      let run = isAnother ? " (workout \(about?.text.prefix(8) ?? ""))" : ""
      let text = "believes\(again) that \(what)\(run)\(age(event, before)); in truth \(truth(isAnother))"
      return addLine(event, .phone, text, .trouble, into: &lines)
    }
    if event.time - stateSince > Self.lateness {
      let late = StoryText.length(event.time - stateSince, places: 1)
      return addLine(event, .phone, "learns only now that \(what), \(late) late", .trouble, into: &lines)
    }
    if wasWrong { addLine(event, .phone, "believes what is true again: \(what)", .relief, into: &lines) }
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
  private func age(_ event: TraceEvent, _ before: (workout: Identifier?, sentAt: Int64)?) -> String {
    // Without a message of its own it is the phone's conclusion.
    guard let sentAt = event["sentAt"]?.integer, sentAt != before?.sentAt else { return "" }
    if let before, before.workout == event.identifier("workoutId"), sentAt < before.sentAt {
      let gap = StoryText.length(VirtualTime.Span(nanoseconds: before.sentAt -| sentAt), places: 1)
      return ", by a message \(gap) older than what it knew"
    }
    guard let sent = stamped[sentAt], event.time - sent > Self.lateness else { return "" }
    return ", by a message from \(StoryText.length(event.time - sent, places: 1)) ago"
  }

  /// The state of the watch's workout, in words.
  private func truth(_ isAnother: Bool) -> String {
    let since = StoryText.clock(stateSince)
    let own = isAnother ? "the watch's own run" : "it"
    switch state {
    case "preparing": return "\(own) is about to begin"
    case "running": return "\(own) has been on since \(since)"
    case "paused": return "\(own) has been paused since \(since)"
    case "ended": return "\(own) ended at \(since)"
    default: return "\(own) is \(state)"
    }
  }

  private mutating func keepAsHistory(_ event: TraceEvent, into lines: inout [StoryLine]) {
    guard let said = event["sentAt"]?.integer else { return }
    // The watch's date may be wrong, so the trace's own time counts, if the message is in it.
    let age =
      stamped[said].map { event.time - $0 }
      ?? VirtualTime.Span(nanoseconds: startedAt +| event.time.nanoseconds -| said)
    let late = age > Self.lateness ? ", in a message from \(StoryText.length(age, places: 1)) ago" : ""
    let why =
      switch event["why"]?.text {
      case "doubled": "it is known already"
      case "ended": "it believes that the run has ended"
      default: "a newer message arrived first"
      }
    let kind = event["kind"]?.text ?? ""
    let key = "\(kind) \(why) \(event["workoutId"]?.text ?? "")"
    defer { kept = key }
    guard kind != "snapshot" || key != kept else { return }
    let word = Self.word(kind)
    addLine(event, .phone, "keeps as history \(word)\(late): \(why)", .quiet, into: &lines)
  }

  /// What a message of this kind says.
  private static func word(_ kind: String) -> String {
    switch kind {
    case "workoutStarted": "that the run began"
    case "workoutPaused": "that the run is paused"
    case "workoutResumed": "that the run goes on"
    case "workoutEnded": "that the run ended"
    case "snapshot": "a snapshot"
    default: "a message called \(TerminalText.escape(kind))"
    }
  }

  private func voice(_ event: TraceEvent) -> StoryLine.Voice { event.place == .watch ? .watch : .phone }

  private func addLine(
    _ event: TraceEvent, _ voice: StoryLine.Voice, _ text: String, _ tone: StoryLine.Tone = .plain,
    into lines: inout [StoryLine]
  ) {
    lines.append(StoryLine(time: event.time, voice: voice, text: text, tone: tone))
  }
}
