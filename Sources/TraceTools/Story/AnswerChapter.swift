import Console
import Link

/// The thread of the coach's requests to the edge: for a script, for answers to the runner, for a summary; and the
/// facts it learns.
struct AnswerChapter: StoryChapter {
  /// What the runner said, by note; for lookup only.
  private var words: [String: String] = [:]
  /// Whether the watch's workout is on, according to the watch.
  private var isOn = false

  mutating func observe(_ event: TraceEvent, into lines: inout [StoryLine]) {
    switch event.name {
    case VoiceTranscribed.name:
      if let note = event["note"]?.text, let said = event["transcript"]?.text { words[note] = said }
    case WorkoutStateChanged.name: isOn = event["to"]?.text != "ended"
    case AIRequested.name: ask(event, into: &lines)
    case AIReplied.name: answer(event, "", into: &lines)
    case AIAnsweredFromCache.name: answer(event, " (it was asked before)", into: &lines)
    case AIFellBack.name:
      addLine(event, "has no answer within 8 s, and makes do: \(quoted(event["text"]))", .trouble, into: &lines)
    case AIAnsweredLate.name:
      let what = event["text"].map { ": \(quoted($0)) stays unsaid" } ?? ", and serves the next attempt"
      addLine(event, "an answer comes too late\(what)", .quiet, into: &lines)
    case AIFailed.name: fail(event, into: &lines)
    case AIDropped.name:
      let why = TerminalText.escape(event["why"]?.text ?? "")
      let isWrong = isOn && why == "the run is over"
      addLine(
        event, "asks no more for a \(thing(event)): \(isWrong ? "says that \(why), but it is on" : why)",
        isWrong ? .trouble : .quiet, into: &lines)
    case MemoryUpdated.name:
      guard event["source"]?.text == "ai_inferred" else { return }
      addLine(event, "learns of the runner: \(fact(event))", into: &lines)
    case MemoryRefused.name:
      guard event["why"]?.text == "user" else { return }
      let key = TerminalText.escape(event["key"]?.text ?? "")
      addLine(event, "keeps to what the runner said about \(key)", .quiet, into: &lines)
    default: break
    }
  }

  private func ask(_ event: TraceEvent, into lines: inout [StoryLine]) {
    let attempt = event["attempt"]?.integer.map { " again (attempt \($0))" } ?? ""
    guard event["kind"]?.text == "chatReply" else {
      return addLine(event, "asks\(attempt) for a \(thing(event))", .quiet, into: &lines)
    }
    let said = event["note"]?.text.flatMap { words[$0] }
    let question = said.map { "is asked \"\(TerminalText.escape($0))\" and " } ?? ""
    addLine(event, "\(question)asks for an answer", into: &lines)
  }

  private func answer(_ event: TraceEvent, _ remark: String, into lines: inout [StoryLine]) {
    switch event["kind"]?.text {
    case "chatReply":
      let isSpoken = event["speaks"]?.boolean ?? true
      addLine(
        event, "has an answer\(remark)\(isSpoken ? "" : ", but no listener"): \(quoted(event["text"]))",
        .quiet, into: &lines)
    case "postRunSummary": addLine(event, "sums the run up\(remark): \(quoted(event["text"]))", .speech, into: &lines)
    default: break  // The script speaks for itself.
    }
  }

  private func fail(_ event: TraceEvent, into lines: inout [StoryLine]) {
    var text = "gets no \(thing(event)): \(TerminalText.escape(event["why"]?.text ?? "unknown"))"
    if let retryAt = event["retryAt"]?.integer, retryAt > event.time.nanoseconds {
      let wait = VirtualTime(nanoseconds: retryAt) - event.time
      text += "; asks again in \(StoryText.length(wait, places: 1))"
    }
    addLine(event, text, .trouble, into: &lines)
  }

  /// The requested thing, in words.
  private func thing(_ event: TraceEvent) -> String {
    switch event["kind"]?.text {
    case "generateScript": "script for this run"
    case "chatReply": "answer"
    case "postRunSummary": "summary of the run"
    default: "answer"
    }
  }

  private func fact(_ event: TraceEvent) -> String {
    var value = ""
    event["value"]?.append(to: &value)
    if let text = event["value"]?.text { value = text }
    let key = event["key"]?.text ?? ""
    // The key of a free-text fact is meaningless to readers.
    return TerminalText.escape(value.hasPrefix("\"") ? value : "\(key) \(value)")
  }

  private func quoted(_ value: TraceValue?) -> String { "\"\(TerminalText.escape(value?.text ?? ""))\"" }

  private func addLine(
    _ event: TraceEvent, _ text: String, _ tone: StoryLine.Tone = .plain, into lines: inout [StoryLine]
  ) {
    lines.append(StoryLine(time: event.time, voice: .coach, text: text, tone: tone))
  }
}
