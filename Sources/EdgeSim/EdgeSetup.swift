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
  /// The external service of workouts, if any.
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
  package static let failuresMax = 1_000
  private static let spanMax = VirtualTime.Span.hours(24)

  /// How a scenario's `edge` is read, written and described.
  package static let schema = ObjectSchema<Self>(
    "edge", "The cloud the phone talks to.", Self(),
    [
      Field(
        "latency", \.latency, .duration(max: spanMax), "mean time from a request to its answer, 1ms at least"),
      Field("jitter", \.jitter, .duration(max: spanMax), "uniform variation in either direction"),
      Field(
        "failures", \.failures, .array(of: .object(EdgeFailure.schema), count: 0...failuresMax),
        "its failures; the first that applies to a request counts"
      ).omittedAtDefault,
      Field(
        "events", \.events, .array(of: .object(EdgeEvent.schema).readable, count: 0...EdgeEvent.countMax),
        "what happens to the server and its files"
      ).omittedAtDefault,
      Field(
        "workouts", \.workouts, .object(WorkoutSetup.schema).readable,
        "an external service from which the server fetches workouts"),
    ]
  ) { setup, _ in
    // Events of one instant happen in the order of the file.
    setup.events = setup.events.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(
      \.element)
    return true
  }
}
