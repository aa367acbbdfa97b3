import CoachProtocol
package import Link

/// A scenario's order that a ghost speaks up: another workout session on the watch, which nobody runs.
package struct GhostCommand: Sendable, Equatable {
  /// The word of a scenario's `do`.
  package static let word = "ghost"

  /// What it says.
  package enum Words: String, Sendable, CaseIterable {
    /// That a workout started.
    case workoutStarted
    /// That a workout runs, with zeros for everything it measured.
    case metrics
  }

  /// What it says.
  package var says: Words
  /// How long ago it stamps its words, by the watch's clock.
  package var age: VirtualTime.Span

  /// Creates an order.
  package init(says: Words, age: VirtualTime.Span = .zero) {
    self.says = says
    self.age = age
  }

  /// Reads the members of a scenario's event besides `at` and `do`; nil after reporting what is wrong.
  package init?(_ reader: JSONObjectReader) {
    let says = reader.oneOf("says", Words.self, required: true)
    let age = reader.duration("age")
    guard let says, age != nil || !reader.has("age") else { return nil }
    self.init(says: says, age: age ?? .zero)
  }
}
