import CoachProtocol
package import Link

/// The edge's configuration: a scenario's `edge`.
package struct EdgeSetup: Sendable, Equatable {
  /// The mean time from a request to its answer.
  package var latency: VirtualTime.Span
  /// Uniform deviation to both sides.
  package var jitter: VirtualTime.Span
  /// Its failures; the first that applies to a request counts.
  package var failures: [EdgeFailure]
  /// What happens to the server, by time.
  package var events: [EdgeEvent] = []
  /// The external service of workouts; nil for none.
  package var workouts: WorkoutSetup?
  /// The run's start, in nanoseconds since 1970.
  package var startedAt: Int64 = 0

  /// Defaults: 800 ms, give or take 200 ms, and no failures.
  package init(
    latency: VirtualTime.Span = .milliseconds(800), jitter: VirtualTime.Span = .milliseconds(200),
    failures: [EdgeFailure] = []
  ) {
    self.latency = latency
    self.jitter = jitter
    self.failures = failures
  }
}

extension EdgeSetup {
  /// Upper bound of latency, jitter and lateness.
  package static let spanMax = VirtualTime.Span.seconds(86_400)
  package static let failuresMax = 1_000

  /// Reads a scenario's `edge`; errors are reported and skipped.
  package init(reading reader: JSONObjectReader) {
    self.init()
    if let latency = Self.span("latency", reader) { self.latency = latency }
    if let jitter = Self.span("jitter", reader) { self.jitter = jitter }
    failures = (reader.array("failures", countMax: Self.failuresMax) ?? []).compactMap { value in
      guard let failure = value.object() else { return nil }
      defer { failure.finish() }
      return EdgeFailure(reading: failure)
    }
    let events = (reader.array("events", countMax: EdgeEvent.countMax) ?? []).compactMap { value in
      value.object().flatMap { EdgeEvent.schema.readWhole($0) }
    }
    workouts = reader.object("workouts") { WorkoutSetup.schema.read($0) }
    // Events of one instant happen in the order of the file.
    self.events = events.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
  }

  fileprivate static func span(_ key: String, _ reader: JSONObjectReader, required: Bool = false) -> VirtualTime.Span? {
    guard let value = reader.value(key, required: required), let span = value.duration() else { return nil }
    guard span <= spanMax else {
      value.refuse(expected: "a duration of at most 24h")
      return nil
    }
    return span
  }
}

extension EdgeFailure {
  /// Reads one of a scenario's `edge.failures`; nil after reporting errors.
  init?(reading reader: JSONObjectReader) {
    let before = reader.collector.diagnostics.list.count
    let call = reader.oneOf("call", EdgeCall.self)
    let at = reader.duration("at") ?? .zero
    let length = reader.duration("for")
    let times = reader.integer("times", in: 1...1_000_000)
    if length != nil, times != nil { reader.error("for and times exclude one another") }
    let word = reader.oneOf("do", Effect.words, required: true)
    let by = word == "late" ? EdgeSetup.span("by", reader, required: true) : nil
    if word == "badScript", let call, call != .generateScript {
      reader.error("badScript fails generateScript alone, found \(call.rawValue)")
    }
    guard let word, reader.collector.diagnostics.list.count == before else {
      reader.allow(["by"])
      return nil
    }
    let effect: Effect =
      switch word {
      case "error500": .error500
      case "error502": .error502
      case "timeout": .timeout
      case "malformed": .malformed
      case "badScript": .badScript
      default: .late(by: by ?? .zero)
      }
    self.init(
      call: call, begin: .start + at, end: length.map { .start + at + $0 }, times: times.map { Int($0) }, effect)
  }
}
