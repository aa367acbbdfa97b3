/// `{ event, between: [from, to] }`: at least one such event in that stretch of the run.
public struct BetweenExpectation: Expectation {
  public static let key = "between"
  public static let keys = ["event", "between", "where"]
  public static let about = "At least one matching event happens between the two moments, both included."

  private let pattern: EventPattern
  private let from: VirtualTime
  private let to: VirtualTime
  private var lines: [Int] = []
  /// The matches outside, for the message.
  private var others: [VirtualTime] = []
  private var otherLines: [Int] = []

  public init?(_ reader: JSONObjectReader) {
    let pattern = EventPattern(reader, key: "event")
    guard let bounds = reader.value(Self.key, required: true), let values = bounds.array(countMax: 2) else {
      return nil
    }
    guard values.count == 2, let from = values[0].duration(), let to = values[1].duration() else {
      if values.count != 2 { bounds.error("expected two moments, such as [\"11m9s\", \"11m12s\"]") }
      return nil
    }
    guard from <= to else {
      bounds.error("the first moment is after the second")
      return nil
    }
    guard let pattern else { return nil }
    self.pattern = pattern
    self.from = .start + from
    self.to = .start + to
  }

  public var interests: [TraceEvent.Name] { [pattern.name] }

  public mutating func observe(_ event: TraceEvent, line: Int) {
    guard pattern.matches(event) else { return }
    if event.time >= from, event.time <= to {
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
    let why = "no \(pattern.name.text) between \(from.durationText) and \(to.durationText), \(elsewhere)"
    // A trace that broke off after the stretch leaves nothing open.
    if ending.time > to { return ExpectationResult(.fail, why: why, lines: otherLines) }
    return .failing(why, lines: otherLines, unless: ending)
  }
}
