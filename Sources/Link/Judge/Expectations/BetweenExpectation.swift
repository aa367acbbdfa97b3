/// `{ event, between: [from, to] }`: at least one such event in that stretch of the run.
public struct BetweenExpectation: Expectation {
  public static let key = "between"
  public static let keys = ["event", "between", "where"]
  public static let about = "At least one matching event happens between the two moments, both included."

  private let pattern: EventPattern
  private let stretch: ExpectedStretch
  private var lines: [Int] = []
  /// The matches outside the stretch, for the message.
  private var others: [VirtualTime] = []
  private var otherLines: [Int] = []
  private var near = NearMisses()

  public init?(_ reader: JSONObjectReader) {
    let pattern = EventPattern(reader, key: "event")
    let stretch = reader.value(Self.key, required: true).flatMap { ExpectedStretch($0) }
    guard let pattern, let stretch else { return nil }
    self.pattern = pattern
    self.stretch = stretch
  }

  public var derivedScope: VerdictScope { .timed }

  public var interests: [TraceEvent.Name] { [pattern.name] }

  public mutating func observe(_ event: TraceEvent, line: Int) {
    guard pattern.matches(event) else {
      if stretch.contains(event.time) { near.observe(event, line: line, of: pattern) }
      return
    }
    if stretch.contains(event.time) {
      if lines.count < ExpectationResult.linesMax { lines.append(line) }
    } else if others.count < 3 {
      others.append(event.time)
      otherLines.append(line)
    }
  }

  public func finish(_ ending: TraceEnding) -> ExpectationResult {
    if !lines.isEmpty { return ExpectationResult(.pass, lines: lines) }
    let elsewhere =
      others.isEmpty ? "and none at all" : "but at \(others.map(\.durationText).joined(separator: ", "))"
    let why = "no \(pattern.name.text) \(stretch.text), \(elsewhere)\(near.suffix(pattern))"
    let shown = (otherLines + near.lines).sorted()
    // A trace that is truncated after the stretch still decides the expectation.
    if ending.time > stretch.to { return ExpectationResult(.fail, why: why, lines: shown) }
    return .failing(why, lines: shown, unless: ending)
  }
}
