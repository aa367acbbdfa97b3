/// `{ count: event, atLeast, atMost, exactly }`: how many such events there are.
public struct CountExpectation: Expectation {
  public static let key = "count"
  public static let keys = ["count", "atLeast", "atMost", "exactly", "where"]
  public static let about = "The number of matching events is within the bounds given."

  private let pattern: EventPattern
  private let bounds: ClosedRange<Int64>
  private var count: Int64 = 0
  private var lines: [Int] = []

  public init?(_ reader: JSONObjectReader) {
    let pattern = EventPattern(reader, key: Self.key)
    let counts: ClosedRange<Int64> = 0...Int64.max
    let exactly = reader.integer("exactly", in: counts)
    let atLeast = reader.integer("atLeast", in: counts)
    let atMost = reader.integer("atMost", in: counts)
    let given = ["exactly", "atLeast", "atMost"].filter(reader.has)
    if given.isEmpty || (given.contains("exactly") && given.count > 1) {
      reader.error("expected \"exactly\", or \"atLeast\" and \"atMost\" or one of them")
      return nil
    }
    guard let pattern else { return nil }
    let low = exactly ?? atLeast ?? 0
    let high = exactly ?? atMost ?? Int64.max
    guard low <= high else {
      reader.error("\"atLeast\" \(low) is more than \"atMost\" \(high)")
      return nil
    }
    self.pattern = pattern
    bounds = low...high
  }

  public var interests: [TraceEvent.Name] { [pattern.name] }

  public mutating func observe(_ event: TraceEvent, line: Int) {
    guard pattern.matches(event) else { return }
    count += 1
    if lines.count < ExpectationResult.linesMax { lines.append(line) }
  }

  public func finish(_ ending: TraceEnding) -> ExpectationResult {
    if count > bounds.upperBound {
      return ExpectationResult(
        .fail, why: "\(count) of \(pattern.name.text), expected \(wanted("at most", bounds.upperBound))", lines: lines)
    }
    if count < bounds.lowerBound {
      return .failing(
        "\(count) of \(pattern.name.text), expected \(wanted("at least", bounds.lowerBound))", lines: lines,
        unless: ending)
    }
    guard ending.isComplete || bounds.upperBound == .max else {
      return ExpectationResult(
        .unknown, why: "\(count) of \(pattern.name.text) so far (the trace is truncated)", lines: lines)
    }
    return ExpectationResult(.pass, lines: lines)
  }

  /// The bound that was broken, in words.
  private func wanted(_ side: String, _ bound: Int64) -> String {
    "\(bounds.lowerBound == bounds.upperBound ? "exactly" : side) \(bound)"
  }
}
