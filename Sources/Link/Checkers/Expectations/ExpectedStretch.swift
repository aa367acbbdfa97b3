/// A stretch of a run between two moments, both included: `between: ["11m9s", "11m12s"]`.
struct ExpectedStretch: Sendable {
  static let key = "between"

  var from: VirtualTime
  var to: VirtualTime

  /// Reads the two moments; nil after reporting what is wrong.
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

/// A stretch that may be left out: the whole run then.
struct OptionalStretch: Sendable {
  private var stretch: ExpectedStretch?

  /// Reads `between`; nil after reporting what is wrong with it.
  init?(_ reader: JSONObjectReader) {
    guard let value = reader.value(ExpectedStretch.key) else { return }
    guard let stretch = ExpectedStretch(value) else { return nil }
    self.stretch = stretch
  }

  func contains(_ time: VirtualTime) -> Bool { stretch?.contains(time) ?? true }

  /// What follows a count in a message; empty for the whole run.
  var suffix: String { stretch.map { " \($0.text)" } ?? "" }

  /// How a trace ended as far as the stretch is concerned: one that broke off after it leaves nothing open.
  func isComplete(_ ending: TraceEnding) -> Bool { ending.isComplete || stretch.map { ending.time > $0.to } ?? false }
}
