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
  package var age: VirtualTime.Span

  package init(says: Words, age: VirtualTime.Span = .zero) {
    self.says = says
    self.age = age
  }

  /// Reads the members of a scenario's event besides `at` and `do`; nil after reporting errors.
  package init?(_ reader: JSONObjectReader) {
    let says = reader.oneOf("says", Words.self, required: true)
    let age = reader.duration("age")
    guard let says, age != nil || !reader.has("age") else { return nil }
    self.init(says: says, age: age ?? .zero)
  }
}
