import Console
import Link

/// A trace with the causes of each line, and each line as a sentence.
struct CausalTrace {
  let trace: RecordedTrace
  /// The causes of each event, as line numbers.
  private let causes: [[Int]]
  /// How many causes of a line are candidates, of which at least one is a cause; only where there are several.
  private let candidates: [Int: Int]
  private let names: PayloadNames
  /// The sentence of the story of each line that has one.
  private let sentences: [Int: StoryLine]

  init(_ trace: RecordedTrace) {
    self.trace = trace
    var finder = CauseFinder(header: trace.header)
    var teller = Storyteller(header: trace.header)
    var causes: [[Int]] = []
    var sentences: [Int: StoryLine] = [:]
    var candidates: [Int: Int] = [:]
    var names = PayloadNames()
    for (index, event) in trace.events.enumerated() {
      let line = trace.line(of: index)
      causes.append(finder.observe(event, line: line))
      if finder.candidateCount > 1 { candidates[line] = finder.candidateCount }
      names.observe(event)
      guard event.isBelieved else { continue }
      for sentence in teller.observe(event, line: line) where sentences[line] == nil { sentences[line] = sentence }
    }
    self.causes = causes
    self.sentences = sentences
    self.candidates = candidates
    self.names = names
  }

  /// The event on a line; nil for the header and for lines that are not there.
  func event(on line: Int) -> TraceEvent? {
    trace.events.indices.contains(line -| 2) ? trace.events[line - 2] : nil
  }

  /// The direct causes of a line, the most important first.
  func causes(of line: Int) -> [Int] { causes.indices.contains(line -| 2) ? causes[line - 2] : [] }

  /// A line as a sentence.
  func sentence(_ line: Int) -> String {
    guard let event = event(on: line) else { return "the header" }
    return EventWords.text(event, sentence: sentences[line]?.text, name: names.name(of: event))
  }

  /// How many candidates there are for what made an app write a line; 0 where the cause is known.
  func candidateCount(of line: Int) -> Int { candidates[line] ?? 0 }

  /// Who a line's sentence is about: for a line of the runner, the device or link that it does something to.
  func subject(_ line: Int) -> String {
    guard let event = event(on: line), event.place == .runner else { return event(on: line)?.place.text ?? "runner" }
    return sentences[line]?.voice.rawValue ?? event.text("target").map { TerminalText.escape($0) } ?? "runner"
  }

  /// The lines that have a sentence of the story, in their order.
  var storyLines: [Int] { sentences.keys.sorted() }
}

/// The causes of one line, each with its own below it.
struct CausalChain {
  /// One step back.
  struct Step: Equatable {
    var line: Int
    /// 0 for the line in question.
    var depth: Int
    /// How many candidates there are, of which it is one; 0 for a cause that is known.
    var choices = 0

    /// What precedes its sentence.
    var lead: String { choices > 1 ? "one of \(choices) arrivals at this instant: " : "" }
  }

  /// Steps of a chain; what lies further back is left out.
  static let stepsMax = 40
  private static let depthMax = 14
  /// How many causes of a line are shown, and how many candidates.
  private static let (causesMax, candidatesMax) = (3, 12)

  private(set) var steps: [Step] = []

  init(of line: Int, in trace: CausalTrace) {
    var seen: Set<Int> = []
    // Candidates are shown side by side, even where one has also led to another.
    var candidates: Set<Int> = []
    var open = [Step(line: line, depth: 0)]
    while let step = open.popLast(), steps.count < Self.stepsMax {
      guard step.choices > 1 || !candidates.contains(step.line), seen.insert(step.line).inserted else { continue }
      steps.append(step)
      guard step.depth < Self.depthMax else { continue }
      let choices = trace.candidateCount(of: step.line)
      let causes = trace.causes(of: step.line).prefix(choices > 0 ? Self.candidatesMax : Self.causesMax)
      if choices > 1 { candidates.formUnion(causes) }
      for cause in causes.reversed() {
        open.append(Step(line: cause, depth: step.depth + 1, choices: choices))
      }
    }
  }

  /// The chain as text, one line a step.
  func lines(of trace: CausalTrace, isColored: Bool = false) -> [String] {
    steps.map { step in
      let event = trace.event(on: step.line)
      let time = event?.time.text ?? "0:00"
      let indent = step.depth == 0 ? "" : String(repeating: "  ", count: step.depth - 1) + "<- "
      let head = "\(indent)\(time)  \(step.lead)\(trace.subject(step.line))"
      let text = "\(head)  \(trace.sentence(step.line))"
      return Terminal.styled(text, step.depth == 0 ? [.bold] : [], when: isColored)
        + Terminal.styled("  line \(step.line)", .dim, when: isColored)
    }
  }
}
