/// `{ count: event, atLeast, atMost, exactly, between }`: limits the number of such events, within the stretch if one
/// is given.
public struct CountExpectation: Expectation {
  public static let key = "count"
  public static let keys = ["count", "atLeast", "atMost", "exactly", "between", "where"]
  public static let about =
    "The number of matching events, in the stretch that `between` may give, is within the bounds."

  private let pattern: EventPattern
  private let stretch: OptionalStretch
  private let bounds: ClosedRange<Int64>
  private var count: Int64 = 0
  private var lines: [Int] = []
  private var near = NearMisses()

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
    let stretch = OptionalStretch(reader)
    guard let pattern, let stretch else { return nil }
    let low = exactly ?? atLeast ?? 0
    let high = exactly ?? atMost ?? Int64.max
    guard low <= high else {
      reader.error("\"atLeast\" \(low) is more than \"atMost\" \(high)")
      return nil
    }
    self.pattern = pattern
    self.stretch = stretch
    bounds = low...high
  }

  public var derivedScope: VerdictScope {
    if stretch.isGiven { return .timed }
    return .derived(bounds.lowerBound == 0 ? .safety : .eventual, of: pattern.name)
  }

  public var interests: [TraceEvent.Name] { [pattern.name] }

  public mutating func observe(_ event: TraceEvent, line: Int) {
    guard stretch.contains(event.time) else { return }
    guard pattern.matches(event) else { return near.observe(event, line: line, of: pattern) }
    count += 1
    if lines.count < ExpectationResult.linesMax { lines.append(line) }
  }

  public func finish(_ ending: TraceEnding) -> ExpectationResult {
    if count > bounds.upperBound {
      return ExpectationResult(
        .fail, why: "\(count) of \(what), expected \(wanted("at most", bounds.upperBound))", lines: lines)
    }
    if count < bounds.lowerBound {
      let why = "\(count) of \(what), expected \(wanted("at least", bounds.lowerBound))\(near.suffix(pattern))"
      let shown = (lines + near.lines).sorted()
      if stretch.isComplete(ending) { return ExpectationResult(.fail, why: why, lines: shown) }
      return .failing(why, lines: shown, unless: ending)
    }
    guard stretch.isComplete(ending) || bounds.upperBound == .max else {
      return ExpectationResult(
        .unknown, why: "\(count) of \(what) so far (the trace is truncated)", lines: lines)
    }
    return ExpectationResult(.pass, lines: lines)
  }

  private var what: String { pattern.name.text + stretch.suffix }

  /// The bound that was broken, in words.
  private func wanted(_ side: String, _ bound: Int64) -> String {
    "\(bounds.lowerBound == bounds.upperBound ? "exactly" : side) \(bound)"
  }
}
