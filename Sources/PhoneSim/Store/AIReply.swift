package import Link

/// What the coach answers the runner: a row of the companion store's `AiReply`.
package struct AIReply: Sendable, Equatable {
  /// Names it; the question's name for what is spoken, and one of its own for an answer that came too late.
  package var id: Identifier
  /// The voice note it answers.
  package var noteId: Identifier
  /// What is said.
  package var text: String
  /// When it was asked for, by the phone's timers.
  package var requestedAt: VirtualTime
  /// When the answer came; nil for a stock line.
  package var respondedAt: VirtualTime?
  /// When it was spoken; nil while it was not.
  package var playedAt: VirtualTime?
  /// What made it: ``edgeModel`` or ``stockModel``.
  package var model: String
  /// What it cost, in dollars; nil where nobody says.
  package var costUSD: Double?

  /// The model of what the edge answers.
  package static let edgeModel = "edge"
  /// The model of a stock line.
  package static let stockModel = "stock"

  /// Creates a row.
  package init(
    id: Identifier, noteId: Identifier, text: String, requestedAt: VirtualTime, respondedAt: VirtualTime?,
    playedAt: VirtualTime? = nil, model: String, costUSD: Double? = nil
  ) {
    self.id = id
    self.noteId = noteId
    self.text = text
    self.requestedAt = requestedAt
    self.respondedAt = respondedAt
    self.playedAt = playedAt
    self.model = model
    self.costUSD = costUSD
  }
}

/// A reply that is to be spoken when there is room for it.
package struct WaitingReply: Sendable, Equatable {
  /// Which.
  package var id: Identifier
  /// How many words it has.
  package var words: Int
  /// When it arrived, by the phone's timers.
  package var arrivedAt: VirtualTime
  /// The look at the script from which on it is due.
  package var dueSince: Int64

  /// Creates one.
  package init(id: Identifier, words: Int, arrivedAt: VirtualTime, dueSince: Int64) {
    self.id = id
    self.words = words
    self.arrivedAt = arrivedAt
    self.dueSince = dueSince
  }
}
