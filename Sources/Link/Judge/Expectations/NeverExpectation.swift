/// `{ never: event, between: [from, to], after: { event }, until: { event }, for }`: there is no such event, in the
/// stretches if some are given.
public struct NeverExpectation: Expectation {
  public static let key = "never"
  public static let keys = ["never", "between"] + EventScope.keys + ["where"]
  public static let about =
    "No matching event happens, or none in the stretch that `between` gives. With `after`, none from such an event on;"
    + " with `until`, none before the first one; with both, none from each `after` to the next `until`; with `for`, none"
    + " until so long after it. `same` beside the `event` of `after` or `until`: only events that agree in these fields."

  private let pattern: EventPattern
  private let stretch: OptionalStretch
  private var scope: EventScope
  private var lines: [Int] = []
  private var first: VirtualTime?

  public init?(_ reader: JSONObjectReader) {
    let stretch = OptionalStretch(reader)
    let pattern = EventPattern(reader, key: Self.key)
    let scope = EventScope(reader, of: pattern?.name)
    guard let pattern, let stretch, let scope else { return nil }
    self.pattern = pattern
    self.stretch = stretch
    self.scope = scope
  }

  public var derivedScope: VerdictScope {
    stretch.isGiven || scope.hasLength ? .timed : .derived(.safety, of: pattern.name)
  }

  public var interests: [TraceEvent.Name] { [pattern.name] + scope.interests }

  public mutating func observe(_ event: TraceEvent, line: Int) {
    scope.close(event)
    if stretch.contains(event.time), pattern.matches(event), scope.beginning(of: event) != nil {
      if first == nil { first = event.time }
      if lines.count < ExpectationResult.linesMax { lines.append(line) }
    }
    scope.open(event, line: line)
  }

  public func finish(_ ending: TraceEnding) -> ExpectationResult {
    if let first {
      return ExpectationResult(.fail, why: "\(pattern.name.text) at \(first.durationText)", lines: lines)
    }
    if scope.isFull {
      return ExpectationResult(.unknown, why: "more than \(EventScope.openMax) stretches at the same time")
    }
    guard scope.isOver || stretch.isComplete(ending) else {
      return ExpectationResult(.unknown, why: "no \(pattern.name.text) so far (the trace is truncated)")
    }
    return ExpectationResult(.pass, lines: scope.begins)
  }
}
