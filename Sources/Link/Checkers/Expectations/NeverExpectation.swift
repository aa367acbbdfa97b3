/// `{ never: event, between: [from, to] }`: there is no such event, in the stretch if one is given.
public struct NeverExpectation: Expectation {
  public static let key = "never"
  public static let keys = ["never", "between", "where"]
  public static let about = "No matching event happens, or none in the stretch that `between` gives."

  private let pattern: EventPattern
  private let stretch: OptionalStretch
  private var lines: [Int] = []
  private var first: VirtualTime?

  public init?(_ reader: JSONObjectReader) {
    let stretch = OptionalStretch(reader)
    guard let pattern = EventPattern(reader, key: Self.key), let stretch else { return nil }
    self.pattern = pattern
    self.stretch = stretch
  }

  public var interests: [TraceEvent.Name] { [pattern.name] }

  public mutating func observe(_ event: TraceEvent, line: Int) {
    guard stretch.contains(event.time), pattern.matches(event) else { return }
    if first == nil { first = event.time }
    if lines.count < ExpectationResult.linesMax { lines.append(line) }
  }

  public func finish(_ ending: TraceEnding) -> ExpectationResult {
    if let first {
      return ExpectationResult(.fail, why: "\(pattern.name.text) at \(first.durationText)", lines: lines)
    }
    guard stretch.isComplete(ending) else {
      return ExpectationResult(.unknown, why: "no \(pattern.name.text) so far (the trace is truncated)")
    }
    return ExpectationResult(.pass)
  }
}
