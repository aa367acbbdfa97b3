import CoachProtocol
import Console
package import Link

/// Selects parts of a story.
package struct StoryFilter {
  /// A node, the link or the runner, as `node` of the trace; or a voice of the story.
  package var node: String?
  /// An event, or with a final point a family: `script.`.
  package var event: String?
  /// A line of the script, by its id.
  package var message: String?
  package var window: ExportWindow

  package init(
    node: String? = nil, event: String? = nil, message: String? = nil, window: ExportWindow = ExportWindow()
  ) {
    (self.node, self.event, self.message, self.window) = (node, event, message, window)
  }

  /// Whether an event is wanted; its voices are filtered by ``accepts(_:from:)``.
  func accepts(_ source: TraceEvent) -> Bool {
    if let event {
      let name = source.name.text
      guard event.hasSuffix(".") ? name.hasPrefix(event) : name == event else { return false }
    }
    if let message, source.text("message") != message { return false }
    return true
  }

  /// Whether a sentence about an event is wanted.
  func accepts(_ line: StoryLine, from place: TraceEvent.Place) -> Bool {
    guard window.contains(line.time) else { return false }
    return node.map { $0 == place.text || $0 == line.voice.rawValue } ?? true
  }
}

/// The story of a whole trace, with its violations at the instants at which they happened.
package struct StoryBook {
  private var teller: Storyteller
  private let filter: StoryFilter
  private var lines: [StoryLine] = []

  package init(header: TraceHeader, filter: StoryFilter = StoryFilter()) {
    teller = Storyteller(header: header)
    self.filter = filter
  }

  /// The counts so far.
  var tally: StoryTally { teller.tally }

  /// Observes the next event, which is on line `line` of the trace.
  package mutating func observe(_ event: TraceEvent, line: Int) {
    guard event.isBelieved else { return }
    var sentences = teller.observe(event, line: line)
    if let violation = StoryLine(violation: event) { sentences.append(violation) }
    guard filter.accepts(event) else { return }
    lines += sentences.filter { filter.accepts($0, from: event.place) }
  }

  /// The story in the order of time; call it at the end of the trace.
  package func finish() -> [StoryLine] { Self.ordered(lines) }

  /// Lines in the order of time, each violation after the sentences of its instant, and repeated violations counted.
  static func ordered(_ lines: [StoryLine]) -> [StoryLine] {
    let sorted = lines.enumerated().sorted {
      ($0.element.time, $0.element.isBroken ? 1 : 0, $0.element.traceLine, $0.offset)
        < ($1.element.time, $1.element.isBroken ? 1 : 0, $1.element.traceLine, $1.offset)
    }.map(\.element)
    return folded(sorted)
  }

  /// Lists only the first of three or more violations that differ in nothing but numbers and identifiers, with their count.
  private static func folded(_ lines: [StoryLine]) -> [StoryLine] {
    func kind(_ line: StoryLine) -> String { FailurePattern.of(line.text) }
    var counts: [String: (count: Int, last: VirtualTime)] = [:]
    for line in lines where line.isBroken {
      counts[kind(line), default: (0, line.time)].count += 1
      counts[kind(line)]?.last = line.time
    }
    var listed: Set<String> = []
    return lines.compactMap { line in
      guard line.isBroken, let (count, last) = counts[kind(line)], count > 2 else { return line }
      guard listed.insert(kind(line)).inserted else { return nil }
      var line = line
      line.text += "; and \(StoryText.count(count - 1)) more times, the last at \(StoryText.clock(last))"
      return line
    }
  }
}

extension StoryLine {
  /// A violation at its instant.
  package init(_ violation: Violation) {
    self.init(
      time: violation.time, voice: .run,
      text: "\(violation.invariant) is broken: \(StoryText.shortened(violation.detail))", tone: .broken,
      traceLine: violation.lines.last ?? 0)
  }

  /// A violation as the trace records it at its end; nil for any other event.
  init?(violation event: TraceEvent) {
    guard case .violation(let found) = event.body, event.place == .runner else { return nil }
    self.init(
      Violation(
        invariant: found.invariant, time: VirtualTime(nanoseconds: found.t0), detail: found.detail,
        lines: found.lines.wholeNumbers))
  }
}
