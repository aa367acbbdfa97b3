/// A stretch of a run between two instants, both included: `between: ["11m9s", "11m12s"]`.
struct ExpectedStretch: Sendable {
  static let key = "between"

  var from: VirtualTime
  var to: VirtualTime

  /// Reads the two instants; nil after reporting an error.
  init?(_ value: JSONValueReader) {
    guard let values = value.array(count: 0...2) else { return nil }
    guard values.count == 2 else {
      value.error("expected two moments, such as [\"11m9s\", \"11m12s\"]")
      return nil
    }
    guard let from = values[0].duration(), let to = values[1].duration() else { return nil }
    guard from <= to else {
      value.error("the first moment is after the second")
      return nil
    }
    self.from = .start + from
    self.to = .start + to
  }

  func contains(_ time: VirtualTime) -> Bool { time >= from && time <= to }

  /// The stretch in a message.
  var text: String { "between \(from.durationText) and \(to.durationText)" }
}

/// A stretch that may be left out, which means the whole run.
struct OptionalStretch: Sendable {
  private var stretch: ExpectedStretch?

  /// Reads `between`; nil after reporting what is wrong with it.
  init?(_ reader: JSONObjectReader) {
    guard let value = reader.value(ExpectedStretch.key) else { return }
    guard let stretch = ExpectedStretch(value) else { return nil }
    self.stretch = stretch
  }

  var isGiven: Bool { stretch != nil }

  func contains(_ time: VirtualTime) -> Bool { stretch?.contains(time) ?? true }

  /// What follows a count in a message; empty for the whole run.
  var suffix: String { stretch.map { " \($0.text)" } ?? "" }

  /// Whether the trace covers the stretch: one that is truncated after it does.
  func isComplete(_ ending: TraceEnding) -> Bool { ending.isComplete || stretch.map { ending.time > $0.to } ?? false }
}
