package import Link

/// `ai-answers`: an athlete who asks the coach gets an answer.
package struct AIAnswersChecker: Checker {
  package static let invariant = "ai-answers"
  package static let about =
    "Every question of the athlete is answered within 8 seconds: by a reply, or by a stock line at exactly 8 seconds. A reply costs what its tokens cost."

  /// The time within which a reply must arrive.
  private static let deadline = VirtualTime.Span.seconds(8)

  private struct Question: Sendable {
    var id: Identifier
    var asked: VirtualTime
    var line: Int
  }

  /// What the model read and wrote for a question; a repeated one is counted again.
  private struct Bill: Sendable {
    var id: Identifier
    /// Ten-millionths of a dollar, by the prices of this checker.
    var cost: Int64
    var line: Int
  }

  /// By a model's name: what a token of input, of the cache when written and when read, and of output costs.
  private static let prices: [String: [Int64]] = [
    "claude-sonnet-4-6": [30, 60, 3, 150], "claude-haiku-4-5": [10, 20, 1, 50],
  ]

  /// Of questions without an answer.
  private var bills: [Bill] = []
  /// Questions without an answer, in the order of asking.
  private var open: [Question] = []
  private var isPhoneUp = true
  /// When the phone's app last started or resumed.
  private var upSince = VirtualTime.start

  package init(header: TraceHeader) {}

  package mutating func aiRequested(_ request: AIRequested, at event: Occurrence, into report: inout Report) {
    guard request.kind == "chatReply" else { return }
    open.append(Question(id: request.id, asked: event.time, line: event.line))
  }

  package mutating func edgeModel(_ use: ModelAsked, at event: Occurrence, into report: inout Report) {
    guard open.contains(where: { $0.id == use.id }) else { return }
    guard let prices = Self.prices[use.model] else {
      return report.add("the model \(use.model) has no price", at: event.time, lines: [event.line])
    }
    let tokens = [use.input, use.cacheWritten, use.cacheRead, use.output]
    let cost = zip(tokens, prices).reduce(Int64(0)) { $0 &+ $1.0 &* $1.1 }
    bills.append(Bill(id: use.id, cost: cost, line: event.line))
  }

  /// Compares what the phone stored of a reply's price with what the model used.
  private mutating func settle(_ answer: AnswerFields, _ event: Occurrence, _ report: inout Report) {
    let known = bills.filter { $0.id == answer.id }
    bills.removeAll { $0.id == answer.id }
    guard answer.kind == "chatReply", let last = known.last else { return }
    let isRight = { (bill: Bill) in answer.costUsd.map { abs($0 - Double(bill.cost) / 1e7) < 1e-8 } ?? false }
    guard !known.contains(where: isRight) else { return }
    let found = answer.costUsd.map { "cost \($0) dollars" } ?? "has no price"
    report.add(
      "the reply \(found), and its tokens cost \(Double(last.cost) / 1e7)", at: event.time,
      lines: [last.line, event.line])
  }

  package mutating func aiReply(_ reply: AIReplied, at event: Occurrence, into report: inout Report) {
    settle(reply.answer, event, &report)
    close(reply.answer, isFallback: false, event, &report)
  }

  package mutating func aiFallback(_ reply: AIFellBack, at event: Occurrence, into report: inout Report) {
    bills.removeAll { $0.id == reply.answer.id }
    close(reply.answer, isFallback: true, event, &report)
  }

  package mutating func nodeChanged(_ change: NodeChange, at event: Occurrence, into report: inout Report) {
    guard let isUp = change.isUp(.phone) else { return }
    if isUp, !isPhoneUp { upSince = event.time }
    isPhoneUp = isUp
  }

  private mutating func close(
    _ answer: AnswerFields, isFallback: Bool, _ event: Occurrence, _ report: inout Report
  ) {
    guard answer.kind == "chatReply", let place = open.firstIndex(where: { $0.id == answer.id }) else {
      if isFallback {
        report.add("the coach gave a stock line, but no question was open", at: event.time, lines: [event.line])
      }
      return
    }
    let question = open.remove(at: place)
    let due = due(question)
    let took = (event.time - question.asked).text
    if event.time > due {
      report.add(
        "the question of \(question.asked.text) was answered after \(took)", at: event.time,
        lines: [question.line, event.line])
    } else if isFallback, event.time < question.asked + Self.deadline {
      report.add(
        "the coach gave a stock line after \(took), though a reply was still in time", at: event.time,
        lines: [question.line, event.line])
    }
  }

  /// The deadline of an answer; a phone that is away at the deadline answers when it is back.
  private func due(_ question: Question) -> VirtualTime { max(question.asked + Self.deadline, upSince) }

  package mutating func finish(_ ending: TraceEnding, into report: inout Report) {
    guard ending.isComplete, isPhoneUp else { return }
    for question in open where ending.time > due(question) {
      report.add(
        "the question of \(question.asked.text) was never answered", at: question.asked,
        lines: [question.line, ending.line])
    }
  }
}
