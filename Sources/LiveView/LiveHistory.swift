import Console
import Experiments
package import Link
import Simulator
package import TraceTools

/// The states of a live view at earlier instants of the run.
///
/// It stores every event, and a copy of the state for every ``spacing`` events, so that any instant costs the replay of
/// at most that many events. Beyond ``entriesMax`` events the oldest half is dropped.
package struct LiveHistory {
  private struct Entry {
    let event: TraceEvent
    let story: [StoryLine]
  }

  /// The state before the event with this index.
  private struct Checkpoint {
    let index: Int
    let state: LiveState
  }

  private var entries: [Entry] = []
  private var checkpoints: [Checkpoint] = []
  /// Events between two copies.
  static let spacing = 256
  /// The limit of stored events.
  static let entriesMax = 400_000

  package init() {}

  /// Adds an event and its sentences; `before` is the state without it.
  package mutating func add(_ event: TraceEvent, _ story: [StoryLine], before: LiveState) {
    if entries.count == Self.entriesMax { forgetOldest() }
    if entries.count % Self.spacing == 0 { checkpoints.append(Checkpoint(index: entries.count, state: before)) }
    entries.append(Entry(event: event, story: story))
  }

  /// The state after all events up to an instant, the instant included; nil before the first stored event.
  package func state(at time: VirtualTime) -> LiveState? {
    let end = index(after: time)
    guard end > 0, let checkpoint = checkpoints.last(where: { $0.index <= end }) else { return nil }
    var state = checkpoint.state
    for entry in entries[checkpoint.index..<end] { state.observe(entry.event, story: entry.story) }
    return state
  }

  /// The earliest stored instant; nil before the first event.
  var begin: VirtualTime? { entries.first?.event.time }

  /// The last instant before another one at which the story has a sentence, if any.
  func sentence(before time: VirtualTime) -> VirtualTime? {
    entries.last { $0.event.time < time && !$0.story.isEmpty }?.event.time
  }

  /// The first instant after another one at which the story has a sentence, if any.
  func sentence(after time: VirtualTime) -> VirtualTime? {
    entries[index(after: time)...].first { !$0.story.isEmpty }?.event.time
  }

  /// The number of events up to an instant, which is included.
  private func index(after time: VirtualTime) -> Int {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].event.time <= time { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private mutating func forgetOldest() {
    let dropped = Self.entriesMax / 2 / Self.spacing * Self.spacing
    entries.removeFirst(dropped)
    checkpoints = checkpoints.filter { $0.index >= dropped }.map {
      Checkpoint(index: $0.index - dropped, state: $0.state)
    }
  }
}

/// Two futures of a live run from an instant on: as it is, and with one more fault.
struct LiveBranch {
  /// A fault that a key adds.
  struct Choice {
    let key: Character
    /// Its name in a sentence.
    let name: String
    /// The fault in a scenario's spelling, without its instant.
    let fault: String
  }

  /// In the order in which they are shown.
  static let choices = [
    Choice(key: "c", name: "link cut for 20 s", fault: "{ for: \"20s\", disconnect: {} }"),
    Choice(key: "l", name: "three frames in ten lost for 20 s", fault: "{ for: \"20s\", loss: { probability: 0.3 } }"),
    Choice(key: "d", name: "frames delayed by 2 s for 20 s", fault: "{ for: \"20s\", delay: { mean: \"2s\" } }"),
    Choice(key: "p", name: "phone's app killed", fault: "{ kill: \"phone\", restartAfter: \"5s\" }"),
    Choice(key: "w", name: "watch's app killed", fault: "{ kill: \"watch\", restartAfter: \"5s\" }"),
  ]

  /// The instant from which the futures differ.
  let instant: VirtualTime
  package let name: String
  /// The decisions of both from the instant on.
  let steps: [TraceDifference.Step]
  /// The decisions' lines as sentences, of each side, by the lines' numbers.
  private let sentences: (before: [Int: String], after: [Int: String])

  /// Runs both futures in this process.
  ///
  /// - Throws: If one cannot be run.
  init(_ scenario: Scenario, at instant: VirtualTime, _ choice: Choice) throws(Failure) {
    self.instant = instant
    name = choice.name
    var other = scenario
    var fault = try Branch.read(choice.fault, at: instant, hasUplink: scenario.edge != nil)
    while other.faults.contains(where: { $0.id == fault.id }) { fault.id += "-again" }
    other.faults.append(fault)
    let (before, after) = (try Self.future(scenario), try Self.future(other))
    sentences = (before.sentences, after.sentences)
    steps = TraceDifference(before.decisions, after.decisions).steps.filter { $0.time >= instant }
  }

  private static func future(
    _ scenario: Scenario
  ) throws(Failure) -> (decisions: [Decision], sentences: [Int: String]) {
    var options = RunOptions()
    options.showsPrograms = false
    var decisions: [Decision] = []
    var sentences: [Int: String] = [:]
    var teller = Storyteller(header: scenario.header)
    options.onEvent = { event, line in
      let story = teller.observe(event, line: line)
      guard let decision = Decision(event, line: line) else { return }
      decisions.append(decision)
      sentences[line] = "\(event.place.text) \(EventWords.text(event, sentence: story.first?.text))"
    }
    let outcome = try ScenarioRun.run(scenario, options)
    if let failure = outcome.environmentFailure { throw .environment(failure) }
    return (decisions, sentences)
  }

  /// What both futures decide, in sentences.
  ///
  /// What is equal is a row across the screen, and more than two such rows in succession are folded; what is not equal is
  /// two columns, or on a narrow screen two rows.
  ///
  /// - Parameters:
  ///   - columns: The width of a row.
  ///   - rows: The most rows.
  func lines(columns: Int, rows: Int, isColored: Bool = false) -> [String] {
    let difference = steps.first { $0.change != .same }
    let head = [
      "two futures from \(instant.text): as it is, or \(name)",
      difference.map { "they first differ in a decision at \($0.time.text)" }
        ?? "they decide the same at the same times",
    ].map { Self.fit($0, columns, pads: false) }
    var lines: [String] = []
    var equal: [TraceDifference.Step] = []
    let fold = {
      if equal.count > 2 {
        lines.append(Terminal.styled("  … \(equal.count) equal decisions", [.dim], when: isColored))
      } else {
        lines += equal.map { step in
          let text = Self.fit("  \(self.sentence(step.before, isAfter: false))", columns, pads: false)
          return Terminal.styled(text, [.dim], when: isColored)
        }
      }
      equal = []
    }
    for step in Self.withoutRepetitions(steps[...]) {
      guard lines.count < rows else { break }
      guard step.change != .same else {
        equal.append(step)
        continue
      }
      fold()
      lines += different(step, columns: columns, isColored: isColored)
    }
    fold()
    return head + lines.prefix(max(0, rows - head.count))
  }

  /// The rows of a step that is not the same on both sides.
  private func different(_ step: TraceDifference.Step, columns: Int, isColored: Bool) -> [String] {
    let sides = [sentence(step.before, isAfter: false), sentence(step.after, isAfter: true)]
    let styles: [Terminal.Style] = step.change == .moved ? [.yellow] : [.red]
    guard columns >= Self.sideBySideMin else {
      return zip(["- ", "+ "], sides).filter { !$0.1.isEmpty }.flatMap { sign, text in
        wrap(text, to: columns - 2).enumerated().map { index, piece in
          Terminal.styled((index == 0 ? sign : "  ") + piece, styles, when: isColored)
        }
      }
    }
    let width = (columns - 5) / 2
    let pieces = sides.map { $0.isEmpty ? [""] : wrap($0, to: width) }
    return (0..<max(pieces[0].count, pieces[1].count)).map { row in
      let cells = pieces.map { row < $0.count ? $0[row] : "" }
      let text = "  \(Self.fit(cells[0], width)) │ \(Self.fit(cells[1], width, pads: false))"
      return Terminal.styled(text, styles, when: isColored)
    }
  }

  /// `5:40.374 phone believes that ...`; empty for nothing.
  private func sentence(_ decision: Decision?, isAfter: Bool) -> String {
    guard let decision else { return "" }
    let text = (isAfter ? sentences.after : sentences.before)[decision.line] ?? decision.text
    return "\(decision.time.text) \(TerminalText.escape(text))"
  }

  /// From this width on, two columns have room for sentences.
  private static let sideBySideMin = 100

  /// The steps without immediate repetitions, such as a refused message each second.
  private static func withoutRepetitions(_ steps: ArraySlice<TraceDifference.Step>) -> [TraceDifference.Step] {
    var kept: [TraceDifference.Step] = []
    for step in steps {
      let isRepeated =
        kept.last.map { last in
          last.change == step.change && (last.before ?? last.after)?.text == (step.before ?? step.after)?.text
        } ?? false
      if !isRepeated { kept.append(step) }
    }
    return kept
  }

  /// Truncates a text to a width, with a mark at its end, and pads it with spaces.
  private static func fit(_ text: String, _ width: Int, pads: Bool = true) -> String {
    guard text.count <= width else { return text.prefix(max(0, width - 1)) + "…" }
    return pads ? text + String(repeating: " ", count: width - text.count) : text
  }
}
