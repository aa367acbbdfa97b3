package import Link

/// `ai-answers`: who asks the coach is answered.
package struct AIAnswersChecker: Checker {
  package static let invariant = "ai-answers"
  package static let about =
    "Every question of the runner is answered by 8 seconds: by a reply until then, or by a stock line exactly then."
  package static let interests: [TraceEvent.Name] =
    NodeLines.interests + ["ai.requested", "ai.reply", "ai.fallback", "ai.cached"]

  /// How long a reply may take.
  private static let deadline = VirtualTime.Span.seconds(8)

  private struct Question: Sendable {
    var id: String
    var asked: VirtualTime
    var line: Int
  }

  /// Questions without an answer, in the order of asking.
  private var open: [Question] = []
  private var isPhoneUp = true
  /// When the phone last came back.
  private var upSince = VirtualTime.start

  package init(header: TraceHeader) {}

  package mutating func observe(_ event: TraceEvent, line: Int, into report: inout [Violation]) {
    switch event.name.code {
    case TraceEvent.Name.Code.aiRequested:
      guard event["kind"]?.text == "chatReply", let id = event["id"]?.text else { return }
      open.append(Question(id: id, asked: event.time, line: line))
    case TraceEvent.Name.Code.aiReply, TraceEvent.Name.Code.aiFallback, TraceEvent.Name.Code.aiCached:
      close(event, line, &report)
    default:
      guard let isUp = NodeLines.isPhoneUp(after: event) else { return }
      if isUp, !isPhoneUp { upSince = event.time }
      isPhoneUp = isUp
    }
  }

  private mutating func close(_ event: TraceEvent, _ line: Int, _ report: inout [Violation]) {
    let isFallback = event.name.code == TraceEvent.Name.Code.aiFallback
    guard event["kind"]?.text == "chatReply", event.name.code != TraceEvent.Name.Code.aiCached,
      let place = open.firstIndex(where: { $0.id == event["id"]?.text })
    else {
      if isFallback {
        report.append(Self.violation("a stock line answers no question", at: event.time, lines: [line]))
      }
      return
    }
    let question = open.remove(at: place)
    let due = due(question)
    let took = (event.time - question.asked).seconds
    if event.time > due {
      report.append(
        Self.violation("a question was answered after \(took) s", at: event.time, lines: [question.line, line]))
    } else if isFallback, event.time < question.asked + Self.deadline {
      report.append(
        Self.violation(
          "a stock line came after \(took) s, when a reply was still in time", at: event.time,
          lines: [question.line, line]))
    }
  }

  /// When a question is to be answered at the latest: a phone that was away at that moment answers when it is back.
  private func due(_ question: Question) -> VirtualTime { max(question.asked + Self.deadline, upSince) }

  package mutating func finish(_ ending: TraceEnding, into report: inout [Violation]) {
    guard ending.isComplete, isPhoneUp else { return }
    for question in open where ending.time > due(question) {
      report.append(
        Self.violation("a question was never answered", at: question.asked, lines: [question.line, ending.line]))
    }
  }
}
