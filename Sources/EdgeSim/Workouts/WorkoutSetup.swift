package import Link

/// The external service of strength workouts, and how often the server asks it: a scenario's `edge.workouts`.
package struct WorkoutSetup: Sendable, Equatable {
  /// From one fetch to the next.
  package var every = VirtualTime.Span.seconds(3_600)
  /// From a request to its answer.
  package var latency = VirtualTime.Span.milliseconds(600)
  /// How many days before the start have workouts already.
  package var historyDays = 30
  package var failures: [ServiceFailure] = []

  private static let historyMax: Int64 = 3_650

  /// How a scenario's `edge.workouts` is read and described.
  package static let schema = ObjectSchema<Self>(
    "edge.workouts",
    "The server fetches strength workouts from a simulated service ([totals](built-in-apps.md#daily-totals)).",
    Self(),
    [
      Field("every", \.every, .duration(.seconds(60)...(.hours(24))), "from one fetch to the next"),
      Field("latency", \.latency, .duration(.milliseconds(1)...(.hours(1))), "from a request to its answer"),
      Field("history", \.historyDays, .integer(0...historyMax), "days before the start that have workouts"),
      Field(
        "failures", \.failures, .array(of: .object(ServiceFailure.schema), count: 0...1_000),
        "what the service does wrong; of two at one time the first counts"
      ).omittedAtDefault,
    ])

  func failure(at now: VirtualTime) -> ServiceFailure? { failures.first { $0.applies(at: now) } }
}

/// A period in which the external service fails in one way: one of a scenario's `edge.workouts.failures`.
package struct ServiceFailure: Sendable, Equatable {
  package enum Effect: String, Sendable, CaseIterable {
    /// It does not answer.
    case unavailable
    /// It answers with status 500.
    case error500
    /// It answers with status 429: too many requests.
    case rateLimited
    /// Its answer is cut off in the middle.
    case malformed
    /// It lists each workout twice.
    case twice
    /// Its answer comes later.
    case late
  }

  package var begin = VirtualTime.start
  /// Nil for the end of the run.
  package var length: VirtualTime.Span?
  package var effect: Effect
  /// Of `late`: how much later.
  package var lateness = VirtualTime.Span.seconds(30)

  package init(_ effect: Effect) { self.effect = effect }

  package static let schema = ObjectSchema<Self>(
    "edge.workouts.failures[]", "A way in which the external service fails for a while.", Self(.unavailable),
    [
      Field("do", \.effect, .word, "what happens", .required),
      Field("at", \.begin, .instant, "since the run's start"),
      Field("for", \.length, .duration(), "for how long", .otherwise("to the end")),
      Field("by", \.lateness, .duration(max: .hours(1)), "of late: how much later the answers come"),
    ])

  func applies(at now: VirtualTime) -> Bool {
    guard begin <= now else { return false }
    return length.map { now < begin + $0 } ?? true
  }
}
