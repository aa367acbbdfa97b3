import Link

/// The thread of the run: what the watch does, what the phone believes of it, and what comes late.
struct RunChapter: StoryChapter {
  /// Beliefs and queued words that take longer than this are told as late.
  private static let lateness = VirtualTime.Span.seconds(2)

  private let startedAt: Int64
  private var state = ""
  private var stateSince = VirtualTime.start
  private var pausedSince: VirtualTime?
  private var metres = 0.0
  private var endedAt: VirtualTime?
  /// How the run ended: told after the last kilometre, which comes with the same instant's state.
  private var endWaiting: String?

  /// - Parameter startedAt: Nanoseconds since 1970 at the scenario's start.
  init(startedAt: Int64) { self.startedAt = startedAt }

  /// What the runner is doing, for a line of progress.
  var situation: String { state.isEmpty ? "waiting" : "\(state), \(StoryText.kilometres(metres))" }

  mutating func observe(_ event: TraceEvent, into lines: inout [StoryLine]) {
    switch event.name.code {
    case TraceEvent.Name.Code.snapshot: takeSnapshot(event, into: &lines)
    case TraceEvent.Name.Code.workoutState: changeState(event, into: &lines)
    case TraceEvent.Name.Code.healthSaved: save(event, into: &lines)
    case TraceEvent.Name.Code.runState: believe(event, into: &lines)
    case TraceEvent.Name.Code.runHistory: keepAsHistory(event, into: &lines)
    case TraceEvent.Name.Code.runRefused:
      let why = TerminalText.escape(event["why"]?.text ?? "")
      tell(event, .phone, "refuses a word about another run: \(why)", .trouble, into: &lines)
    case TraceEvent.Name.Code.runFinished:
      let late = endedAt.flatMap {
        event.time - $0 > Self.lateness ? ", \(StoryText.length(event.time - $0)) late" : nil
      }
      tell(event, .phone, "knows that the run is over and saved\(late ?? "")", into: &lines)
    case TraceEvent.Name.Code.commandRefused:
      let (kind, why) = (TerminalText.escape(event["kind"]?.text ?? ""), TerminalText.escape(event["why"]?.text ?? ""))
      tell(event, voice(event), "does not do \"\(kind)\": \(why)", .trouble, into: &lines)
    case TraceEvent.Name.Code.nodeFailed:
      let (who, why) = (
        TerminalText.escape(event["target"]?.text ?? ""), TerminalText.escape(event["cause"]?.text ?? "")
      )
      tell(event, .run, "the \(who) failed: \(why)", .trouble, into: &lines)
    case Self.stopped.code: tell(event, .run, "stopped here by the user", .trouble, into: &lines)
    default: break
    }
  }

  private static let stopped: TraceEvent.Name = "stopped"

  private mutating func takeSnapshot(_ event: TraceEvent, into lines: inout [StoryLine]) {
    metres = event["distance"]?.double ?? metres
    defer { if event["state"]?.text == "ended" { tellEnd(event, into: &lines) } }
    guard let split = StoryJSON.node(event["lastSplit"]), let number = split.member("kmIndex")?.double else { return }
    var text =
      "kilometre \(Int(saturating: min(max(number, 0), 1e9))) at \(StoryText.pace(split.member("paceSecPerKm")?.double ?? 0)) min/km"
    if let rate = split.member("avgHeartRate")?.double {
      text += ", heart rate \(Int(saturating: min(max(rate, 0), 1e6)))"
    }
    tell(event, .watch, text, into: &lines)
  }

  private mutating func changeState(_ event: TraceEvent, into lines: inout [StoryLine]) {
    let from = event["from"]?.text
    state = TerminalText.escape(event["to"]?.text ?? "")
    stateSince = event.time
    let text: String
    switch state {
    case "preparing":
      text = "gets ready for a run" + (event["cause"]?.text == "command" ? ", as the phone asked" : "")
    case "running":
      let length = pausedSince.map { " after \(StoryText.length(event.time - $0))" } ?? ""
      text = from == "paused" ? "the run goes on\(length)" : "the run begins"
      pausedSince = nil
    case "paused":
      text = event["cause"]?.text == "source" ? "the runner stands still: paused" : "the run is paused"
      pausedSince = event.time
    case "ended":
      endedAt = event.time
      endWaiting =
        switch event["cause"]?.text {
        case "duration": "the time is up: the run ends"
        case "command": "the run ends, as the phone asked"
        default: "the run ends"
        }
      return
    default: text = "is \(state)"
    }
    tell(event, .watch, text, into: &lines)
  }

  private mutating func tellEnd(_ event: TraceEvent, into lines: inout [StoryLine]) {
    guard let text = endWaiting else { return }
    endWaiting = nil
    tell(event, .watch, text, into: &lines)
  }

  private mutating func save(_ event: TraceEvent, into lines: inout [StoryLine]) {
    tellEnd(event, into: &lines)
    let distance = StoryText.kilometres(event["distance"]?.double ?? 0)
    let seconds = event["duration"]?.double ?? 0
    let time = StoryText.clock(seconds: Int64(min(max(seconds, 0), 1e9).rounded()))
    tell(event, .watch, "the run is saved: \(distance) in \(time)", .relief, into: &lines)
  }

  private func believe(_ event: TraceEvent, into lines: inout [StoryLine]) {
    let to = event["to"]?.text ?? ""
    guard event["cause"]?.text != "command", to == state, event.time - stateSince > Self.lateness else { return }
    let what =
      switch to {
      case "preparing": "a run is about to begin"
      case "running": event["from"]?.text == "paused" ? "the run goes on" : "a run is on"
      case "paused": "the run is paused"
      case "ended": "the run has ended"
      default: "the run is \(TerminalText.escape(to))"
      }
    let late = StoryText.length(event.time - stateSince, places: 1)
    tell(event, .phone, "learns only now that \(what), \(late) late", .trouble, into: &lines)
  }

  private func keepAsHistory(_ event: TraceEvent, into lines: inout [StoryLine]) {
    guard let said = event["sentAt"]?.integer else { return }
    let age = VirtualTime.Span(nanoseconds: startedAt +| event.time.nanoseconds -| said)
    let late = age > .zero ? " from \(StoryText.length(age, places: 1)) ago" : ""
    let why =
      switch event["why"]?.text {
      case "doubled": "it is known already"
      case "ended": "the run has ended since"
      default: "newer ones were there before it"
      }
    let word = Self.word(event["kind"]?.text ?? "")
    tell(event, .phone, "keeps the word\(late) that \(word) as history: \(why)", .quiet, into: &lines)
  }

  /// What an event of a workout says.
  static func word(_ kind: String) -> String {
    switch kind {
    case "workoutStarted": "the run began"
    case "workoutPaused": "the run is paused"
    case "workoutResumed": "the run goes on"
    case "workoutEnded": "the run ended"
    case "snapshot": "said how the run goes"
    default: "is called \(TerminalText.escape(kind))"
    }
  }

  private func voice(_ event: TraceEvent) -> StoryLine.Voice { event.place == .watch ? .watch : .phone }

  private func tell(
    _ event: TraceEvent, _ voice: StoryLine.Voice, _ text: String, _ tone: StoryLine.Tone = .plain,
    into lines: inout [StoryLine]
  ) {
    lines.append(StoryLine(time: event.time, voice: voice, text: text, tone: tone))
  }
}
