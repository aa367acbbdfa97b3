package import Link

/// A line that was spoken, or begun: the companion store's `PlayedMessage`.
package struct PlayedMessage: Sendable, Equatable {
  /// Which line of the script.
  package var messageId: String
  /// When it was dispatched.
  package var playedAt: VirtualTime
  /// Which run it belongs to.
  package var runId: Identifier
  /// Whether it was cut off.
  package var wasInterrupted = false
}

/// One durable change of what the phone knows.
package enum PhoneChange: Sendable, Equatable {
  /// A line is about to be spoken: no commit, no speech.
  case played(PlayedMessage)
  /// The line that was played last under this id was cut off.
  case interrupted(messageId: String)
}
