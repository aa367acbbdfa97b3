import Console
import Link

/// The thread of the coach: what it says, what it skips, and what keeps it from speaking.
struct CoachChapter: StoryChapter {
  private struct Message {
    var text: String
    var spec: JSONNode?
  }

  private struct Waiting {
    var message: String
    var why: String
    var since: VirtualTime
  }

  /// For lookup only, never iterated.
  private var script: [String: Message] = [:]
  /// Dispatched lines that have not begun to play.
  private var waiting: [Waiting] = []
  /// When a line was decided on, by its id and multiple; for lookup only.
  private var decided: [String: VirtualTime] = [:]

  mutating func observe(_ event: TraceEvent, into lines: inout [StoryLine]) {
    switch event.name {
    case ScriptLoaded.name: load(event, into: &lines)
    case AIReplied.name, AIAnsweredFromCache.name, AIFellBack.name:
      // The text of a reply is quoted when it is spoken.
      if let id = event["id"]?.text, let text = event["text"]?.text { script[id] = Message(text: text) }
    case ScriptDispatched.name:
      decided[Self.key(event, "multiple")] = event.time
      waiting.append(Waiting(message: event["message"]?.text ?? "", why: why(event), since: event.time))
    case ScriptExpired.name:
      let again = repetition(event, "multiple")
      addLine(
        event,
        "keeps \(quoted(event)) to itself\(again == nil ? ":" : ", as") \(why(event)) is too long ago\(again ?? "")",
        again == nil ? .quiet : .trouble, into: &lines)
    case ScriptSkipped.name: skip(event, into: &lines)
    case ScriptBranched.name:
      let branch = TerminalText.escape(event["branch"]?.text ?? "")
      addLine(event, "changes to its \"\(branch)\" lines", into: &lines)
    case AudioStarted.name: speak(event, into: &lines)
    case AudioInterrupted.name:
      let cause = event["cause"]?.text == "mute" ? "muted" : "interrupted"
      addLine(event, "breaks off \(quoted(event)): \(cause)", .trouble, into: &lines)
    case AudioDropped.name:
      _ = removeWaiting(event)
      let cause = event["cause"]?.text == "muted" ? "the coach is muted" : "it had to wait too long"
      addLine(event, "does not say \(quoted(event)): \(cause)", .quiet, into: &lines)
    case AudioMuted.name: addLine(event, "is muted by the runner", into: &lines)
    case AudioUnmuted.name: addLine(event, "may speak again", into: &lines)
    case AudioInterruptionBegan.name: addLine(event, "falls silent: the phone rings", into: &lines)
    case AudioInterruptionEnded.name:
      let goesOn = event["shouldResume"]?.boolean ?? false
      addLine(event, goesOn ? "goes on: the call is over" : "starts afresh: the call is over", into: &lines)
    default: break
    }
  }

  private mutating func load(_ event: TraceEvent, into lines: inout [StoryLine]) {
    let messages = StoryJSON.node(event["script"])?["messages"]?.elements ?? []
    for message in messages {
      guard let id = message["id"]?.text else { continue }
      script[id] = Message(text: message["text"]?.text ?? "", spec: message["triggerSpec"])
    }
    let count = messages.isEmpty ? "no lines" : StoryText.count(messages.count, "line")
    let source =
      switch event["source"]?.text {
      case "scenario": "\(count) to speak"
      case "edge": "\(count) to speak, written for this run"
      default: "no script: speaks \(count) of its own"
      }
    addLine(event, source, .quiet, into: &lines)
  }

  private mutating func speak(_ event: TraceEvent, into lines: inout [StoryLine]) {
    let decided = removeWaiting(event)
    var remark = decided.map { [$0.why] } ?? []
    if let decided, event.time > decided.since {
      remark.append("waited \(StoryText.length(event.time - decided.since, places: 1))")
    }
    let text = remark.isEmpty ? quoted(event) : "\(quoted(event)) (\(remark.joined(separator: ", ")))"
    addLine(event, text, .speech, into: &lines)
  }

  private func skip(_ event: TraceEvent, into lines: inout [StoryLine]) {
    let (id, type) = (event["message"]?.text ?? "", event["trigger"]?.text ?? "")
    let spec = script[id]?.spec
    let first = TriggerWords.text(spec, type: type, multiple: event["first"]?.integer)
    let last = TriggerWords.text(spec, type: type, multiple: event["last"]?.integer)
    let range = first == last ? first : "\(first) to \(last.hasPrefix("at ") ? String(last.dropFirst(3)) : last)"
    let again = repetition(event, "first")
    let cause = again ?? ": \(SkipWords.text(event["cause"]?.text))"
    addLine(event, "passes over \(quoted(event)) \(range)\(cause)", again == nil ? .quiet : .trouble, into: &lines)
  }

  /// That a line passed over was said before, as a clause; nil if it was not.
  private func repetition(_ event: TraceEvent, _ multiple: String) -> String? {
    decided[Self.key(event, multiple)].map { ", though it said so at \(StoryText.clock($0))" }
  }

  private static func key(_ event: TraceEvent, _ multiple: String) -> String {
    "\(event[multiple]?.integer ?? 0) \(event["message"]?.text ?? "")"
  }

  private mutating func removeWaiting(_ event: TraceEvent) -> Waiting? {
    let id = event["message"]?.text ?? ""
    return waiting.firstIndex { $0.message == id }.map { waiting.remove(at: $0) }
  }

  private func quoted(_ event: TraceEvent) -> String {
    let id = event["message"]?.text ?? ""
    return "\"\(TerminalText.escape(script[id]?.text ?? id))\""
  }

  private func why(_ event: TraceEvent) -> String {
    let id = event["message"]?.text ?? ""
    return TriggerWords.text(
      script[id]?.spec, type: event["trigger"]?.text ?? "", multiple: event["multiple"]?.integer)
  }

  private func addLine(
    _ event: TraceEvent, _ text: String, _ tone: StoryLine.Tone = .plain, into lines: inout [StoryLine]
  ) {
    lines.append(StoryLine(time: event.time, voice: .coach, text: text, tone: tone))
  }
}

/// Why multiples of a line were passed over, in words.
enum SkipWords {
  /// - Parameter cause: The cause in the trace; nil or an unknown word gives what holds for any.
  static func text(_ cause: String?) -> String {
    switch cause.flatMap(SkipCause.init(rawValue:)) {
    case .gap: "no snapshot arrived there"
    case .notRunning: "the phone believed that the run was not on"
    case .heldBack: "held back until the next point"
    case .script: "the script came later"
    case .branch: "its branch was not open yet"
    case nil: "the runner is further by now"
    }
  }
}
