import Console
import Link
import PhoneSim

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
    let time = event.time
    switch event.body {
    case .scriptLoaded(let loaded): load(loaded, time, into: &lines)
    case .aiReply(let reply): learn(reply.answer)
    case .aiCached(let reply): learn(reply.answer)
    case .aiFallback(let reply): learn(reply.answer)
    case .scriptDispatch(let dispatched):
      let rank = dispatched.rank
      decided[Self.key(rank.message, rank.multiple)] = time
      waiting.append(Waiting(message: rank.message, why: why(rank), since: time))
    case .scriptExpired(let expired):
      let rank = expired.rank
      let again = repetition(rank.message, rank.multiple)
      let reason = "\(again == nil ? ":" : ", as") \(why(rank)) is too long ago\(again ?? "")"
      lines.add(time, .coach, "keeps \(quoted(rank.message)) to itself\(reason)", again == nil ? .quiet : .trouble)
    case .scriptSkipped(let skipped): skip(skipped, time, into: &lines)
    case .audioStart(let audio): speak(audio.message, time, into: &lines)
    case .audioInterrupted(let audio):
      let cause = audio.cause == "mute" ? "muted" : "interrupted"
      lines.add(time, .coach, "breaks off \(quoted(audio.message)): \(cause)", .trouble)
    case .audioInterruptionBegan: lines.add(time, .coach, "falls silent: the phone rings")
    case .audioInterruptionEnded(let ended):
      lines.add(time, .coach, "\(ended.shouldResume ? "goes on" : "starts afresh"): the call is over")
    case .other(let other): observe(other.kind, time, into: &lines)
    default: break
    }
  }

  private mutating func observe(_ kind: any TraceEventKind, _ time: VirtualTime, into lines: inout [StoryLine]) {
    switch kind {
    case let change as ScriptBranched:
      lines.add(time, .coach, "changes to its \"\(TerminalText.escape(change.branch))\" lines")
    case let dropped as AudioDropped:
      _ = removeWaiting(dropped.message)
      let cause = dropped.cause == "muted" ? "the coach is muted" : "it had to wait too long"
      lines.add(time, .coach, "does not say \(quoted(dropped.message)): \(cause)", .quiet)
    case is AudioMuted: lines.add(time, .coach, "is muted by the athlete")
    case is AudioUnmuted: lines.add(time, .coach, "may speak again")
    default: break
    }
  }

  /// The text of a reply is quoted when it is spoken.
  private mutating func learn(_ answer: AnswerFields) {
    if let text = answer.text { script[answer.id.text] = Message(text: text) }
  }

  private mutating func load(_ loaded: ScriptLoaded, _ time: VirtualTime, into lines: inout [StoryLine]) {
    let messages = loaded.script.node?["messages"]?.elements ?? []
    for message in messages {
      guard let id = message["id"]?.text else { continue }
      script[id] = Message(text: message["text"]?.text ?? "", spec: message["triggerSpec"])
    }
    let count = messages.isEmpty ? "no lines" : StoryText.count(messages.count, "line")
    let source =
      switch loaded.source {
      case "scenario": "\(count) to speak"
      case "edge": "\(count) to speak, written for this workout"
      default: "no script: speaks \(count) of its own"
      }
    lines.add(time, .coach, source, .quiet)
  }

  private mutating func speak(_ message: String, _ time: VirtualTime, into lines: inout [StoryLine]) {
    let decided = removeWaiting(message)
    var remark = decided.map { [$0.why] } ?? []
    if let decided, time > decided.since {
      remark.append("waited \(StoryText.length(time - decided.since, places: 1))")
    }
    let text = remark.isEmpty ? quoted(message) : "\(quoted(message)) (\(remark.joined(separator: ", ")))"
    lines.add(time, .coach, text, .speech)
  }

  private func skip(_ skipped: ScriptSkipped, _ time: VirtualTime, into lines: inout [StoryLine]) {
    let spec = script[skipped.message]?.spec
    let first = TriggerWords.text(spec, type: skipped.trigger, multiple: skipped.first)
    let last = TriggerWords.text(spec, type: skipped.trigger, multiple: skipped.last)
    let range = first == last ? first : "\(first) to \(last.hasPrefix("at ") ? String(last.dropFirst(3)) : last)"
    let again = repetition(skipped.message, skipped.first)
    let cause = again ?? ": \(SkipWords.text(skipped.cause))"
    lines.add(time, .coach, "passes over \(quoted(skipped.message)) \(range)\(cause)", again == nil ? .quiet : .trouble)
  }

  /// That a line passed over was said before, as a clause; nil if it was not.
  private func repetition(_ message: String, _ multiple: Int64?) -> String? {
    decided[Self.key(message, multiple)].map { ", though it said so at \(StoryText.clock($0))" }
  }

  private static func key(_ message: String, _ multiple: Int64?) -> String { "\(multiple ?? 0) \(message)" }

  private mutating func removeWaiting(_ message: String) -> Waiting? {
    waiting.firstIndex { $0.message == message }.map { waiting.remove(at: $0) }
  }

  private func quoted(_ message: String) -> String {
    "\"\(TerminalText.escape(script[message]?.text ?? message))\""
  }

  private func why(_ rank: ScriptRank) -> String {
    TriggerWords.text(script[rank.message]?.spec, type: rank.trigger, multiple: rank.multiple)
  }
}

/// Why multiples of a line were passed over, in words.
enum SkipWords {
  /// - Parameter cause: The cause in the trace; nil gives what holds for any.
  static func text(_ cause: SkipCause?) -> String {
    switch cause {
    case .gap: "no snapshot arrived there"
    case .notRunning: "the phone believed that the workout was not on"
    case .heldBack: "held back until the next point"
    case .script: "the script came later"
    case .branch: "its branch was not open yet"
    case nil: "the athlete is further by now"
    }
  }
}

/// Describes in plain words why a line of the script is due.
enum TriggerWords {
  /// - Parameters:
  ///   - spec: The line's `triggerSpec`; nil if the script is unknown.
  ///   - type: The trigger's type.
  ///   - multiple: The multiple; nil for lines without.
  static func text(_ spec: JSONNode?, type: String, multiple: Int64?) -> String {
    // The edge's answer has no trigger of its own.
    if type == "ai_reply" { return "the answer" }
    guard let kind = TriggerCatalog.all.first(where: { $0.type == type }) else { return TerminalText.escape(type) }
    let trigger = spec.flatMap { TriggerCatalog.read(JSONValueReader($0, into: DiagnosticsCollector(file: ""))) }
    return trigger.map { TerminalText.escape($0.phrase(multiple: multiple)) } ?? kind.vaguePhrase
  }
}
