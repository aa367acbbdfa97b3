package import Link

/// A dispatched line: a row of the companion store's `PlayedMessage`.
package struct PlayedMessage: Sendable, Equatable {
  package var messageId: String
  /// When it was dispatched.
  package var playedAt: VirtualTime
  package var runId: Identifier
  /// Whether it was cut off, never begun, or lost with the phone's process.
  package var wasInterrupted = false
}
