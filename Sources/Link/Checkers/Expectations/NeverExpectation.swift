/// `{ never: event, between: [from, to], after: { event }, until: { event } }`: there is no such event, in the stretch if
/// one is given.
public struct NeverExpectation: Expectation {
  public static let key = "never"
  public static let keys = ["never", "between", "after", "until", "where"]
  public static let about =
    "No matching event happens, or none in the stretch that `between` gives. With `after`, none from such an event on;"
    + " with `until`, none before the first one; with both, none from each `after` to the next `until`."

  private let pattern: EventPattern
  private let stretch: OptionalStretch
  private let after: EventPattern?
  private let until: EventPattern?
  private var isOn: Bool
  private var lines: [Int] = []
  private var first: VirtualTime?
  /// The lines of the first `after` events, which show that a pass is not vacuous.
  private var begins: [Int] = []

  public init?(_ reader: JSONObjectReader) {
    let stretch = OptionalStretch(reader)
    let pattern = EventPattern(reader, key: Self.key)
    let after = reader.object("after") { EventPattern($0, key: "event") }
    let until = reader.object("until") { EventPattern($0, key: "event") }
    guard let pattern, let stretch else { return nil }
    guard (after != nil) == reader.has("after"), (until != nil) == reader.has("until") else { return nil }
    self.pattern = pattern
    self.stretch = stretch
    self.after = after
    self.until = until
    isOn = after == nil
  }

  public var interests: [TraceEvent.Name] { [pattern.name] + [after, until].compactMap { $0?.name } }

  public mutating func observe(_ event: TraceEvent, line: Int) {
    if let until, until.matches(event) { isOn = false }
    if isOn, stretch.contains(event.time), pattern.matches(event) {
      if first == nil { first = event.time }
      if lines.count < ExpectationResult.linesMax { lines.append(line) }
    }
    // An event is not after itself.
    if let after, after.matches(event) {
      isOn = true
      if begins.count < ExpectationResult.linesMax { begins.append(line) }
    }
  }

  public func finish(_ ending: TraceEnding) -> ExpectationResult {
    if let first {
      return ExpectationResult(.fail, why: "\(pattern.name.text) at \(first.durationText)", lines: lines)
    }
    // Nothing can follow the first `until` of an expectation without `after`.
    let isOver = until != nil && after == nil && !isOn
    guard isOver || stretch.isComplete(ending) else {
      return ExpectationResult(.unknown, why: "no \(pattern.name.text) so far (the trace is truncated)")
    }
    return ExpectationResult(.pass, lines: begins)
  }
}
