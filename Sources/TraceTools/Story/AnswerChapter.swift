import Console
import Link

/// The thread of the coach's requests to the edge: for a script, for answers to the athlete, for a summary; and the
/// facts it learns.
struct AnswerChapter: StoryChapter {
  /// What the athlete said, by note; for lookup only.
  private var words: [Identifier: String] = [:]
  /// Whether the watch's workout is on, according to the watch.
  private var isOn = false

  mutating func observe(_ event: TraceEvent, into lines: inout [StoryLine]) {
    let time = event.time
    switch event.body {
    case .voiceTranscribed(let voice): if let said = voice.transcript { words[voice.note] = said }
    case .workoutState(let change): isOn = change.to != "ended"
    case .aiRequested(let request): ask(request, time, into: &lines)
    case .aiReply(let reply): answer(reply.answer, "", time, into: &lines)
    case .aiCached(let reply): answer(reply.answer, " (it was asked before)", time, into: &lines)
    case .aiFallback(let reply):
      lines.add(time, .coach, "has no answer within 8 s, and makes do: \(quoted(reply.answer.text))", .trouble)
    case .aiLate(let reply):
      let what = reply.text.map { ": \(quoted($0)) stays unsaid" } ?? ", and serves the next attempt"
      lines.add(time, .coach, "an answer comes too late\(what)", .quiet)
    case .aiFailed(let failure): fail(failure, time, into: &lines)
    case .memoryUpdated(let update):
      guard update.source == "ai_inferred" else { return }
      lines.add(time, .coach, "learns of the athlete: \(fact(update))")
    case .other(let other):
      switch other.kind {
      case let dropped as AIDropped: drop(dropped, time, into: &lines)
      case let refused as MemoryRefused:
        guard refused.why == "user" else { return }
        lines.add(time, .coach, "keeps to what the athlete said about \(TerminalText.escape(refused.key))", .quiet)
      default: break
      }
    default: break
    }
  }

  private func ask(_ request: AIRequested, _ time: VirtualTime, into lines: inout [StoryLine]) {
    let attempt = request.attempt.map { " again (attempt \($0))" } ?? ""
    guard request.kind == "chatReply" else {
      return lines.add(time, .coach, "asks\(attempt) for a \(thing(request.kind))", .quiet)
    }
    let said = request.note.flatMap { words[$0] }
    let question = said.map { "is asked \"\(TerminalText.escape($0))\" and " } ?? ""
    lines.add(time, .coach, "\(question)asks for an answer")
  }

  private func answer(
    _ answer: AnswerFields, _ remark: String, _ time: VirtualTime, into lines: inout [StoryLine]
  ) {
    switch answer.kind {
    case "chatReply":
      let listener = answer.speaks ?? true ? "" : ", but no listener"
      lines.add(time, .coach, "has an answer\(remark)\(listener): \(quoted(answer.text))", .quiet)
    case "postRunSummary": lines.add(time, .coach, "sums the workout up\(remark): \(quoted(answer.text))", .speech)
    default: break  // The script speaks for itself.
    }
  }

  private func fail(_ failure: AIFailed, _ time: VirtualTime, into lines: inout [StoryLine]) {
    var text = "gets no \(thing(failure.kind)): \(TerminalText.escape(failure.why))"
    if let retryAt = failure.retryAt, retryAt > time.nanoseconds {
      let wait = VirtualTime(nanoseconds: retryAt) - time
      text += "; asks again in \(StoryText.length(wait, places: 1))"
    }
    lines.add(time, .coach, text, .trouble)
  }

  private func drop(_ dropped: AIDropped, _ time: VirtualTime, into lines: inout [StoryLine]) {
    let isOver = dropped.why == "the run is over"
    let why = isOver ? "the workout is over" : TerminalText.escape(dropped.why)
    let isWrong = isOn && isOver
    lines.add(
      time, .coach, "asks no more for a \(thing(dropped.kind)): \(isWrong ? "says that \(why), but it is on" : why)",
      isWrong ? .trouble : .quiet)
  }

  /// The requested thing, in words.
  private func thing(_ kind: String) -> String {
    switch kind {
    case "generateScript": "script for this workout"
    case "chatReply": "answer"
    case "postRunSummary": "summary of the workout"
    default: "answer"
    }
  }

  private func fact(_ update: MemoryUpdated) -> String {
    let value = update.value.text ?? update.value.jsonText
    // The key of a free-text fact is meaningless to readers.
    return TerminalText.escape(value.hasPrefix("\"") ? value : "\(update.key) \(value)")
  }

  private func quoted(_ text: String?) -> String { "\"\(TerminalText.escape(text ?? ""))\"" }
}
