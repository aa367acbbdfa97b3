import CoachReference
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

/// `reply-spoken-once`: an answer is spoken while it is still of interest, and not twice.
package struct ReplySpokenOnceChecker: Checker {
  package static let invariant = "reply-spoken-once"
  package static let about =
    "A reply is dispatched at most once, at most 120 seconds after it arrived, in its own run, and never when it came too late."

  /// How long after its arrival a reply may be spoken.
  private static let grace = VirtualTime.Span.seconds(120)

  private struct Reply: Sendable {
    var arrived: VirtualTime
    var line: Int
    /// The line at which it was spoken or expired; nil while it waits.
    var settledLine: Int?
  }

  private var belief = ReferenceBelief()
  /// The replies of the active run; for lookup only.
  private var replies: [String: Reply] = [:]
  /// The lines of answers that came too late; for lookup only.
  private var late: [String: Int] = [:]

  package init(header: TraceHeader) {}

  package mutating func runState(_ run: RunStateChanged, at event: Occurrence, into report: inout Report) {
    if belief.observe(run) { replies = [:] }
  }

  package mutating func aiLate(_ answer: AIAnsweredLate, at event: Occurrence, into report: inout Report) {
    if let id = answer.reply { late[id.text] = event.line }
  }

  package mutating func scriptDispatch(_ dispatch: ScriptDispatched, at event: Occurrence, into report: inout Report) {
    settle(dispatch.rank, isSpoken: true, event, &report)
  }

  package mutating func scriptExpired(_ expired: ScriptExpired, at event: Occurrence, into report: inout Report) {
    settle(expired.rank, isSpoken: false, event, &report)
  }

  package mutating func answered(_ answer: AnswerFields, at event: Occurrence, into report: inout Report) {
    if answer.kind == "chatReply" { replies[answer.id.text] = Reply(arrived: event.time, line: event.line) }
  }

  private mutating func settle(
    _ rank: ScriptRank, isSpoken: Bool, _ event: Occurrence, _ report: inout Report
  ) {
    guard rank.isReply else { return }
    let id = rank.message
    if isSpoken, let lateLine = late[id] {
      report.add("an answer was dispatched that had arrived too late", at: event.time, lines: [lateLine, event.line])
      return
    }
    guard let reply = replies[id] else {
      report.add("\"\(id)\" is no reply that arrived in this run", at: event.time, lines: [event.line])
      return
    }
    if let settled = reply.settledLine {
      report.add(
        "a reply was \(isSpoken ? "dispatched" : "expired") that had been dispatched or expired before",
        at: event.time,
        lines: [settled, event.line])
      return
    }
    replies[id]?.settledLine = event.line
    let age = event.time - reply.arrived
    if isSpoken, age > Self.grace {
      report.add(
        "a reply was dispatched \(age.text) after it arrived, more than \(Self.grace.text)", at: event.time,
        lines: [reply.line, event.line])
    } else if !isSpoken, age <= Self.grace {
      report.add(
        "a reply was expired \(age.text) after it arrived, while it could be spoken", at: event.time,
        lines: [reply.line, event.line])
    }
  }
}

/// `audio-serial`: the coach has one voice.
package struct AudioSerialChecker: Checker {
  package static let invariant = "audio-serial"
  package static let about =
    "One utterance runs at a time, and each is spoken to its end after words / 2.5 + 0.4 seconds, or as long as the chosen voice takes, or is interrupted. The voice is the one that the user chose last."

  private struct Utterance {
    let number: Int64
    let time: VirtualTime
    let line: Int
    /// When it ends; nil if the line lacks the word count, or the phone was suspended since.
    var end: VirtualTime?
  }

  private var running: Utterance?
  private var isPhoneUp = true
  private var pace = VoicePace()

  package init(header: TraceHeader) {}

  package mutating func audioVoice(_ voice: VoiceSelected, at event: Occurrence, into report: inout Report) {
    if let objection = pace.objection(to: voice) {
      report.add(objection.text, at: event.time, lines: [objection.line, event.line])
    }
    pace.observe(voice, at: event.line)
  }

  package mutating func audioStart(_ start: AudioStarted, at event: Occurrence, into report: inout Report) {
    let number = start.utterance
    if let running {
      report.add(
        "utterance \(number) begins while utterance \(running.number) runs", at: event.time,
        lines: [running.line, event.line])
    }
    running = Utterance(
      number: number, time: event.time, line: event.line, end: pace.end(of: start.words, from: event.time))
  }

  package mutating func audioEnd(_ end: AudioEnded, at event: Occurrence, into report: inout Report) {
    stop(end.utterance, isInterrupted: false, event, &report)
  }

  package mutating func audioInterrupted(
    _ interrupted: AudioInterrupted, at event: Occurrence, into report: inout Report
  ) {
    stop(interrupted.utterance, isInterrupted: true, event, &report)
  }

  package mutating func nodeChanged(_ change: NodeChange, at event: Occurrence, into report: inout Report) {
    guard let isUp = change.isUp(.phone) else { return }
    isPhoneUp = isUp
    if change.hasEnded { pace.restart() }
    // No timer fires while the phone is suspended, and a phone that dies stops speaking.
    running?.end = nil
    if change.hasEnded { running = nil }
  }

  private mutating func stop(
    _ number: Int64, isInterrupted: Bool, _ event: Occurrence, _ report: inout Report
  ) {
    if let objection = objection(toStopping: number, isInterrupted: isInterrupted, at: event.time) {
      report.add(objection, at: event.time, lines: (running.map { [$0.line] } ?? []) + [event.line])
    }
    running = nil
  }

  private func objection(toStopping number: Int64, isInterrupted: Bool, at time: VirtualTime) -> String? {
    guard let running else { return "utterance \(number) stops, but none was playing" }
    guard number == running.number else { return "utterance \(number) stops while utterance \(running.number) runs" }
    guard let end = running.end else { return nil }
    if isInterrupted { return time > end ? "utterance \(number) is interrupted after its end" : nil }
    guard time != end else { return nil }
    return
      "utterance \(number) ends after \((time - running.time).text) instead of \((end - running.time).text)"
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout Report) {
    // A run may end, or be stopped, in the middle of a long line.
    guard ending.isComplete, isPhoneUp, let running, running.end.map({ $0 < ending.time }) ?? true else { return }
    report.add(
      "utterance \(running.number) neither ended nor was interrupted", at: running.time,
      lines: [running.line, ending.line])
  }
}

/// How fast the coach's voice speaks, as far as a trace says which one it is.
struct VoicePace: Sendable {
  /// Milliseconds that a word takes, by voice.
  private static let voices: [String: Int64] = [
    "Samantha": 400, "Ava": 300, "Daniel": 300, "Anna": 400, "Petra": 500, "Thomas": 300,
  ]

  private var millisecondsPerWord: Int64? = 400
  /// What the user chose last, and its line.
  private var chosen: (voice: String, line: Int)?
  /// Whether the app has started since it said which voice it has.
  private var isNew = false

  mutating func restart() { isNew = true }

  /// What is wrong with a voice: after a start it is the one that the user chose.
  func objection(to selected: VoiceSelected) -> (text: String, line: Int)? {
    guard isNew, selected.by == .system, let chosen else { return nil }
    let words = "the coach has the voice \(selected.voice) after a start, and the user chose \(chosen.voice)"
    return (words, chosen.line)
  }

  mutating func observe(_ selected: VoiceSelected, at line: Int) {
    millisecondsPerWord = Self.voices[selected.voice]
    if !isNew || selected.by == .user { chosen = selected.by == .user ? (selected.voice, line) : nil }
    isNew = false
  }

  /// When an utterance with a number of words ends; nil if the number is missing or impossible, or the voice unknown.
  func end(of words: Int64?, from start: VirtualTime) -> VirtualTime? {
    guard let words, words >= 0, words < 1_000_000, let millisecondsPerWord else { return nil }
    return start + .milliseconds(millisecondsPerWord * words + 400)
  }
}
