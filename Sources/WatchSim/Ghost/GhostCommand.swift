import CoachProtocol
package import Link

/// A scenario's order for a ghost: a leftover workout session on the watch that sends messages.
package struct GhostCommand: Sendable, Equatable {
  /// The scenario's `do`.
  package static let word = "ghost"

  package enum Words: String, Sendable, CaseIterable {
    case workoutStarted
    /// A running workout with zeros for all metrics.
    case metrics
  }

  package var says: Words
  /// How far in the past its messages are stamped, by the watch's clock.
  package var age = VirtualTime.Span.zero

  /// The form of a scenario's event.
  package static let form = CommandForm(
    word, "sends a message of another workout session on the watch, which no athlete started", Self(says: .metrics),
    [
      Field(
        "says", \.says, .word, "whether it reports a start, or a running workout with zeros", .required),
      Field("age", \.age, .duration(), "how far in the past its message is stamped"),
    ]
  ) { command, _ in command }
}
