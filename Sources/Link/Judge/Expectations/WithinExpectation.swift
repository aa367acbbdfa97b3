/// `{ event, within, after: { event, same } }`: each `after` event is followed by such an event in time.
public struct WithinExpectation: Expectation {
  public static let key = "within"
  public static let keys = ["event", "within", "after", "where"]
  public static let about =
    "Each matching `after` event is followed by a matching event within the time given. With `same` beside the"
    + " `event` of `after`, by one that agrees in these fields."

  private let pattern: EventPattern
  private let trigger: RelatedEvent
  private let within: VirtualTime.Span
  /// The `after` events that are not answered yet, in order of time.
  private var open: [(time: VirtualTime, line: Int, values: String)] = []
  private var lines: [Int] = []
  private var triggerCount = 0
  private var failed: (time: VirtualTime, line: Int)?

  public init?(_ reader: JSONObjectReader) {
    let pattern = EventPattern(reader, key: "event")
    let within = reader.duration(Self.key, required: true)
    let trigger = reader.object("after", required: true) { RelatedEvent($0, of: pattern?.name) }
    guard let pattern, let within, let trigger else { return nil }
    self.pattern = pattern
    self.within = within
    self.trigger = trigger
  }

  public var derivedScope: VerdictScope { .timed }

  public var interests: [TraceEvent.Name] { [pattern.name, trigger.pattern.name] }

  public mutating func observe(_ event: TraceEvent, line: Int) {
    guard failed == nil else { return }
    if let first = open.first, event.time > first.time + within {
      failed = (first.time, first.line)
      return
    }
    if pattern.matches(event), !open.isEmpty {
      let values = trigger.expectedValues(of: event)
      if let answered = open.first(where: { $0.values == values }) {
        if lines.count + 2 <= ExpectationResult.linesMax { lines += [answered.line, line] }
        open.removeAll { $0.values == values }
      }
    }
    if trigger.pattern.matches(event) {
      triggerCount += 1
      open.append((event.time, line, trigger.values(of: event)))
    }
  }

  public func finish(_ ending: TraceEnding) -> ExpectationResult {
    let what = "no \(pattern.name.text) within \(DurationText.text(within)) of the \(trigger.pattern.name.text) at"
    // The last line of the trace may be of no interest and still show that the time is over.
    if let failed = failed ?? open.first.flatMap({ ending.time > $0.time + within ? ($0.time, $0.line) : nil }) {
      return ExpectationResult(.fail, why: "\(what) \(failed.time.durationText)", lines: [failed.line])
    }
    if let first = open.first {
      return .failing("\(what) \(first.time.durationText)", lines: [first.line], unless: ending)
    }
    if triggerCount == 0, !ending.isComplete {
      return ExpectationResult(.unknown, why: "no \(trigger.pattern.name.text) yet (the trace is truncated)")
    }
    return ExpectationResult(.pass, lines: lines)
  }
}
