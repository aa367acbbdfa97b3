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
  /// The lowest level of apps' logs.
  package var logLevel = AppLogLevel.notice

  package init(
    node: String? = nil, event: String? = nil, message: String? = nil, window: ExportWindow = ExportWindow()
  ) {
    (self.node, self.event, self.message, self.window) = (node, event, message, window)
  }

  /// Whether an event's name is wanted.
  package func names(_ name: String) -> Bool {
    guard let event else { return true }
    return event.hasSuffix(".") ? name.hasPrefix(event) : name == event
  }

  /// Whether an event is wanted; its voices are filtered by ``accepts(_:from:)``.
  func accepts(_ source: TraceEvent) -> Bool {
    guard names(source.name.text) else { return false }
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
  /// Events that were asked for by name and that the story has no sentence for.
  private var unspoken: [(event: TraceEvent, line: Int)] = []
  private var names = PayloadNames()
  /// The names of all events of the trace, with their counts.
  package private(set) var eventCounts: [String: Int] = [:]

  package init(header: TraceHeader, filter: StoryFilter = StoryFilter()) {
    teller = Storyteller(header: header)
    teller.logLevel = filter.logLevel
    self.filter = filter
  }

  /// The counts so far.
  var tally: StoryTally { teller.tally }

  /// Observes the next event, which is on line `line` of the trace.
  package mutating func observe(_ event: TraceEvent, line: Int) {
    guard event.isBelieved else { return }
    eventCounts[event.name.text, default: 0] += 1
    names.observe(event)
    var sentences = teller.observe(event, line: line)
    if let violation = StoryLine(violation: event) { sentences.append(violation) }
    guard filter.accepts(event) else { return }
    if filter.event != nil, sentences.isEmpty { unspoken.append((event, line)) }
    lines += sentences.filter { filter.accepts($0, from: event.place) }
  }

  /// The story in the order of time; call it at the end of the trace.
  package func finish() -> [StoryLine] {
    let named = unspoken.compactMap { event, line -> StoryLine? in
      let text = EventWords.text(event, sentence: nil, name: names.name(of: event))
      let sentence = StoryLine(
        time: event.time, voice: StoryLine.Voice(writing: event.place), text: text, traceLine: line)
      return filter.accepts(sentence, from: event.place) ? sentence : nil
    }
    return Self.ordered(lines + named)
  }

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

extension StoryLine.Voice {
  /// The voice of what a place writes.
  fileprivate init(writing place: TraceEvent.Place) {
    switch place {
    case .watch: self = .watch
    case .phone: self = .phone
    case .edge: self = .edge
    case .link, .uplink: self = .link
    default: self = .run
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

extension JSONText {
  /// The value; nil for malformed JSON: a story leaves out what it cannot read.
  package var node: JSONNode? { try? JSONParser.parse(text, dialect: .json) }

  /// The elements of an array that are whole numbers.
  var wholeNumbers: [Int] { node?.elements.compactMap { $0.double.flatMap { Int(exactly: $0) } } ?? [] }
}
