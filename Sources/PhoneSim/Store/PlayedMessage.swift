package import Link

/// A line that was spoken, or begun: a row of the companion store's `PlayedMessage`.
package struct PlayedMessage: Sendable, Equatable {
  /// Which line of the script.
  package var messageId: String
  /// When it was dispatched.
  package var playedAt: VirtualTime
  /// Which run it belongs to.
  package var runId: Identifier
  /// Whether it was not heard to its end: cut off, never begun, or lost with the phone's process.
  package var wasInterrupted = false

  /// Creates the row of a line that is about to be spoken.
  package init(messageId: String, playedAt: VirtualTime, runId: Identifier, wasInterrupted: Bool = false) {
    self.messageId = messageId
    self.playedAt = playedAt
    self.runId = runId
    self.wasInterrupted = wasInterrupted
  }
}
