/// `{ dispatched: [ids] }`: exactly these lines were spoken, in this order.
public struct DispatchedExpectation: Expectation {
  public static let key = "dispatched"
  public static let keys = ["dispatched", "where"]
  public static let about = "The ids of the dispatched messages are exactly these, in this order."

  private let pattern: EventPattern
  private let expected: [String]
  /// The number of dispatches kept beyond the expected ones.
  private static let furtherMax = 20
  private var ids: [String] = []
  private var lines: [Int] = []

  public init?(_ reader: JSONObjectReader) {
    guard let values = reader.array(Self.key, countMax: 10_000, required: true) else { return nil }
    let expected = values.compactMap { $0.string() }
    pattern = EventPattern(name: "script.dispatch", reader)
    guard expected.count == values.count else { return nil }
    self.expected = expected
  }

  public var derivedScope: VerdictScope { .timed }

  public var interests: [TraceEvent.Name] { [pattern.name] }

  public mutating func observe(_ event: TraceEvent, line: Int) {
    // One more than expected settles it; a few more are kept to show.
    guard ids.count < expected.count + Self.furtherMax, pattern.matches(event) else { return }
    ids.append(event["message"]?.text ?? "")
    lines.append(line)
  }

  public func finish(_ ending: TraceEnding) -> ExpectationResult {
    var result = answer(ending)
    if !result.hasPassed { result.table = AlignedIds.lines(expected, ids, heads: ("expected", "got")) }
    return result
  }

  private func answer(_ ending: TraceEnding) -> ExpectationResult {
    let same = zip(ids, expected).prefix { $0.0 == $0.1 }.count
    if same == ids.count, same == expected.count {
      guard ending.isComplete else {
        return ExpectationResult(.unknown, why: "all so far (the trace is truncated)", lines: lines)
      }
      return ExpectationResult(.pass, lines: lines)
    }
    if same == ids.count {
      return .failing("\"\(expected[same])\" was not dispatched", lines: lines.suffix(1), unless: ending)
    }
    let why =
      same < expected.count
      ? "\"\(ids[same])\" was dispatched where \"\(expected[same])\" was expected"
      : "\"\(ids[same])\" was dispatched after all that were expected"
    return ExpectationResult(.fail, why: why, lines: [lines[same]])
  }
}
