package import Link

/// A reply of the coach: a row of the companion store's `AiReply`.
package struct AIReply: Sendable, Equatable {
  /// The request's id if the reply is spoken; an id of its own for a late answer.
  package var id: Identifier
  package var noteId: Identifier
  package var text: String
  /// By the phone's timers.
  package var requestedAt: VirtualTime
  /// When the answer arrived; nil for a stock line.
  package var respondedAt: VirtualTime?
  /// When it was spoken; nil if not.
  package var playedAt: VirtualTime?
  /// ``edgeModel`` or ``stockModel``.
  package var model: String
  /// Cost in dollars; nil if unknown.
  package var costUSD: Double?

  package static let edgeModel = "edge"
  package static let stockModel = "stock"
}

/// A reply that waits to be spoken.
package struct WaitingReply: Sendable, Equatable {
  package var id: Identifier
  package var words: Int
  /// By the phone's timers.
  package var arrivedAt: VirtualTime
  /// The evaluation of the script from which it is due.
  package var dueSince: Int64
}

extension AIReply: StoredRow, PhoneRow {
  static let table = StoredTable(
    "AiReply", blank: AIReply(id: .blank, noteId: .blank, text: "", requestedAt: .start, model: ""),
    [
      StoredColumn("id", \.id), StoredColumn("voiceNoteId", \.noteId, references: "VoiceNote"),
      StoredColumn("replyText", \.text), StoredColumn("requestedAt", \.requestedAt),
      StoredColumn("respondedAt", \.respondedAt), StoredColumn("playedAt", \.playedAt),
      StoredColumn("model", \.model), StoredColumn("costUsd", \.costUSD, in: 0...1e9),
    ])
  static var inRecord: Place { \.replies }
  var rowKey: Identifier { id }
}

extension WaitingReply: StoredRow, PhoneRow {
  static let table = StoredTable(
    "WaitingReply", blank: WaitingReply(id: .blank, words: 0, arrivedAt: .start, dueSince: 0),
    [
      StoredColumn("replyId", \.id, references: "AiReply"),
      StoredColumn("words", \.words, in: 0...Double(Int32.max)), StoredColumn("arrivedAt", \.arrivedAt),
      StoredColumn("dueSince", \.dueSince, in: .counts),
    ])
  static var inRecord: Place { \.waitingReplies }
  var rowKey: Identifier { id }
}
