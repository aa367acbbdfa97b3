package import Console
package import Link

/// The answer to one question about a trace.
package struct WhyAnswer {
  /// One sentence, with the line that shows it.
  private struct Row {
    var time: String
    var text: String
    var line: Int
    var depth: Int
  }

  private let trace: RecordedTrace
  private var title = ""
  private var rows: [Row] = []

  /// Lines that `--at` explains at most.
  private static let linesMax = 6

  package init(_ trace: RecordedTrace) { self.trace = trace }

  /// Answers a question.
  ///
  /// - Throws: ``Failure/input(_:)`` if the trace has nothing of the kind.
  package mutating func ask(_ question: WhyQuestion) throws(Failure) {
    switch question {
    case .line(let line): try explain(line)
    case .at(let time): try explain(at: time)
    case .violation(let number): try explain(violation: number)
    case .expectation(let number): try explain(expectation: number)
    case .message(let id): try explain(message: id)
    case .never(let name): try explain(never: name)
    }
  }

  private mutating func explain(_ line: Int) throws(Failure) {
    let causal = CausalTrace(trace)
    guard causal.event(on: line) != nil else {
      throw .input("--line: found \(line), expected a line from 2 to \(trace.events.count + 1) (line 1 is the header)")
    }
    title = "why line \(line)"
    append(line, causal)
  }

  private mutating func explain(at time: VirtualTime) throws(Failure) {
    let causal = CausalTrace(trace)
    guard time <= trace.end else {
      throw .input("--at: found \(time.text), expected at most \(trace.end.text), the end of the trace")
    }
    let decided = causal.storyLines.compactMap { line in causal.event(on: line).map { (line: line, time: $0.time) } }
    var lines = decided.filter { $0.time >= time && $0.time < time + .seconds(1) }.map(\.line)
    if lines.isEmpty { lines = decided.last { $0.time < time }.map { [$0.line] } ?? [] }
    guard let first = lines.first, let begin = causal.event(on: first)?.time else {
      throw .input("--at: found \(time.text), expected a later instant: the story has nothing before it")
    }
    title = begin < time ? "the story has nothing at \(time.text); the last before it:" : "why at \(time.text)"
    for line in lines.prefix(Self.linesMax) { append(line, causal) }
    if lines.count > Self.linesMax {
      rows.append(Row(time: "", text: "and \(lines.count - Self.linesMax) more of this second", line: 0, depth: 0))
    }
  }

  private mutating func explain(violation number: Int) throws(Failure) {
    let causal = CausalTrace(trace)
    let found = trace.events.indices.filter { index in
      if case .violation = trace.events[index].body { trace.events[index].isBelieved } else { false }
    }
    guard found.indices.contains(number - 1),
      case .violation(let violation) = trace.events[found[number - 1]].body
    else {
      // Whoever asks means what failed, and that is often an expectation.
      let failed = judged.filter { !$0.judgement.passed }
      if found.isEmpty, failed.indices.contains(number - 1) { return explain(failed[number - 1], causal) }
      let count = found.isEmpty ? "no violation" : StoryText.count(found.count, "violation")
      let others = failed.map { "--expectation \($0.judgement.index + 1)" }
      let hint = others.isEmpty ? "" : "; what failed: \(StoryText.list(others))"
      throw .input("--violation: found \(number), but the trace has \(count)\(hint)")
    }
    let at = VirtualTime(nanoseconds: violation.t0)
    title =
      "\(TerminalText.escape(violation.invariant)) is broken at \(at.text): "
      + TerminalText.escape(StoryText.shortened(violation.detail))
    let shown = causal.causes(of: trace.line(of: found[number - 1])).prefix(Self.linesMax)
    // What came only later comes last.
    let isLate = { (line: Int) in causal.event(on: line).map { $0.time > at } ?? false }
    for line in shown.filter({ !isLate($0) }) + shown.filter(isLate) where !rows.contains(where: { $0.line == line }) {
      append(line, causal)
    }
  }

  /// The judgements of expectations, with their lines.
  private var judged: [(line: Int, judgement: ExpectationJudged)] {
    trace.events.indices.compactMap { index in
      guard case .expectation(let judgement) = trace.events[index].body, trace.events[index].isBelieved else {
        return nil
      }
      return (trace.line(of: index), judgement)
    }
  }

  private mutating func explain(expectation number: Int) throws(Failure) {
    guard let found = judged.first(where: { $0.judgement.index == number - 1 }) else {
      let count = judged.isEmpty ? "no expectation" : StoryText.count(judged.count, "expectation")
      throw .input("--expectation: found \(number), but the trace has \(count)")
    }
    explain(found, CausalTrace(trace))
  }

  private mutating func explain(_ found: (line: Int, judgement: ExpectationJudged), _ causal: CausalTrace) {
    let judgement = found.judgement
    let why = judgement.passed ? "" : ": \(TerminalText.escape(judgement.why ?? "no reason given"))"
    title =
      "\(judgement.passed ? "met" : "not met"): \(ExpectationWords.text(of: judgement.expectation))\(why)"
      + " (expectation \(judgement.index + 1))"
    for line in causal.causes(of: found.line).prefix(Self.linesMax) where !rows.contains(where: { $0.line == line }) {
      append(line, causal)
    }
    guard !judgement.passed, let name = Self.eventName(judgement.expectation) else { return }
    if !trace.events.contains(where: { $0.name.text == name }) { appendSteps(towards: name, causal) }
  }

  /// The event that an expectation is about; nil for one about a value or an invariant.
  private static func eventName(_ expectation: JSONText) -> String? {
    ["event", "count"].lazy.compactMap { expectation.node?[$0]?.text }.first
  }

  private mutating func append(_ line: Int, _ causal: CausalTrace) {
    for step in CausalChain(of: line, in: causal).steps {
      let event = causal.event(on: step.line)
      rows.append(
        Row(
          time: event?.time.text ?? "",
          text: "\(step.lead)\(causal.subject(step.line)) \(causal.sentence(step.line))",
          line: step.line, depth: step.depth))
    }
  }

  private func inquire() -> [LineInquiry.Answer] {
    var inquiry = LineInquiry(header: trace.header)
    for (index, event) in trace.events.enumerated() { inquiry.observe(event, line: trace.line(of: index)) }
    return inquiry.finish()
  }

  private mutating func explain(message id: String) throws(Failure) {
    let answers = inquire()
    guard let answer = answers.first(where: { $0.id == id }) else {
      let ids = answers.map(\.id)
      throw .input(
        "--message: found \"\(TerminalText.escape(id))\""
          + (ids.isEmpty ? "; the trace has no script" : PlainText.hint(for: id, among: ids)))
    }
    title = "\"\(TerminalText.escape(answer.text))\" (\(TerminalText.escape(id)), \(answer.trigger)) \(answer.outcome)"
    for sentence in answer.sentences {
      let time = sentence.from == sentence.to ? sentence.from.text : "\(sentence.from.text)..\(sentence.to.text)"
      rows.append(Row(time: time, text: sentence.text, line: sentence.line, depth: 0))
    }
  }

  private mutating func explain(never name: String) throws(Failure) {
    guard TraceEvent.Name.known.contains(where: { $0.text == name }) || name.hasPrefix("app.") else {
      let hint = EventWords.hint(for: name)
      throw .input("--never: found \"\(TerminalText.escape(name))\"\(hint), expected the name of an event")
    }
    let missing = MissingEvent(name, in: trace)
    let causal = CausalTrace(trace)
    guard let first = missing.steps.first else { return }
    guard first.count == 0 else {
      title = "\(name) did happen: \(StoryText.count(first.count, "time")), the last time at \(first.time.text)"
      return append(first.line, causal)
    }
    title = "\(TerminalText.escape(name)) never happened"
    appendSteps(towards: name, causal)
    if name.hasPrefix("script.") || name.hasPrefix("audio.") {
      for answer in inquire() {
        rows.append(
          Row(
            time: "", text: "\"\(TerminalText.escape(answer.id))\" (\(answer.trigger)) \(answer.outcome)", line: 0,
            depth: 0))
      }
    }
  }

  /// Appends what an event that never happened needs, or in a run of apps what they did instead.
  private mutating func appendSteps(towards name: String, _ causal: CausalTrace) {
    let missing = MissingEvent(name, in: trace)
    for step in missing.steps.dropFirst() {
      let text =
        step.count == 0
        ? "it needs \(step.name), which never happened either"
        : "it needs \(step.name), which happened \(StoryText.count(step.count, "time")), the last time here"
      rows.append(Row(time: step.count == 0 ? "" : step.time.text, text: text, line: step.line, depth: 0))
    }
    for remark in AppRemarks.about(name, in: trace) {
      let sentence = remark.line > 0 ? "\(causal.subject(remark.line)) \(causal.sentence(remark.line))" : ""
      let time = causal.event(on: remark.line)?.time.text ?? ""
      rows.append(Row(time: time, text: remark.text + sentence, line: remark.line, depth: 0))
    }
  }

  // MARK: Output

  /// The answer as text.
  package func lines(isColored: Bool) -> [String] {
    let width = rows.map(\.time.count).max() ?? 0
    return [Terminal.styled(title, .bold, when: isColored)]
      + rows.map { row in
        let time = String(repeating: " ", count: width - row.time.count) + row.time
        let arrow = row.depth == 0 ? "" : String(repeating: "  ", count: row.depth - 1) + "<- "
        let line = row.line > 0 ? Terminal.styled("  line \(row.line)", .dim, when: isColored) : ""
        return "  \(time)  \(arrow)\(row.text)\(line)"
      }
  }

  /// The answer for programs.
  package var members: JSONFields {
    [
      "answer": .string(title),
      "steps": .objects(rows) { row in
        [
          "time": .string(row.time), "text": .string(row.text), "line": row.line > 0 ? .count(row.line) : .null,
          "depth": .count(row.depth),
        ]
      },
    ]
  }
}

/// The question that `sim-runner why` answers.
package enum WhyQuestion: Equatable {
  case at(VirtualTime)
  case line(Int)
  case message(String)
  case violation(Int)
  /// By its number in the scenario, from 1.
  case expectation(Int)
  case never(String)

  package static let options: [Option] = [
    .value("--at", "TIME", "why what happened at this instant did: 15:04, 1:02:03.5, 15m4s"),
    .value("--line", "N", "why line N of the trace was written"),
    .value("--message", "ID", "why this line of the script was spoken, or not"),
    .value(
      "--violation", "N", "why the N-th violation happened, from 1; without any, why the N-th failed expectation did"),
    .value("--expectation", "N", "why the N-th expectation of the scenario is met or not, from 1"),
    .value("--never", "EVENT", "why no such event happened: script.dispatch"),
  ]

  /// Reads the only question among the arguments.
  package init(_ arguments: Arguments) throws(Failure) {
    let given = Self.options.map(\.name).filter { arguments.value($0) != nil }
    guard given.count == 1, let option = given.first, let text = arguments.value(option) else {
      let found = given.isEmpty ? "no question" : given.joined(separator: " and ")
      throw .input("found \(found), expected one of \(Self.options.map(\.name).joined(separator: ", "))")
    }
    switch option {
    case "--at": self = .at(try ClockText.parse(text, option: option))
    case "--line": self = .line(try Self.number(text, option))
    case "--violation": self = .violation(try Self.number(text, option))
    case "--expectation": self = .expectation(try Self.number(text, option))
    case "--never": self = .never(text)
    default: self = .message(text)
    }
  }

  private static func number(_ text: String, _ option: String) throws(Failure) -> Int {
    guard let number = Int(text), number > 0 else {
      throw .input("\(option): found \"\(TerminalText.escape(text))\", expected a whole number from 1 on")
    }
    return number
  }
}

/// An instant as the story prints it, or as a duration.
package enum ClockText {
  /// Reads `15:04`, `1:02:03.5` or `15m4s`.
  package static func parse(_ text: String, option: String) throws(Failure) -> VirtualTime {
    if text == "0" { return .start }
    guard text.contains(":") else {
      do throws(DurationText.Failure) { return .start + (try DurationText.parse(text)) } catch {
        throw .input(
          "\(option): found \"\(TerminalText.escape(text))\", expected \(error.expected), or a clock such as 15:04")
      }
    }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), let seconds = parts.last.flatMap({ Double($0) }), (0..<60).contains(seconds),
      let minutes = Int64(parts[parts.count - 2]), (0..<(parts.count == 3 ? 60 : 100_000)).contains(minutes),
      let hours = parts.count == 3 ? Int64(parts[0]) : 0, (0..<10_000).contains(hours)
    else {
      throw .input("\(option): found \"\(TerminalText.escape(text))\", expected a clock such as 15:04 or 1:02:03.5")
    }
    return VirtualTime(nanoseconds: (hours * 3_600 + minutes * 60) * 1_000_000_000 + Int64((seconds * 1e9).rounded()))
  }
}
