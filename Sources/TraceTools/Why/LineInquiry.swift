package import CoachReference
import Console
package import Link

/// Why lines of the script were spoken or not, over a whole trace.
package struct LineInquiry {
  /// One sentence of an answer.
  struct Sentence: Equatable {
    var from: VirtualTime
    var to: VirtualTime
    var text: String
    /// The trace line that shows it best; 0 for none.
    var line: Int
  }

  /// The history of a line of the script.
  package struct Answer {
    package var id: String
    /// Its trigger, in words.
    package var trigger: String
    var text: String
    package var history: LineHistory
    var sentences: [Sentence]

    /// The outcome in a few words: `was not spoken: ...`.
    package var outcome: String
  }

  private var inquiry: ScriptInquiry
  private var deafness: Deafness
  private var specs: [String: JSONNode] = [:]
  private var spoken: [String: [Sentence]] = [:]

  package init(header: TraceHeader) {
    inquiry = ScriptInquiry(header: header)
    deafness = Deafness(header)
    addScript(header.script)
  }

  private mutating func addScript(_ node: JSONNode?) {
    for message in node?["messages"]?.elements ?? [] {
      if let id = message["id"]?.text { specs[id] = message }
    }
  }

  /// Observes the next event, which is on line `line` of the trace.
  package mutating func observe(_ event: TraceEvent, line: Int) {
    guard event.isBelieved else { return }
    inquiry.observe(event, line: line)
    deafness.observe(event, line: line)
    guard event.place == .phone else { return }
    let (message, text): (String, String)
    switch event.body {
    case .scriptLoaded(let loaded): return addScript(loaded.script.node)
    case .audioStart(let audio): (message, text) = (audio.message, "it is spoken")
    case .audioInterrupted(let audio):
      (message, text) = (audio.message, "it breaks off: \(TerminalText.escape(audio.cause))")
    case .scriptSkipped(let skipped):
      let (first, last) = (skipped.first, skipped.last)
      let times = first == last ? "its repetition \(first) is" : "its repetitions \(first) to \(last) are"
      (message, text) = (skipped.message, "\(times) skipped: \(SkipWords.text(skipped.cause))")
    case .other(let other):
      guard let dropped = other.kind as? AudioDropped else { return }
      let cause = dropped.cause == "muted" ? "the coach is muted" : "the waiting lines were cleared"
      (message, text) = (dropped.message, "it is not spoken after all: \(cause)")
    default: return
    }
    spoken[message, default: []].append(Sentence(from: event.time, to: event.time, text: text, line: line))
  }

  /// The answers for all lines of the script, in their order; call it at the end of the trace.
  package mutating func finish() -> [Answer] { inquiry.finish().map(answer) }

  private func answer(_ history: LineHistory) -> Answer {
    let spec = specs[history.id]
    let trigger = spec?["triggerSpec"]
    var sentences: [Sentence] = []
    var previous: LineStretch?
    for stretch in history.stretches {
      // Nothing more can become of it, so it does not matter what the phone missed or believed.
      if previous?.hindrance == .played, stretch.hindrance.isNothingNew {
        sentences[sentences.count - 1].to = stretch.to
        continue
      }
      if let previous, stretch.from - previous.to > ScriptInquiry.gapMax {
        let why = deafness.reason(from: previous.to, to: stretch.from)
        let reason = why.map { ": \($0.text)" } ?? ""
        sentences.append(
          Sentence(
            from: previous.to, to: stretch.from, text: "the phone received no snapshot\(reason)", line: why?.line ?? 0))
      }
      sentences.append(
        Sentence(from: stretch.from, to: stretch.to, text: HindranceWords.text(stretch), line: stretch.atLine))
      previous = stretch
    }
    let events = spoken[history.id] ?? []
    sentences += events
    sentences = sentences.enumerated().sorted { ($0.element.from, $0.offset) < ($1.element.from, $1.offset) }
      .map(\.element)
    let wasSpoken = events.contains { $0.text == "it is spoken" }
    return Answer(
      id: history.id,
      trigger: TriggerWords.text(trigger, type: trigger?["type"]?.text ?? "", multiple: nil),
      text: spec?["text"]?.text ?? "", history: history, sentences: sentences,
      outcome: Self.outcome(history, wasSpoken: wasSpoken))
  }

  private static func outcome(_ history: LineHistory, wasSpoken: Bool) -> String {
    if wasSpoken { return "was spoken" }
    if history.wasDispatched { return "was dispatched, but not spoken" }
    guard let nearest = history.nearest else { return "was not spoken: the phone received no snapshot of a workout" }
    if !history.hasComeDue { return "never came due: \(HindranceWords.text(nearest))" }
    guard let last = history.stretches.last(where: { $0.hindrance.hasComeDue && $0.hindrance != .expired }) else {
      return "was not spoken"
    }
    return "was not spoken: \(HindranceWords.text(last))"
  }
}

extension LineHindrance {
  /// Whether it says nothing more of a line that plays once and was dispatched.
  fileprivate var isNothingNew: Bool {
    switch self {
    case .played, .notRunning: true
    default: false
    }
  }
}

/// What kept a line of the script back, in words.
enum HindranceWords {
  /// What kept the line back over a stretch; with the instant of the nearest miss if the stretch is longer.
  static func text(_ stretch: LineStretch) -> String {
    let text = text(stretch.hindrance)
    guard stretch.hindrance.distance != nil, stretch.count > 1 else { return text }
    return "\(text) (nearest, at \(stretch.at.text))"
  }

  static func text(_ hindrance: LineHindrance) -> String {
    switch hindrance {
    case .ahead(let needs, let reached, let isTime):
      return "its point at \(amount(needs, isTime)) is ahead: the workout has reached \(amount(reached, isTime))"
    case .unfulfilled(let missing, _): return "its condition does not hold: \(TerminalText.escape(missing))"
    case .unplanned: return "it needs a planned distance or time, which the scenario does not have"
    case .otherBranch(let needs, let active):
      let now = active.map { "\"\(TerminalText.escape($0))\"" } ?? "none"
      return "it belongs to the branch \"\(TerminalText.escape(needs))\"; active: \(now)"
    case .cooldown(let until): return "its cooldown lasts until \(until.text)"
    case .played: return "it plays once, and has been dispatched"
    case .expired: return "it has expired before"
    case .pastGrace(let past, let grace, let isTime):
      return
        "it is past its grace: \(amount(past, isTime)) after its point, at most \(amount(grace, isTime)) are allowed"
    case .window(let until, let after):
      return
        "due, but held back until \(until.text): \"\(TerminalText.escape(after))\" was dispatched less than 30 s before"
    case .outranked(let by): return "due, but \"\(TerminalText.escape(by))\" has priority"
    case .diskFull: return "due, but the phone's disk is full"
    case .unexplained: return "due, but the phone did not dispatch it, and no rule explains it"
    case .dispatched: return "dispatched"
    case .notRunning(let belief):
      return belief.map { "the phone believes that the workout is \(TerminalText.escape($0))" }
        ?? "the phone does not believe in a workout"
    }
  }

  private static func amount(_ value: Double, _ isTime: Bool) -> String {
    guard value.isFinite, abs(value) < 1e9 else { return "?" }
    if isTime { return value < 60 ? "\(Int(value.rounded())) s" : StoryText.clock(seconds: Int64(value)) }
    return value < 10_000 ? "\(Int(value.rounded(.down))) m" : StoryText.kilometres(value)
  }
}

/// A message by its sender and number.
struct MessageNumber: Hashable {
  var from: TraceEvent.Place
  var stamp: Stamp

  /// A number among those of one sender.
  struct Stamp: Hashable {
    var epoch: Int64
    var seq: Int64

    init(_ epoch: Int64, _ seq: Int64) { (self.epoch, self.seq) = (epoch, seq) }
    init(_ metrics: SnapshotMetrics) { self.init(metrics.epoch, metrics.seq) }
  }
}
