/// `{ event, within, after: { event } }`: each `after` event is followed by such an event in time.
public struct WithinExpectation: Expectation {
  public static let key = "within"
  public static let keys = ["event", "within", "after", "where"]
  public static let about = "Each matching `after` event is followed by a matching event within the time given."

  private let pattern: EventPattern
  private let trigger: EventPattern
  private let within: VirtualTime.Span
  /// The `after` events that are not answered yet, in order of time.
  private var open: [(time: VirtualTime, line: Int)] = []
  private var lines: [Int] = []
  private var triggerCount = 0
  private var failed: (time: VirtualTime, line: Int)?

  public init?(_ reader: JSONObjectReader) {
    let pattern = EventPattern(reader, key: "event")
    let within = reader.duration(Self.key, required: true)
    let trigger = reader.object("after", required: true) { EventPattern($0, key: "event") }
    guard let pattern, let within, let trigger else { return nil }
    self.pattern = pattern
    self.within = within
    self.trigger = trigger
  }

  public var interests: [TraceEvent.Name] { [pattern.name, trigger.name] }

  public mutating func observe(_ event: TraceEvent, line: Int) {
    guard failed == nil else { return }
    if let first = open.first, event.time > first.time + within {
      failed = first
      return
    }
    if pattern.matches(event), !open.isEmpty {
      if lines.count + 2 <= ExpectationResult.linesMax { lines += [open[0].line, line] }
      open.removeAll(keepingCapacity: true)
    }
    if trigger.matches(event) {
      triggerCount += 1
      open.append((event.time, line))
    }
  }

  public func finish(_ ending: TraceEnding) -> ExpectationResult {
    let what = "no \(pattern.name.text) within \(DurationText.text(within)) of the \(trigger.name.text) at"
    // The last line of the trace may be of no interest and still show that the time is over.
    if let failed = failed ?? open.first.flatMap({ ending.time > $0.time + within ? $0 : nil }) {
      return ExpectationResult(.fail, why: "\(what) \(failed.time.durationText)", lines: [failed.line])
    }
    if let first = open.first {
      return .failing("\(what) \(first.time.durationText)", lines: [first.line], unless: ending)
    }
    if triggerCount == 0, !ending.isComplete {
      return ExpectationResult(.unknown, why: "no \(trigger.name.text) yet (the trace is truncated)")
    }
    return ExpectationResult(.pass, lines: lines)
  }
}
