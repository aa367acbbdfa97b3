/// `{ never: event }`: there is no such event.
public struct NeverExpectation: Expectation {
  public static let key = "never"
  public static let keys = ["never", "where"]
  public static let about = "No matching event happens."

  private let pattern: EventPattern
  private var lines: [Int] = []
  private var first: VirtualTime?

  public init?(_ reader: JSONObjectReader) {
    guard let pattern = EventPattern(reader, key: Self.key) else { return nil }
    self.pattern = pattern
  }

  public var interests: [TraceEvent.Name] { [pattern.name] }

  public mutating func observe(_ event: TraceEvent, line: Int) {
    guard pattern.matches(event) else { return }
    if first == nil { first = event.time }
    if lines.count < ExpectationResult.linesMax { lines.append(line) }
  }

  public func finish(_ ending: TraceEnding) -> ExpectationResult {
    if let first {
      return ExpectationResult(.fail, why: "\(pattern.name.text) at \(first.durationText)", lines: lines)
    }
    guard ending.isComplete else {
      return ExpectationResult(.unknown, why: "no \(pattern.name.text) so far (the trace is truncated)")
    }
    return ExpectationResult(.pass)
  }
}
